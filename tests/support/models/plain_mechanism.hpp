/// Mechanisms put together by hand, for tests of what works on the plain description.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode::test::plain {

inline int add_body(Mechanism& m, std::string name, const SE3<double>& pose = {},
                    const Inertia<double>& inertia = {}) {
  m.bodies.push_back({.name = std::move(name), .inertia = inertia, .pose = pose});
  return static_cast<int>(m.bodies.size()) - 1;
}
inline Mechanism plain_mechanism(bool is_planar) {
  Mechanism m;
  m.is_planar = is_planar;
  add_body(m, "world");
  return m;
}

/// A joint at a point of the world, with axes of the world, at the reference configuration: angle
/// and distance are zero there. Universal: `axis` on i, `axis2` on j.
struct AtWorld {
  Vec3<double> point{};
  Vec3<double> axis{0, 0, 1};
  Vec3<double> zero{1, 0, 0};
  Vec3<double> axis2{};
};
inline int add_joint(Mechanism& m, std::string name, PairType type, int i, int j,
                     const AtWorld& g = {}) {
  MechanismJoint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.body = {i, j};
  for (std::size_t side = 0; side < 2; ++side) {
    const SE3<double>& T = m.bodies[joint.body[side]].pose;
    joint.point[side] = inverse_times(T, g.point);
    joint.axis[side] = inverse_times(T.R, g.axis);
    joint.zero[side] = inverse_times(T.R, g.zero);
  }
  if (type == PairType::universal) {
    const SE3<double>& T = m.bodies[j].pose;
    joint.axis[1] = inverse_times(T.R, g.axis2);
    joint.zero[0] = inverse_times(m.bodies[i].pose.R, g.axis2);
    joint.zero[1] = inverse_times(T.R, g.axis);
  }
  m.joints.push_back(joint);
  return static_cast<int>(m.joints.size()) - 1;
}
/// A planar revolute joint of local points; its angle is that of the body frames.
inline int add_pin(Mechanism& m, std::string name, int i, const Vec3<double>& on_i, int j,
                   const Vec3<double>& on_j) {
  m.joints.push_back({.name = std::move(name), .body = {i, j}, .point = {on_i, on_j}});
  return static_cast<int>(m.joints.size()) - 1;
}

/// Names and numbers the coordinates of all joints.
inline void finish(Mechanism& m) {
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const MechanismJoint& joint = m.joints[k];
    std::vector<const char*> names;
    switch (joint.type) {
      case PairType::revolute:
        names = {"angle"};
        break;
      case PairType::prismatic:
      case PairType::point_on_line:
        names = {"distance"};
        break;
      case PairType::helical:
        names = {"angle", "distance"};
        break;
      case PairType::cylindrical:
      case PairType::rolling:
        names = {"distance", "angle"};
        break;
      case PairType::universal:
        names = {"angle", "angle2"};
        break;
      case PairType::planar:
        names = {"x", "y", "angle"};
        break;
      default:
        break;
    }
    for (std::size_t w = 0; w < names.size(); ++w) {
      MechanismCoordinate c;
      c.name = joint.name + "." + names[w];
      c.joint = static_cast<int>(k);
      c.which = static_cast<int>(w);
      c.body = joint.body;
      c.point = joint.point;
      c.is_angle = std::string(names[w]).starts_with("angle");
      m.coordinates.push_back(c);
    }
  }
}

/// Ex. 2.2: crank, coupler and rocker between A and B; each body frame at its first pin, x along.
struct FourBarLengths {
  double ground = 4, crank = 1, coupler = 3.5, rocker = 2.5;
};
inline Mechanism four_bar(const FourBarLengths& l = {}) {
  Mechanism m = plain_mechanism(true);
  const auto bar = [](double length) {
    return Inertia<double>{.mass = length,
                           .com = {length / 2, 0, 0},
                           .about_com = {0, 0, length * length * length / 12, 0, 0, 0}};
  };
  const int crank = add_body(m, "crank", {}, bar(l.crank));
  const int coupler =
      add_body(m, "coupler", translation(Vec3<double>{l.crank, 0, 0}), bar(l.coupler));
  const int rocker =
      add_body(m, "rocker", translation(Vec3<double>{l.ground, 0, 0}), bar(l.rocker));
  add_pin(m, "A", 0, {0, 0, 0}, crank, {0, 0, 0});
  add_pin(m, "1", crank, {l.crank, 0, 0}, coupler, {0, 0, 0});
  add_pin(m, "2", coupler, {l.coupler, 0, 0}, rocker, {l.rocker, 0, 0});
  add_pin(m, "B", 0, {l.ground, 0, 0}, rocker, {0, 0, 0});
  finish(m);
  return m;
}

/// Ex. 2.4, Fig. 2.6: joints O, A, B, C, D, E, F; triangle BCD.
inline Mechanism six_bar_graph() {
  Mechanism m = plain_mechanism(true);
  const int oa = add_body(m, "OA"), ab = add_body(m, "AB"), bcd = add_body(m, "BCD"),
            ce = add_body(m, "CE"), df = add_body(m, "DF");
  add_pin(m, "O", 0, {}, oa, {});
  add_pin(m, "A", oa, {}, ab, {});
  add_pin(m, "B", ab, {}, bcd, {});
  add_pin(m, "C", bcd, {}, ce, {});
  add_pin(m, "D", bcd, {}, df, {});
  add_pin(m, "E", 0, {}, ce, {});
  add_pin(m, "F", 0, {}, df, {});
  finish(m);
  return m;
}

}  // namespace axode::test::plain
