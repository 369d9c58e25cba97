#include "axode/view/picture/solids.hpp"

#include <gtest/gtest.h>

#include "axode/lie/rotation.hpp"
#include "tests/view/surface.hpp"

namespace axode::test::solids {
namespace {

TEST(Solids, AreClosedAndHaveTheirVolume) {
  const TriangleMesh box = box_mesh({2, 3, 0.5});
  EXPECT_EQ(box.triangles.size(), 36U);
  EXPECT_TRUE(is_closed(box));
  EXPECT_NEAR(volume(box), 3, 1e-14);

  // A prism on a regular polygon of 32 corners.
  const double area = 16 * std::sin(2 * pi<double> / 32);
  const TriangleMesh cylinder = cylinder_mesh(0.5, 4);
  EXPECT_TRUE(is_closed(cylinder));
  EXPECT_NEAR(volume(cylinder), 0.25 * area * 4, 1e-13);

  const TriangleMesh sphere = sphere_mesh(2, 96);
  EXPECT_TRUE(is_closed(sphere));
  EXPECT_NEAR(volume(sphere), 4.0 / 3 * pi<double> * 8, 0.01 * 33);
  const TriangleMesh capsule = capsule_mesh(1, 5, 64);
  EXPECT_TRUE(is_closed(capsule));
  EXPECT_NEAR(volume(capsule), pi<double> * (5 + 4.0 / 3), 0.01 * 20);
}

TEST(Solids, NormalsPointOutwards) {
  EXPECT_LT(normal_error(box_mesh({1, 2, 3})), 1e-7);
  EXPECT_LT(normal_error(cylinder_mesh(1, 2, 32)), 1.01 * pi<double> / 32);
  EXPECT_LT(normal_error(sphere_mesh(1, 32)), 0.15);
  EXPECT_LT(normal_error(capsule_mesh(0.1, 1, 24)), 0.2);
}

TEST(Solids, FramesAlongAnyDirection) {
  for (const Vec3<double>& d :
       {Vec3<double>{0, 0, 2}, {0, 0, -1}, {1, 0, 0}, {0, -3, 0}, {1, 2, -3}, {1e-9, 1, 1e-9}}) {
    const SE3<double> T = frame_along({4, 5, 6}, d);
    EXPECT_EQ(T.p, (Vec3<double>{4, 5, 6}));
    EXPECT_LT(orthogonality_error(T.R.matrix), 1e-15);
    EXPECT_GT(determinant(T.R.matrix), 0.9);
    EXPECT_LT(norm(T.R.matrix.z - normalized(d)), 1e-15);
  }
}

TEST(Solids, MovedAndAppended) {
  const SE3<double> T = frame_along({1, 2, 3}, {1, 1, 0});
  TriangleMesh two = moved(T, box_mesh({1, 1, 1}));
  EXPECT_NEAR(volume(two), 1, 1e-14);
  EXPECT_LT(normal_error(two), 1e-7);
  append(two, box_mesh({2, 1, 1}));
  EXPECT_NEAR(volume(two), 3, 1e-14);
  EXPECT_EQ(two.positions.size(), 48U);
}

}  // namespace
}  // namespace axode::test::solids
