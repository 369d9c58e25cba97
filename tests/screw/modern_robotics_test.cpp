// The worked examples of Lynch and Park, Modern Robotics, that need several headers of the core
// together; the others stand in the tests of those headers.
#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/homogeneous.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/screw.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::modern_robotics_test {
namespace {

using test::expect_near;

class ModernRobotics : public ::testing::Test {
 protected:
  nlohmann::json input(const char* function) const { return examples_.at(function).at("inputs"); }
  nlohmann::json output(const char* function) const {
    return examples_.at(function).at("output_of_reference_implementation");
  }
  /// Screws are the columns of the lists there.
  static std::vector<Vec6<>> columns(const nlohmann::json& rows) {
    std::vector<Vec6<>> screws(rows.at(0).size());
    for (std::size_t j = 0; j < screws.size(); ++j)
      for (int i = 0; i < 6; ++i) screws[j][i] = rows.at(std::size_t(i)).at(j).get<double>();
    return screws;
  }

 private:
  nlohmann::json examples_ = test::read_json("modern_robotics.json").at("functions");
};

TEST_F(ModernRobotics, SpatialJacobian) {
  const auto screws = columns(input("JacobianSpace").at("Slist"));
  const auto expected = columns(output("JacobianSpace"));
  SE3<> T;
  for (std::size_t i = 0; i < screws.size(); ++i) {
    expect_near(Ad(T, screws[i]), expected[i], 1e-15);
    T = T * exp(screws[i] * input("JacobianSpace").at("thetalist").at(i).get<double>());
  }
}

TEST_F(ModernRobotics, BodyJacobian) {
  const auto screws = columns(input("JacobianBody").at("Blist"));
  const auto expected = columns(output("JacobianBody"));
  SE3<> T;
  for (std::size_t i = screws.size(); i-- > 0;) {
    expect_near(Ad_inverse(T, screws[i]), expected[i], 1e-15);
    T = exp(screws[i] * input("JacobianBody").at("thetalist").at(i).get<double>()) * T;
  }
}

TEST_F(ModernRobotics, AxisAndAngleOfATwist) {
  const auto [screw, angle] = screw_from_coordinates(test::vec6(input("AxisAng6").at("expc6")));
  expect_near(coordinates(screw), test::vec6(output("AxisAng6").at(0)), 1e-15);
  expect_near(angle, output("AxisAng6").at(1).get<double>(), 1e-15);
  expect_near(normalized(test::vec3(input("Normalize").at("V"))), test::vec3(output("Normalize")),
              1e-15);
}

TEST_F(ModernRobotics, MatricesOfPosesAndTwists) {
  const SE3<> T{{test::mat3(input("RpToTrans").at("R"))}, test::vec3(input("RpToTrans").at("p"))};
  expect_near(matrix(T), test::flat(output("RpToTrans")), 0);
  Mat4<> M{};
  const auto rows = [&](const nlohmann::json& a) {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) M[i][j] = a.at(i).at(j).get<double>();
    return M;
  };
  const SE3<> parts = pose_from_matrix(rows(input("TransToRp").at("T")));
  expect_near(parts.R, test::mat3(output("TransToRp").at(0)), 0);
  expect_near(parts.p, test::vec3(output("TransToRp").at(1)), 0);
  expect_near(vee(rows(input("se3ToVec").at("se3mat"))), test::vec6(output("se3ToVec")), 0);
  EXPECT_THROW((void)pose_from_matrix(rows(input("TestIfSE3").at("mat"))), Error);
}

TEST_F(ModernRobotics, ProjectionToAPose) {
  const auto M = input("ProjectToSE3").at("mat");
  const SE3<> T{nearest_rotation(test::mat3(M)).rotation, test::pose(M).p};
  expect_near(matrix(T), test::flat(output("ProjectToSE3")), 1e-15);
}

TEST_F(ModernRobotics, CartesianTrajectory) {
  const SE3<> start = test::pose(input("CartesianTrajectory").at("Xstart"));
  const SE3<> end = test::pose(input("CartesianTrajectory").at("Xend"));
  const auto trajectory = output("CartesianTrajectory");
  ASSERT_EQ(trajectory.size(), 4u);
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const double t = double(i) / double(trajectory.size() - 1);
    const double s = t * t * t * (10 - 15 * t + 6 * t * t);
    const SE3<> T{interpolate(start.R, end.R, s), start.p + s * (end.p - start.p)};
    expect_near(matrix(T), test::flat(trajectory[i]), 2e-15);
  }
}

}  // namespace
}  // namespace axode::test::modern_robotics_test
