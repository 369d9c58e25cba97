// Links of flexible models: joints, beams, sections, modes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/io/flexible/flexible_file.hpp"

namespace axode::detail {

namespace {

constexpr std::array<std::string_view, 9> link_keys{
    "name", "parent", "station", "mount", "joint", "inertia", "beam", "modes", "damping"};
constexpr std::array<std::string_view, 3> flexible_joint_keys{"type", "axis", "pitch"};
constexpr std::array<std::string_view, 6> beam_keys{"length",  "E",       "G",
                                                    "density", "section", "tip_section"};
constexpr std::array<std::string_view, 9> section_keys{
    "area", "Iy", "Iz", "torsion", "circle", "tube", "rectangle", "box", "I"};
constexpr std::array<std::string_view, 8> modes_keys{
    "torsion", "bend_y", "bend_z", "axial", "root", "tip_mass", "tip_inertia", "shapes"};
constexpr std::array<std::string_view, 2> root_keys{"bend_y", "bend_z"};
constexpr std::array<std::string_view, 4> mode_shape_keys{"direction", "polynomial", "places",
                                                          "values"};
constexpr std::array<std::string_view, 2> damping_keys{"ratio", "rayleigh"};
constexpr std::array<std::string_view, 3> payload_keys{"link", "station", "inertia"};
constexpr std::array<JsonObjectKeys, 9> flexible_link_objects{{{"link", link_keys},
                                                               {"joint", flexible_joint_keys},
                                                               {"beam", beam_keys},
                                                               {"section", section_keys},
                                                               {"modes", modes_keys},
                                                               {"root", root_keys},
                                                               {"shape", mode_shape_keys},
                                                               {"damping", damping_keys},
                                                               {"payload", payload_keys}}};

constexpr std::array<std::string_view, 4> joint_names{"fixed", "revolute", "prismatic", "helical"};
constexpr std::array<std::string_view, 4> direction_names{"torsion", "bend_y", "bend_z", "axial"};
constexpr std::array<std::string_view, 2> root_names{"clamped", "pinned"};

void flexible_joint_from_json(const JsonValue& value, FlexibleLink& link) {
  value.check_keys(flexible_joint_keys, "a joint");
  link.joint = static_cast<FlexibleLink::Joint>(
      value.at("type", "add \"type\": \"revolute\", for example").choice(joint_names));
  if (const auto axis = value.find("axis")) {
    if (link.joint == FlexibleLink::Joint::fixed)
      axis->fail("a fixed joint has no axis", "remove it");
    link.axis = vec3_from_json(*axis);
    if (!(norm(link.axis) > 0))
      axis->fail("\"axis\" is zero", "give a direction of any length but zero");
  }
  const auto pitch = value.find("pitch");
  if (pitch && link.joint != FlexibleLink::Joint::helical)
    pitch->fail("only helical joints have a pitch", "remove it, or make the joint helical");
  if (link.joint == FlexibleLink::Joint::helical)
    link.pitch = value.at("pitch", "add \"pitch\" in m/rad").number();
}

SectionOutline outline_from_json(const JsonValue& value) {
  const std::string sizes =
      "give \"area\", \"Iy\", \"Iz\" and \"torsion\", or one of \"circle\": d, \"tube\": [D, d], "
      "\"rectangle\": [w, h], \"box\": [w, h, wall], \"I\": [w, h, flange, web]";
  value.check_keys(section_keys, "a section");
  if (value.find("area")) {
    Section given;
    given.area = positive_from_json(value.at("area", sizes));
    given.Iy = positive_from_json(value.at("Iy", sizes));
    given.Iz = positive_from_json(value.at("Iz", sizes));
    given.torsion = positive_from_json(value.at("torsion", sizes));
    if (value.size() != 4) value.fail("numbers and an outline", "give one of them");
    return located(value, [&] { return section_numbers(given); });
  }
  if (value.size() != 1) value.fail("it is not a section", sizes);
  const JsonValue outline = value.members().front();
  std::array<double, 4> s{};
  const auto take = [&](std::size_t n) { outline.numbers(std::span(s).first(n)); };
  return located(outline, [&]() -> SectionOutline {
    if (outline.key() == "circle") return solid_circle(outline.number());
    if (outline.key() == "tube") return take(2), hollow_circle(s[0], s[1]);
    if (outline.key() == "rectangle") return take(2), solid_rectangle(s[0], s[1]);
    if (outline.key() == "box") return take(3), hollow_rectangle(s[0], s[1], s[2]);
    if (outline.key() == "I") return take(4), i_section(s[0], s[1], s[2], s[3]);
    throw Error("it is not a section", "", sizes);
  });
}

Beam beam_from_json(const JsonValue& value) {
  value.check_keys(beam_keys, "a beam");
  const auto number = [&](std::string_view key, std::string_view unit) {
    return positive_from_json(value.at(key, fmt::format("add \"{}\" in {}", key, unit)));
  };
  Beam beam;
  beam.length = number("length", "m");
  beam.material = {number("E", "Pa"), number("G", "Pa"), number("density", "kg/m^3")};
  beam.root = outline_from_json(value.at("section", "add \"section\": {\"circle\": d}, say"));
  beam.tip = beam.root;
  if (const auto tip = value.find("tip_section")) {
    beam.tip = outline_from_json(*tip);
    if (beam.tip.kind != beam.root.kind)
      tip->fail("the sections at root and tip are of different kinds",
                "taper between two outlines of one kind, or give numbers");
  }
  return beam;
}

int count_from_json(const JsonValue& value) {
  const double n = value.number();
  if (!(n >= 0 && n <= 50 && std::floor(n) == n))
    value.fail(fmt::format("{} is {}", value.title(), n), "give a count of modes from 0 to 50");
  return static_cast<int>(n);
}

/// Sets values along or about x, y, z: one number, three, or "outboard".
void tip_from_json(const JsonValue& value, bool inertia, ModeRequest& request) {
  if (value.kind() == JsonKind::text) {
    if (value.text() != "outboard")
      value.fail(fmt::format("{} is '{}'", value.title(), value.text()),
                 "give a number, three for x, y and z, or \"outboard\"");
    (inertia ? request.outboard_inertia : request.outboard_mass) = true;
    return;
  }
  std::array<double, 3> v{};
  if (value.kind() == JsonKind::list)
    value.numbers(v);
  else
    v = {inertia ? 0 : value.number(), value.number(), value.number()};
  if (std::ranges::any_of(v, [](double x) { return x < 0; }))
    value.fail(fmt::format("{} is negative", value.title()), "give 0 or more");
  if (inertia) {  // bending along y turns about z
    request.x.tip_inertia = v[0];
    request.z.tip_inertia = v[1];
    request.y.tip_inertia = v[2];
  } else {
    request.x.tip_mass = v[0];
    request.y.tip_mass = v[1];
    request.z.tip_mass = v[2];
  }
}

BeamMode mode_shape_from_json(const JsonValue& value, double length, const ModeRequest& request) {
  value.check_keys(mode_shape_keys, "a mode shape");
  BeamMode mode;
  mode.direction = static_cast<ModeDirection>(
      value.at("direction", "add \"direction\": \"bend_y\", for example").choice(direction_names));
  const auto polynomial = value.find("polynomial"), places = value.find("places"),
             values = value.find("values");
  if (polynomial && !places && !values) {
    mode.shape = polynomial_shape(length, number_list(*polynomial));
    if (mode.shape.numbers.empty()) polynomial->fail("it has no coefficients", "give some");
    return mode;
  }
  if (polynomial || !places || !values)
    value.fail("a shape is a polynomial, or values at places",
               "give \"polynomial\": [c0, c1, ...] in x/L, or \"places\" and \"values\"");
  const auto& boundary = mode.direction == ModeDirection::bend_z ? request.z : request.y;
  const bool bends =
      mode.direction == ModeDirection::bend_y || mode.direction == ModeDirection::bend_z;
  mode.shape = located(*places, [&] {
    return sampled_shape(length, number_list(*places), number_list(*values),
                         bends && boundary.root == ModeBoundary::Root::clamped);
  });
  return mode;
}

void root_from_json(const JsonValue& value, ModeRequest& request) {
  if (value.kind() != JsonKind::object) {
    request.y.root = request.z.root = static_cast<ModeBoundary::Root>(value.choice(root_names));
    return;
  }
  value.check_keys(root_keys, "a root");
  for (const auto& [key, boundary] : {std::pair{"bend_y", &request.y}, {"bend_z", &request.z}})
    if (const auto root = value.find(key))
      boundary->root = static_cast<ModeBoundary::Root>(root->choice(root_names));
}

/// A direction with shapes of the user has no others unless a count says so.
ModeRequest modes_from_json(const JsonValue& value, double length) {
  value.check_keys(modes_keys, "modes");
  ModeRequest request;
  if (const auto root = value.find("root")) root_from_json(*root, request);
  if (const auto mass = value.find("tip_mass")) tip_from_json(*mass, false, request);
  if (const auto inertia = value.find("tip_inertia")) tip_from_json(*inertia, true, request);
  if (const auto shapes = value.find("shapes"))
    for (const JsonValue& shape : shapes->items())
      request.given.push_back(mode_shape_from_json(shape, length, request));
  const std::array<int*, 4> counts{&request.torsion, &request.bend_y, &request.bend_z,
                                   &request.axial};
  for (std::size_t d = 0; d < counts.size(); ++d) {
    if (std::ranges::any_of(request.given, [d](const BeamMode& mode) {
          return static_cast<std::size_t>(mode.direction) == d;
        }))
      *counts[d] = 0;
    if (const auto count = value.find(direction_names[d])) *counts[d] = count_from_json(*count);
  }
  return request;
}

void damping_from_json(const JsonValue& value, FlexibleLink& link) {
  value.check_keys(damping_keys, "damping");
  if (const auto ratio = value.find("ratio")) link.damping_ratio = positive_from_json(*ratio, true);
  if (const auto rayleigh = value.find("rayleigh")) {
    std::array<double, 2> both{};
    rayleigh->numbers(both);
    if (both[0] < 0 || both[1] < 0)
      rayleigh->fail("\"rayleigh\" is negative", "give alpha [1/s] and beta [s], 0 or more");
    link.damping_mass = both[0];
    link.damping_stiffness = both[1];
  }
}

Inertia<> physical_inertia(const JsonValue& value) {
  const Inertia<> inertia = inertia_from_json(value);
  if (!(inertia.mass >= 0))
    value.fail(fmt::format("its mass is {} kg", inertia.mass), "give 0 or more");
  return inertia;
}

}  // namespace

std::span<const JsonObjectKeys> flexible_link_keys() noexcept { return flexible_link_objects; }

FlexibleDescription::Link flexible_link_from_json(const JsonValue& value) {
  value.check_keys(link_keys, "a link");
  FlexibleDescription::Link told;
  FlexibleLink& link = told.link;
  told.line = value.line();
  link.name = value.at("name", "add \"name\": each link has one").text();
  told.parent = value.at("parent", "add \"parent\": \"world\", or the name of a link").text();
  if (const auto station = value.find("station")) told.station = station->number();
  if (const auto mount = value.find("mount")) link.mount = pose_from_json(*mount);
  flexible_joint_from_json(
      value.at("joint", "add \"joint\": {\"type\": \"revolute\", \"axis\": [0, 0, 1]}"), link);
  if (const auto inertia = value.find("inertia")) told.inertia = physical_inertia(*inertia);
  if (const auto beam = value.find("beam")) link.beam = beam_from_json(*beam);
  for (const std::string_view key : {"modes", "damping"})
    if (const auto member = value.find(key); member && !link.beam)
      member->fail("a rigid link has no " + std::string(key), "give it a \"beam\", or remove this");
  if (const auto modes = value.find("modes"))
    told.modes = modes_from_json(*modes, link.beam->length);
  if (const auto damping = value.find("damping")) damping_from_json(*damping, link);
  return told;
}

FlexibleDescription::Link payload_from_json(const JsonValue& value, const std::string& name) {
  value.check_keys(payload_keys, "a payload");
  FlexibleDescription::Link told;
  told.line = value.line();
  told.link.name = name;
  told.link.joint = FlexibleLink::Joint::fixed;
  told.parent = value.at("link", "add \"link\": the one that carries it").text();
  if (const auto station = value.find("station")) told.station = station->number();
  told.inertia = physical_inertia(value.at("inertia", "add \"inertia\": {\"mass\": m}"));
  return told;
}

}  // namespace axode::detail
