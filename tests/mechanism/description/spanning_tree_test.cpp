#include "axode/mechanism/description/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "axode/core/error.hpp"
#include "tests/support/models/plain_mechanism.hpp"

namespace axode::test::spanning_trees {

using namespace plain;
namespace {

struct Counts {
  int coordinates = 0, equations = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};
Counts counts(const Mechanism& m, const SpanningTree& tree) {
  const int all = m.is_planar ? 3 : 6;
  Counts c;
  for (const int body : tree.order) {
    const int joint = tree.parent_joint[body];
    c.coordinates += joint < 0 ? all : dofs(m.joints[joint], m.is_planar);
  }
  for (const int joint : tree.cut) c.equations += all - dofs(m.joints[joint], m.is_planar);
  return c;
}

/// Ground -R- 1 -S- 2 -C- 3 -R- ground.
Mechanism rscr() {
  Mechanism m = plain_mechanism(false);
  const int a = add_body(m, "1"), b = add_body(m, "2"), c = add_body(m, "3");
  add_joint(m, "R1", PairType::revolute, 0, a);
  add_joint(m, "S", PairType::spherical, a, b);
  add_joint(m, "C", PairType::cylindrical, b, c);
  add_joint(m, "R2", PairType::revolute, c, 0);
  finish(m);
  return m;
}

/// Rods upright on the ground, couplers between them; as many loops.
Mechanism n_four_bar(int loops) {
  Mechanism m = plain_mechanism(true);
  int before = add_body(m, "rod");
  add_pin(m, "A", 0, {0, 0, 0}, before, {});
  for (int k = 1; k <= loops; ++k) {
    const int coupler = add_body(m, "coupler"), rod = add_body(m, "rod");
    add_pin(m, "B", before, {1, 0, 0}, coupler, {});
    add_pin(m, "C", coupler, {1, 0, 0}, rod, {1, 0, 0});
    add_pin(m, "A", 0, {double(k), 0, 0}, rod, {});
    before = rod;
  }
  finish(m);
  return m;
}

void expect_sound(const Mechanism& m, const SpanningTree& tree) {
  ASSERT_EQ(tree.order.size() + 1, m.bodies.size());
  ASSERT_EQ(tree.cut.size(), tree.loops.size());
  std::vector<char> placed(m.bodies.size(), 0);
  placed[0] = 1;
  std::size_t in_tree = 0;
  for (const int body : tree.order) {
    EXPECT_FALSE(placed[body]);
    EXPECT_TRUE(placed[tree.parent[body]]);
    placed[body] = 1;
    const int joint = tree.parent_joint[body];
    if (joint == SpanningTree::free_joint) continue;
    ++in_tree;
    const auto& ends = m.joints[joint].body;
    EXPECT_TRUE((ends == std::array{body, tree.parent[body]}) ||
                (ends == std::array{tree.parent[body], body}));
  }
  EXPECT_EQ(in_tree + tree.cut.size(), m.joints.size());
  for (std::size_t l = 0; l < tree.loops.size(); ++l) {
    EXPECT_EQ(tree.loops[l].front(), tree.cut[l]);
    if (in_tree < tree.order.size()) continue;  // loops may pass free joints, which have no number
    // Every body of a loop is met by two of its joints.
    std::vector<int> met;
    for (const int joint : tree.loops[l])
      for (const int body : m.joints[joint].body) met.push_back(body);
    for (const int body : met) EXPECT_EQ(std::ranges::count(met, body), 2);
  }
}

TEST(SpanningTree, BookMechanismsHaveTheirCounts) {
  const Mechanism bars = four_bar();
  const SpanningTree tree = axode::spanning_tree(bars);
  expect_sound(bars, tree);
  EXPECT_EQ(counts(bars, tree), (Counts{3, 2}));
  EXPECT_EQ(tree.loops[0].size(), 4u);

  // Fig. 2.7: B and D are cut, loops of four and five joints instead of two long ones.
  const Mechanism six = six_bar_graph();
  const SpanningTree fig27 = axode::spanning_tree(six);
  expect_sound(six, fig27);
  EXPECT_EQ(counts(six, fig27), (Counts{5, 4}));
  EXPECT_EQ(fig27.cut, (std::vector{joint_index(six, "B"), joint_index(six, "D")}));
}

TEST(SpanningTree, CutJointsAreThoseWithMostFreedoms) {
  const Mechanism m = rscr();
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  EXPECT_EQ(tree.cut, std::vector{joint_index(m, "S")});
  EXPECT_EQ(counts(m, tree), (Counts{4, 3}));
  // By choice [GarciaBayo Ex. 2.10].
  const auto with_cut = [&](const char* joint) {
    const SpanningTree chosen = axode::spanning_tree(m, std::array{joint_index(m, joint)});
    expect_sound(m, chosen);
    return counts(m, chosen);
  };
  EXPECT_EQ(with_cut("C"), (Counts{5, 4}));
  EXPECT_EQ(with_cut("R1"), (Counts{6, 5}));
  EXPECT_EQ(with_cut("R2"), (Counts{6, 5}));
}

TEST(SpanningTree, ASphericalJointOnTheGroundIsCutThoughItsChainIsShort) {
  Mechanism m = plain_mechanism(false);
  const int a = add_body(m, "1"), b = add_body(m, "2"), c = add_body(m, "3");
  add_joint(m, "S", PairType::spherical, 0, a);
  add_joint(m, "R1", PairType::revolute, a, b);
  add_joint(m, "R2", PairType::revolute, b, c);
  add_joint(m, "R3", PairType::revolute, c, 0);
  finish(m);
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  EXPECT_EQ(tree.cut, std::vector{0});
}

TEST(SpanningTree, DrivenCoupledAndLoadedJointsStay) {
  Mechanism m = four_bar();
  const int pin = joint_index(m, "2");
  m.drivers.push_back({"drive", coordinate_of(m, pin), polynomial_in_time(0, 1)});
  EXPECT_NE(axode::spanning_tree(m).cut, std::vector{pin});
  m.drivers.clear();
  for (const char* joint : {"A", "1", "2"}) {
    m.coordinate_forces.push_back(
        {.name = joint, .coordinate = coordinate_of(m, joint_index(m, joint))});
  }
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  EXPECT_EQ(tree.cut, std::vector{joint_index(m, "B")});
  // Asked for is more than loaded.
  EXPECT_NE(axode::spanning_tree(m, {}, std::array{joint_index(m, "B")}).cut, tree.cut);
}

TEST(SpanningTree, LooseBodiesHangOnFreeJoints) {
  // A platform on six rods, and a body hinged to it.
  Mechanism m = plain_mechanism(false);
  const int platform = add_body(m, "platform"), arm = add_body(m, "arm");
  for (int k = 0; k < 6; ++k) add_joint(m, "rod", PairType::rod, 0, platform);
  add_joint(m, "hinge", PairType::revolute, arm, platform);
  finish(m);
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  EXPECT_EQ(counts(m, tree), (Counts{7, 6}));
  EXPECT_EQ(std::ranges::count(tree.parent_joint, SpanningTree::free_joint), 1);
  // All joints cut: three free bodies.
  const Mechanism bars = four_bar();
  const SpanningTree loose = axode::spanning_tree(bars, std::array{0, 1, 2, 3});
  expect_sound(bars, loose);
  EXPECT_EQ(counts(bars, loose), (Counts{9, 8}));
  EXPECT_THROW(axode::spanning_tree(bars, std::array{4}), Error);
}

/// Bodies in a row between two others, joined by as many joints of a type.
void add_path(Mechanism& m, int from, int to, int joints, PairType type = PairType::revolute) {
  for (int k = 1; k <= joints; ++k) {
    const int next = k == joints ? to : add_body(m, "link");
    add_joint(m, "joint", type, from, next);
    from = next;
  }
}
std::vector<std::size_t> loop_lengths(const Mechanism& m) {
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  std::vector<std::size_t> lengths;
  for (const auto& loop : tree.loops) lengths.push_back(loop.size());
  std::ranges::sort(lengths);
  return lengths;
}

/// Two bodies, joined by short ways and by a long one with the ground in its middle. Breadth first
/// the long way is in both loops; of the short ones one should be.
TEST(SpanningTree, LoopsAreMadeShorterByExchange) {
  Mechanism m = plain_mechanism(true);
  const int p = add_body(m, "P"), q = add_body(m, "Q");
  add_path(m, 0, p, 3);
  add_path(m, 0, q, 3);
  add_path(m, p, q, 2);
  add_path(m, p, q, 2);
  finish(m);
  EXPECT_EQ(loop_lengths(m), (std::vector<std::size_t>{2 + 2, 2 + 6}));
}

/// Pins are cut rather than prismatic joints, but not one on the short way that loops share.
TEST(SpanningTree, SimplerEquationsAreNotWorthLongerLoops) {
  Mechanism m = plain_mechanism(true);
  const int p = add_body(m, "P");
  add_path(m, 0, p, 2);
  add_path(m, 0, p, 4, PairType::prismatic);
  add_path(m, 0, p, 4);
  finish(m);
  EXPECT_EQ(loop_lengths(m), (std::vector<std::size_t>{2 + 4, 2 + 4}));
}

TEST(SpanningTree, ManyLoopsStaySmall) {
  const Mechanism m = n_four_bar(100000);
  const SpanningTree tree = axode::spanning_tree(m);
  ASSERT_EQ(tree.cut.size(), 100000u);
  for (const auto& loop : tree.loops) ASSERT_EQ(loop.size(), 4u);
  for (std::size_t k = 0; k < m.joints.size(); k += 3)
    ASSERT_EQ(tree.parent_joint[m.joints[k].body[1]], static_cast<int>(k));
}

/// A grid of pinned bars: loops share joints in every way.
TEST(SpanningTree, LoopsOfANetOfBarsAreSound) {
  Mechanism m = plain_mechanism(true);
  constexpr int n = 12;
  std::vector<int> bodies{0};
  for (int k = 1; k < n * n; ++k) bodies.push_back(add_body(m, "b"));
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const int here = row * n + column;
      if (column + 1 < n) add_pin(m, "h", bodies[here], {}, bodies[here + 1], {});
      if (row + 1 < n) add_pin(m, "v", bodies[here], {}, bodies[here + n], {});
    }
  finish(m);
  const SpanningTree tree = axode::spanning_tree(m);
  expect_sound(m, tree);
  EXPECT_EQ(std::ssize(tree.cut), (n - 1) * (n - 1));
}

}  // namespace
}  // namespace axode::test::spanning_trees
