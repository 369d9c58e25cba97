#include "axode/kinematics/screw_derivatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "axode/core/error.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::screw_derivatives_test {
namespace {

/// Column c of a 6 x n matrix.
Vec6<double> column(const nlohmann::json& matrix, int c) {
  Vec6<double> v;
  for (int r = 0; r < 6; ++r) v[r] = matrix.at(std::size_t(r)).at(std::size_t(c)).get<double>();
  return v;
}

TEST(ScrewDerivatives, ReferenceVectorsOfFirstAndSecondOrder) {
  const nlohmann::json file = read_json("chain7.json");
  double worst = 0;
  for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::joint_frames}) {
    const Tree tree = tree_from_reference(file.at("model"), form);
    const int n = tree.nv, last = tree.size() - 1;
    for (const auto& state : file.at("states")) {
      const Poses<double> at = poses(tree, flat(state.at("input").at("q")));
      const auto& output = state.at("output");
      for_representations([&]<Rep rep>() {
        const auto& first = output.at("last_body_jacobian_partial1").at(name(rep));
        const auto& second = output.at("last_body_jacobian_partial2").at(name(rep));
        std::vector<Vec6<double>> columns(n);
        const auto compare = [&](const nlohmann::json& expected) {
          for (int c = 0; c < n; ++c) {
            const Vec6<double> e = column(expected, c);
            const double size = std::max(1., max_abs(e));
            worst = std::max(worst, largest_difference(columns[std::size_t(c)], e) / size);
          }
        };
        for (int k = 0; k < n; ++k) {
          jacobian_partial_derivative<rep>(tree, at, last, std::array{k}, columns);
          compare(first.at(std::size_t(k)));
          for (int l = 0; l < n; ++l) {
            jacobian_partial_derivative<rep>(tree, at, last, std::array{k, l}, columns);
            compare(second.at(std::size_t(k)).at(std::size_t(l)));
          }
        }
      });
    }
  }
  EXPECT_LT(worst, 1e-14 * 40);  // products of up to seven poses, then two brackets
  record("worst_relative_error", worst);
}

TEST(ScrewDerivatives, OfOrderZeroAreTheColumns) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15));
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const int body = random.integer(0, tree.size() - 1);
    for_representations([&]<Rep rep>() {
      std::vector<Twist<rep>> columns(tree.nv);
      std::vector<Vec6<double>> found(columns.size());
      jacobian<rep>(tree, at, body, columns);
      jacobian_partial_derivative<rep>(tree, at, body, {}, found);
      for (std::size_t c = 0; c < columns.size(); ++c) expect_near(found[c], columns[c], 1e-13);
    });
  });
}

/// The joint that has velocity k.
const Link& owner(const Tree& tree, int k) {
  return *std::find_if(tree.links.begin(), tree.links.end(),
                       [&](const Link& link) { return k >= link.v && k < link.v + link.nv; });
}
bool quaternion_or_first_kind(const Link& link) {
  return link.map == JointMap::exponential || link.map == JointMap::quaternion ||
         link.map == JointMap::free;
}
/// A random velocity number on the path to the body, or anywhere (one in ten); -1 if there is none.
int random_velocity(Random& random, const Tree& tree, int body) {
  if (random.integer(0, 9) == 0) return random.integer(0, tree.nv - 1);
  std::vector<int> path;
  for (int j = body; j >= 0; j = tree.links[std::size_t(j)].parent)
    for (int k = 0; k < tree.links[std::size_t(j)].nv; ++k)
      path.push_back(tree.links[std::size_t(j)].v + k);
  if (path.empty()) return -1;
  return path[std::size_t(random.integer(0, static_cast<int>(path.size()) - 1))];
}

// The derivative of each derivative along the motion of one velocity is that of the next order: with
// the test above this settles all orders. Dual numbers differentiate exactly.
TEST(ScrewDerivatives, EachOrderIsTheDerivativeOfTheOneBefore) {
  int compared = 0, moving = 0;
  for_random_cases(4000, [&](Random& random) {
    const Tree tree =
        random_tree(random, random.integer(1, 8), {.chain = random.integer(0, 1) == 0});
    if (tree.nv == 0) return;
    const std::vector<double> q = random_coordinates(random, tree);
    const int body = random.integer(0, tree.size() - 1);
    std::vector<int> numbers;  // column, coordinates, and last the one to differentiate along
    for (int n = random.integer(2, 6); n > 0; --n) {
      const int k = random_velocity(random, tree, body);
      const auto same = [&](int l) { return &owner(tree, k) == &owner(tree, l); };
      if (k < 0) continue;
      if (quaternion_or_first_kind(owner(tree, k)) && std::ranges::any_of(numbers, same)) continue;
      numbers.push_back(k);
    }
    if (numbers.size() < 2) return;
    std::vector<double> unit(tree.nv), rate(q.size());
    unit[std::size_t(numbers.back())] = 1;
    coordinate_rate<double>(tree, q, unit, rate);
    using D = Dual<double>;
    std::vector<D> q_dual(q.size());
    for (std::size_t j = 0; j < q.size(); ++j) q_dual[j] = {q[j], rate[j]};
    Poses<D> at_dual(tree);
    poses<D>(tree, q_dual, at_dual);
    const Poses<double> at = poses(tree, q);
    const std::span<const int> all(numbers), coordinates = all.subspan(1);
    for_representations([&]<Rep rep>() {
      const Vec6<D> lower = screw_partial_derivative<rep>(
          tree, at_dual, body, numbers[0], coordinates.first(coordinates.size() - 1));
      const Vec6<double> found =
          screw_partial_derivative<rep>(tree, at, body, numbers[0], coordinates);
      double size = 1;
      for (int c = 0; c < 6; ++c) size = std::max(size, std::abs(lower[c].real));
      for (int c = 0; c < 6; ++c) EXPECT_NEAR(found[c], lower[c].dual, 1e-12 * size) << name(rep);
      ++compared;
      moving += max_abs(found) > 0;
    });
  });
  EXPECT_GT(compared, 8000);
  EXPECT_GT(moving, 2000);  // not only zeros were compared
}

TEST(ScrewDerivatives, OrderOfCoordinatesDoesNotMatter) {
  Random random(5);
  const Tree tree = random_tree(random, 9, {.chain = true, .one_screw_joints = true});
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  for_representations([&]<Rep rep>() {
    std::array k{6, 2, 4, 2};
    std::ranges::sort(k);
    for (int column = 0; column < tree.nv; ++column) {
      const Vec6<double> sorted = screw_partial_derivative<rep>(tree, at, 8, column, k);
      while (std::ranges::next_permutation(k).found)
        EXPECT_EQ(screw_partial_derivative<rep>(tree, at, 8, column, k), sorted);
    }
  });
}

TEST(ScrewDerivatives, AddUpToTheTimeDerivativeOfTheJacobian) {
  for_random_cases(50, [](Random& random) {
    const Tree tree =
        random_tree(random, random.integer(1, 12), {.first_kind = false, .quaternions = false});
    const Poses<double> at = poses(tree, random_coordinates(random, tree));
    const std::vector<double> v = random_velocities(random, tree);
    const int body = random.integer(0, tree.size() - 1);
    for_representations([&]<Rep rep>() {
      Motion<rep> motion(tree);
      twists(tree, at, v, motion);
      std::vector<Acceleration<rep>> rates(v.size());
      jacobian_rate<rep>(tree, at, motion, v, body, rates);
      for (int c = 0; c < tree.nv; ++c) {
        Vec6<double> sum{};
        for (int k = 0; k < tree.nv; ++k)
          sum +=
              screw_partial_derivative<rep>(tree, at, body, c, std::array{k}) * v[std::size_t(k)];
        expect_near(sum, rates[std::size_t(c)], 1e-12, name(rep));
      }
    });
  });
}

TEST(ScrewDerivatives, ZeroWhereNothingDepends) {
  // A fork: b1 and b2 both on b0.
  const Tree tree = TreeBuilder{}
                        .body("b0")
                        .joint("j0", revolute({.axis = {0, 0, 1}}))
                        .body("b1")
                        .on("b0")
                        .joint("j1", revolute({.axis = {0, 1, 0}, .point = {1, 0, 0}}))
                        .body("b2")
                        .on("b0")
                        .joint("j2", revolute({.axis = {1, 0, 0}, .point = {0, 1, 0}}))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{.3, .4, .5});
  const auto d = [&]<Rep rep>(int column, int k) {
    return max_abs(screw_partial_derivative<rep>(tree, at, 1, column, std::array{k}));
  };
  EXPECT_EQ(d.operator()<Rep::body>(0, 2), 0);    // other branch
  EXPECT_EQ(d.operator()<Rep::hybrid>(2, 0), 0);  // column of the other branch
  EXPECT_EQ(d.operator()<Rep::body>(1, 0), 0);    // body columns do not know what is before them
  EXPECT_GT(d.operator()<Rep::body>(0, 1), .1);
  EXPECT_EQ(d.operator()<Rep::spatial>(0, 1), 0);  // spatial columns not what is behind them
  EXPECT_GT(d.operator()<Rep::spatial>(1, 0), .1);
  EXPECT_GT(d.operator()<Rep::hybrid>(1, 0), .1);  // docs/errata.md: printed as zero
}

TEST(ScrewDerivatives, SaysWhatCannotBeDone) {
  const Tree tree = TreeBuilder{}
                        .body("b0")
                        .joint("ball", spherical({.coordinates = Coordinates::first_kind}))
                        .body("b1")
                        .on("b0")
                        .joint("hinge", revolute({.axis = {0, 1, 0}, .point = {1, 0, 0}}))
                        .build();
  const Poses<double> at = poses(tree, std::vector<double>{.3, .4, .5, .6});
  const auto d = [&](int body, int column, std::vector<int> k) {
    return screw_partial_derivative<Rep::body>(tree, at, body, column, k);
  };
  EXPECT_NO_THROW(d(1, 0, {3}));
  EXPECT_NO_THROW(d(1, 3, {0}));
  const std::string own = message([&] { d(1, 0, {1}); });
  expect_says(own, "joint 'ball'");
  expect_says(own, "second kind");
  expect_says(message([&] { d(1, 3, {0, 2}); }), "joint 'ball'");
  expect_says(message([&] { d(2, 0, {1}); }), "there is no body 2; number it from 0 to 1");
  expect_says(message([&] { d(1, -1, {1}); }), "there is no column -1; number it from 0 to 3");
  expect_says(message([&] { d(1, 0, {4}); }), "there is no coordinate 4; number it from 0 to 3");
}

// First kind, but its screws commute, so that both kinds are the same.
TEST(ScrewDerivatives, CommutingScrewsOfTheFirstKindAreAChain) {
  const auto tree = [](Coordinates kind) {
    return TreeBuilder{}
        .body("b0")
        .joint("j0", subgroup_joint(MotionSubgroup::translation_3, {}, 0, kind))
        .body("b1")
        .on("b0")
        .joint("j1", revolute({.axis = {0, 1, 0}, .point = {1, 0, 0}}))
        .build();
  };
  const Tree first = tree(Coordinates::first_kind), second = tree(Coordinates::second_kind);
  const std::vector<double> q{.1, .2, .3, .4};
  const Poses<double> at_first = poses(first, q), at_second = poses(second, q);
  for_representations([&]<Rep rep>() {
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 4; ++k)
        expect_near(screw_partial_derivative<rep>(first, at_first, 1, c, std::array{k, 1}),
                    screw_partial_derivative<rep>(second, at_second, 1, c, std::array{k, 1}),
                    1e-15);
  });
}

TEST(ScrewDerivatives, DoNotAllocate) {
  Random random(9);
  const Tree tree = random_tree(random, 20, {.chain = true, .one_screw_joints = true});
  const Poses<double> at = poses(tree, random_coordinates(random, tree));
  std::vector<Vec6<double>> columns(tree.nv);
  EXPECT_EQ(count_allocations([&] {
              for_representations([&]<Rep rep>() {
                jacobian_partial_derivative<rep>(tree, at, 19, std::array{3, 7, 3}, columns);
              });
            }),
            0);
}

}  // namespace
}  // namespace axode::test::screw_derivatives_test
