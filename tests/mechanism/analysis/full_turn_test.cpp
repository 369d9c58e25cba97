// A full turn and more of each driven angle, in every family with every set of added coordinates: poses
// tell angles but for whole turns, drivers and the coordinates that follow from them do not. From the
// exact poses the search must find the configuration where it is, and a path must go on.
#include "axode/mechanism/analysis/follow.hpp"
#include "tests/mechanism/book_cases.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::full_turn {
namespace {

constexpr double turn = 2 * std::numbers::pi, step = turn / 23;

struct Place {
  double driver = 0;
  std::vector<SE3<double>> poses;
};

/// Where a driver leads, until it has turned by 7 rad or cannot go on.
std::vector<Place> way_of(const Mechanism& m, int driver, double sign) {
  MechanismSystem natural(make_equations(m, {.family = CoordinateFamily::natural}));
  const book::Solved start = book::solve(natural, 0, book::start(natural));
  EXPECT_TRUE(start.position.converged) << start.position.message;
  if (!start.position.converged) return {};
  const double from = m.drivers[driver].motion(0).value;
  const FollowResult path = follow_driver(natural, driver, from, from + sign * 7, 0, start.q,
                                          {.step = step, .find_branches = false});
  std::vector<Place> places;
  for (const FollowPoint& p : path.points) {
    places.push_back({p.driver, std::vector<SE3<double>>(m.bodies.size())});
    natural.seat(p.seats);
    natural.poses(p.q, places.back().poses);
  }
  return places;
}

/// Of all bodies, rods by the points of their joints: what they have turned about themselves is idle.
double apart(const Mechanism& m, std::span<const SE3<double>> a, std::span<const SE3<double>> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, max_abs(a[k].p - b[k].p));
    if (!m.bodies[k].rod) most = std::max(most, max_abs(a[k].R.matrix - b[k].R.matrix));
  }
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t k = joint.body[side];
      most = std::max(most, max_abs(a[k] * joint.point[side] - b[k] * joint.point[side]));
    }
  return most;
}

std::string text(const Mechanism& m, const std::vector<int>& coordinates) {
  std::string all;
  for (const int c : coordinates) all += " " + m.coordinates[c].name;
  return all;
}

/// Gears and wheels know turns that no pose tells.
bool counts_turns(const Mechanism& m) {
  return !m.couplings.empty() || std::ranges::any_of(m.joints, [](const MechanismJoint& joint) {
    return joint.type == PairType::rolling;
  });
}

/// The search from the poses of each place.
void check_places(const Mechanism& m, const FormulationOptions& how, int driver,
                  const std::vector<Place>& places) {
  MechanismSystem system(driver_as_time(make_equations(m, how), driver, 0));
  std::vector<SE3<double>> found(m.bodies.size());
  for (const Place& place : places) {
    SCOPED_TRACE("driver at " + std::to_string(place.driver));
    std::vector<double> q = system.from_poses(place.poses);
    const PositionResult r = solve_position(system, place.driver, q, {.count_rank = false});
    ASSERT_TRUE(r.converged) << r.message;
    EXPECT_LE(r.iterations, 2);
    system.poses(q, found);
    ASSERT_LT(apart(m, found, place.poses), 1e-7);
    EXPECT_TRUE(is_driven_well(system, place.driver, q));
  }
}

/// The way from the first place, each step from the one before.
void check_way(const Mechanism& m, const FormulationOptions& how, int driver,
               const std::vector<Place>& places) {
  MechanismSystem system(make_equations(m, how));
  std::vector<SE3<double>> found(m.bodies.size());
  const double first = places.front().driver, last = places.back().driver;
  const FollowResult path =
      follow_driver(system, driver, first, last, 0, system.from_poses(places.front().poses),
                    {.step = step, .find_branches = false});
  ASSERT_TRUE(path.complete) << path.message;
  for (std::size_t k = 0; k < path.points.size() && k < places.size(); ++k) {
    if (path.points[k].driver != places[k].driver) continue;  // the last of a range cut short
    system.seat(path.points[k].seats);
    system.poses(path.points[k].q, found);
    ASSERT_LT(apart(m, found, places[k].poses), 1e-7) << "driver at " << places[k].driver;
  }
}

/// All subsets of few angles; of many none, each, and all.
std::vector<std::vector<int>> sets_of(const Mechanism& m) {
  std::vector<int> angles;
  for (int c = 0; c < std::ssize(m.coordinates); ++c)
    if (m.coordinates[c].is_angle) angles.push_back(c);
  std::vector<std::vector<int>> sets;
  if (angles.size() <= 4) {
    for (unsigned set = 0; set < 1u << angles.size(); ++set) {
      sets.emplace_back();
      for (std::size_t k = 0; k < angles.size(); ++k)
        if ((set >> k & 1u) != 0) sets.back().push_back(angles[k]);
    }
    return sets;
  }
  sets.assign(1, {});
  for (const int c : angles) sets.push_back({c});
  sets.push_back(angles);
  return sets;
}

void check_turns(const Mechanism& m) {
  for (int driver = 0; driver < std::ssize(m.drivers); ++driver) {
    if (!m.coordinates[m.drivers[driver].coordinate].is_angle) continue;
    for (const double sign : {1., -1.}) {
      const std::vector<Place> places = way_of(m, driver, sign);
      ASSERT_FALSE(places.empty());
      for (const book::Formulation& f : book::formulations(m))
        for (const std::vector<int>& set : sets_of(m)) {
          FormulationOptions how = f.options;
          if (f.label == "mixed" && !set.empty()) continue;  // has them all
          if (f.label != "mixed") how.mixed = set;
          SCOPED_TRACE(m.name + ", " + f.label + ", added:" + text(m, set));
          if (!counts_turns(m)) check_places(m, how, driver, places);
          check_way(m, how, driver, places);
          if (testing::Test::HasFatalFailure()) return;
        }
    }
  }
}

/// A crank that turns all round, started at any angle, also where the file has it a turn on.
TEST(FullTurnOfFourBar, IsFollowed) {
  for (const double start : {.7, 4., -2.5, 9.}) {
    Mechanism m = mechanisms::four_bar(
        {.A = {0, 0}, .B = {3, 0}, .L2 = 1.2, .L3 = 2.8, .L4 = 2.1, .phi = start});
    mechanisms::add_driver(m, "A.angle", polynomial_in_time(start, 1));
    check_turns(m);
    m.initial[0] = start;
    check_turns(m);
  }
}

class FullTurn : public testing::TestWithParam<std::string> {};

TEST_P(FullTurn, IsFollowed) { check_turns(load_mechanism(book::models / GetParam())); }

std::vector<std::string> with_driven_angles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(book::models)) {
    if (entry.path().extension() != ".json") continue;
    const Mechanism m = load_mechanism(entry.path());
    if (std::ranges::any_of(m.drivers, [&](const MechanismDriver& d) {
          return m.coordinates[d.coordinate].is_angle;
        }))
      files.push_back(entry.path().filename().string());
  }
  std::ranges::sort(files);
  return files;
}
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return info.param.substr(0, info.param.find('.'));
}
INSTANTIATE_TEST_SUITE_P(Shipped, FullTurn, testing::ValuesIn(with_driven_angles()), test_name);

}  // namespace
}  // namespace axode::test::full_turn
