#include "axode/integrate/steppers/generalized_alpha.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/systems/absolute_system.hpp"
#include "tests/integrate/rotating_wire.hpp"
#include "tests/support/models/joint_space_reference.hpp"
#include "tests/support/near.hpp"

namespace axode::test::generalized_alpha {

using Numbers = std::vector<double>;
static_assert(Stepper<GeneralizedAlpha, AbsoluteSystem>);

struct Case {
  Tree tree;
  State<double> initial;
};

Case heavy_top() {
  TreeBuilder b;
  b.body("top", {15, {0, 1, 0}, {.234375, .46875, .234375, 0, 0, 0}}).joint("tip", spherical());
  return {b.build(), {{1, 0, 0, 0}, {0, 20, -4}}};
}
Case double_pendulum() {
  TreeBuilder b;
  b.body("a", {1, {.5, 0, 0}, {.02, .1, .11, 0, 0, 0}}).joint("ja", spherical());
  b.body("b", {.7, {1.4, 0, .1}, {.03, .06, .07, 0, .01, 0}}).on("a");
  b.joint("jb", spherical({.point = {1, 0, 0}}));
  return {b.build(), {{1, 0, 0, 0, 1, 0, 0, 0}, {.5, 1, -1, 2, -1, .3}}};
}

struct Errors {
  double q = 0, v = 0, lambda = 0;
};
double distance(std::span<const double> a, std::span<const double> b) {
  double m = 0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

/// The state in absolute coordinates and its multipliers at the end, from joint coordinates.
struct Reference {
  Numbers state, lambda;
};
Reference reference(const Case& c, double duration) {
  const State<double> end = joint_space_motion(c.tree, c.initial, duration, 20000);
  AbsoluteSystem system(c.tree);
  Reference r{system.state(end.q, end.v), Numbers(system.constraints())};
  Numbers a(system.configuration().nv);
  ConstrainedWork work;
  const std::size_t nx = system.configuration().nx;
  EXPECT_TRUE(consistent_acceleration(view(system), duration, std::span(r.state).first(nx),
                                      system.velocity(r.state), a, r.lambda, work));
  return r;
}

Errors errors_of(const AbsoluteSystem& system, const GeneralizedAlpha& method,
                 const Reference& expected) {
  const std::size_t nx = system.configuration().nx;
  Numbers d(system.configuration().nv);
  difference(system.configuration(), method.state().first(nx), std::span(expected.state).first(nx),
             d);
  Errors e;
  for (const double x : d) e.q = std::max(e.q, std::abs(x));
  e.v = distance(system.velocity(method.state()), system.velocity(expected.state));
  e.lambda = distance(method.multipliers(), expected.lambda);
  return e;
}

/// `uneven`: steps alternate between 2/3 and 4/3 of h.
Errors run(const Case& c, double duration, int steps, bool uneven, bool direct,
           const Reference& expected) {
  AbsoluteSystem system(c.tree);
  const double h = duration / steps;
  GeneralizedAlpha method(
      {.step = {.step = uneven ? 10 * h : h}, .fixed_step = true, .direct = direct});
  method.start(system, 0, system.state(c.initial.q, c.initial.v));
  for (int n = 1; n <= steps; ++n) {
    const double end = uneven && n % 2 == 1 ? (n - 1.0 / 3) * h : n * h;
    EXPECT_EQ(method.advance(system, end), StepVerdict::ok);
  }
  EXPECT_NEAR(method.time(), duration, 1e-12);
  return errors_of(system, method, expected);
}

void expect_order_two(const Case& c, double duration, int steps, bool direct) {
  const Reference expected = reference(c, duration);
  for (const bool uneven : {false, true}) {
    const Errors e = run(c, duration, steps, uneven, direct, expected);
    const Errors f = run(c, duration, 2 * steps, uneven, direct, expected);
    const Errors g = run(c, duration, 4 * steps, uneven, direct, expected);
    const auto order = [](double a, double b) { return std::log2(a / b); };
    EXPECT_NEAR(order(e.q, f.q), 2, .2);
    EXPECT_NEAR(order(f.q, g.q), 2, .2);
    EXPECT_NEAR(order(f.v, g.v), 2, .2);
    EXPECT_NEAR(order(f.lambda, g.lambda), 2, .3);
  }
}

TEST(GeneralizedAlpha, IsOfOrderTwoAlsoInMultipliersAndUnevenSteps) {
  for (const bool direct : {false, true}) {
    expect_order_two(heavy_top(), .5, 400, direct);
    expect_order_two(double_pendulum(), 1, 200, direct);
  }
}

TEST(GeneralizedAlpha, MeetsConstraintsAndTolerances) {
  for (const Case& c : {heavy_top(), double_pendulum()}) {
    const Reference expected = reference(c, 1);
    double before = 1;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      AbsoluteSystem system(c.tree);
      GeneralizedAlpha method({.step = {.rtol = tolerance, .atol = tolerance}});
      method.start(system, 0, system.state(c.initial.q, c.initial.v));
      Numbers force(system.configuration().nv);
      Numbers phi(system.constraints()), gv = phi;
      const std::size_t nx = system.configuration().nx;
      double worst = 0;
      while (method.time() < 1) {
        ASSERT_EQ(method.advance(system, 1), StepVerdict::ok);
        system.residual({0, method.state().first(nx), system.velocity(method.state()),
                         method.acceleration(), method.multipliers()},
                        {force, phi, gv});
        for (std::size_t k = 0; k < phi.size(); ++k)
          worst = std::max({worst, std::abs(phi[k]), std::abs(gv[k]) / 20});
      }
      EXPECT_LT(worst, 1e-12);
      const Errors e = errors_of(system, method, expected);
      EXPECT_LT(e.q, 500 * std::pow(tolerance, 2. / 3));
      EXPECT_LT(method.statistics().rejected, method.statistics().steps / 10);
      EXPECT_LT(e.q, before);
      before = e.q;
    }
  }
}

TEST(GeneralizedAlpha, ContinuesWithTheSameBits) {
  const Case c = double_pendulum();
  AbsoluteSystem system(c.tree);
  GeneralizedAlpha method({.step = {.rtol = 1e-5, .atol = 1e-5}});
  method.start(system, 0, system.state(c.initial.q, c.initial.v));
  for (int n = 0; n < 40; ++n) ASSERT_EQ(method.advance(system, 5), StepVerdict::ok);
  Numbers numbers;
  method.save(numbers);
  AbsoluteSystem other(c.tree);
  GeneralizedAlpha again({.step = {.rtol = 1e-5, .atol = 1e-5}});
  again.load(other, numbers);
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(method.advance(system, 5), StepVerdict::ok);
    ASSERT_EQ(again.advance(other, 5), StepVerdict::ok);
  }
  EXPECT_EQ(method.time(), again.time());
  EXPECT_EQ(distance(method.state(), again.state()), 0);
}

TEST(GeneralizedAlpha, InterpolatesWithinAStep) {
  const Case c = double_pendulum();
  AbsoluteSystem system(c.tree);
  GeneralizedAlpha coarse({.step = {.step = .02}, .fixed_step = true});
  coarse.start(system, 0, system.state(c.initial.q, c.initial.v));
  for (int n = 0; n < 10; ++n) ASSERT_EQ(coarse.advance(system, 1), StepVerdict::ok);
  Numbers x(coarse.state().size());
  coarse.interpolate(coarse.time(), x);
  EXPECT_LT(distance(x, coarse.state()), 1e-14);
  // Steps of the method itself from the begin of the last one are as far off as the method.
  coarse.interpolate(coarse.previous_time(), x);
  GeneralizedAlpha fine({.step = {.step = .001}, .fixed_step = true});
  fine.start(system, coarse.previous_time(),
             system.state(system.tree_q(x), system.tree_v(system.velocity(x))));
  for (int n = 0; n < 7; ++n) ASSERT_EQ(fine.advance(system, 1), StepVerdict::ok);
  coarse.interpolate(fine.time(), x);
  EXPECT_LT(distance(x, fine.state()), 2e-4);
}

TEST(GeneralizedAlpha, TellsMisuse) {
  EXPECT_THROW(GeneralizedAlpha({.spectral_radius = 1.5}), Error);
  EXPECT_THROW(GeneralizedAlpha({.fixed_step = true}), Error);
  const Case c = heavy_top();
  AbsoluteSystem system(c.tree);
  GeneralizedAlpha method;
  EXPECT_THROW(method.start(system, 0, Numbers(3)), Error);
}

TEST(GeneralizedAlpha, ConstraintsMayMove) {
  RotatingWire system;
  GeneralizedAlpha method({.step = {.rtol = 1e-9, .atol = 1e-9}});
  const double t0 = .3, end = 1.3;
  method.start(system, t0, system.state(t0, .5, -.2));
  while (method.time() < end) ASSERT_EQ(method.advance(system, end), StepVerdict::ok);
  const Numbers exact = system.exact(t0, .5, -.2, end);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(method.state()[k], exact[k], 1e-5);
}

}  // namespace axode::test::generalized_alpha
