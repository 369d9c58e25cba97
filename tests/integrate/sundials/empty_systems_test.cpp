/// Systems of no numbers: time goes on by all methods, samples come when they are due.
#include <gtest/gtest.h>

#include "axode/integrate/integrate.hpp"
#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/integrate/sundials/sundials.hpp"
#include "tests/integrate/test_systems.hpp"

namespace axode::test::empty_systems {

struct Empty {
  LieGroup nowhere{};
  const LieGroup& group() const { return nowhere; }
  bool rate(double, In1, Out1) { return true; }
  bool jacobian(double, In1, Out1) { return true; }
  // Constrained, with no constraints.
  const LieGroup& configuration() const { return nowhere; }
  static int constraints() { return 0; }
  bool residual(const ConstrainedPoint&, const ConstrainedResidual&) { return true; }
  void constraint_rate(const ConstrainedPoint&, std::span<double>) {}
  void tangent(const ConstrainedPoint&, const TangentScale&, SparseAssembly&) {}
};

struct Times {
  std::vector<double> times{};
  void sample(double t, In1 x) {
    times.push_back(t);
    EXPECT_TRUE(x.empty());
  }
};

template <class S>
void expect_time_to_go_on(S stepper, const char* what) {
  Empty system;
  Times observer;
  stepper.start(system, 1, Reals{});
  const IntegrateResult result =
      axode::integrate(system, stepper, 3, {.origin = 1, .sample_interval = .5}, observer);
  EXPECT_EQ(result.ending, IntegrateResult::Ending::finished) << what;
  EXPECT_EQ(result.t, 3) << what;
  EXPECT_EQ(observer.times, (Reals{1, 1.5, 2, 2.5, 3})) << what;
  EXPECT_GT(stepper.statistics().steps, 0) << what;
  Reals saved;
  stepper.save(saved);
  stepper.load(system, saved);
  EXPECT_EQ(stepper.time(), 3) << what;
}

TEST(EmptySystems, TimeGoesOn) {
  const LieGroup none;
  const StepOptions options{.max_step = .7};
  expect_time_to_go_on(MuntheKaas(none, 5, options), "mk5");
  expect_time_to_go_on(CommutatorFree(none, {.step = .1}, false), "cf4");
  expect_time_to_go_on(Sundials(none, SundialsMethod::bdf, options), "cvode");
  expect_time_to_go_on(Sundials(none, SundialsMethod::adams, options), "adams");
  expect_time_to_go_on(Sundials(none, SundialsMethod::dirk, options), "arkode");
  expect_time_to_go_on(Ida(options), "ida");
  expect_time_to_go_on(GeneralizedAlpha({.step = options}), "generalized-alpha");
}

}  // namespace axode::test::empty_systems
