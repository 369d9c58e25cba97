/// Bricard's mechanism of five rods on the edges of a cube, at rest, for ten seconds.
#include <gtest/gtest.h>

#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_bricard {

using namespace dynamic_mechanisms;

DynamicCase bricard_rods() {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Vec3<double> P[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3<double> axes[] = {y, z, x, y, z, x};
  Maker m("rods of Bricard", false, {0, -9.81, 0});
  // Square rods of 1 kg and 1 m, 0.1 m wide.
  const double spin = .02 / 12, swing = 1.01 / 12;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3<double> before = i == 0 ? Vec3<double>{} : P[i - 1];
    if (i < 5) {
      const Vec3<double> d = P[i + 1] - P[i];
      const auto J = [&](double e) { return swing + (spin - swing) * e * e; };
      m.body("rod" + std::to_string(i), {1, d / 2., {J(d.x), J(d.y), J(d.z), 0, 0, 0}},
             {{{}, P[i]}, {}});
    }
    m.joint({.name = "j" + std::to_string(i),
             .body = {static_cast<int>(i), i < 5 ? static_cast<int>(i) + 1 : 0},
             .point = {P[i] - before, i < 5 ? Vec3<double>{} : P[i]},
             .axis = {axes[i], axes[i]},
             .zero = {across(axes[i]), across(axes[i])}},
            {"angle"});
  }
  m.result.trajectory = Json::array();
  const Json data = read_json("mechanisms/bricard_rods.json");
  for (const Json& row : data["rows"]) m.result.trajectory.push_back({{"t", row[0]}, {"row", row}});
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    const std::vector<double> row = flat(r["row"]);
    double worst = 0;  // the rods begin at the joints
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3<double> place{row[3 * k + 1], row[3 * k + 2], row[3 * k + 3]};
      worst = std::max(worst, norm(at[3 + k].pose.p - place));
    }
    return worst;
  };
  return m.result;
}

TEST(SimulateMechanismBricard, RodsForTenSeconds) {
  const DynamicCase c = bricard_rods();
  for (const FormulationOptions& f : families(false))
    for (const Method m : {Method::projection, Method::ida}) {
      if (m == Method::ida && f.family != CoordinateFamily::relative) continue;  // longer
      const Followed run = follow(c, f, {.method = m, .rtol = 1e-9, .atol = 1e-10});
      EXPECT_LT(run.error, 1e-6) << label(c, f, m) << run.result.message;
      EXPECT_EQ(run.result.mechanism.redundant, 1) << label(c, f, m);
    }
}

}  // namespace axode::test::simulate_mechanism_bricard
