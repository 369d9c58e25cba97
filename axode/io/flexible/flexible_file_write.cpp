// Flexible models as text of the format.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

namespace {

using OutlineKind = SectionOutline::Kind;

[[noreturn]] void no_flexible_text(const std::string& what) {
  throw Error("it is of the program, which no file can say", what,
              "give it as a file would, or read it from a file");
}

std::string section_text(const SectionOutline& outline) {
  JsonMembers m;
  const auto sizes = [&](std::string_view key, std::size_t n) {
    m.add(key, json_numbers(std::span(outline.sizes).first(n)));
  };
  switch (outline.kind) {
    case OutlineKind::numbers:
      m.number("area", outline.given.area);
      m.number("Iy", outline.given.Iy);
      m.number("Iz", outline.given.Iz);
      m.number("torsion", outline.given.torsion);
      break;
    case OutlineKind::circle:
      m.number("circle", outline.sizes[0]);
      break;
    case OutlineKind::tube:
      sizes("tube", 2);
      break;
    case OutlineKind::rectangle:
      sizes("rectangle", 2);
      break;
    case OutlineKind::box:
      sizes("box", 3);
      break;
    case OutlineKind::i_profile:
      sizes("I", 4);
      break;
  }
  return m.text();
}

std::string beam_text(const Beam& beam) {
  JsonMembers m;
  m.number("length", beam.length);
  m.number("E", beam.material.E);
  m.number("G", beam.material.G);
  m.number("density", beam.material.density);
  m.add("section", section_text(beam.root));
  if (beam.tip != beam.root) m.add("tip_section", section_text(beam.tip));
  return m.text();
}

std::string mode_shape_text(const BeamMode& mode, const std::string& link) {
  JsonMembers m;
  m.add("direction", json_string(name(mode.direction)));
  if (mode.shape.kind == ModeShape::Kind::polynomial) {
    m.add("polynomial", json_numbers(mode.shape.numbers));
  } else if (mode.shape.kind == ModeShape::Kind::samples) {
    m.add("places", json_numbers(mode.shape.places));
    m.add("values", json_numbers(mode.shape.numbers));
  } else {
    no_flexible_text(fmt::format("a mode shape of link '{}'", link));
  }
  return m.text();
}

std::string modes_text(const ModeRequest& r, const std::string& link) {
  JsonMembers m;
  m.number("torsion", r.torsion);
  m.number("bend_y", r.bend_y);
  m.number("bend_z", r.bend_z);
  m.number("axial", r.axial);
  const auto root = [](const ModeBoundary& b) {
    return json_string(b.root == ModeBoundary::Root::clamped ? "clamped" : "pinned");
  };
  m.add("root", r.y.root == r.z.root
                    ? root(r.y)
                    : fmt::format("{{\"bend_y\": {}, \"bend_z\": {}}}", root(r.y), root(r.z)));
  m.add("tip_mass", r.outboard_mass
                        ? "\"outboard\""
                        : json_numbers(std::array{r.x.tip_mass, r.y.tip_mass, r.z.tip_mass}));
  m.add("tip_inertia",
        r.outboard_inertia
            ? "\"outboard\""
            : json_numbers(std::array{r.x.tip_inertia, r.z.tip_inertia, r.y.tip_inertia}));
  if (!r.given.empty()) {
    std::vector<std::string> shapes;
    shapes.reserve(r.given.size());
    for (const BeamMode& mode : r.given) shapes.push_back(mode_shape_text(mode, link));
    m.add("shapes", fmt::format("[{}]", fmt::join(shapes, ", ")));
  }
  return m.text();
}

std::string flexible_joint_text(const FlexibleLink& link) {
  constexpr std::array<std::string_view, 4> names{"fixed", "revolute", "prismatic", "helical"};
  JsonMembers m;
  m.add("type", json_string(names[std::size_t(link.joint)]));
  if (link.joint != FlexibleLink::Joint::fixed) m.add("axis", json_text(link.axis));
  if (link.joint == FlexibleLink::Joint::helical) m.number("pitch", link.pitch);
  return m.text();
}

std::string link_text(const FlexibleDescription::Link& told) {
  const FlexibleLink& link = told.link;
  JsonMembers m;
  m.add("name", json_string(link.name));
  m.add("parent", json_string(told.parent));
  if (told.station) m.number("station", *told.station);
  if (link.mount != SE3<>{}) m.add("mount", json_text(link.mount));
  m.add("joint", flexible_joint_text(link));
  if (told.inertia != Inertia<>{}) m.add("inertia", json_text(told.inertia));
  if (link.beam) {
    m.add("beam", beam_text(*link.beam));
    m.add("modes", modes_text(told.modes, link.name));
    JsonMembers damping;
    damping.number_unless("ratio", link.damping_ratio, 0);
    if (link.damping_mass != 0 || link.damping_stiffness != 0)
      damping.add("rayleigh", json_numbers(std::array{link.damping_mass, link.damping_stiffness}));
    if (!damping.list.empty()) m.add("damping", damping.text());
  }
  return fmt::format("    {{\n      {}\n    }}", fmt::join(m.list, ",\n      "));
}

/// {"name": value, ...} of those that are not `usual`.
std::string named_text(const std::vector<std::string>& names, std::span<const double> numbers,
                       bool all = false) {
  JsonMembers m;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (all || numbers[i] != 0) m.number(names[i], numbers[i]);
  return m.text();
}

std::string control_text(const FlexibleSetup& s) {
  const FlexibleControl& c = s.forces.control;
  const auto& names = s.tree.coordinate_names;
  std::vector<std::string> targets;
  for (std::size_t k = 0; k < c.times.size(); ++k)
    targets.push_back(fmt::format("{{\"from\": {}, \"q\": {}}}", json_number(c.times[k]),
                                  named_text(names, c.targets[k], true)));
  return fmt::format(
      "{{\n    \"kp\": {},\n    \"kd\": {},\n    \"targets\": [\n      {}\n    ]\n  }}",
      named_text(names, c.kp, true), named_text(names, c.kd, true),
      fmt::join(targets, ",\n      "));
}

std::string flexible_forces_text(const FlexibleSetup& s) {
  JsonMembers m;
  for (std::size_t i = 0; i < s.forces.joint_forces.size(); ++i) {
    const Signal& force = s.forces.joint_forces[i];
    if (i < s.force_texts.size() && !s.force_texts[i].empty())
      m.add(s.tree.coordinate_names[i], s.force_texts[i]);
    else if (!is_zero(force))
      no_flexible_text(fmt::format("the force of joint '{}'", s.tree.coordinate_names[i]));
  }
  return m.text();
}

std::string flexible_load_text(const FlexibleSetup& s, std::size_t k) {
  const FlexibleLoad& load = s.forces.loads[k];
  JsonMembers m;
  m.add("link", json_string(s.tree.links[load.link].name));
  m.number("station", load.station);
  m.add("force", json_text(load.wrench.linear));
  m.add("torque", json_text(load.wrench.angular));
  if (load.follows) m.add("follows", "true");
  if (k < s.factor_texts.size() && !s.factor_texts[k].empty()) m.add("factor", s.factor_texts[k]);
  return m.text();
}

std::string prescribed_text(const FlexibleSetup& s, std::size_t k) {
  const PrescribedJoint& joint = s.forces.prescribed[k];
  JsonMembers m;
  m.add("joint", json_string(s.tree.coordinate_names[joint.coordinate]));
  if (k >= s.motion_texts.size() || s.motion_texts[k].empty())
    no_flexible_text("a prescribed motion");
  m.add("motion", s.motion_texts[k]);
  if (!joint.switches.empty()) m.add("switches", json_numbers(joint.switches));
  return m.text();
}

}  // namespace

std::string flexible_text(const FlexibleSetup& s) {
  const FlexibleDescription& d = s.description;
  JsonMembers m;
  m.number("axode_flexible", flexible_version);
  if (!d.name.empty()) m.add("name", json_string(d.name));
  m.add("gravity", json_text(d.gravity));
  m.add("rotation", json_string(name(d.rotation)));
  if (d.stiffening) m.add("stiffening", "true");
  std::vector<std::string> parts;
  for (const FlexibleDescription::Link& link : d.links) parts.push_back(link_text(link));
  m.add("links", fmt::format("[\n{}\n  ]", fmt::join(parts, ",\n")));
  JsonMembers reference;
  for (const auto& [joint, value] : d.reference) reference.number(joint, value);
  if (!reference.list.empty()) m.add("reference", fmt::format("{{\"q\": {}}}", reference.text()));
  if (!s.forces.control.kp.empty()) m.add("control", control_text(s));
  if (!s.forces.joint_forces.empty()) m.add("forces", flexible_forces_text(s));
  const auto list = [&](std::string_view key, std::size_t count, const auto& text) {
    if (count == 0) return;
    std::vector<std::string> items;
    for (std::size_t k = 0; k < count; ++k) items.push_back(text(s, k));
    m.add(key, fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    ")));
  };
  list("loads", s.forces.loads.size(), flexible_load_text);
  list("prescribed", s.forces.prescribed.size(), prescribed_text);
  m.add("initial", fmt::format("{{\"q\": {}, \"v\": {}}}", named_text(s.tree.coordinate_names, s.q),
                               named_text(s.tree.coordinate_names, s.v)));
  if (s.duration > 0) m.number("duration", s.duration);
  std::string text = fmt::format("{{\n  {}\n}}\n", fmt::join(m.list, ",\n  "));
  check_utf8(text, "flexible_text");
  return text;
}

}  // namespace axode
