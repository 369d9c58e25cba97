/// Generalized-alpha in direct index 3 form: order 2 in q, v and the multipliers, no drift.
#include <gtest/gtest.h>

#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/mechanism/dynamics/independent_rows.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_index_three {

using namespace dynamic_mechanisms;
using Numbers = std::vector<double>;

struct Errors {
  double q = 0, v = 0, lambda = 0, phi = 0;
};
double distance(std::span<const double> a, std::span<const double> b) {
  double m = 0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}
double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return std::sqrt(dot(a - b, a - b));
}

/// Makes a case from a row of its trajectory.
using MakeCase = DynamicCase (*)(std::size_t which, std::size_t from);

/// The mechanism of a case with equations that are independent, and the references at some rows.
struct Comparison {
  DynamicCase c;
  FormulationOptions formulation;
  MechanismSystem system;
  Start start;
  IndependentRows rows;
  std::vector<DynamicCase> later;

  Comparison(MakeCase make, std::size_t which, const FormulationOptions& f)
      : c(make(which, 0)),
        formulation(f),
        system(make_equations(c.mechanism, f)),
        start(state_of(system, c)),
        rows(system, independent_rows(system, 0, start.q)) {
    for (std::size_t k = 1; k < c.trajectory.size(); ++k) later.push_back(make(which, k));
  }
  Numbers initial() const {
    Numbers x = start.q;
    x.insert(x.end(), start.v.begin(), start.v.end());
    return x;
  }
  double missed(const GeneralizedAlpha& method) {
    Numbers phi(system.constraints());
    system.position(method.time(), method.state().first(start.q.size()), phi);
    return distance(phi, Numbers(phi.size()));
  }
  void compare(const GeneralizedAlpha& method, const DynamicCase& expected, Errors& e) {
    const std::size_t nx = start.q.size();
    std::vector<SE3<double>> poses(c.start.size());
    std::vector<Twist<Rep::hybrid>> twists(c.start.size());
    system.motion(method.state().first(nx), method.state().subspan(nx), poses, twists);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Moving& at = expected.start[i];
      const Moving found{poses[i], twists[i]};
      e.q = std::max({e.q, distance(at.pose.p, found.pose.p), turned(heading(at), heading(found))});
      e.v = std::max({e.v, distance(at.twist.linear, found.twist.linear),
                      distance(at.twist.angular, found.twist.angular)});
    }
    // The forms of an equation of an angle have other multipliers, but the same forces.
    Numbers all(system.constraints(), 0.0);
    for (std::size_t k = 0; k < rows.rows().size(); ++k)
      all[rows.rows()[k]] = method.multipliers()[k];
    const Numbers force = constraint_force(system, method.time(), method.state().first(nx), all);
    e.lambda = std::max(e.lambda, distance(force, force_at(expected, method.time())));
  }
  static Numbers constraint_force(MechanismSystem& s, double t, std::span<const double> q,
                                  std::span<const double> lambda) {
    SparseRows J;
    s.jacobian(t, q, J);
    Numbers force(J.columns, 0.0);
    J.add_transposed(lambda, force);
    return force;
  }
  /// By the index 1 equations.
  Numbers force_at(const DynamicCase& expected, double t) const {
    MechanismSystem other(make_equations(c.mechanism, formulation));
    const Start s = state_of(other, expected);
    Numbers a(s.v.size()), lambda(other.constraints());
    MechanismDynamics dynamics(other);
    EXPECT_TRUE(dynamics.accelerate(t, s.q, s.v, a, lambda));
    return constraint_force(other, t, s.q, lambda);
  }
  Errors run(int steps) {
    const double interval = number(c.trajectory[1], "t");
    GeneralizedAlpha method(
        {.step = {.step = interval / steps}, .fixed_step = true, .direct = true});
    method.start(rows, 0, initial());
    Errors e;
    for (std::size_t k = 0; k < later.size(); ++k) {
      for (int n = 0; n < steps; ++n) {
        EXPECT_EQ(method.advance(rows, 1e9), StepVerdict::ok);
        e.phi = std::max(e.phi, missed(method));
      }
      EXPECT_NEAR(method.time(), number(c.trajectory[k + 1], "t"), 1e-12);
      compare(method, later[k], e);
    }
    return e;
  }
};

/// Steps of an interval of the trajectory; its errors are the largest of all rows.
void expect_order_two(MakeCase make, std::size_t which, int steps) {
  for (const FormulationOptions& f : families(true)) {
    Comparison c(make, which, f);
    const Errors a = c.run(steps), b = c.run(2 * steps), d = c.run(4 * steps);
    const std::string what = label(c.c, f, Method::generalized_alpha);
    for (const auto& [coarse, fine] : {std::pair{a, b}, {b, d}}) {
      EXPECT_NEAR(std::log2(coarse.q / fine.q), 2, .1) << what << fine.q;
      EXPECT_NEAR(std::log2(coarse.v / fine.v), 2, .1) << what << fine.v;
      EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2, .1) << what << fine.lambda;
    }
    for (const Errors& e : {a, b, d}) EXPECT_LT(e.phi, 2e-14) << what;
  }
}

TEST(SimulateMechanismIndexThree, FourBarsAreOfOrderTwo) {
  for (std::size_t k = 0; k < 3; ++k) expect_order_two(four_bar, k, 200);
}
TEST(SimulateMechanismIndexThree, SliderCranksAreOfOrderTwo) {
  for (std::size_t k = 0; k < 2; ++k) expect_order_two(slider_crank, k, 200);
}

/// Rounding of q becomes 1/h of it in v and 1/h^2 in the multipliers, and no more at short steps.
TEST(SimulateMechanismIndexThree, ShortStepsLoseNoMoreThanTheyMust) {
  constexpr double rounding = 2.3e-16, masses = 6;
  for (const FormulationOptions& f : families(true))
    for (const double h : {1e-4, 1e-5, 1e-6, 1e-7}) {
      Comparison both(four_bar, 2, f);
      const std::vector<double> x = both.initial();
      GeneralizedAlpha direct({.step = {.step = h}, .fixed_step = true, .direct = true});
      GeneralizedAlpha stabilized({.step = {.step = h}, .fixed_step = true});
      const double truncation = 100 * h * h;
      for (GeneralizedAlpha* method : {&direct, &stabilized}) method->start(both.rows, 0, x);
      for (int n = 0; n < 100; ++n)
        for (GeneralizedAlpha* method : {&direct, &stabilized})
          ASSERT_EQ(method->advance(both.rows, 1), StepVerdict::ok) << name(f.family) << h;
      EXPECT_LT(both.missed(direct), 40 * rounding) << name(f.family) << h;
      const std::size_t nx = both.start.q.size();
      EXPECT_LT(distance(direct.state().first(nx), stabilized.state().first(nx)),
                1e3 * rounding + h * truncation);
      EXPECT_LT(distance(direct.state().subspan(nx), stabilized.state().subspan(nx)),
                1e3 * rounding / h + truncation);
      EXPECT_LT(distance(direct.multipliers(), stabilized.multipliers()),
                1e3 * masses * rounding / (h * h) + 1e3 * truncation)
          << name(f.family) << h;
    }
}

/// By error control the direct form needs the steps of the stabilised one.
TEST(SimulateMechanismIndexThree, VariableSteps) {
  const DynamicCase c = slider_crank(1);
  for (const FormulationOptions& f : families(true)) {
    SimulateOptions options{.rtol = 1e-7, .atol = 1e-7};
    options.method = Method::generalized_alpha;
    const Followed direct = follow(c, f, options);
    options.method = Method::generalized_alpha_stabilized;
    const Followed stabilized = follow(c, f, options);
    EXPECT_LT(direct.error, 1e-3) << direct.result.message;
    EXPECT_LT(direct.result.statistics.steps, stabilized.result.statistics.steps * 11 / 10);

    MechanismSystem system(make_equations(c.mechanism, f));
    const Start start = state_of(system, c);
    options.duration = 2;
    options.sample_interval = 0;  // after each step: between them no equation is met
    const auto run = [&] { return axode::simulate(system, {start.q, start.v}, options); };
    EXPECT_LT(run().mechanism.velocity_error, 1e-12);
    options.method = Method::generalized_alpha;
    EXPECT_LT(run().mechanism.position_error, 1e-14);
    EXPECT_LT(run().mechanism.velocity_error, 1e-3);
    EXPECT_GT(run().mechanism.velocity_error, 1e-9);  // index 3: they are not asked for
  }
}

}  // namespace axode::test::simulate_mechanism_index_three
