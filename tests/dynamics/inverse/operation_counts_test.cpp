// The library's own templates, run with numbers that count. docs/operation_counts.md shows the
// tables.
#include "axode/dynamics/inverse/operation_counts.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/any_scalar/inverse_dynamics.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/kinematics/any_scalar/poses.hpp"
#include "axode/model/any_scalar/joint_map.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/counting.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::operation_counts_test {
namespace {

std::vector<Counting> variables(const std::vector<double>& x) {
  std::vector<Counting> result;
  result.reserve(x.size());
  for (const double value : x) result.push_back(Counting::variable(value));
  return result;
}

struct Both {
  Counts executed, nontrivial;
};
/// Of the poses, and of inverse dynamics without them.
struct Evaluation {
  Both poses, inverse_dynamics;
};
template <Rep rep>
Evaluation count(const Tree& tree, Random& random) {
  const std::vector<double> q = random_coordinates(random, tree),
                            v = random_velocities(random, tree),
                            a = random_velocities(random, tree);
  Poses<Counting> at(tree);
  Evaluation counted;
  Counting::reset();
  poses<Counting>(tree, variables(q), at);
  counted.poses = {Counting::executed, Counting::nontrivial};
  InverseDynamics<rep, Counting> work(tree);
  std::vector<Counting> tau(v.size());
  Counting::reset();
  inverse_dynamics<rep, Counting>(tree, at, variables(v), variables(a), work, tau);
  counted.inverse_dynamics = {Counting::executed, Counting::nontrivial};

  InverseDynamics<rep> plain(tree);  // counting changes nothing
  std::vector<double> expected(v.size());
  inverse_dynamics<rep, double>(tree, poses(tree, q), v, a, plain, expected);
  for (std::size_t k = 0; k < v.size(); ++k)
    EXPECT_NEAR(tau[k].value(), expected[k], 1e-10 * (1 + std::abs(expected[k])));
  return counted;
}

Inertia<double> general_inertia(Random& random) {
  return {2, random.vec3(.2),
          congruence(random.rotation().matrix, Sym3<double>{.2, .3, .4, 0, 0, 0})};
}
/// Six revolute joints in general position, body frames anywhere.
Tree general_arm() {
  Random random(1);
  TreeBuilder builder("general");
  for (std::size_t i = 0; i < 6; ++i) {
    builder.body(numbered("l", i), general_inertia(random));
    if (i > 0) builder.on(numbered("l", i - 1));
    builder.joint(numbered("j", i), revolute({.axis = random.vec3(), .point = random.vec3()}),
                  body_screws(random.pose()));
  }
  return builder.gravity({0, 0, -9.81}).build();
}
/// Body frames on the joints, z along the axis; twists and offsets general.
Tree aligned_arm() {
  Random random(2);
  TreeBuilder builder("aligned");
  for (std::size_t i = 0; i < 6; ++i) {
    builder.body(numbered("l", i), general_inertia(random));
    if (i > 0) builder.on(numbered("l", i - 1));
    builder.joint(numbered("j", i), modified_dh({.d = random.uniform(.1, .5),
                                                 .a = random.uniform(.1, .5),
                                                 .alpha = random.uniform(.2, 1.2)}));
  }
  return builder.gravity({0, 0, -9.81}).build();
}

OperationCount operations(const Counts& c) { return {c.multiplications, c.additions}; }

TEST(OperationCounts, EstimateIsWhatIsExecuted) {
  for_random_cases(60, [](Random& random) {
    RandomTreeOptions options;
    options.one_screw_joints = random.integer(0, 1) == 0;
    options.first_kind = false;
    const Tree tree = random_tree(random, random.integer(1, 30), options);
    for (const Link& link : tree.links)
      if (!has_constant_screws(link)) return;
    for_representations([&]<Rep rep>() {
      EXPECT_EQ(operations(count<rep>(tree, random).inverse_dynamics.executed),
                inverse_dynamics_operations(tree, rep))
          << name(rep);
    });
  });
}

/// Joints of three and six degrees of freedom with constant screws, and fixed ones.
TEST(OperationCounts, EstimateOfJointsWithSeveralFreedoms) {
  Random random(3);
  TreeBuilder builder("several");
  const std::vector<Joint> joints{free_joint({}), spherical({}), fixed(),       cylindrical({}),
                                  fixed(),        prismatic({}), free_joint({})};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    builder.body(numbered("l", i), general_inertia(random));
    if (i % 5 > 0) builder.on(numbered("l", i - 1));
    builder.joint(numbered("j", i), joints[i], body_screws(random.pose()));
  }
  const Tree tree = builder.build();
  // What the derivatives of the cylindrical joint's screws take, the same for all.
  std::vector<OperationCount> more;
  for_representations([&]<Rep rep>() {
    const OperationCount executed = operations(count<rep>(tree, random).inverse_dynamics.executed),
                         estimate = inverse_dynamics_operations(tree, rep);
    more.push_back({executed.multiplications - estimate.multiplications,
                    executed.additions - estimate.additions});
    EXPECT_EQ(more.back(), more.front());
  });
}

/// That is why inverse dynamics uses it by default.
TEST(OperationCounts, BodyFormHasTheFewest) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30));
    for_representations([&]<Rep rep>() {
      EXPECT_LE(inverse_dynamics_operations(tree, Rep::body).total(),
                inverse_dynamics_operations(tree, rep).total());
    });
  });
}

/// Fails unless the page has this row of a table.
void expect_documented(const char* what, const std::vector<OperationCount>& counts) {
  static const std::string page =
      read_text_file(std::string(AXODE_TEST_DATA) + "/../../docs/operation_counts.md");
  std::string row = std::string("| ").append(what).append(" |");
  for (const OperationCount& c : counts)
    for (const long n : {c.multiplications, c.additions})
      row.append(" ").append(std::to_string(n)).append(" |");
  EXPECT_NE(page.find(row), std::string::npos) << "docs/operation_counts.md lacks\n" << row;
}

TEST(OperationCounts, OfABodyAsDocumented) {
  const Tree on_world = TreeBuilder{}.body("a").joint("i", fixed()).build();
  const Tree both =
      TreeBuilder{}.body("a").joint("i", fixed()).body("b").on("a").joint("j", fixed()).build();
  for_representations([&]<Rep rep>() {
    const OperationCount first = inverse_dynamics_operations(on_world, rep);
    OperationCount second = inverse_dynamics_operations(both, rep);
    second.multiplications -= first.multiplications;
    second.additions -= first.additions;
    expect_documented(name(rep), {second, first});
  });
}

/// That only poses need sines, and nothing here roots or divisions.
TEST(OperationCounts, OfASixAxisArmAsDocumented) {
  const Tree general = general_arm(), aligned = aligned_arm();
  Random random(4);
  const auto check = [&](const Both& a, const Both& b, int sines, const char* what) {
    EXPECT_EQ(a.executed, b.executed) << what;  // aligned frames save nothing as it is written
    EXPECT_EQ(a.executed.sines, sines);
    EXPECT_EQ(a.executed.divisions + a.executed.roots, 0);
    expect_documented(what,
                      {operations(a.executed), operations(a.nontrivial), operations(b.nontrivial)});
  };
  const Evaluation a = count<Rep::body>(general, random), b = count<Rep::body>(aligned, random);
  check(a.poses, b.poses, 6, "poses");
  for_representations([&]<Rep rep>() {
    check(count<rep>(general, random).inverse_dynamics,
          count<rep>(aligned, random).inverse_dynamics, 0, name(rep));
  });
}

}  // namespace
}  // namespace axode::test::operation_counts_test
