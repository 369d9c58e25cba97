// The tables: which is chosen, and that blocks may be done in any order and pieces.
#include "axode/engine/detail/batch/batch_kernels.hpp"

#include <gtest/gtest.h>

#include "tests/engine/batch_cases.hpp"

namespace axode::test::batch_kernels_test {
namespace {

TEST(BatchKernels, AreThoseOfTheWidestRegisters) {
  EXPECT_EQ(batch::batch_kernels().lanes, double_lanes(best_instruction_set()));
  EXPECT_EQ(&batch::batch_kernels(), batch_tables().back());
  int lanes = 2;
  for (const batch::BatchKernels* table : batch_tables()) {
    EXPECT_EQ(table->lanes, lanes);
    EXPECT_GT(table->strip_width, 0);
    lanes *= 2;
  }
}

TEST(BatchKernels, DoBlocksInAnyPieces) {
  Random random(4);
  const BatchCase c = states_of(random, random_plain_tree(random, 5), 43);
  const Arranged x(c, Layout::by_state);
  for (const batch::BatchKernels* table : batch_tables()) {
    Batch b = batch_with(c.tree, *table);
    Guarded expected(c.tree.dofs.size(), c.states()), found = expected;
    inverse_dynamics(b, x.q, x.v, x.a, expected, {.effects = {.gravity = false}});

    batch::Job j;
    j.task = batch::Task::inverse_dynamics;
    j.tree = &c.tree;
    j.bodies = b.constants.bodies.data();
    j.centres = b.constants.centres.data();
    j.batch_bodies = b.batch_bodies.data();
    j.angles = engine::angles_of(b.constants.angles);
    j.places = b.constants.places.data();
    j.n = static_cast<int>(b.constants.bodies.size());
    j.user_bodies = c.tree.size();
    j.nq = c.tree.nq, j.nv = c.tree.nv;
    j.path = b.constants.path, j.generals = b.constants.generals;
    j.armature = b.armature.data(), j.damping = b.damping.data(), j.friction = b.friction.data();
    j.states = 43;
    j.q = x.q.data(), j.v = x.v.data(), j.a = x.a.data();
    j.result = std::span<double>(found).data();
    EXPECT_EQ(table->zero_bytes(j), 0);
    engine::Scratch memory;
    memory.reserve(table->bytes(j));
    const std::ptrdiff_t blocks = (43 + table->lanes - 1) / table->lanes;
    for (std::ptrdiff_t last = blocks; last > 0;) {
      const std::ptrdiff_t first = std::max(last - 2, std::ptrdiff_t{0});
      EXPECT_EQ(table->run(j, first, last, memory.data(), nullptr, nullptr), -1);
      last = first;
    }
    EXPECT_TRUE(found.same_as(expected));
  }
}

}  // namespace
}  // namespace axode::test::batch_kernels_test
