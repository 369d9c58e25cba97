// Shipped mechanisms (examples/mechanisms) at states of the reference data, in every formulation.
//
// A file of tests/data/mechanisms/book/ names the model and has sets of states, each with a patch
// (RFC 6902) that gives the model other dimensions. A state tells the drivers (value, rate,
// acceleration), a rough start, and what to compare: [position, velocity, acceleration] of points
// and vectors ("body.name"), angles of planar bodies, coordinates, angular velocities.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::book {

using Json = nlohmann::json;

inline const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";
inline const std::filesystem::path models = root / "examples/mechanisms";

/// The files of all shipped mechanisms, and what tests of them are called.
inline std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(models))
    if (entry.path().extension() == ".json") files.push_back(entry.path().filename().string());
  std::ranges::sort(files);
  return files;
}
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return info.param.substr(0, info.param.find('.'));
}

/// A member that may be missing.
inline Json member(const Json& state, const char* key) {
  return state.contains(key) ? state[key] : Json::object();
}

struct Formulation {
  std::string label;
  FormulationOptions options;
};
inline std::vector<Formulation> formulations(const Mechanism& m) {
  using enum CoordinateFamily;
  std::vector<Formulation> all{{"relative", {.family = relative}}};
  if (m.is_planar) {
    all.push_back({"reference point", {.family = reference_point}});
  } else {
    all.push_back({"Euler parameters", {.family = reference_point}});
    all.push_back(
        {"Euler angles", {.family = reference_point, .attitude = AttitudeForm::euler_angles}});
    all.push_back({"quasi-velocities",
                   {.family = reference_point, .attitude = AttitudeForm::quasi_velocities}});
  }
  all.push_back({"natural", {.family = natural}});
  Formulation mixed{"mixed", {.family = natural}};
  for (std::size_t c = 0; c < m.coordinates.size(); ++c)
    if (m.coordinates[c].kind == MechanismCoordinate::Kind::joint)
      mixed.options.mixed.push_back(static_cast<int>(c));
  all.push_back(mixed);
  return all;
}

/// A solved state: poses, twists and their rates of all bodies.
struct Solved {
  PositionResult position;
  MotionResult velocity, acceleration;
  std::vector<double> q, v, a;
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;
};

/// From the start that Mechanism::initial tells, and poses [x, y, z, quaternion] of some bodies;
/// coordinates that have a starting value begin with it.
inline std::vector<double> start(MechanismSystem& system, const Json& told = {}) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses = axode::start_poses(m);
  for (const auto& [name, p] : told.items())
    poses[body_index(m, name)] = {
        rotation_from_quaternion(Quaternion<double>{p[3], {p[4], p[5], p[6]}}), {p[0], p[1], p[2]}};
  std::vector<double> q = system.from_poses(poses);
  const auto& names = system.equations().coordinate_names;
  for (std::size_t c = 0; c < m.coordinates.size(); ++c)
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == m.coordinates[c].name && !std::isnan(m.initial[c])) q[k] = m.initial[c];
  return q;
}

inline Solved solve(MechanismSystem& system, double t, std::vector<double> q) {
  Solved s;
  s.q = std::move(q);
  s.position = solve_position(system, t, s.q, {.tolerance = 1e-14});
  if (!s.position.converged) return s;
  s.v.assign(system.equations().velocities(), 0);
  s.a = s.v;
  s.velocity = solve_velocity(system, t, s.q, s.v);
  s.acceleration = solve_acceleration(system, t, s.q, s.v, s.a);
  const std::size_t bodies = system.mechanism().bodies.size();
  s.poses.resize(bodies);
  s.twists.resize(bodies);
  s.rates.resize(bodies);
  system.motion(s.q, s.v, s.poses, s.twists);
  system.accelerations(s.q, s.v, s.a, s.rates);
  return s;
}

/// Position, velocity and acceleration of a point or vector of a body.
using Motion3 = std::array<Vec3<double>, 3>;
inline Motion3 motion_of(const Solved& s, std::size_t body, const Vec3<double>& local,
                         bool is_point) {
  const SE3<double>& T = s.poses[body];
  const Vec3<double> r = T.R * local, w = s.twists[body].angular;
  const Vec3<double> zero{};
  const Vec3<double> p = is_point ? T.p : zero, v = is_point ? s.twists[body].linear : zero,
                     a = is_point ? s.rates[body].linear : zero;
  return {p + r, v + cross(w, r), a + cross(s.rates[body].angular, r) + cross(w, cross(w, r))};
}

/// What was found against what the reference has, by order of derivative.
struct Comparison {
  std::array<double, 3> error{}, largest{};
  std::array<std::string, 3> where{};

  void add(const std::string& name, int order, double found, double expected, bool is_angle) {
    const std::size_t k = order;
    double e = std::abs(found - expected);
    if (is_angle && order == 0)
      e = std::abs(std::remainder(found - expected, 2 * std::numbers::pi));
    if (!(e <= error[k])) error[k] = e, where[k] = name;
    largest[k] = std::max(largest[k], std::abs(expected));
  }
  void add(const std::string& name, const Json& expected, const Motion3& found) {
    for (int order = 0; order < 3; ++order)
      for (int k = 0; k < static_cast<int>(expected[0].size()); ++k)
        add(name, order, found[order][k], expected.at(order).at(k), false);
  }
  void add(const std::string& name, const Motion3& expected, const Motion3& found) {
    for (int order = 0; order < 3; ++order)
      for (int k = 0; k < 3; ++k) {
        const std::size_t o = order;
        add(name, order, found[o][k], expected[o][k], false);
      }
  }
  void add(const std::string& name, const Json& expected, const TimeValue& found, bool is_angle) {
    add(name, 0, found.value, expected.at(0), is_angle);
    add(name, 1, found.rate, expected.at(1), false);
    add(name, 2, found.acceleration, expected.at(2), false);
  }
  void check() const {
    constexpr std::array<double, 3> tolerance{1e-11, 1e-11, 1e-10};
    constexpr std::array<const char*, 3> what{"position", "velocity", "acceleration"};
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LE(error[k], tolerance[k] * largest[k]) << what[k] << " of " << where[k];
  }
};

inline void compare(const Mechanism& m, const Solved& s, const Json& state) {
  Comparison all;
  const Json angles = member(state, "angles"), coordinates = member(state, "coordinates"),
             omega = member(state, "omega");
  for (const bool is_point : {true, false}) {
    const char* key = is_point ? "points" : "vectors";
    if (!state.contains(key)) continue;
    for (const auto& [name, expected] : state[key].items()) {
      const std::size_t dot = name.find('.');
      const std::size_t b = body_index(m, name.substr(0, dot));
      const auto& list = is_point ? m.bodies[b].points : m.bodies[b].vectors;
      const auto it = std::find_if(list.begin(), list.end(), [&](const NamedVector& v) {
        return v.name == name.substr(dot + 1);
      });
      ASSERT_NE(it, list.end()) << name;
      all.add(name, expected, motion_of(s, b, is_point ? it->at : normalized(it->at), is_point));
    }
  }
  for (const auto& [name, expected] : angles.items()) {
    const std::size_t b = body_index(m, name);
    const Vec3<double> x = s.poses[b].R.matrix.x;
    all.add(name, expected, {std::atan2(x.y, x.x), s.twists[b].angular.z, s.rates[b].angular.z},
            true);
  }
  for (const auto& [name, expected] : coordinates.items()) {
    const int c = coordinate_index(m, name);
    all.add(name, expected, measure(m, c, s.poses, s.twists, s.rates), m.coordinates[c].is_angle);
  }
  for (const auto& [name, expected] : omega.items()) {
    const std::size_t b = body_index(m, name);
    for (int k = 0; k < 3; ++k) {
      const std::size_t i = k;
      all.add(name + " omega", 1, s.twists[b].angular[k], expected.at(0).at(i), false);
      all.add(name + " omega", 2, s.rates[b].angular[k], expected.at(1).at(i), false);
    }
  }
  all.check();
}

/// The mechanism with drivers and starting values of a state.
inline Mechanism at_state(Mechanism m, const Json& state) {
  const auto tell = [&](const std::string& name, double value) {
    m.initial[coordinate_index(m, name)] = value;
  };
  m.initial.assign(m.coordinates.size(), std::nan(""));
  for (const auto& [name, d] : state["drivers"].items()) {
    const int c = coordinate_index(m, name);
    const TimeFunction motion = polynomial_in_time(d[0], d[1], d[2]);
    const auto it = std::find_if(m.drivers.begin(), m.drivers.end(),
                                 [&](const MechanismDriver& x) { return x.coordinate == c; });
    if (it == m.drivers.end())
      m.drivers.push_back({.name = name, .coordinate = c, .motion = motion});
    else
      it->motion = motion;
    tell(name, d[0]);
  }
  const Json start = member(state, "start");
  for (const auto& [name, value] : start.items()) tell(name, value.get<double>());
  return m;
}

inline Mechanism patched(const std::string& file, const Json& patch) {
  if (patch.empty()) return load_mechanism(models / file);
  const Json model = Json::parse(read_text_file(models / file), nullptr, true, true);
  return parse_mechanism(model.patch(patch).dump(), file + ", patched");
}

inline void check_state(const Mechanism& m, const Json& state, const Formulation& formulation) {
  MechanismSystem system(make_equations(m, formulation.options));
  const Solved s = solve(system, 0, start(system, member(state, "poses")));
  EXPECT_EQ(s.position.converged, state.value("feasible", true))
      << s.position.message << ", residual " << s.position.residual;
  if (!s.position.converged) {
    EXPECT_FALSE(s.position.message.empty());
    return;
  }
  EXPECT_TRUE(s.velocity.consistent) << s.velocity.message;
  EXPECT_TRUE(s.acceleration.consistent) << s.acceleration.message;
  compare(m, s, state);
}

/// All sets and states of a data file in all formulations.
inline void check_file(const std::string& name) {
  const Json data = read_json("mechanisms/book/" + name + ".json");
  for (std::size_t set = 0; set < data["sets"].size(); ++set) {
    const Json& states = data["sets"][set]["states"];
    const Mechanism m = patched(data["model"], data["sets"][set]["patch"]);
    for (const Formulation& formulation : formulations(m))
      for (std::size_t k = 0; k < states.size(); ++k) {
        SCOPED_TRACE(name + ", set " + std::to_string(set) + ", state " + std::to_string(k) + ", " +
                     formulation.label);
        check_state(at_state(m, states[k]), states[k], formulation);
      }
  }
}

}  // namespace axode::test::book
