#include "axode/mechanism/coordinates/detail/natural_placing.hpp"

#include <algorithm>
#include <cmath>

namespace axode::detail {

namespace {

int count_points(const NaturalModel& model, int element) {
  const std::vector<int>& all = model.elements[element].basics;
  return static_cast<int>(
      std::count_if(all.begin(), all.end(), [&](int b) { return model.basics[b].is_point; }));
}

double distance_to_points(const NaturalModel& model, int element, const Vec3<double>& local) {
  double nearest = 1e300;
  for (const int b : model.elements[element].basics)
    if (model.basics[b].is_point)
      nearest = std::min(nearest, norm(local_of(model, element, b) - local));
  return nearest;
}

struct Candidate {
  Vec3<double> local{};
  std::string name;
};

/// One side of a joint.
struct JointSide {
  int joint;
  std::size_t side;
};
/// By element, joints in their order.
std::vector<std::vector<JointSide>> sides_of_elements(const NaturalModel& model,
                                                      const Mechanism& m) {
  std::vector<std::vector<JointSide>> result(model.elements.size());
  for (int j = 0; j < static_cast<int>(m.joints.size()); ++j)
    for (std::size_t s = 0; s < 2; ++s)
      result[model.element_of[m.joints[j].body[s]]].push_back({j, s});
  return result;
}

/// Points that joints and user know on an element, in the order of preference.
std::vector<Candidate> known_points(const NaturalModel& model, const Mechanism& m, int element,
                                    const std::vector<JointSide>& sides) {
  std::vector<Candidate> result;
  for (const auto& [j, s] : sides) {
    const MechanismJoint& joint = m.joints[j];
    if (joint.type != PairType::weld)
      result.push_back({model.T_EB[joint.body[s]] * joint.point[s],
                        joint.name + "@" + m.bodies[joint.body[s]].name});
  }
  for (const auto& [j, s] : sides) {
    const MechanismJoint& joint = m.joints[j];
    const int b = joint.body[s];
    if (joint.type != PairType::prismatic) continue;
    // Along the direction of sliding: a point with a name, else one of ours.
    for (const NamedVector& p : m.bodies[b].points)
      if (norm(cross(p.at - joint.point[s], joint.axis[s])) < 1e-9 * model.size)
        result.push_back({model.T_EB[b] * p.at, m.bodies[b].name + "." + p.name});
    result.push_back({model.T_EB[b] * (joint.point[s] + normalized(joint.axis[s]) * model.size),
                      joint.name + ".direction@" + m.bodies[b].name});
  }
  for (const int b : model.elements[element].bodies)
    for (const NamedVector& p : m.bodies[b].points)
      result.push_back({model.T_EB[b] * p.at, m.bodies[b].name + "." + p.name});
  return result;
}

}  // namespace

namespace {

/// Whether the element has the points it needs, far enough apart for all that it is asked for.
bool is_placed(const NaturalModel& model, int e) {
  if (model.elements[e].translates) return count_points(model, e) > 0;
  const NaturalArrows arrows = choose_base(model, e);
  return !arrows.base.empty() && (arrows.base[0].fixed || arrows.weakest > 0.05);
}

}  // namespace

void complete_planar(NaturalModel& model, const Mechanism& m) {
  const std::vector<std::vector<JointSide>> sides = sides_of_elements(model, m);
  for (int e = 1; e < static_cast<int>(model.elements.size()); ++e) {
    const NaturalElement& element = model.elements[e];
    if (element.bodies.empty() || is_placed(model, e)) continue;
    const std::string name = element_name(model, m, e);
    std::vector<Candidate> candidates = known_points(model, m, e, sides[e]);
    const Vec3<double>& com = element.inertia.com;
    if (element.inertia.mass != 0) candidates.push_back({com, name + ".com"});
    candidates.push_back({{0, 0, 0}, name + ".origin"});
    candidates.push_back({{model.size, 0, 0}, name + ".x"});
    // two points tell the attitude of a planar element  [GarciaBayo sec. 2.1.3]
    for (const Candidate& c : candidates) {
      if (is_placed(model, e)) break;
      const int origin = choose_base(model, e).origin;
      const double near = std::max(1e-3 * model.size, 0.05 * extent(model, e, origin));
      if (distance_to_points(model, e, c.local) > near)
        add_basic(model, {e, c.local}, true, c.name);
    }
  }
}

Vec3<double> normal_to(const std::vector<NaturalArrow>& base) noexcept {
  Vec3<double> best{};
  for (const Vec3<double>& axis : {Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}) {
    const Vec3<double> rest = outside(base, axis);
    if (norm(rest) > norm(best) + 1e-6) best = rest;
  }
  return normalized(outside(base, normalized(best)));
}

namespace {

/// A point or vector that a joint speaks of: basic, unless a combination of what is there.
void place(NaturalModel& model, const NaturalPlace& where, bool is_point, std::string name) {
  const NaturalElement& element = model.elements[where.element];
  if (where.element == 0 || find_basic(model, where, is_point).first >= 0) return;
  const NaturalArrows arrows = choose_base(model, where.element);
  if (is_point && arrows.origin >= 0 && element.translates) return;
  if (!is_point || arrows.origin >= 0) {
    Vec3<double> local = where.local;
    if (is_point) local -= local_of(model, where.element, arrows.origin);
    if (norm(outside(arrows.base, local)) <= 1e-9 * (is_point ? model.size : 1)) return;
  }
  add_basic(model, where, is_point, std::move(name));
}

void place_joint(NaturalModel& model, const Mechanism& m, const MechanismJoint& joint) {
  using enum PairType;
  const PairType t = joint.type;
  if (t == weld) return;
  for (int side = 0; side < 2; ++side) {
    const int body = joint.body[side];
    const std::string name = joint.name + "@" + m.bodies[body].name;
    place(model, natural_place(model, body, joint.point[side], true), true, name);
    const bool along =
        side == 0 && (t == point_on_line || t == point_on_plane || t == point_line_distance);
    if (t == universal || along || t == revolute || t == cylindrical || t == prismatic ||
        t == helical || t == planar)
      place(model, natural_place(model, body, normalized(joint.axis[side]), false), false,
            joint.name + ".axis@" + m.bodies[body].name);
  }
}

/// How many independent arrows tell attitude and inertia of the element.
std::size_t arrows_needed(NaturalModel& model, const Mechanism& m, int e,
                          const NaturalArrows& arrows) {
  const NaturalElement& element = model.elements[e];
  const Vec3<double> origin = local_of(model, e, arrows.origin);
  const std::vector<NaturalArrow>& base = arrows.base;
  const bool straight = base.size() == 1 && base[0].tail >= 0 && arrows.dependent.empty();
  if (straight && (!has_inertia(element) || is_slender(element, origin, base[0].local))) return 1;
  if (straight && element.rod) {
    if (norm(outside(base, element.inertia.com - origin)) < 1e-9 * model.size) return 1;
    model.remarks.push_back("body " + element_name(model, m, e) +
                            " is not a rod: its centre of mass is not between its points");
  }
  const bool turns_about_constant =
      std::any_of(base.begin(), base.end(), [](const NaturalArrow& a) { return a.fixed; });
  if (!has_inertia(element) || turns_about_constant) return 2;
  if (base.size() == 2) {  // flat bodies in the plane of their arrows
    const Vec3<double> n = normal_to(base);
    const Inertia<double>& I = element.inertia;
    const Sym3<double> J = binet_of(I.about_com + minus_skew_squared(I.com - origin) * I.mass);
    // n^T J n = integral of (n . r)^2: no mass outside of the plane, no third coefficient in M
    if (std::abs(dot(n, J * n)) <= 1e-12 * std::abs(trace(J))) return 2;
  }
  return 3;
}

/// A point with a name that tells more of the attitude; false if there is none.
bool add_named_point(NaturalModel& model, const Mechanism& m, int e, const NaturalArrows& arrows) {
  const Vec3<double> origin = local_of(model, e, arrows.origin);
  for (const int b : model.elements[e].bodies)
    for (const NamedVector& p : m.bodies[b].points) {
      const Vec3<double> local = model.T_EB[b] * p.at, arrow = local - origin;
      if (norm(outside(arrows.base, arrow)) < std::max(0.2 * norm(arrow), 0.01 * model.size))
        continue;
      add_basic(model, {e, local}, true, m.bodies[b].name + "." + p.name);
      return true;
    }
  return false;
}

void complete(NaturalModel& model, const Mechanism& m, int e) {
  const std::string name = element_name(model, m, e);
  if (count_points(model, e) == 0) {
    const bool mass = model.elements[e].inertia.mass != 0;
    const Vec3<double> local = mass ? model.elements[e].inertia.com : Vec3<double>{};
    add_basic(model, {e, local}, true, name + (mass ? ".com" : ".origin"));
  }
  if (model.elements[e].translates) return;
  for (int k = 1; k < 6; ++k) {
    NaturalArrows arrows = choose_base(model, e);
    const bool weak = arrows.weakest < 0.05;
    if (!weak && arrows.base.size() >= arrows_needed(model, m, e, arrows)) break;
    if (weak) arrows.base.pop_back();
    if (!weak && add_named_point(model, m, e, arrows)) continue;
    add_basic(model, {e, normal_to(arrows.base)}, false, name + ".u" + std::to_string(k));
    model.remarks.push_back("body " + name + " has an auxiliary unit vector");
  }
  if (choose_base(model, e).base.size() == 1)
    model.remarks.push_back("body " + name + " is a rod: its spin is not a coordinate");
}

}  // namespace

void complete_spatial(NaturalModel& model, const Mechanism& m) {
  for (const MechanismJoint& joint : m.joints) place_joint(model, m, joint);
  for (int e = 1; e < static_cast<int>(model.elements.size()); ++e)
    if (!model.elements[e].bodies.empty()) complete(model, m, e);
}

}  // namespace axode::detail
