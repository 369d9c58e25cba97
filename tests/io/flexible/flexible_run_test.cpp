#include "axode/io/flexible/flexible_run.hpp"

#include <gtest/gtest.h>

#include "tests/flexible/reference_chains.hpp"

namespace axode::test::flexible_run {

TEST(FlexibleRun, NamesAndUnitsOfJointsAndModes) {
  const FlexibleTree tree = reference_chain("arm4");
  const RunMetadata m = run_metadata(tree);
  ASSERT_EQ(m.q_names, tree.coordinate_names);
  ASSERT_EQ(m.v_names, tree.coordinate_names);
  for (int c = 0; c < tree.size; ++c) {
    const bool angle = is_angle(tree, c);
    EXPECT_EQ(m.q_units[c], angle ? "rad" : "m");
    EXPECT_EQ(m.a_units[c], angle ? "rad/s^2" : "m/s^2");
    EXPECT_EQ(m.tau_units[c], angle ? "N m" : "N");
    const bool torsion = m.q_names[c].find("torsion") != std::string::npos;
    if (c >= tree.joints) {
      EXPECT_EQ(angle, torsion) << m.q_names[c];
    }
  }
}

}  // namespace axode::test::flexible_run
