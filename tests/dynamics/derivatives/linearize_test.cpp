#include "axode/dynamics/derivatives/linearize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::linearize_test {
namespace {

using D = Dual<double>;

/// A state that moves under constant joint forces, in dual numbers.
struct Flow {
  Flow(const Tree& t, const std::vector<double>& forces)
      : tree(t), tau(forces.begin(), forces.end()), poses(t), work(t), a(tau.size()) {}
  const Tree& tree;
  std::vector<D> tau;
  Poses<D> poses;
  ForwardDynamics<Rep::hybrid, D> work;
  std::vector<D> a;

  State<D> rate(const State<D>& x) {
    State<D> y{std::vector<D>(x.q.size()), std::vector<D>(x.v.size())};
    coordinate_rate<D>(tree, x.q, x.v, y.q);
    axode::poses<D>(tree, x.q, poses);
    EXPECT_TRUE((forward_dynamics<Rep::hybrid, D>(tree, poses, x.v, tau, work, y.v).ok()));
    return y;
  }
  static State<D> add(const State<D>& x, double h, const State<D>& y) {
    State<D> z = x;
    for (std::size_t k = 0; k < z.q.size(); ++k) z.q[k] += D(h) * y.q[k];
    for (std::size_t k = 0; k < z.v.size(); ++k) z.v[k] += D(h) * y.v[k];
    return z;
  }
  /// One step of Runge and Kutta's method of order four.
  State<D> step(const State<D>& x, double h) {
    const State<D> k1 = rate(x), k2 = rate(add(x, h / 2, k1)), k3 = rate(add(x, h / 2, k2)),
                   k4 = rate(add(x, h, k3));
    return add(add(add(add(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
};

/// How far a motion is from its neighbour that starts a small number `direction` of x = (dq, dv)
/// away, by that number: d x(h) / d x_direction(0).
std::vector<double> neighbour(Flow& flow, const MovingTree& r, std::size_t direction, double h) {
  const std::size_t n = r.v.size();
  State<D> x{std::vector<D>(r.q.begin(), r.q.end()), std::vector<D>(r.v.begin(), r.v.end())};
  std::vector<D> along(n);
  if (direction < n)
    along[direction] = {0, 1};
  else
    x.v[direction - n].dual = 1;
  plus<D>(r.tree, x.q, along, x.q);
  const State<D> y = flow.step(x, h);
  std::vector<D> middle(y.q), d(n);
  for (D& q : middle) q.dual = 0;
  difference<D>(r.tree, middle, y.q, d);
  d.insert(d.end(), y.v.begin(), y.v.end());
  return dual_parts(d);
}

/// A by differentiating in time the distance of neighbouring motions, over five points: the error is
/// h^4 times a fifth derivative of the motion.
TEST(Linearize, NeighbouringMotions) {
  double worst = 0;
  for_random_cases(15, [&](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 5));
    add_random_losses(random, r.tree);
    const std::size_t n = r.v.size();
    Flow flow(r.tree, r.a);
    const Linearization l = linearize(r.tree, r.q, r.v, r.a);
    const double h = 1e-3;
    std::vector<double> numeric(4 * n * n);
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const auto a = neighbour(flow, r, k, h), b = neighbour(flow, r, k, -h),
                 a2 = neighbour(flow, r, k, 2 * h), b2 = neighbour(flow, r, k, -2 * h);
      for (std::size_t j = 0; j < 2 * n; ++j)
        numeric[j * 2 * n + k] = (8 * (a[j] - b[j]) - (a2[j] - b2[j])) / (12 * h);
    }
    worst = std::max(worst, relative_difference(l.A.values, numeric));
    EXPECT_LT(worst, 1e-8);
  });
  record("worst_relative_error", worst);
}

/// A tumbling, falling body, over a whole second: x' = A(t) x along the motion against two motions.
TEST(Linearize, FreeBodyTumblingForASecond) {
  const Inertia<double> I{2, {.1, .05, -.02}, Sym3<double>::diagonal({.1, .2, .25})};
  for (const Rep form : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = TreeBuilder{}.body("b", I).joint("j", free_joint({.velocity = form})).build();
    const MovingTree r{tree, {.5, .5, -.5, .5, 1, 2, 3}, {1, 2, -1.5, .1, .2, .3}, {}};
    const std::vector<double> tau{.3, -.2, .1, 0, 0, 0};
    Flow flow(tree, tau);
    State<D> x{std::vector<D>(r.q.begin(), r.q.end()), std::vector<D>(r.v.begin(), r.v.end())};
    std::vector<double> start{.3, -.2, .5, .1, .4, -.6, .7, .2, -.1, .5, .3, -.4}, y = start;
    std::vector<D> along;
    for (std::size_t k = 0; k < 6; ++k) along.emplace_back(0, start[k]);
    for (std::size_t k = 0; k < 6; ++k) x.v[k].dual = start[6 + k];
    plus<D>(tree, x.q, along, x.q);
    const auto rate = [&](const State<D>& at, const std::vector<double>& z) {
      std::vector<double> q, v;
      for (const D& s : at.q) q.push_back(s.real);
      for (const D& s : at.v) v.push_back(s.real);
      double length = 0;  // of the quaternion, which Runge-Kutta steps do not keep
      for (std::size_t k = 0; k < 4; ++k) length += q[k] * q[k];
      for (std::size_t k = 0; k < 4; ++k) q[k] /= std::sqrt(length);
      return times(linearize(tree, q, v, tau).A, z);
    };
    const auto moved = [](const std::vector<double>& z, double h, const std::vector<double>& dz) {
      std::vector<double> sum = z;
      for (std::size_t k = 0; k < z.size(); ++k) sum[k] += h * dz[k];
      return sum;
    };
    const int steps = 100;
    const double h = 1. / steps;
    for (int s = 0; s < steps; ++s) {
      const State<D> half = flow.step(x, h / 2), end = flow.step(half, h / 2);
      const auto k1 = rate(x, y), k2 = rate(half, moved(y, h / 2, k1)),
                 k3 = rate(half, moved(y, h / 2, k2)), k4 = rate(end, moved(y, h, k3));
      y = moved(moved(moved(moved(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
      x = end;
    }
    std::vector<D> middle(x.q), d(6);
    for (D& q : middle) q.dual = 0;
    difference<D>(tree, middle, x.q, d);
    d.insert(d.end(), x.v.begin(), x.v.end());
    const std::vector<double> expected = dual_parts(d);
    EXPECT_LT(relative_difference(y, expected), 1e-7);
    EXPECT_GT(relative_difference(start, expected), .1);
  }
}

Tree pendulum(double damping) {
  const Inertia<double> I{2, {0, 0, -.5}, Sym3<double>::diagonal({.1, .1, .1})};
  return TreeBuilder{}
      .body("bob", I)
      .joint("pivot", revolute({.axis = {0, 1, 0}}))
      .damping(damping)
      .build();
}

TEST(Linearize, PendulumHangingAndUpright) {
  const double m = 2, c = .5, J = .1 + m * c * c;
  for (const double angle : {0., pi<double>, .4}) {
    const Tree tree = pendulum(.3);
    const std::vector<double> q{angle}, v{0}, a{0};
    const Linearization l = linearize_motion(tree, q, v, a);
    EXPECT_NEAR(l.tau[0], m * 9.81 * c * std::sin(angle), 1e-14);
    EXPECT_NEAR(l.M(0, 0), J, 1e-15);
    EXPECT_NEAR(l.D(0, 0), .3, 1e-15);
    EXPECT_NEAR(l.K(0, 0), m * 9.81 * c * std::cos(angle), 1e-13);
    EXPECT_EQ(l.G(0, 0), 0);
    EXPECT_EQ(l.A(0, 0), 0);
    EXPECT_EQ(l.A(0, 1), 1);
    EXPECT_NEAR(l.A(1, 0), -m * 9.81 * c * std::cos(angle) / J, 1e-13);
    EXPECT_NEAR(l.A(1, 1), -.3 / J, 1e-15);
    EXPECT_EQ(l.B(0, 0), 0);
    EXPECT_NEAR(l.B(1, 0), 1 / J, 1e-15);
    const Linearization same = linearize(tree, q, v, l.tau);
    EXPECT_NEAR(same.a[0], 0, 1e-14);
    expect_near(same.A.values, l.A.values, 1e-13);
  }
}

/// Rotation about the middle principal axis: growth w sqrt((I2 - I1)(I3 - I2) / (I1 I3)).
TEST(Linearize, SpinAboutTheMiddleAxisIsUnstable) {
  const Inertia<double> I{3, {}, Sym3<double>::diagonal({1, 2, 2.5})};
  const Tree tree = TreeBuilder{}.body("b", I).joint("j", free_joint()).build();
  const std::vector<double> q = neutral(tree), v{0, 4, 0, 0, 0, 0}, tau(6, 0.);
  const Linearization l = linearize(tree, q, v, tau, {.effects = {.gravity = false}});
  const double one = l.A(6, 8), other = l.A(8, 6);
  EXPECT_NEAR(one, 4 * (2 - 2.5) / 1, 1e-14);
  EXPECT_NEAR(other, 4 * (1 - 2) / 2.5, 1e-14);
  EXPECT_NEAR(std::sqrt(one * other), 4 * std::sqrt(1 * .5 / 2.5), 1e-14);
  // A displacement of the body turns with it: seen from it, it turns back.
  EXPECT_NEAR(l.G(0, 2), -4, 1e-15);
  EXPECT_NEAR(l.G(2, 0), 4, 1e-15);
  for (const double x : l.K.values) EXPECT_EQ(x, 0);
}

/// A motor with a gear of ratio r that carries an arm, and a free arm behind.
Tree geared() {
  const Inertia<double> I{1, {.2, .1, 0}, Sym3<double>::diagonal({.1, .2, .25})};
  return TreeBuilder{}
      .body("rotor", {.1, {}, Sym3<double>::diagonal({.01, .01, .01})})
      .joint("motor", revolute({}))
      .body("ball", I)
      .joint("socket", spherical())
      .body("arm", I)
      .on("ball")
      .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {.4, 0, 0}}))
      .mimic("motor", .25, .1)
      .body("hand", I)
      .on("arm")
      .joint("wrist", revolute({.axis = {1, 0, 0}, .point = {.8, 0, 0}}))
      .damping(.2)
      .build();
}

/// Accelerations of the independent velocities by coupled forward dynamics, differentiated.
TEST(Linearize, CouplingsAreKept) {
  const Tree tree = geared();
  const std::vector<double> q = expand_configuration(tree, std::vector{.4, .5, .5, -.5, .5, .7}),
                            v = expand_velocity(tree, std::vector{1., .3, -.2, .4, .5}),
                            tau{.1, .2, .3, .4, .5, .6};
  const Linearization l = linearize(tree, q, v, tau);
  ASSERT_EQ(l.M.rows, 5);
  EXPECT_EQ(l.tau, tau);
  EXPECT_EQ(l.a, reference::forward_dynamics(tree, q, v, tau));
  std::vector<double> by_q(25), by_v(25), by_tau(25);
  for (std::size_t k = 0; k < 5; ++k) {
    const auto accelerations = [&](double in_q, double in_v, double in_tau) {
      std::vector<double> e(5, 0.);
      e[k] = 1;
      const std::vector<double> all = expand_velocity(tree, e);
      std::vector<double> d(6), q_moved(q.size()), v_moved = v, tau_moved = tau;
      for (std::size_t j = 0; j < 6; ++j) {
        d[j] = in_q * all[j];
        v_moved[j] += in_v * all[j];
      }
      plus(tree, q, d, q_moved);
      const std::size_t own[] = {0, 1, 2, 3, 5};
      tau_moved[own[k]] += in_tau;
      return independent_velocity(tree,
                                  reference::forward_dynamics(tree, q_moved, v_moved, tau_moved));
    };
    const double h = 1e-4;
    for (std::size_t j = 0; j < 5; ++j) {
      const auto slope = [&](double x, double y, double z) {
        return (accelerations(x, y, z)[j] - accelerations(-x, -y, -z)[j]) / (2 * h);
      };
      by_q[j * 5 + k] = slope(h, 0, 0);
      by_v[j * 5 + k] = slope(0, h, 0);
      by_tau[j * 5 + k] = slope(0, 0, h);
    }
  }
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const std::size_t e = 5 * i + j;
      EXPECT_NEAR(l.A(5 + i, j), by_q[e], 1e-6 * largest(by_q));
      EXPECT_NEAR(l.A(5 + i, 5 + j), by_v[e], 1e-6 * largest(by_v));
      EXPECT_NEAR(l.B(5 + i, j), by_tau[e], 1e-6 * largest(by_tau));
      const bool turned = i >= 1 && i <= 3 && j >= 1 && j <= 3 && i != j;
      EXPECT_EQ(l.G(i, j) != 0, turned);
    }
}

/// At the motion's own accelerations both entrances give the same, and M A's rows are -K, -D.
TEST(Linearize, TwoEntrancesAgree) {
  double worst = 0;
  for_random_cases(20, [&](Random& random) {
    MovingTree r = random_moving_tree(random, 8);
    add_random_losses(random, r.tree);
    const auto wrenches = random_wrenches(random, r.tree);
    const DynamicsOptions options{
        .external = {{.on = "b3", .wrench = random.vec6(), .expressed_in = "b5"}},
        .body_wrenches = wrenches};
    const Linearization by_motion = linearize_motion(r.tree, r.q, r.v, r.a, options),
                        by_force = linearize(r.tree, r.q, r.v, by_motion.tau, options);
    worst = std::max({worst, relative_difference(by_force.a, r.a),
                      relative_difference(by_force.A.values, by_motion.A.values),
                      relative_difference(by_force.K.values, by_motion.K.values)});
    EXPECT_LT(worst, 1e-9);
    const int n = r.tree.nv;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 2 * n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += by_motion.M(i, k) * by_motion.A(n + k, j);
        const double expected = j < n ? -by_motion.K(i, j) : -by_motion.D(i, j - n);
        EXPECT_NEAR(sum, expected, 1e-10 * (1 + largest(by_motion.K.values)));
      }
  });
  record("worst_relative_error", worst);
}

TEST(Linearize, BadInput) {
  const Tree tree = geared();
  const std::vector<double> q = neutral(tree), zero(6, 0.), bad{1, 0, 0, 0, 0, 0};
  std::vector<double> off = q;
  off[5] += .1;
  expect_says(message([&] { linearize(tree, off, zero, zero); }), "shoulder");
  expect_says(message([&] { linearize_motion(tree, off, zero, zero); }), "shoulder");
  const DynamicsOptions unknown{.external = {{.on = "hnd", .wrench = {}}}};
  expect_says(message([&] { linearize_motion(tree, q, zero, zero, unknown); }), "'hnd'");
  expect_says(message([&] { linearize(tree, q, bad, zero); }), "shoulder");
  expect_says(message([&] { linearize_motion(tree, q, zero, bad); }), "shoulder");
  expect_says(message([&] { linearize_motion(tree, q, bad, zero); }), "shoulder");
  expect_says(message([&] { linearize(tree, zero, zero, zero); }), "7");
  const Tree feather = TreeBuilder{}.body("feather", {}).joint("quill", revolute({})).build();
  const std::vector<double> one{0};
  expect_says(message([&] { linearize(feather, one, one, one); }), "feather");
  expect_says(message([&] { linearize_motion(feather, one, one, one); }), "feather");
}

}  // namespace
}  // namespace axode::test::linearize_test
