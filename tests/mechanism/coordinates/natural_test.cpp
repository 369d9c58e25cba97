// Natural coordinates against reference kinematics: counts, equations, Jacobians, ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"
#include "tests/mechanism/natural_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coordinates_natural {
namespace {

using namespace natural;
using Names = std::vector<std::pair<std::string, std::string>>;

std::vector<int> count(const MechanismSystem& s) {
  return {s.equations().numbers(), s.constraints()};
}
std::vector<int> book(const std::string& mechanism, const char* which = "natural") {
  const json all = data("counts");
  for (const json& row : all.at("rows"))
    if (row.at("mechanism").get<std::string>().starts_with(mechanism))
      return row.at(which).get<std::vector<int>>();
  return {};
}
int rank_at(MechanismSystem& s, std::vector<double> q) {
  std::vector<double> v(q.size());
  s.refresh(q, v);
  SparseRows J;
  s.jacobian(0, q, J);
  return matrix_rank(J).rank;
}
/// Coordinates where the mechanism was built.
std::vector<double> home(MechanismSystem& s) {
  return s.from_poses(std::vector<SE3<double>>(s.mechanism().bodies.size()));
}
bool has_feasible(const json& state) { return state.value("feasible", true); }

TEST(CoordinatesNatural, CountsAreThoseOfTheBook) {
  const auto first = [](const json& sets, auto make) {
    const json& set = sets.at("sets").at(0);
    return natural_system(
        make(set.at("params"), set.at("states").at(0).at("modes").at(0).at("pos")));
  };
  EXPECT_EQ(count(first(data("planar_fourbar"), four_bar)), book("four-bar"));
  EXPECT_EQ(count(first(data("planar_rrpr"), rrpr)), book("RRPR"));
  EXPECT_EQ(count(first(data("planar_sixbar"), six_bar)), book("six-bar"));
  EXPECT_EQ(count(first(data("planar_telescopic"), telescopic)), book("telescopic"));
  EXPECT_EQ(count(first(data("spatial_rscr"), rscr)), book("RSCR"));
  const json arm = data("problem_2_21_manipulator").at("sets").at(0);
  const MechanismSystem six =
      natural_system(robot(arm.at("params"), arm.at("states").at(0).at("pos")));
  EXPECT_EQ(count(six), book("6R robot"));
}

TEST(CoordinatesNatural, MixedCoordinatesAddOneEquationEach) {
  const json set = data("planar_rrpr").at("sets").at(0);
  const json& pos = set.at("states").at(0).at("modes").at(0).at("pos");
  const Mechanism m = rrpr(set.at("params"), pos);
  FormulationOptions options;
  options.mixed = {coordinate_index(m, "1.angle"), coordinate_index(m, "s")};
  MechanismSystem s = natural_system(m, options);
  EXPECT_EQ(count(s), book("RRPR", "mixed"));
  const std::vector<double> q = home(s);
  std::vector<double> phi(7);
  s.position(0, q, phi);
  for (const double x : phi) EXPECT_NEAR(x, 0, 1e-13);
}

/// A mechanism built at one state meets its equations, and their derivatives, at all others.
double check(const std::string& file, Mechanism (*make)(const json&, const json&),
             const Names& names, const auto& same) {
  double worst = 0;
  const json all = data(file);
  for (const json& set : all.at("sets")) {
    const json* built = nullptr;
    std::optional<MechanismSystem> s;
    int seen = 0;
    for (const json& state : set.at("states")) {
      if (!has_feasible(state)) continue;
      for (const json& mode : state.at("modes")) {
        if (built == nullptr) {
          built = &mode;
          s.emplace(natural_system(make(set.at("params"), mode.at("pos"))));
        }
        if (!same(*built, mode)) continue;
        const std::vector<double> q = numbers(*s, mode.at("pos"), names);
        EXPECT_EQ(static_cast<int>(q.size()), s->equations().numbers());
        const Errors e =
            errors(*s, q, numbers(*s, mode.at("vel"), names), numbers(*s, mode.at("acc"), names));
        EXPECT_LT(e.position, 1e-12) << file;
        EXPECT_LT(e.velocity, 1e-11) << file;
        EXPECT_LT(e.acceleration, 1e-9) << file;
        EXPECT_FALSE(s->mirrored(0, q).found) << s->mirrored(0, q).what;
        worst = std::max({worst, e.position, e.velocity});
        ++seen;
      }
    }
    EXPECT_GT(seen, 1) << file;
  }
  return worst;
}

TEST(CoordinatesNatural, ReferenceMotionMeetsTheEquations) {
  const auto any = [](const json&, const json&) { return true; };
  const auto same_sigma = [](const json& a, const json& b) {
    return a.at("sigma") == b.at("sigma");
  };
  double worst = check("planar_fourbar", four_bar, {{"1", "1"}, {"2", "2"}}, any);
  worst = std::max(
      worst, check("planar_rrpr", rrpr, {{"1", "1"}, {"rod.2", "2"}, {"3@bar", "3"}}, same_sigma));
  worst = std::max(worst, check("planar_sixbar", six_bar,
                                {{"A", "A"}, {"B", "B"}, {"C", "C"}, {"D", "D"}}, any));
  worst = std::max(worst, check("planar_telescopic", telescopic,
                                {{"1", "1"}, {"4", "4"}, {"S@tube", "2"}, {"S@rod", "3"}}, any));
  worst = std::max(
      worst, check("spatial_rscr", rscr,
                   {{"r2", "r2"}, {"u2@two", "r3"}, {"u2.axis", "u2"}, {"u2@three", "r4"}}, any));
  record("worst_residual", worst);
}

TEST(CoordinatesNatural, RobotOfProblem21) {
  const json set = data("problem_2_21_manipulator").at("sets").at(0);
  const Names names{{"2", "2"},       {"3", "3"},       {"4", "4"},       {"f.5", "5"},
                    {"1.axis", "u1"}, {"4.axis", "u2"}, {"4'.axis", "u3"}};
  MechanismSystem s = natural_system(robot(set.at("params"), set.at("states").at(0).at("pos")));
  for (const json& state : set.at("states")) {
    const std::vector<double> q = numbers(s, state.at("pos"), names);
    ASSERT_EQ(q.size(), 21u);
    const Errors e =
        errors(s, q, numbers(s, state.at("vel"), names), numbers(s, state.at("acc"), names));
    EXPECT_LT(e.position, 1e-12);
    EXPECT_LT(e.velocity, 1e-11);
    EXPECT_LT(e.acceleration, 1e-10);
    EXPECT_EQ(rank_at(s, q), 15);
  }
}

/// Rows of the reference, each found once in ours up to a factor of one or two and a sign.
TEST(CoordinatesNatural, JacobianOfRscr) {
  const json all = data("spatial_rscr");
  for (const json& set : all.at("sets"))
    for (const json& at_state : set.at("jacobians")) {
      const std::vector<double> r = at_state.at("q_nat");
      const auto three = [&](std::size_t k) { return json{r[k], r[k + 1], r[k + 2]}; };
      const json pos{{"r2", three(0)}, {"r3", three(3)}, {"u2", three(6)}, {"r4", three(9)}};
      MechanismSystem s = natural_system(rscr(set.at("params"), pos));
      const Names names{{"r2", "r2"}, {"u2@two", "r3"}, {"u2.axis", "u2"}, {"u2@three", "r4"}};
      std::vector<double> q = numbers(s, pos, names), v(12);
      s.refresh(q, v);
      SparseRows J;
      s.jacobian(0, q, J);
      EXPECT_EQ(J.rows, 11);
      EXPECT_EQ(J.nonzeros(), 51);
      EXPECT_EQ(matrix_rank(J).rank, at_state.at("rank_11x12").get<int>());
      // Where each of our columns is in the reference.
      std::vector<std::size_t> column;
      for (const std::string& name : s.equations().coordinate_names) {
        const std::string block = name.substr(0, name.rfind('.'));
        const std::size_t first = block == "r2"        ? 0
                                  : block == "u2@two"  ? 3
                                  : block == "u2.axis" ? 6
                                                       : 9;
        column.push_back(first + (name.back() - 'x'));
      }
      std::vector<bool> used(12, false);
      for (int row = 0; row < J.rows; ++row) {
        std::vector<double> dense(12, 0.);
        for (int k = J.start[row]; k < J.start[row + 1]; ++k)
          dense[column[J.column[k]]] = J.value[k];
        bool found = false;
        for (std::size_t other = 0; other < 12 && !found; ++other)
          for (const double sign : {1., -1.}) {
            const std::vector<double> reference = at_state.at("J_nat_12x12").at(other);
            double worst = 0;
            for (std::size_t k = 0; k < 12; ++k)
              worst = std::max(worst, std::abs(dense[k] - sign * reference[k]));
            if (worst > 1e-13 || used[other] || found) continue;
            found = used[other] = true;
          }
        EXPECT_TRUE(found) << s.equations().equations[row].name;
      }
      // Of the cross product the row along the largest component is left out, with some reluctance.
      const auto dropped = at_state.at("nat_dropped_cross_row").get<std::size_t>();
      double left_out = 0;
      for (std::size_t k = 0; k < 3; ++k)
        if (!used[5 + k]) left_out = std::abs(r[6 + k]);
      EXPECT_GE(left_out * 1.5, std::abs(r[6 + dropped]));
    }
}

TEST(CoordinatesNatural, OverconstrainedLoops) {
  const json all = data("overconstrained");
  for (const json& mechanism : all.at("mechanisms"))
    for (const json& state : mechanism.at("states")) {
      const json& ranks = state.at("ranks");
      const int n = ranks.at("n_joints");
      MechanismSystem s = natural_system(revolute_loop(state.at("pos"), n));
      EXPECT_EQ(s.equations().numbers(), ranks.at("natural_n_vars").get<int>());
      EXPECT_EQ(s.constraints(), ranks.at("natural_n_constraints").get<int>());
      EXPECT_EQ(rank_at(s, home(s)), ranks.at("natural_rank").get<int>());
    }
}

TEST(CoordinatesNatural, DistancesOnlyAdmitTheMirroredTriangle) {
  const json set = data("planar_sixbar").at("sets").at(0);
  const json& pos = set.at("states").at(0).at("modes").at(0).at("pos");
  const Mechanism m = six_bar(set.at("params"), pos);
  MechanismSystem linear = natural_system(m),
                  distances = natural_system(m, {.distances_only = true});
  EXPECT_EQ(count(distances), count(linear));
  EXPECT_EQ(rank_at(distances, home(distances)), 7);
  EXPECT_EQ(rank_at(linear, home(linear)), 7);
  // D on the other side of BC, and F moved along: only distances are met.
  json other = pos;
  const Vec3<double> B = point(pos.at("B")), C = point(pos.at("C")), D = point(pos.at("D"));
  const Vec3<double> u = normalized(C - B), mirrored = B + u * (2 * dot(u, D - B)) - (D - B);
  other["D"] = {mirrored.x, mirrored.y};
  const Names names{{"A", "A"}, {"B", "B"}, {"C", "C"}, {"D", "D"}};
  const std::vector<double> q = numbers(distances, other, names);
  EXPECT_TRUE(distances.mirrored(0, q).found);
  EXPECT_FALSE(distances.mirrored(0, home(distances)).found);
}

TEST(CoordinatesNatural, BodiesThatDoNotFitTheGroundAreRefused) {
  MechanismBuilder builder("stuck", Space::planar);
  builder.body("bar").pose(planar_pose(0, 0, 0));
  PairGeometry end;
  end.points = {Spot(3, 0, 0), Spot(2, 0, 0)};  // 2 m long, between points 3 m apart
  builder.joint("A", PairType::revolute, "world", "bar", at({0, 0, 0}))
      .joint("B", PairType::revolute, "world", "bar", end);
  EXPECT_THROW(natural_system(builder.build()), Error);
}

/// A distance between the ground and what is welded to it says nothing, if it holds.
TEST(CoordinatesNatural, DistancesOfTheGroundFromItself) {
  const auto held = [](double distance) {
    PairGeometry far;
    far.points = {Spot(0, 0, 0), Spot(3, 4, 7)};
    far.axes = {Spot(0, 0, 1), Spot(0, 0, 1)};
    far.value = distance;
    return MechanismBuilder("held")
        .body("block")
        .body("bob")
        .joint("w", PairType::weld, "world", "block", at({0, 0, 0}))
        .joint("d", PairType::point_line_distance, "world", "block", far)
        .joint("s", PairType::spherical, "block", "bob", at({0, 0, 1}))
        .build();
  };
  EXPECT_NO_THROW(natural_system(held(5)));
  EXPECT_THROW(natural_system(held(4)), Error);
}

}  // namespace
}  // namespace axode::test::coordinates_natural
