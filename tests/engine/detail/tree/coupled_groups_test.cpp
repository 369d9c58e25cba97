#include "axode/engine/detail/tree/coupled_groups.hpp"

#include <gtest/gtest.h>

#include "tests/engine/engine_cases.hpp"
#include "tests/support/models/coupled_tree.hpp"

namespace axode::engine::coupled_groups_test {
namespace {

using namespace axode::test;

TEST(CoupledGroups, AreNoneWithoutCouplings) {
  Random random(1);
  const Tree tree = random_plain_tree(random, 5);
  const CoupledGroups groups(tree, EngineTree(tree));
  EXPECT_EQ(groups.view().bodies, nullptr);
  EXPECT_EQ(groups.view().numbers, 0);
}

/// The joints of each group, found from its columns: those that pass through a body meet further in.
TEST(CoupledGroups, MeetAtTheFirstBodyThatCarriesAll) {
  for_random_cases(200, [](Random& random) {
    Tree tree = random_plain_tree(random, random.integer(2, 30));
    couple_at_random(random, tree);
    if (tree.couplings.empty()) return;
    const EngineTree engine(tree);
    const CoupledGroups groups(tree, engine);
    const int world = static_cast<int>(engine.bodies.size());
    std::vector<int> meetings(groups.groups), joints(groups.groups);
    for (int i = 0; i <= world; ++i) {
      const CoupledBody& b = groups.bodies[i];
      for (int k = 0; k < b.count; ++k) {
        const CoupledColumn& c = groups.columns[b.first + k];
        if (k < b.meeting) {
          EXPECT_EQ(c.above, -1);
          ++meetings[c.group];
          continue;
        }
        const int parent = engine.bodies[i].parent < 0 ? world : engine.bodies[i].parent;
        const int place = c.above - groups.bodies[parent].first;
        ASSERT_TRUE(place >= 0 && place < groups.bodies[parent].count);
        EXPECT_EQ(groups.columns[c.above].group, c.group);
      }
      if (b.own >= 0) ++joints[groups.columns[b.first + b.own].group];
    }
    int coupled = 0;
    for (int g = 0; g < groups.groups; ++g) {
      EXPECT_EQ(meetings[g], 1);
      coupled += joints[g];
    }
    EXPECT_EQ(coupled, static_cast<int>(tree.couplings.size()) + groups.groups);
  });
}

}  // namespace
}  // namespace axode::engine::coupled_groups_test
