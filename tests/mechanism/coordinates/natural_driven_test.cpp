// Driven mechanisms in natural coordinates: velocities and accelerations of the reference data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "tests/mechanism/natural_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::natural_driven {
namespace {

using namespace natural;
using Names = std::vector<std::pair<std::string, std::string>>;

/// The largest difference of coordinates that the reference knows.
double difference(const MechanismSystem& s, const std::vector<double>& found, const json& values,
                  const Names& names) {
  double worst = 0;
  std::size_t k = 0;
  for (const std::string& coordinate : s.equations().coordinate_names) {
    const std::string name = coordinate.substr(0, coordinate.rfind('.'));
    for (const auto& [ours, theirs] : names)
      if (ours == name)
        worst = std::max(
            worst,
            std::abs(found[k] - values.at(theirs).at(coordinate.back() - 'x').get<double>()));
    ++k;
  }
  return worst;
}

/// The joint turns with the rate and acceleration of the reference, from where it is.
void check(const std::string& file, Mechanism (*make)(const json&, const json&),
           const std::string& input, const Names& names) {
  const json all = data(file);
  for (const json& set : all.at("sets"))
    for (const json& state : set.at("states"))
      for (const json& mode : state.value("modes", json::array())) {
        if (mode.contains("sigma") && mode.at("sigma") != 1) continue;
        const json& params = set.at("params");
        Mechanism m = make(params, mode.at("pos"));
        m.drivers.push_back({input, coordinate_index(m, input),
                             polynomial_in_time(0, params.at("omega"), params.at("alpha"))});
        MechanismSystem s = natural_system(m);
        std::vector<double> q = s.from_poses(std::vector<SE3<double>>(m.bodies.size()));
        std::vector<double> v(q.size()), a(q.size());
        EXPECT_TRUE(solve_position(s, 0, q).converged);
        const MotionResult velocity = solve_velocity(s, 0, q, v);
        EXPECT_TRUE(velocity.consistent && velocity.unique) << velocity.message;
        EXPECT_TRUE(solve_acceleration(s, 0, q, v, a).consistent);
        double size = 1;
        for (const double x : a) size = std::max(size, std::abs(x));
        EXPECT_LT(difference(s, q, mode.at("pos"), names), 1e-11) << file;
        EXPECT_LT(difference(s, v, mode.at("vel"), names), 1e-10 * size) << file;
        EXPECT_LT(difference(s, a, mode.at("acc"), names), 1e-10 * size) << file;
      }
}

TEST(NaturalDriven, ReferenceMotions) {
  check("planar_fourbar", four_bar, "A.angle", {{"1", "1"}, {"2", "2"}});
  check("planar_rrpr", rrpr, "A.angle", {{"1", "1"}, {"rod.2", "2"}, {"3@bar", "3"}});
  check("planar_sixbar", six_bar, "O.angle", {{"A", "A"}, {"B", "B"}, {"C", "C"}, {"D", "D"}});
  check("spatial_rscr", rscr, "1.angle",
        {{"r2", "r2"}, {"u2@two", "r3"}, {"u2.axis", "u2"}, {"u2@three", "r4"}});
}

/// The crank of a four-bar through a whole turn: the angle is followed past all its quarters, where
/// sine and cosine take turns, and the coupler point is where the reference has it.
TEST(NaturalDriven, WholeTurnOfTheFourBar) {
  const json set = data("planar_fourbar").at("sets").at(0);
  const json& first = set.at("states").at(0);
  Mechanism m = four_bar(set.at("params"), first.at("modes").at(0).at("pos"));
  m.drivers.push_back({"A", coordinate_index(m, "A.angle"), polynomial_in_time(0, 1)});
  MechanismSystem s = natural_system(m);
  std::vector<double> q = s.from_poses(std::vector<SE3<double>>(m.bodies.size()));
  const double start = first.at("phi");
  double t = 0;
  int seen = 0;
  for (const json& state : set.at("states")) {
    const double target = state.at("phi").get<double>() - start;
    while (t < target) {
      t = std::min(target, t + 0.1);
      ASSERT_TRUE(solve_position(s, t, q).converged) << t;
    }
    for (const json& mode : state.at("modes"))
      if (mode.at("mode") == 1) {
        EXPECT_LT(difference(s, q, mode.at("pos"), {{"1", "1"}, {"2", "2"}}), 1e-11) << t;
        std::vector<SE3<double>> poses(m.bodies.size());
        s.poses(q, poses);
        const Vec3<double> P = poses[2] * m.bodies[2].points[0].at;
        EXPECT_LT(norm(P - point(mode.at("pos").at("P"))), 1e-11) << t;
        ++seen;
      }
  }
  EXPECT_GT(seen, 3);
}

}  // namespace
}  // namespace axode::test::natural_driven
