/// What falls freely moves by g t^2 / 2 from any height, in all coordinates, by all methods: with
/// equations and without.
#include <gtest/gtest.h>

#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::simulate_mechanism_fall {
namespace {

using namespace mechanisms;

constexpr double g = 9.81, spin = .7;

/// A block at a height, on a vertical slide or free.
Mechanism falling(bool is_planar, bool on_slide, double height) {
  Mechanism m = empty_mechanism(on_slide ? "slide" : "free", is_planar);
  m.gravity = {0, -g, 0};
  const Inertia<double> inertia = planar_inertia(3, {0, 0}, .2);
  const int block = add_body(m, "block", planar_place({0, height}, 0), inertia);
  if (on_slide)
    add_joint(m, {.name = "S",
                  .type = PairType::prismatic,
                  .body = {0, block},
                  .axis = {Vec3<double>{0, 1, 0}, Vec3<double>{0, 1, 0}}});
  return m;
}

struct Fall {
  RunResult result;
  SE3<double> end;
};
Fall run(const Mechanism& m, const FormulationOptions& form, SimulateOptions options, double rate) {
  MechanismSystem system(make_equations(m, form));
  const std::vector<double> q = system.from_poses(reference_poses(m));
  const std::vector<Twist<Rep::hybrid>> twists{{}, {{0, 0, rate}, {}}};
  Fall fall{axode::simulate(system, {q, system.from_twists(q, twists)}, options), {}};
  fall.end = poses_of(system, fall.result.last.q)[1];
  return fall;
}

void expect_fall(bool is_planar, bool on_slide) {
  constexpr double duration = .3;
  const double rate = on_slide ? 0 : spin;
  for (const double height : {1e-3, .04, .5, 1., 2., 30., 1e3}) {
    const Mechanism m = falling(is_planar, on_slide, height);
    for (const FormulationOptions& form : formulations(is_planar))
      for (const Method method : methods_of(ModelKind::mechanism))
        for (const double step : {0., .01}) {
          const std::string what = m.name + " " + label(form) + " by " + std::string(name(method)) +
                                   " from " + std::to_string(height);
          const Fall fall = run(
              m, form,
              {.duration = duration, .method = method, .rtol = 1e-8, .atol = 1e-10, .step = step},
              rate);
          ASSERT_EQ(fall.result.ending, Ending::finished) << what << fall.result.message;
          const double fallen = g * duration * duration / 2;
          // Of order 2, with a velocity in the axes of the body that spins.
          const bool turns = rate != 0 && (method == Method::generalized_alpha ||
                                           method == Method::generalized_alpha_stabilized);
          const double tolerance = (turns ? 1e-3 : 1e-6) * fallen * std::max(1., height);
          EXPECT_NEAR(height - fall.end.p.y, fallen, tolerance) << what;
          EXPECT_NEAR(fall.end.p.x, 0, tolerance) << what;
          const SO3<double> turned = exp(Vec3<double>{0, 0, rate * duration});
          EXPECT_LT(max_abs(turned.matrix - fall.end.R.matrix), 1e-4) << what;
          EXPECT_LT(fall.result.energy_drift, 1e-5 * 3 * g * std::max(1., height)) << what;
        }
  }
}

TEST(SimulateMechanismFall, OnASlideInThePlane) { expect_fall(true, true); }
TEST(SimulateMechanismFall, OnASlideInSpace) { expect_fall(false, true); }
TEST(SimulateMechanismFall, FreelyInThePlane) { expect_fall(true, false); }
TEST(SimulateMechanismFall, FreelyInSpace) { expect_fall(false, false); }

}  // namespace
}  // namespace axode::test::simulate_mechanism_fall
