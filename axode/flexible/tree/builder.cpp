#include "axode/flexible/tree/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"

namespace axode {
namespace {

using LinkJoint = FlexibleLink::Joint;

std::string title(const FlexibleLink& link) { return fmt::format("link '{}'", link.name); }

/// The frame of a link in the frame of its parent, beams undeformed.
SE3<> rigid_pose(const FlexibleTree& tree, const FlexibleLink& link, double q) {
  SE3<> T = link.mount;
  if (link.parent >= 0 && tree.links[link.parent].beam) T.p.x += link.station;
  if (link.joint == LinkJoint::revolute || link.joint == LinkJoint::helical)
    T = T * SE3<>{exp(link.axis * q), link.axis * (link.pitch * q)};
  if (link.joint == LinkJoint::prismatic) T = T * SE3<>{{}, link.axis * q};
  return T;
}

/// Of one link in its own frame, undeformed; a tapered beam by quadrature.
Inertia<> rigid_inertia(const FlexibleLink& link) {
  Inertia<> all = inertia_from_parameters(link.rigid);
  if (!link.beam) return all;
  const GaussRule rule = gauss_rule(8);
  const Beam& beam = *link.beam;
  for (std::size_t k = 0; k < rule.x.size(); ++k) {
    const double x = rule.x[k] * beam.length;
    const Section s = section_at(beam, x);
    const double w = rule.weight[k] * beam.length * beam.material.density;
    all =
        all + Inertia<>{w * s.area, {x, 0, 0}, Sym3<>::diagonal(Vec3<>{s.polar(), s.Iy, s.Iz} * w)};
  }
  return all;
}

/// All that moves with a link, in its frame.
Inertia<> composite(const FlexibleTree& tree, std::size_t i, const std::vector<double>& q) {
  Inertia<> all = rigid_inertia(tree.links[i]);
  for (std::size_t k = i + 1; k < tree.links.size(); ++k) {
    const FlexibleLink& child = tree.links[k];
    if (child.parent == static_cast<int>(i))
      all = all + transform(rigid_pose(tree, child, q[k]), composite(tree, k, q));
  }
  return all;
}

[[noreturn]] void unknown(const std::string& problem, const FlexibleTree& tree,
                          const std::string& where, bool with_world) {
  std::string known = with_world ? world_name : "";
  for (const FlexibleLink& link : tree.links)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", link.name);
  throw Error(problem, where, fmt::format("there are {}; parents stand before children", known));
}

int parent_named(const FlexibleTree& before, const FlexibleDescription::Link& told) {
  if (told.parent == world_name) return -1;
  for (std::size_t i = 0; i < before.links.size(); ++i)
    if (before.links[i].name == told.parent) return static_cast<int>(i);
  unknown(fmt::format("there is no parent '{}'", told.parent), before, title(told.link), true);
}

/// Parents by number and stations; modes are made later, when all is there that may hang at a tip.
FlexibleTree links_of(const FlexibleDescription& description) {
  FlexibleTree tree;
  tree.name = description.name;
  tree.gravity = description.gravity;
  tree.rotation = description.rotation;
  tree.stiffening = description.stiffening;
  tree.links.reserve(description.links.size());
  for (const FlexibleDescription::Link& told : description.links) {
    FlexibleLink link = told.link;
    link.rigid = parameters(told.inertia);
    if (link.name == world_name)
      throw Error("'world' is the name of the inertial frame", title(link), "choose another name");
    link.parent = parent_named(tree, told);
    if (link.beam) check_beam(*link.beam, title(link));
    const Beam* on =
        link.parent < 0 || !tree.links[link.parent].beam ? nullptr : &*tree.links[link.parent].beam;
    if (told.station && on == nullptr)
      throw Error(fmt::format("it has a station on '{}', which is not a beam", told.parent),
                  title(link), "leave the station out, and say the place in its mount");
    if (on != nullptr) link.station = told.station.value_or(on->length);
    if (on != nullptr && !(link.station >= 0 && link.station <= on->length))
      throw Error(fmt::format("its station {} m is not on '{}'", link.station, told.parent),
                  title(link), fmt::format("choose one in [0, {}] m", on->length));
    tree.links.push_back(std::move(link));
  }
  return tree;
}

std::vector<double> reference_of(const FlexibleDescription& description, const FlexibleTree& tree) {
  std::vector<double> q(tree.links.size(), 0);
  for (const auto& [joint, value] : description.reference) {
    const auto same = [&, &wanted = joint](const FlexibleLink& link) {
      return link.name == wanted && link.joint != LinkJoint::fixed;
    };
    const auto link = std::ranges::find_if(tree.links, same);
    if (link == tree.links.end())
      unknown(fmt::format("there is no joint '{}'", joint), tree, "the reference pose", false);
    if (!std::isfinite(value))
      throw Error(fmt::format("joint '{}' is at {}", joint, value), "the reference pose",
                  "give a finite number");
    q[link - tree.links.begin()] = value;
  }
  return q;
}

int count_of(const ModeRequest& request, ModeDirection direction) {
  switch (direction) {
    case ModeDirection::torsion:
      return request.torsion;
    case ModeDirection::bend_y:
      return request.bend_y;
    case ModeDirection::bend_z:
      return request.bend_z;
    case ModeDirection::axial:
      break;
  }
  return request.axial;
}

void check_boundary(const ModeBoundary& boundary, const std::string& where) {
  for (const double x : {boundary.tip_mass, boundary.tip_inertia})
    if (!(x >= 0) || !std::isfinite(x))
      throw Error(fmt::format("a tip mass or inertia is {}", x), where, "it must not be negative");
}

/// The modes of a link, boundaries being those of the request with what hangs outboard.
void make_modes(FlexibleTree& tree, std::size_t i, const ModeRequest& request,
                const std::vector<double>& q) {
  FlexibleLink& link = tree.links[i];
  link.boundary_y = request.y;
  link.boundary_z = request.z;
  link.boundary_x = request.x;
  const Inertia<> outboard = outboard_inertia(tree, static_cast<int>(i), q);
  const Sym3<> about_tip = about_origin(outboard);
  const auto set = [&](ModeBoundary& boundary, double inertia) {
    if (request.outboard_mass) boundary.tip_mass = outboard.mass;
    if (request.outboard_inertia) boundary.tip_inertia = inertia;
    check_boundary(boundary, title(link));
  };
  set(link.boundary_y, about_tip.zz);
  set(link.boundary_z, about_tip.yy);
  set(link.boundary_x, about_tip.xx);
  for (const ModeDirection d : {ModeDirection::torsion, ModeDirection::bend_y,
                                ModeDirection::bend_z, ModeDirection::axial}) {
    const ModeBoundary& boundary = d == ModeDirection::bend_y   ? link.boundary_y
                                   : d == ModeDirection::bend_z ? link.boundary_z
                                                                : link.boundary_x;
    const int count = count_of(request, d);
    if (count < 0 || count > 50)
      throw Error(fmt::format("{} modes of {} are asked for", count, name(d)), title(link),
                  "ask for 0 to 50");
    std::vector<BeamMode> modes;
    if (count > 0) modes = beam_modes(*link.beam, d, count, boundary);
    const auto of_direction = [d](const BeamMode& mode) { return mode.direction == d; };
    std::ranges::copy_if(request.given, std::back_inserter(modes), of_direction);
    check_modes(*link.beam, modes, boundary, title(link));
    link.modes.insert(link.modes.end(), modes.begin(), modes.end());
  }
}

FlexibleTree build_links(const FlexibleDescription& description) {
  FlexibleTree tree = links_of(description);
  const std::vector<double> q = reference_of(description, tree);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    FlexibleLink& link = tree.links[i];
    if (const double length = norm(link.axis); length > 0 && std::abs(length - 1) > 1e-14)
      link.axis = link.axis / length;
    if (link.beam) make_modes(tree, i, description.links[i].modes, q);
  }
  return complete(std::move(tree));
}

}  // namespace

Inertia<> outboard_inertia(const FlexibleTree& tree, int link, const std::vector<double>& q) {
  const FlexibleLink& inboard = tree.links[link];
  const double length = inboard.beam ? inboard.beam->length : 0;
  Inertia<> all;
  for (std::size_t k = link + 1; k < tree.links.size(); ++k) {
    const FlexibleLink& child = tree.links[k];
    if (child.parent != link || child.station < length * (1 - 1e-9)) continue;
    all = all + transform(rigid_pose(tree, child, q[k]), composite(tree, k, q));
  }
  return transform(SE3<>{{}, {-length, 0, 0}}, all);
}

FlexibleTree build(const FlexibleDescription& description) {
  try {
    return build_links(description);
  } catch (const Error& e) {
    if (description.source.empty()) throw;
    int line = 0;
    for (const FlexibleDescription::Link& told : description.links)
      if (title(told.link) == e.where()) line = told.line;
    const std::string file =
        line > 0 ? fmt::format("{}:{}", description.source, line) : description.source;
    throw Error(e.problem(), e.where().empty() ? file : fmt::format("{}: {}", file, e.where()),
                e.remedy());
  }
}

FlexibleDescription::Link& FlexibleBuilder::last() {
  if (description_.links.empty())
    throw Error("there is no link yet", "FlexibleBuilder", "add a link before its joint");
  return description_.links.back();
}
FlexibleBuilder& FlexibleBuilder::gravity(const Vec3<>& acceleration) {
  description_.gravity = acceleration;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::rotation(SectionRotation order) {
  description_.rotation = order;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::stiffening(bool kept) {
  description_.stiffening = kept;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::reference(const std::string& joint, double q) {
  description_.reference.emplace_back(joint, q);
  return *this;
}
FlexibleBuilder& FlexibleBuilder::rigid(std::string name, std::string parent, const SE3<>& mount,
                                        const Inertia<>& inertia) {
  FlexibleDescription::Link told;
  told.link.name = std::move(name);
  told.link.mount = mount;
  told.inertia = inertia;
  told.parent = std::move(parent);
  description_.links.push_back(std::move(told));
  return *this;
}
FlexibleBuilder& FlexibleBuilder::beam(std::string name, std::string parent, const SE3<>& mount,
                                       const Beam& beam, const ModeRequest& modes) {
  rigid(std::move(name), std::move(parent), mount, {});
  last().link.beam = beam;
  last().modes = modes;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::payload(std::string link, const Inertia<>& inertia,
                                          std::optional<double> station) {
  rigid(fmt::format("payload{}", ++payloads_), std::move(link), {}, inertia).fixed();
  last().station = station;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::joint(LinkJoint type, const Vec3<>& axis, double pitch) {
  last().link.joint = type;
  last().link.axis = axis;
  last().link.pitch = pitch;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::revolute(const Vec3<>& axis) {
  return joint(LinkJoint::revolute, axis, 0);
}
FlexibleBuilder& FlexibleBuilder::prismatic(const Vec3<>& axis) {
  return joint(LinkJoint::prismatic, axis, 0);
}
FlexibleBuilder& FlexibleBuilder::helical(const Vec3<>& axis, double pitch) {
  return joint(LinkJoint::helical, axis, pitch);
}
FlexibleBuilder& FlexibleBuilder::fixed() { return joint(LinkJoint::fixed, {0, 0, 1}, 0); }
FlexibleBuilder& FlexibleBuilder::station(double x) {
  last().station = x;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::damping(double ratio, double mass, double stiffness) {
  last().link.damping_ratio = ratio;
  last().link.damping_mass = mass;
  last().link.damping_stiffness = stiffness;
  return *this;
}
FlexibleBuilder& FlexibleBuilder::hub(const Inertia<>& inertia) {
  last().inertia = inertia;
  return *this;
}

}  // namespace axode
