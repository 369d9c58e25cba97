#include "axode/mechanism/analysis/singularity.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::singularity {
namespace {

using namespace mechanisms;

/// A slider-crank driven at the crank or at the slider, with the other as output.
SingularityResult slider_crank_at(double phi, const char* input, const char* output,
                                  const FormulationOptions& o) {
  const nlohmann::json p{{"A", {0., 0.}}, {"L2", 1.}, {"L3", 2.}, {"h", 0.}};
  Mechanism m = slider_crank(p, phi);
  const int in = coordinate_index(m, input);
  add_driver(m, input, constant_in_time(measure(m, in, reference_poses(m))));
  MechanismSystem system(make_equations(m, o));
  const std::vector<int> outputs{coordinate_index(m, output)};
  auto q = system.from_poses(reference_poses(m));
  std::vector<double> v(system.equations().velocities());
  system.refresh(q, v);  // the form of the angle that is regular here
  return axode::singularity(system, 0, q, outputs);
}

TEST(Singularity, SliderCrankAtItsDeadPoint) {
  for (const auto& o : formulations(true)) {
    const SingularityResult regular = slider_crank_at(0.7, "A.angle", "S.distance", o);
    EXPECT_EQ(regular.type, 0) << label(o) << regular.message;
    EXPECT_EQ(regular.mobility, 1);
    EXPECT_GT(regular.serial_measure, 1e-2);
    EXPECT_GT(regular.parallel_measure, 1e-2);
    // The crank moves, the slider does not.
    const SingularityResult serial = slider_crank_at(0, "A.angle", "S.distance", o);
    EXPECT_EQ(serial.type, 1) << label(o) << serial.message;
    EXPECT_LT(serial.serial_measure, 1e-10);
    // Driven at the slider it is the other way round.
    const SingularityResult parallel = slider_crank_at(0, "S.distance", "A.angle", o);
    EXPECT_EQ(parallel.type, 2) << label(o) << parallel.message;
    EXPECT_FALSE(parallel.constraint);
  }
}

TEST(Singularity, FlatParallelogramHasMoreMotions) {
  Mechanism m = n_four_bar(1, 0);
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const std::vector<int> outputs{coordinate_index(m, "A1.angle")};
  const SingularityResult r =
      axode::singularity(system, 0, system.from_poses(reference_poses(m)), outputs);
  EXPECT_TRUE(r.constraint) << r.message;
  EXPECT_EQ(r.mobility, 2);
  EXPECT_EQ(r.finite_mobility, 1);
  EXPECT_TRUE(r.parallel);
}

TEST(Singularity, OutputsAreWhatNoDriverMoves) {
  Mechanism m = four_bar({});
  add_driver(m, "1.angle", constant_in_time(0));
  EXPECT_EQ(undriven_coordinates(m), (std::vector{0, 2, 3}));
}

}  // namespace
}  // namespace axode::test::singularity
