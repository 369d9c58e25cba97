#include "axode/kinematics/jacobian.hpp"

#include <cmath>

#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::jacobian_test {
namespace {

using nlohmann::json;
using test::expect_near;

constexpr const char* rep_names[] = {"body", "spatial", "hybrid", "mixed"};
const char* name_of(Rep rep) { return rep_names[static_cast<int>(rep)]; }

constexpr GeometryForm forms[] = {GeometryForm::zero_reference, GeometryForm::body_screws,
                                  GeometryForm::parent_screws, GeometryForm::joint_frames};

/// Largest error of the columns against the rows of a 6 x n matrix, relative to max(1, its largest).
template <class Column>
double error(const std::vector<Column>& columns, const json& rows) {
  double worst = 0, size = 1;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (int r = 0; r < 6; ++r) {
      const double wanted = rows.at(r).at(k).get<double>();
      const double difference = std::abs(columns[k].six()[r] - wanted);
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
      size = std::max(size, std::abs(wanted));
    }
  return worst / size;
}

struct Errors {
  double jacobian = 0, rate = 0;
};
/// All bodies of one state in one representation.
template <Rep rep>
Errors errors(const Tree& tree, const json& state) {
  const std::vector<double> q = test::flat(state.at("input").at("q"));
  const std::vector<double> v = test::flat(state.at("input").at("qd"));
  const Poses<> at = poses(tree, q);
  Motion<rep> motion(tree);
  twists(tree, at, v, motion);
  std::vector<Twist<rep>> J(v.size());
  std::vector<Acceleration<rep>> rate(v.size());
  Errors worst;
  for (int i = 0; i < tree.size(); ++i) {
    const auto& output = state.at("output");
    const std::size_t b = i;
    jacobian<rep>(tree, at, i, J);
    worst.jacobian =
        std::max(worst.jacobian, error(J, output.at("jacobian").at(name_of(rep)).at(b)));
    jacobian_rate(tree, at, motion, v, i, rate);
    worst.rate =
        std::max(worst.rate, error(rate, output.at("jacobian_dot").at(name_of(rep)).at(b)));
  }
  return worst;
}

class Reference : public ::testing::TestWithParam<const char*> {};

// The reference has 50 digits, rounded to 17; the model's numbers are rounded, too. Along a path of
// at most 10 factors each of which errs by a few units in the last place, numbers below 10 keep an
// error of some 100 of them: 2e-14. One decade more is allowed.
constexpr double tolerance = 2e-13;

TEST_P(Reference, JacobiansAndTheirRatesOfAllBodies) {
  const json data = test::read_json(std::string(GetParam()) + ".json");
  Errors worst;
  const auto take = [&](const Errors& e, Rep rep) {
    EXPECT_LE(e.jacobian, tolerance) << name_of(rep);
    EXPECT_LE(e.rate, tolerance) << name_of(rep);
    worst.jacobian = std::max(worst.jacobian, e.jacobian);
    worst.rate = std::max(worst.rate, e.rate);
  };
  for (const GeometryForm form : forms) {
    const Tree tree = test::tree_from_reference(data.at("model"), form);
    for (int i = 0; i < tree.size(); ++i) {
      const auto& body = data.at("model").at("bodies").at(i);
      ASSERT_EQ(tree.links[i].v, body.at("dofs").at(0).get<int>());
    }
    for (const auto& state : data.at("states")) {
      take(errors<Rep::body>(tree, state), Rep::body);
      take(errors<Rep::spatial>(tree, state), Rep::spatial);
      take(errors<Rep::hybrid>(tree, state), Rep::hybrid);
      take(errors<Rep::mixed>(tree, state), Rep::mixed);
    }
  }
  test::record("worst_jacobian_error", worst.jacobian);
  test::record("worst_jacobian_rate_error", worst.rate);
}
INSTANTIATE_TEST_SUITE_P(Jacobian, Reference,
                         ::testing::Values("chain7", "tree9", "remote_centre", "multidof_first",
                                           "multidof_second"),
                         [](const auto& file) { return std::string(file.param); });

/// A tree with every kind of joint map, free base in the given form, a branch and a named frame.
Tree zoo(Rep base_velocity) {
  const auto at = [](double x, double y, double z) {
    return SE3<>{exp(Vec3<>{x, y, z}), {z, x, y}};
  };
  return TreeBuilder("zoo")
      .body("base")
      .joint("float", free_joint({.velocity = base_velocity, .at = at(.3, -.2, .5)}),
             body_screws(at(.1, .2, .3)))
      .body("ball")
      .on("base")
      .joint("ball joint", spherical({.point = {.1, .2, .3}}), body_screws(at(-.4, .2, .1)))
      .body("slider")
      .on("ball")
      .joint("slide", prismatic({.axis = {1, 2, -1}}), body_screws(at(.2, .2, -.6)))
      .body("wrist")
      .on("slider")
      .joint("wrist joint",
             spherical({.point = {0, .2, .1}, .coordinates = Coordinates::first_kind}),
             body_screws(at(.5, -.2, .3)))
      .body("fixed")
      .on("ball")
      .joint("weld", fixed(), body_screws(at(.5, .5, .5)))
      .body("plate")
      .on("fixed")
      .joint("plane", planar({.point = {.1, 0, 0}}), body_screws(at(-.1, .2, .4)))
      .body("fork")
      .on("base")
      .joint("hook", universal(), body_screws(at(.7, .1, 0)))
      .body("screw")
      .on("fork")
      .joint("helix", helical({.axis = {0, 1, 1}, .point = {.1, .2, 0}, .pitch = .05}),
             body_screws(at(0, .1, -.7)))
      .frame("tool", {.on = "wrist", .at = at(.6, .4, -.2)})
      .build();
}

/// q after the time t with constant velocity coordinates v.
std::vector<double> moved(const Tree& tree, const std::vector<double>& q,
                          const std::vector<double>& v, double t) {
  std::vector<double> d(v), result(q.size());
  for (double& x : d) x *= t;
  plus<double>(tree, q, d, result);
  return result;
}

struct Case {
  std::vector<double> q, v;
};
Case random_case(const Tree& tree, test::Random& random) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
  Case c{random_configuration(tree, engine), {}};
  for (int k = 0; k < tree.nv; ++k) c.v.push_back(random.uniform(-1, 1));
  return c;
}

/// Columns by central differences of the exact pose of the frame: T^-1 dT, converted.
template <Rep rep>
void expect_jacobian_of_poses(const Tree& tree, const Frame& frame, const std::vector<double>& q) {
  const Poses<> at = poses(tree, q);
  std::vector<Twist<rep>> J(tree.nv);
  jacobian<rep>(tree, at, frame, J);
  const auto pose = [&](const std::vector<double>& coordinates) {
    return poses(tree, coordinates).T_WB[frame.body] * frame.T_BF;
  };
  const SE3<> T = pose(q);
  const double h = 1e-4;
  for (std::size_t k = 0; k < J.size(); ++k) {
    std::vector<double> e(J.size(), 0.0);
    e[k] = 1;
    const Vec6<> ahead = log(inverse_times(T, pose(moved(tree, q, e, h))));
    const Vec6<> back = log(inverse_times(T, pose(moved(tree, q, e, -h))));
    const Vec6<> V = (ahead - back) / (2 * h);
    // error h^2 / 6 times a third derivative of some 10, and 1e-16 / h of rounding
    expect_near(J[k], convert_with_pose<rep>(T, Twist<Rep::body>{V.angular, V.linear}), 1e-6);
  }
}

TEST(Jacobian, IsTheDerivativeOfPosesForAllJointsAndFrames) {
  for (const Rep base : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = zoo(base);
    test::for_random_cases(10, [&](test::Random& random) {
      const Case c = random_case(tree, random);
      for (const char* body : {"tool", "plate", "screw", "base"}) {
        const Frame frame = simple_frame(tree, body);
        expect_jacobian_of_poses<Rep::body>(tree, frame, c.q);
        expect_jacobian_of_poses<Rep::spatial>(tree, frame, c.q);
        expect_jacobian_of_poses<Rep::hybrid>(tree, frame, c.q);
        expect_jacobian_of_poses<Rep::mixed>(tree, frame, c.q);
      }
    });
  }
}

/// dJ/dt by central differences of J.
template <Rep rep>
void expect_rate_of_jacobian(const Tree& tree, const Frame& frame, const Case& c) {
  const Poses<> at = poses(tree, c.q);
  Motion<rep> motion(tree);
  twists(tree, at, c.v, motion);
  const std::size_t nv = tree.nv;
  std::vector<Acceleration<rep>> rate(nv);
  jacobian_rate(tree, at, motion, c.v, frame, rate);
  const double h = 1e-5;
  std::vector<Twist<rep>> ahead(nv), back(nv);
  jacobian<rep>(tree, poses(tree, moved(tree, c.q, c.v, h)), frame, ahead);
  jacobian<rep>(tree, poses(tree, moved(tree, c.q, c.v, -h)), frame, back);
  Acceleration<rep> sum{};
  for (std::size_t k = 0; k < nv; ++k) {
    // h^2 / 6 times a third derivative of some 100, 1e-16 / h of rounding
    expect_near(rate[k], (ahead[k] - back[k]) / (2 * h), 1e-8, rep_names[static_cast<int>(rep)]);
    sum += rate[k] * c.v[k];
  }
  expect_near(jacobian_rate_times_velocity(tree, at, motion, c.v, frame), sum, 1e-13);
}

TEST(JacobianRate, IsTheDerivativeOfTheJacobianForAllJointsAndFrames) {
  for (const Rep base : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = zoo(base);
    test::for_random_cases(10, [&](test::Random& random) {
      const Case c = random_case(tree, random);
      for (const char* body : {"tool", "plate", "screw", "base"}) {
        const Frame frame = simple_frame(tree, body);
        expect_rate_of_jacobian<Rep::body>(tree, frame, c);
        expect_rate_of_jacobian<Rep::spatial>(tree, frame, c);
        expect_rate_of_jacobian<Rep::hybrid>(tree, frame, c);
        expect_rate_of_jacobian<Rep::mixed>(tree, frame, c);
      }
    });
  }
}

template <Rep rep>
void expect_agrees_with_motion(const Tree& tree, const Case& c, const std::vector<double>& a) {
  const Poses<> at = poses(tree, c.q);
  Motion<rep> motion(tree);
  accelerations(tree, at, c.v, a, motion);
  std::vector<Twist<rep>> J(c.v.size());
  for (int i = 0; i < tree.size(); ++i) {
    jacobian<rep>(tree, at, i, J);
    Twist<rep> V{};
    Acceleration<rep> A = jacobian_rate_times_velocity(tree, at, motion, c.v, Frame{i, {}});
    for (std::size_t k = 0; k < J.size(); ++k) {
      V += J[k] * c.v[k];
      A += Acceleration<rep>{J[k].angular, J[k].linear} * a[k];
    }
    // sums of 20 numbers below 30, a few units in the last place each
    expect_near(motion.twists[i], V, 1e-13);
    expect_near(motion.accelerations[i], A, 2e-13);
  }
}

TEST(Jacobian, TimesVelocitiesAndAccelerationsIsTheMotionOfTheRecursions) {
  for (const Rep base : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = zoo(base);
    test::for_random_cases(50, [&](test::Random& random) {
      const Case c = random_case(tree, random);
      std::vector<double> a(c.v.size());
      for (double& x : a) x = random.uniform(-1, 1);
      expect_agrees_with_motion<Rep::body>(tree, c, a);
      expect_agrees_with_motion<Rep::spatial>(tree, c, a);
      expect_agrees_with_motion<Rep::hybrid>(tree, c, a);
      expect_agrees_with_motion<Rep::mixed>(tree, c, a);
    });
  }
}

TEST(Jacobian, SpatialColumnsServeAllBodies) {
  const Tree tree = zoo(Rep::hybrid);
  test::Random random(7);
  const Case c = random_case(tree, random);
  const Poses<> at = poses(tree, c.q);
  Motion<Rep::spatial> motion(tree);
  twists(tree, at, c.v, motion);
  std::vector<Twist<Rep::spatial>> all(c.v.size()), J(c.v.size());
  std::vector<Acceleration<Rep::spatial>> all_rates(c.v.size()), rate(c.v.size());
  spatial_columns(tree, at, all);
  spatial_column_rates(tree, at, motion, c.v, all_rates);
  for (int i = 0; i < tree.size(); ++i) {
    jacobian<Rep::spatial>(tree, at, i, J);
    jacobian_rate(tree, at, motion, c.v, i, rate);
    std::vector<bool> on_path(c.v.size(), false);
    for (int j = i; j >= 0; j = tree.links[j].parent) {
      const Link& link = tree.links[j];
      for (int k = link.v; k < link.v + link.nv; ++k) on_path[k] = true;
    }
    for (std::size_t k = 0; k < J.size(); ++k) {
      EXPECT_EQ(J[k], on_path[k] ? all[k] : Twist<Rep::spatial>{}) << i << ' ' << k;
      EXPECT_EQ(rate[k], on_path[k] ? all_rates[k] : Acceleration<Rep::spatial>{}) << i << ' ' << k;
    }
  }
}

TEST(Jacobian, OfTheWorldIsZeroAndWritesAllColumns) {
  const Tree tree = zoo(Rep::body);
  const std::vector<double> q = neutral(tree), v(tree.nv, 1.0);
  const Poses<> at = poses(tree, q);
  Motion<Rep::mixed> motion(tree);
  twists(tree, at, v, motion);
  const Frame on_world{-1, translation(Vec3<>{1, 2, 3})};
  std::vector<Twist<Rep::mixed>> J(v.size(), {{NAN, 1, 2}, {3, 4, 5}});
  std::vector<Acceleration<Rep::mixed>> rate(v.size(), {{NAN, 1, 2}, {3, 4, 5}});
  jacobian<Rep::mixed>(tree, at, on_world, J);
  jacobian_rate(tree, at, motion, v, on_world, rate);
  for (std::size_t k = 0; k < v.size(); ++k) {
    EXPECT_EQ(J[k], Twist<Rep::mixed>{});
    EXPECT_EQ(rate[k], Acceleration<Rep::mixed>{});
  }
  EXPECT_EQ(jacobian_rate_times_velocity(tree, at, motion, v, on_world),
            Acceleration<Rep::mixed>{});
}

TEST(Jacobian, OfDualNumbersCarriesTheDerivative) {
  // q + eps v: the dual part of J is its rate along v, for joints whose coordinates add.
  const json data = test::read_json("multidof_first.json");
  const Tree tree = test::tree_from_reference(data.at("model"));
  using D = Dual<double>;
  for (const auto& state : data.at("states")) {
    const std::vector<double> q = test::flat(state.at("input").at("q"));
    const std::vector<double> v = test::flat(state.at("input").at("qd"));
    std::vector<D> q_dual;
    for (std::size_t k = 0; k < q.size(); ++k) q_dual.emplace_back(q[k], v[k]);
    Poses<D> at(tree);
    poses<D>(tree, q_dual, at);
    std::vector<Twist<Rep::hybrid, D>> J(v.size());
    const int last = tree.size() - 1;
    jacobian<Rep::hybrid>(tree, at, last, J);
    const auto& wanted = state.at("output").at("jacobian_dot").at("hybrid").at(3);
    std::vector<Twist<Rep::hybrid>> dual_part(v.size());
    for (std::size_t k = 0; k < v.size(); ++k)
      for (int r = 0; r < 3; ++r) {
        dual_part[k].angular[r] = J[k].angular[r].dual;
        dual_part[k].linear[r] = J[k].linear[r].dual;
      }
    EXPECT_LE(error(dual_part, wanted), tolerance);
  }
}

TEST(Jacobian, DoesNotAllocate) {
  const Tree tree = zoo(Rep::hybrid);
  test::Random random(3);
  const Case c = random_case(tree, random);
  const Poses<> at = poses(tree, c.q);
  const Frame tool = simple_frame(tree, "tool");
  test::for_representations([&]<Rep rep>() {
    Motion<rep> motion(tree);
    twists(tree, at, c.v, motion);
    std::vector<Twist<rep>> J(c.v.size());
    std::vector<Acceleration<rep>> rate(c.v.size());
    EXPECT_EQ(test::count_allocations([&] {
                jacobian<rep>(tree, at, tool, J);
                jacobian_rate(tree, at, motion, c.v, tool, rate);
                jacobian_rate_times_velocity(tree, at, motion, c.v, tool);
                if constexpr (rep == Rep::spatial) {
                  spatial_columns(tree, at, J);
                  spatial_column_rates(tree, at, motion, c.v, rate);
                }
              }),
              0)
        << name_of(rep);
  });
}

TEST(Jacobian, RemoteCentreThirdBodyInClosedForm) {
  // The printed columns [MuellerKin sec. 3.6], corrected: docs/errata.md
  const json data = test::read_json("remote_centre.json");
  const auto d = [&](const char* name) {
    return data.at("model").at("rcm_parameters").at(name).get<double>();
  };
  const Tree tree = test::tree_from_reference(data.at("model"));
  const double d2 = d("d2"), d3 = d("d3"), x3 = d("x3");
  for (const auto& state : data.at("states")) {
    const std::vector<double> q = test::flat(state.at("input").at("q"));
    std::vector<Twist<Rep::body>> J(5);
    jacobian<Rep::body>(tree, poses(tree, q), 2, J);
    const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
    const double s23 = std::sin(q[1] + q[2]), c23 = std::cos(q[1] + q[2]);
    const Vec3<> z{0, 0, 1};
    expect_near(J[0],
                Vec6<>{z, {(d2 + d3) * s3 - d2 * s23, (d2 + d3) * c3 - d2 * c23 + x3 - d3, 0}},
                1e-15);
    expect_near(J[1], Vec6<>{z, {(d2 + d3) * s3, (d2 + d3) * c3 + x3 - d3, 0}}, 1e-15);
    expect_near(J[2], Vec6<>{z, {0, x3 - d3, 0}}, 1e-15);
  }
}

}  // namespace
}  // namespace axode::test::jacobian_test
