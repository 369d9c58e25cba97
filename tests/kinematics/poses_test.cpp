#include "axode/kinematics/poses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/joint_map.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::poses_test {
namespace {

constexpr std::array forms{GeometryForm::zero_reference, GeometryForm::body_screws,
                           GeometryForm::parent_screws, GeometryForm::joint_frames};

TEST(Poses, ReferenceVectorsInEveryForm) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    for (const GeometryForm form : forms) {
      const Tree tree = tree_from_reference(data.at("model"), form);
      for (const auto& state : data.at("states")) {
        const Poses<double> p = poses(tree, flat(state.at("input").at("q")));
        const auto& expected = state.at("output").at("C");
        ASSERT_EQ(expected.size(), tree.links.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const SE3<double> C = pose(expected[i]);
          expect_near(p.T_WB[i], C, 1e-13, file);
          worst = std::max(worst, largest_difference(p.T_WB[i], C));
        }
      }
    }
  }
  record("worst_difference", worst);
}

/// The factors of the product for each body, and the largest distance on its path: in the
/// configuration p, and at the zero reference, where the screws' lever arms end.
struct PathSize {
  double factors = 0, distance = 1;
};
std::vector<PathSize> path_sizes(const Tree& tree, const Poses<double>& p,
                                 const std::vector<ZeroReference>& geometry) {
  std::vector<PathSize> sizes;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    PathSize s = link.parent < 0 ? PathSize{} : sizes[link.parent];
    s.factors += 1 + link.nv;
    s.distance = std::max({s.distance, norm(p.T_WB[i].p), norm(geometry[i].A.p)});
    sizes.push_back(s);
  }
  return sizes;
}

/// The three ways to a pose are different products of the same factors.
TEST(Poses, BothProductsOfExponentialsAgreeWithTheRecursion) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 60));
    std::mt19937_64 engine(static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
    const std::vector<double> q = random_configuration(tree, engine);
    const Poses<double> p = poses(tree, q);
    std::vector<ZeroReference> geometry;
    geometry.reserve(tree.links.size());
    for (int i = 0; i < tree.size(); ++i) geometry.push_back(zero_reference(tree, i));
    const std::vector<PathSize> sizes = path_sizes(tree, p, geometry);
    for (int i = 0; i < tree.size(); ++i) {
      const std::size_t b = i;
      // Either way two units for each factor and three for its product with those before, relative
      // to the distances that occur; the zero reference itself has as many.
      const double tolerance =
          10 * std::numeric_limits<double>::epsilon() * sizes[b].factors * sizes[b].distance;
      const SE3<double> by_body_screws = pose_by_body_screws(tree, q, i),
                        by_zero_reference = pose_by_zero_reference(tree, geometry, q, i);
      expect_near(by_body_screws, p.T_WB[b], tolerance, "by body screws");
      expect_near(by_zero_reference, p.T_WB[b], 2 * tolerance, "by zero reference");
      worst = std::max({worst, largest_difference(by_body_screws, p.T_WB[b]) / tolerance,
                        largest_difference(by_zero_reference, p.T_WB[b]) / (2 * tolerance)});
    }
  });
  record("worst_difference_over_tolerance", worst);
}

TEST(Poses, ParentAndJointPosesFitTogether) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 20));
    std::mt19937_64 engine(static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
    const Poses<double> p = poses(tree, random_configuration(tree, engine));
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const Link& link = tree.links[i];
      const SE3<double> T_WP = link.parent < 0 ? SE3<double>{} : p.T_WB[link.parent];
      expect_near(T_WP * p.T_PB[i], p.T_WB[i], 1e-12);
      expect_near(link.B * joint_displacement(tree, static_cast<int>(i), p.q.data()), p.T_PB[i],
                  1e-13);
    }
  });
}

/// A dual number carried through gives the derivative of the pose: the body twist by another way.
TEST(Poses, DualNumbersDifferentiate) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("j", helical({.axis = {0, 0, 2}, .point = {1, 0, 0}, .pitch = 0.5}))
                        .build();
  const std::vector<Dual<double>> q{{0.3, 1}};
  Poses<Dual<double>> p(tree);
  poses<Dual<double>>(tree, q, p);
  EXPECT_NEAR(p.T_WB[0].p.x.dual, std::sin(0.3), 1e-15);
  EXPECT_NEAR(p.T_WB[0].p.y.dual, -std::cos(0.3), 1e-15);
  EXPECT_NEAR(p.T_WB[0].p.z.dual, 0.5, 1e-15);
}

TEST(Poses, AllocatesNothingOnceMade) {
  Random random(7);
  const Tree tree = random_tree(random, 40);
  const std::vector<double> q = neutral(tree);
  Poses<double> p(tree);
  EXPECT_EQ(count_allocations([&] { poses<double>(tree, q, p); }), 0);
}

TEST(Poses, RefusesWrongCoordinates) {
  const Tree tree = TreeBuilder{}.body("a").joint("hip", spherical()).build();
  expect_says(message([&] { poses(tree, std::vector<double>(3)); }),
              "it has 3 numbers, the tree has 4 coordinates");
  expect_says(message([&] {
                poses(tree, std::vector<double>{1, 0, NAN, 0});
              }),
              "coordinate 2, of joint 'hip', is not finite");
  expect_says(message([&] { poses(tree, std::vector<double>(4)); }), "of joint 'hip' has length 0");
}

}  // namespace
}  // namespace axode::test::poses_test
