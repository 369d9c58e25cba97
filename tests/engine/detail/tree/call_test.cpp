#include "axode/engine/detail/tree/call.hpp"

#include <gtest/gtest.h>

namespace axode::engine::call_test {
namespace {

/// Registers of four numbers are loaded from these.
TEST(EngineCall, LayoutForVectorRegisters) {
  using G = General<double>;
  static_assert(alignof(G) % 32 == 0);
  static_assert(sizeof(G::column) == 12 * sizeof(double));
  static_assert(sizeof(G::position) == 4 * sizeof(double));
  static_assert(sizeof(G::screw[0]) == 8 * sizeof(double));
  static_assert(sizeof(G::bias) == 8 * sizeof(double));
  const G g{};
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  EXPECT_EQ((address(g.position) - address(&g)) % 32, 0u);
  EXPECT_EQ((address(g.screw) - address(&g)) % 32, 0u);
  EXPECT_EQ((address(g.bias) - address(&g)) % 32, 0u);
}

/// What is not given is none, and a world without gravity is at rest.
TEST(EngineCall, NothingIsGivenAtFirst) {
  const Call<double> c;
  EXPECT_EQ(c.n, 0);
  EXPECT_EQ(c.nv, 0);
  for (const double* p : {c.q, c.v, c.a, c.external, c.armature}) EXPECT_EQ(p, nullptr);
  for (const double x : c.world) EXPECT_EQ(x, 0);
  const Rows<double> rows;
  EXPECT_EQ(rows.values, nullptr);
}

}  // namespace
}  // namespace axode::engine::call_test
