/// Mechanisms of the reference trajectories (tests/data/dyn_*.json), with their states at the
/// start, in no particular coordinates.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "axode/lie/rotation.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/screw/twist.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::dynamic_mechanisms {

using Json = nlohmann::json;

struct Moving {
  SE3<double> pose{};
  Twist<Rep::hybrid> twist{};
};
/// How far the bodies are from a row of the trajectory.
using ErrorOf = std::function<double(const Json& row, const std::vector<Moving>& bodies)>;
struct DynamicCase {
  std::string name;
  Mechanism mechanism;
  std::vector<Moving> start;
  Json trajectory;
  ErrorOf error;
};

inline double number(const Json& j, const char* key) { return j.at(key).get<double>(); }
inline Vec3<double> plane(const Json& a) {
  return {a.at(0).get<double>(), a.at(1).get<double>(), 0};
}
inline double apart(double a, double b) { return std::abs(a - b); }
/// Of angles, whole turns apart or not.
inline double turned(double a, double b) {
  return std::abs(std::remainder(a - b, 2 * std::numbers::pi));
}
inline double heading(const Moving& body) {
  return std::atan2(body.pose.R.matrix(1, 0), body.pose.R.matrix(0, 0));
}

/// A frame on a revolute joint about z of the frame `at` of its parent.
inline Moving hinged(const Moving& parent, const SE3<double>& at, double angle, double rate) {
  const SE3<double> joint = parent.pose * at;
  const Vec3<double> axis = joint.R * Vec3<double>{0, 0, 1};
  const Vec3<double> speed =
      parent.twist.linear + cross(parent.twist.angular, joint.p - parent.pose.p);
  return {joint * SE3<double>{exp(Vec3<double>{0, 0, angle}), {}},
          {parent.twist.angular + axis * rate, speed}};
}

struct Maker {
  DynamicCase result;

  Maker(std::string name, bool is_planar, const Vec3<double>& gravity) {
    result.name = std::move(name);
    result.mechanism.name = result.name;
    result.mechanism.is_planar = is_planar;
    result.mechanism.gravity = gravity;
    result.mechanism.bodies.push_back({.name = "world"});
    result.start.emplace_back();
  }
  int body(const std::string& name, const Inertia<double>& inertia, const Moving& at) {
    result.mechanism.bodies.push_back({.name = name, .inertia = inertia, .pose = at.pose});
    result.start.push_back(at);
    return static_cast<int>(result.start.size()) - 1;
  }
  /// In the plane: com and inertia about it.
  int link(const std::string& name, double mass, const Vec3<double>& com, double J,
           const Moving& at) {
    return body(name, {mass, com, {J, J, J, 0, 0, 0}}, at);
  }
  MechanismJoint& joint(MechanismJoint j, const std::vector<std::string>& coordinates) {
    Mechanism& m = result.mechanism;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      m.coordinates.push_back({.name = j.name + "." + coordinates[k],
                               .joint = static_cast<int>(m.joints.size()),
                               .which = static_cast<int>(k),
                               .is_angle = coordinates[k] == "angle"});
    m.initial.resize(m.coordinates.size(), std::nan(""));
    m.initial_rate.resize(m.coordinates.size(), std::nan(""));
    m.joints.push_back(std::move(j));
    return m.joints.back();
  }
  void pin(const std::string& name, int i, int j, const Vec3<double>& on_i,
           const Vec3<double>& on_j) {
    joint({.name = name, .type = PairType::revolute, .body = {i, j}, .point = {on_i, on_j}},
          {"angle"});
  }
  /// Torque minus damping times the rate.
  void load(const std::string& coordinate, double force, double damping, double stiffness = 0,
            double rest = 0) {
    CoordinateForce f{.name = "on " + coordinate,
                      .coordinate = coordinate_index(result.mechanism, coordinate),
                      .stiffness = stiffness,
                      .rest = rest,
                      .damping = damping};
    if (force != 0) f.force = [force](double) { return force; };
    result.mechanism.coordinate_forces.push_back(f);
  }
};

inline DynamicCase double_pendulum() {
  const Json data = read_json("dyn_double_pendulum.json");
  const Json& c = data["cases"][0];
  const Json& p = c["params"];
  Maker m("double pendulum", true, {0, -number(p, "g"), 0});
  const std::vector<double> start = flat(c["traj"][0]["rel_angles"]);
  const Moving first = hinged({}, {}, start[0], 0);
  const Vec3<double> tip{number(p, "L1"), 0, 0};
  const Moving second = hinged(first, translation(tip), start[1], 0);
  m.link("1", number(p, "m1"), {number(p, "c1"), 0, 0}, number(p, "I1"), first);
  m.link("2", number(p, "m2"), {number(p, "c2"), 0, 0}, number(p, "I2"), second);
  m.pin("A", 0, 1, {}, {});
  m.pin("B", 1, 2, tip, {});
  m.result.trajectory = c["traj"];
  m.result.error = [](const Json& row, const std::vector<Moving>& at) {
    const std::vector<double> angle = flat(row["rel_angles"]), rate = flat(row["abs_rates"]);
    return std::max({turned(heading(at[1]), angle[0]), turned(heading(at[2]), angle[0] + angle[1]),
                     apart(at[1].twist.angular.z, rate[0]), apart(at[2].twist.angular.z, rate[1])});
  };
  return m.result;
}

/// Started from a row of the trajectory.
inline DynamicCase four_bar(std::size_t which, std::size_t from = 0) {
  const Json data = read_json("dyn_fourbar.json");
  const Json& c = data["cases"][which];
  const Json &p = c["params"], &row = c["traj"][from];
  Maker m("four-bar, " + p["name"].get<std::string>(), true, plane(p["g"]));
  const Vec3<double> A = plane(p["A"]), B = plane(p["B"]);
  const Vec3<double> tip{number(p, "L2"), 0, 0}, end{number(p, "L3"), 0, 0};
  const double q = number(row, "q"), qd = number(row, "qd");
  const Moving crank = hinged({}, translation(A), q, qd);
  const Moving coupler = hinged(crank, translation(tip), number(row["th3"], "pos") - q,
                                number(row["th3"], "vel") - qd);
  const Moving rocker =
      hinged({}, translation(B), number(row["th4"], "pos"), number(row["th4"], "vel"));
  m.link("crank", number(p, "m2"), plane(p["c2"]), number(p, "J2"), crank);
  m.link("coupler", number(p, "m3"), plane(p["c3"]), number(p, "J3"), coupler);
  m.link("rocker", number(p, "m4"), plane(p["c4"]), number(p, "J4"), rocker);
  m.pin("A", 0, 1, A, {});
  m.pin("1", 1, 2, tip, {});
  m.pin("2", 2, 3, end, {number(p, "L4"), 0, 0});
  m.pin("B", 0, 3, B, {});
  if (number(p, "tau") != 0) m.load("A.angle", number(p, "tau"), number(p, "cvis"));
  m.result.trajectory = c["traj"];
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    return std::max({turned(heading(at[1]), number(r, "q")),
                     turned(heading(at[2]), number(r["th3"], "pos")),
                     turned(heading(at[3]), number(r["th4"], "pos")),
                     apart(at[1].twist.angular.z, number(r, "qd")),
                     apart(at[2].twist.angular.z, number(r["th3"], "vel")),
                     apart(at[3].twist.angular.z, number(r["th4"], "vel"))});
  };
  return m.result;
}

inline DynamicCase slider_crank(std::size_t which, std::size_t from = 0) {
  const Json data = read_json("dyn_slidercrank.json");
  const Json& c = data["cases"][which];
  const Json &p = c["params"], &row = c["traj"][from];
  Maker m(p["name"].get<std::string>(), true, plane(p["g"]));
  const Vec3<double> A = plane(p["A"]), tip{number(p, "L2"), 0, 0};
  const double q = number(row, "q"), qd = number(row, "qd");
  const Moving crank = hinged({}, translation(A), q, qd);
  const Moving rod = hinged(crank, translation(tip), number(row["th3"], "pos") - q,
                            number(row["th3"], "vel") - qd);
  const Moving slider{translation(plane(row["2"]["pos"])), {{}, plane(row["2"]["vel"])}};
  m.link("crank", number(p, "m2"), plane(p["c2"]), number(p, "J2"), crank);
  m.link("rod", number(p, "m3"), plane(p["c3"]), number(p, "J3"), rod);
  m.link("slider", number(p, "m4"), {}, 1, slider);
  m.pin("A", 0, 1, A, {});
  m.pin("1", 1, 2, tip, {});
  m.pin("2", 2, 3, {number(p, "L3"), 0, 0}, {});
  m.joint({.name = "guide",
           .type = PairType::prismatic,
           .body = {0, 3},
           .point = {Vec3<double>{0, number(p, "h"), 0}, {}},
           .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}}},
          {"distance"});
  if (number(p, "tau") != 0) m.load("A.angle", number(p, "tau"), number(p, "cvis"));
  if (number(p, "k") != 0) m.load("guide.distance", 0, 0, number(p, "k"), number(p, "x0"));
  m.result.trajectory = c["traj"];
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    return std::max({turned(heading(at[1]), number(r, "q")),
                     turned(heading(at[2]), number(r["th3"], "pos")),
                     apart(at[3].pose.p.x, r["2"]["pos"][0].get<double>()),
                     apart(at[1].twist.angular.z, number(r, "qd")),
                     apart(at[3].twist.linear.x, r["2"]["vel"][0].get<double>())});
  };
  return m.result;
}

/// Andrews' squeezing mechanism [HairerOde VII.7]; velocities count by a thousandth.
inline DynamicCase andrews() {
  const Json data = read_json("dyn_andrews.json");
  const Json &p = data["params"], &start = data["q0"];
  const auto n = [&](const char* key) { return number(p, key); };
  const auto angle = [&](const char* key) { return number(start, key); };
  Maker m("Andrews' squeezer", true, {});
  const Vec3<double> A{n("xa"), n("ya"), 0}, B{n("xb"), n("yb"), 0}, C{n("xc"), n("yc"), 0};
  const Vec3<double> crank{n("rr"), 0, 0}, E{-n("d"), 0, 0};
  const Vec3<double> H{n("zt"), 0, 0}, G{0, -n("u"), 0};
  const Moving b1 = hinged({}, {}, angle("beta"), 0);
  const Moving b2 = hinged(b1, translation(crank), angle("theta"), 0);
  const Moving b3 = hinged({}, translation(B), angle("gamma"), 0);
  const Moving b5 = hinged({}, translation(A), angle("delta"), 0);
  const Moving b4 = hinged(b5, translation(H), angle("phi"), 0);
  const Moving b7 = hinged({}, translation(A), angle("epsilon"), 0);
  const Moving b6 = hinged(b7, translation(G), angle("omega"), 0);
  m.link("1", n("m1"), {n("ra"), 0, 0}, n("i1"), b1);
  m.link("2", n("m2"), {-n("da"), 0, 0}, n("i2"), b2);
  m.link("3", n("m3"), {n("sb"), -n("sa"), 0}, n("i3"), b3);
  m.link("4", n("m4"), {0, n("ea") - n("e"), 0}, n("i4"), b4);
  m.link("5", n("m5"), {n("ta"), n("tb"), 0}, n("i5"), b5);
  m.link("6", n("m6"), {n("zf") - n("fa"), 0, 0}, n("i6"), b6);
  m.link("7", n("m7"), {-n("ub"), -n("ua"), 0}, n("i7"), b7);
  m.pin("O", 0, 1, {}, {});
  m.pin("F", 1, 2, crank, {});
  m.pin("B", 0, 3, B, {});
  m.pin("A5", 0, 5, A, {});
  m.pin("H", 5, 4, H, {});
  m.pin("A7", 0, 7, A, {});
  m.pin("G", 7, 6, G, {});
  m.pin("E3", 2, 3, E, {0, -n("ss"), 0});
  m.pin("E4", 2, 4, E, {0, -n("e"), 0});
  m.pin("E6", 2, 6, E, {n("zf"), 0, 0});
  m.load("O.angle", n("mom"), 0);
  m.result.mechanism.springs.push_back({.name = "spring",
                                        .body = {0, 3},
                                        .point = {C, Vec3<double>{n("sd"), -n("sc"), 0}},
                                        .stiffness = n("c0"),
                                        .length = n("l0")});
  m.result.trajectory = data["traj"];
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    const auto of = [&](std::size_t body, const char* a, const char* b) {
      const double place = number(r[a], "pos") + (*b != 0 ? number(r[b], "pos") : 0);
      const double rate = number(r[a], "vel") + (*b != 0 ? number(r[b], "vel") : 0);
      return std::max(turned(heading(at[body]), place),
                      apart(at[body].twist.angular.z, rate) / 1000);
    };
    return std::max({of(1, "beta", ""), of(2, "beta", "theta"), of(3, "gamma", ""),
                     of(4, "phi", "delta"), of(5, "delta", ""), of(6, "omega", "epsilon"),
                     of(7, "epsilon", "")});
  };
  return m.result;
}

/// Rods 0 to N on the ground and bars between them, all of length l.
inline DynamicCase n_four_bar(int N) {
  Maker m("row of " + std::to_string(N) + " four-bars", true, {0, -9.81, 0});
  const double l = 1, J = 1.0 / 12, phi = std::numbers::pi / 2, rate = -1;
  const Vec3<double> middle{l / 2, 0, 0}, end{l, 0, 0};
  for (int i = 0; i <= N; ++i) {
    const std::string k = std::to_string(i);
    const Vec3<double> foot{i * l, 0, 0};
    const Moving rod = hinged({}, translation(foot), phi, rate);
    const Moving bar = hinged(rod, translation(Vec3<double>{l, 0, 0}), -phi, -rate);
    const int j = m.link("rod" + k, 1, middle, J, rod);
    m.pin("A" + k, 0, j, foot, {});
    if (i > 0) m.pin("C" + k, j - 1, j, end, end);  // of the bar before
    if (i == N) break;
    const int next = m.link("bar" + k, 1, middle, J, bar);
    m.pin("B" + k, j, next, end, {});
  }
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    double worst = 0;
    for (std::size_t i = 1; i < at.size(); i += 2)
      worst = std::max({worst, turned(heading(at[i]), number(r, "phi")),
                        apart(at[i].twist.angular.z, number(r, "phid"))});
    return worst;
  };
  const Json data = read_json("dyn_n_fourbar.json");
  for (const Json& c : data["cases"])
    if (c["params"]["N"].get<int>() == N) m.result.trajectory = c["traj"];
  return m.result;
}

}  // namespace axode::test::dynamic_mechanisms
