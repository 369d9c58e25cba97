// The heavy top of the literature and one of other references, by all methods.
#include <gtest/gtest.h>

#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/integrate/test_systems.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::heavy_top {

// docs: w_y in space at t = 0.01 and 2, quaternions at 0.2, 1 and 2 to the ten digits given.
TEST(HeavyTopReference, ValuesOfTheLiterature) {
  const nlohmann::json data = read_json("heavy_top.json");
  const nlohmann::json& checked = data["our_recheck_DOP853_3e-14"];
  HeavyTop top = HeavyTop::of_terze();
  MuntheKaas stepper(top.group(), 5, {.rtol = 1e-13, .atol = 1e-13});
  stepper.start(top, 0, HeavyTop::start_of_terze());
  const auto w_y = [&] { return (turn_at(stepper.state()) * vec_at(stepper.state(), 4)).y; };
  ASSERT_EQ(run_to(stepper, top, 0.01), StepVerdict::ok);
  EXPECT_NEAR(w_y(), data["external"]["omega_global_y"]["t=0.01"], 1e-10);
  EXPECT_NEAR(w_y(), checked["omega_global_y"]["0.01"], 1e-10);
  for (const char* t : {"0.2", "1.0", "2.0"}) {
    ASSERT_EQ(run_to(stepper, top, std::stod(t)), StepVerdict::ok);
    const std::vector<double> q = flat(checked["euler_parameters"][t]);
    const double side = q[0] * stepper.state()[0] + q[1] * stepper.state()[1] > 0 ? 1 : -1;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(side * stepper.state()[i], q[i], 2e-10);
  }
  EXPECT_NEAR(w_y(), data["external"]["omega_global_y"]["t=2"], 2e-9);
  EXPECT_NEAR(w_y(), checked["omega_global_y"]["2.0"], 2e-9);
  EXPECT_NEAR(top.energy(stepper.state()), top.energy(HeavyTop::start_of_terze()), 1e-8);
}

// A symmetric top whose angles were computed from its conserved momenta.
TEST(HeavyTopReference, NutatingTop) {
  const nlohmann::json data = read_json("dyn_heavy_top.json")["cases"][0];
  const nlohmann::json &p = data["params"], &trajectory = data["traj"];
  const double weight = p["m"].get<double>() * p["g"].get<double>();
  HeavyTop top{{p["A"], p["A"], p["C"]}, {0, 0, p["l"]}, {0, 0, -weight}};
  const SO3<double> R{mat3(trajectory[0]["R"])};
  const Quaternion<double> q = quaternion(R.matrix);
  const Vec3<double> w = inverse_times(R, vec3(trajectory[0]["omega_space"]));
  const Reals start{q.w, q.v.x, q.v.y, q.v.z, w.x, w.y, w.z, 0};
  MuntheKaas a(top.group(), 5, {.rtol = 1e-12, .atol = 1e-12});
  CommutatorFree b(top.group(), {.rtol = 1e-12, .atol = 1e-12});
  a.start(top, 0, start);
  b.start(top, 0, start);
  for (const nlohmann::json& point : trajectory) {
    ASSERT_EQ(run_to(a, top, point["t"]), StepVerdict::ok);
    ASSERT_EQ(run_to(b, top, point["t"]), StepVerdict::ok);
    for (const In1 x : {a.state(), b.state()}) {
      expect_near(turn_at(x).matrix, mat3(point["R"]), 1e-9);
      expect_near(turn_at(x) * vec_at(x, 4), vec3(point["omega_space"]), 1e-8);
    }
  }
}

}  // namespace axode::test::heavy_top
