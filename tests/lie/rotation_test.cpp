#include "axode/lie/rotation.hpp"

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::rotation_test {
namespace {

using test::expect_near, test::expect_says, test::message;
using V = Vec3<double>;

constexpr const char* all_orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                      "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};

TEST(Rotation, QuaternionAndEulerParametersThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SO3<> R = random.rotation();
    expect_near(rotation_from_quaternion(to_quaternion(R)), R, 2e-15);
    const std::array<double, 4> e = to_euler_parameters(R);
    EXPECT_GE(e[0], 0);
    expect_near(rotation_from_euler_parameters(e), R, 2e-15);
    const double s = random.log_uniform(1e-3, 1e3);
    expect_near(rotation_from_euler_parameters(std::array{e[0] * s, e[1] * s, e[2] * s, e[3] * s}),
                R, 3e-15, "scaled");
  });
}

TEST(Rotation, AxisAngleThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V e = random.unit();
    const double angle = random.angle();
    const SO3<> R = rotation_from_axis_angle(e * random.log_uniform(1e-6, 1e6), angle);
    const auto [axis, back] = to_axis_angle(R);
    expect_near(back, angle, 2e-15);
    expect_near(norm(axis), 1.0, 1e-15);
    if (angle > 0 && angle < pi<double>) expect_near(axis, e, 2e-15);
    expect_near(R,
                SO3<>{mat3_from_eigen(
                    Eigen::AngleAxisd(angle, Eigen::Vector3d(view(e))).toRotationMatrix())},
                2e-15, "Eigen");
  });
  const auto [axis, angle] = to_axis_angle(SO3<>::identity());
  expect_near(axis, V{0, 0, 1}, 0);
  EXPECT_EQ(angle, 0);
}

TEST(Rotation, EulerAnglesOfAllOrdersThereAndBack) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const SO3<> R = random.rotation();
    for (const char* name : all_orders) {
      const EulerOrder order = euler_order(name);
      const auto [angles, singular] = to_euler_angles(R, order);
      expect_near(rotation_from_euler_angles(order, angles), R, 3e-15, name);
      EXPECT_LE(std::abs(angles.x), pi<double>);
      EXPECT_LE(std::abs(angles.z), pi<double>);
      const bool proper = name[0] == name[2];
      EXPECT_GE(angles.y, proper ? 0 : -pi<double> / 2 - 1e-15) << name;
      EXPECT_LE(angles.y, proper ? pi<double> : pi<double> / 2 + 1e-15) << name;
    }
  });
}

TEST(Rotation, EulerAnglesAreThoseGivenAndAgreeWithEigen) {
  test::for_random_cases(test::many / 10, [](test::Random& random) {
    for (const char* name : all_orders) {
      const EulerOrder order = euler_order(name);
      const bool proper = name[0] == name[2];
      const V angles{random.uniform(-3.1, 3.1),
                     proper ? random.uniform(0.1, 3) : random.uniform(-1.5, 1.5),
                     random.uniform(-3.1, 3.1)};
      const SO3<> R = rotation_from_euler_angles(order, angles);
      const auto axis = [](int i) { return Eigen::Vector3d(Eigen::Vector3d::Unit(i)); };
      const Eigen::Matrix3d reference = (Eigen::AngleAxisd(angles.x, axis(order.first)) *
                                         Eigen::AngleAxisd(angles.y, axis(order.second)) *
                                         Eigen::AngleAxisd(angles.z, axis(order.third)))
                                            .toRotationMatrix();
      expect_near(R, SO3<>{mat3_from_eigen(reference)}, 4e-15, name);
      expect_near(to_euler_angles(R, order).angles, angles, 1e-13, name);
    }
  });
}

TEST(Rotation, EulerAnglesNearAndInGimbalLock) {
  test::for_random_cases(test::many / 10, [](test::Random& random) {
    for (const char* name : all_orders) {
      const EulerOrder order = euler_order(name);
      const bool proper = name[0] == name[2];
      const double lock =
          proper ? random.integer(0, 1) * pi<double> : (random.integer(0, 1) - 0.5) * pi<double>;
      const double away = random.integer(0, 2) == 0 ? 0 : random.log_uniform(1e-18, 1e-3);
      const V angles{random.uniform(-3, 3), lock + away, random.uniform(-3, 3)};
      const SO3<> R = rotation_from_euler_angles(order, angles);
      const auto found = to_euler_angles(R, order);
      expect_near(rotation_from_euler_angles(order, found.angles), R, 6e-15, name);
      EXPECT_TRUE(!found.singular || found.angles.z == 0) << name;
    }
  });
  const auto found = to_euler_angles(SO3<>::identity(), euler_order("zxz"));
  EXPECT_TRUE(found.singular);
  expect_near(found.angles, V{0, 0, 0}, 0);
}

TEST(Rotation, HalfTurnsAreCountedAsPiNotMinusPi) {
  for (int axis = 0; axis < 3; ++axis)
    for (double angle : {pi<double>, -pi<double>}) {
      const Vec3<> rpy = to_roll_pitch_yaw(rotation_about(axis, angle));
      for (int i = 0; i < 3; ++i) EXPECT_GT(rpy[i], -pi<double>) << axis;
    }
  EXPECT_EQ(detail::wrapped(-pi<double>), pi<double>);
  EXPECT_EQ(detail::wrapped(pi<double>), pi<double>);
  EXPECT_NEAR(detail::wrapped(4.0), 4.0 - 2 * pi<double>, 1e-15);
}

TEST(Rotation, SmallAnglesKeepTheirDigits) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const double size = random.log_uniform(1e-14, 1e-2);
    const V rpy = random.unit() * size;
    expect_near(to_roll_pitch_yaw(rotation_from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z)), rpy,
                2e-15 * size);
  });
  EXPECT_NEAR(to_roll_pitch_yaw(rotation_from_roll_pitch_yaw(0, 1e-17, 0)).y, 1e-17, 4e-33);
}

TEST(Rotation, AxesAndQuaternionsOfAnyLengthButZero) {
  const SO3<> R = rotation_about(2, pi<double> / 2);
  for (double length : {5e-324, 1e-310, 1e-200, 1e-160, 1e150, 1e200, 1.7e308}) {
    expect_near(rotation_from_quaternion(Quaternion<>{length, {0, 0, length}}), R, 1e-15);
    expect_near(rotation_from_axis_angle(V{0, 0, length}, pi<double> / 2), R, 1e-15);
    const SO3<> diagonal = rotation_from_axis_angle(V{0, length, length}, 1);
    expect_near(diagonal, exp(V{0, std::sqrt(0.5), std::sqrt(0.5)}), 1e-15);
    expect_near(nearest_rotation(R.matrix * length).rotation, R, 1e-15);
  }
}

TEST(Rotation, RollPitchYaw) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const V rpy{random.uniform(-3.1, 3.1), random.uniform(-1.5, 1.5), random.uniform(-3.1, 3.1)};
    const SO3<> R = rotation_from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z);
    expect_near(to_roll_pitch_yaw(R), rpy, 1e-13);
    // The middle row of the textbook formula
    const double cr = std::cos(rpy.x), sr = std::sin(rpy.x), cp = std::cos(rpy.y),
                 sp = std::sin(rpy.y), cy = std::cos(rpy.z), sy = std::sin(rpy.z);
    expect_near(R.matrix(1, 0), sy * cp, 2e-15);
    expect_near(R.matrix(1, 1), sy * sp * sr + cy * cr, 2e-15);
    expect_near(R.matrix(1, 2), sy * sp * cr - cy * sr, 2e-15);
  });
}

TEST(Rotation, EulerAnglesDifferentiate) {
  const V angles{0.4, -0.7, 1.1}, rates{1, 2, 3};
  const SO3<Dual<double>> R =
      rotation_from_euler_angles(euler_order("zyx"), make_dual(angles, rates));
  expect_near(dual_part(to_euler_angles(R, euler_order("zyx")).angles), rates, 1e-14);
}

TEST(Rotation, BadOrdersAreNamed) {
  for (const char* bad : {"", "xy", "xxz", "zzx", "abc", "xyzx", "XYZ"}) {
    expect_says(message([&] { (void)euler_order(bad); }), std::string(bad) + "\" is not an order");
  }
}

TEST(Rotation, MatrixIsCheckedAndTheErrorSaysByHowMuch) {
  test::for_random_cases(1000, [](test::Random& random) {
    const SO3<> R = random.rotation();
    expect_near(rotation_from_matrix(R.matrix), R, 0, "unchanged");
  });
  Mat3<double> stretched = Mat3<double>::identity();
  stretched.x.x = 1.001;
  expect_says(message([&] { (void)rotation_from_matrix(stretched); }), "by 0.002");
  EXPECT_NO_THROW((void)rotation_from_matrix(stretched, 0.01));
  expect_says(message([&] {
                (void)rotation_from_matrix(Mat3<double>::diagonal({1, 1, -1}));
              }),
              "reflection, its determinant is -1");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_says(message([&] {
                (void)rotation_from_matrix(Mat3<double>::diagonal({1, nan, 1}));
              }),
              "not finite");
  EXPECT_THROW((void)rotation_from_matrix(Mat3<float>{}), Error);
}

TEST(Rotation, NearestRotationIsNearest) {
  test::for_random_cases(test::many, [](test::Random& random) {
    const Mat3<double> M{random.vec3(), random.vec3(), random.vec3()};
    const auto [R, distance, unique] = nearest_rotation(M);
    EXPECT_LE(orthogonality_error(R.matrix), 3e-15);
    expect_near(determinant(R.matrix), 1.0, 4e-15);
    // The SVD solution, and no neighbour is nearer.
    const auto [best, gap] = test::nearest_rotation_by_svd(view(M));
    if (gap > 1e-3) {
      EXPECT_TRUE(unique);
      expect_near(R, SO3<>{mat3_from_eigen(best)}, 4e-14 / std::min(gap, 1.0));
    }
    const Mat3<double> other = M - (R * exp(random.vec3(0.1))).matrix;
    EXPECT_LE(distance, Eigen::Matrix3d(view(other)).norm() + 1e-14);
  });
  EXPECT_FALSE(nearest_rotation(Mat3<double>{}).unique);
  EXPECT_FALSE(nearest_rotation(Mat3<double>::diagonal({-1, -1, -1})).unique);
  expect_near(nearest_rotation(Mat3<double>::identity() * 1e-300).rotation, SO3<>::identity(), 0);
  expect_near(nearest_rotation(Mat3<double>::identity() * 1e300).rotation, SO3<>::identity(), 0);
  EXPECT_THROW((void)nearest_rotation(
                   Mat3<double>::diagonal({1, 1, std::numeric_limits<double>::infinity()})),
               Error);
}

TEST(Rotation, ModernRoboticsExamples) {
  const auto f = test::read_json("modern_robotics.json").at("functions");
  const auto project = f.at("ProjectToSO3");
  expect_near(nearest_rotation(test::mat3(project.at("inputs").at("mat"))).rotation,
              test::mat3(project.at("output_of_reference_implementation")), 1e-15);
  const auto distance = f.at("DistanceToSO3");
  const Mat3<double> M = test::mat3(distance.at("inputs").at("mat"));
  const Mat3<double> defect = transpose_times(M, M) - Mat3<double>::identity();
  expect_near(Eigen::Matrix3d(view(defect)).norm(),
              distance.at("output_of_reference_implementation").get<double>(), 1e-15);
  EXPECT_THROW((void)rotation_from_matrix(test::mat3(f.at("TestIfSO3").at("inputs").at("mat"))),
               Error);
  // Axis and angle of a rotation vector: the angle there is not brought below pi.
  const V xi = test::vec3(f.at("AxisAng3").at("inputs").at("expc3"));
  const auto [axis, angle] = to_axis_angle(exp(xi));
  const auto expected = f.at("AxisAng3").at("output_of_reference_implementation");
  expect_near(-axis, test::vec3(expected.at(0)), 1e-15);
  expect_near(2 * pi<double> - angle, expected.at(1).get<double>(), 2e-15);
}

}  // namespace
}  // namespace axode::test::rotation_test
