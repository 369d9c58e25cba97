#include "axode/engine/detail/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::kernels_test {
namespace {

TEST(EngineKernels, AreTheWidestForOneState) {
  const auto tables = kernel_tables();
  EXPECT_EQ(engine::kernels().lanes, tables.back()->lanes);
  EXPECT_EQ(tables.front()->lanes, 2);
  for (const engine::Kernels* table : tables)
    EXPECT_LE(table->lanes, double_lanes(best_instruction_set()));
}

/// All results of an engine, one after the other.
std::vector<double> all_results(Engine& e, const EngineCase& r) {
  const EngineOptions o{.external = r.external};
  std::vector<double> all, numbers(r.v.size());
  const auto keep = [&](std::span<const double> x) { all.insert(all.end(), x.begin(), x.end()); };
  std::vector<SE3<double>> T_WB(r.tree.links.size());
  std::vector<Vec6<double>> screws(r.v.size());
  poses_and_screws(e, r.q, T_WB, screws);
  for (const SE3<double>& T : T_WB)
    keep(std::vector{T.R.matrix.x.x, T.R.matrix.y.z, T.R.matrix.z.y, T.p.x, T.p.y, T.p.z});
  for (const Vec6<double>& X : screws)
    for (int k = 0; k < 6; ++k) all.push_back(X[k]);
  inverse_dynamics(e, r.q, r.v, r.a, numbers, o);
  keep(numbers);
  EXPECT_EQ(forward_dynamics(e, r.q, r.v, r.tau, numbers, o).singular_body, -1);
  keep(numbers);
  PathMatrix<double> M(r.tree);
  mass_matrix(e, r.q, M);
  keep(M.values);
  DenseMatrix<double> X{r.tree.nv, r.tree.nv, std::vector<double>(r.v.size() * r.v.size())};
  coriolis_matrix(e, r.q, r.v, X);
  keep(X.values);
  EXPECT_EQ(inverse_mass_matrix(e, r.q, X).singular_velocity, -1);
  keep(X.values);
  ForwardDynamicsDerivatives<double> d(r.tree);
  EXPECT_EQ(forward_dynamics_derivatives(e, r.q, r.v, r.tau, d, o).singular_velocity, -1);
  for (const DenseMatrix<double>* m : {&d.by_q, &d.by_v, &d.inverse.by_q, &d.inverse.by_v})
    keep(m->values);
  return all;
}

/// Instruction sets differ by rounding, which forward dynamics enlarges by the condition of M.
TEST(EngineKernels, AgreeOnAllResults) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const EngineCase r = random_case(random, 30);
    std::vector<double> first;
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      const std::vector<double> all = all_results(e, r);
      if (first.empty()) first = all;
      const double error = relative_difference(all, first);
      EXPECT_LT(error, 1e-12) << table->lanes;
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_difference", worst);
}

/// No function writes behind the scratch it asks for, however short the paths and few the bodies.
TEST(EngineKernels, KeepToTheirScratch) {
  for_random_cases(60, [](Random& random) {
    const EngineCase r = random_case(random, random.integer(0, 1) == 0 ? 40 : 4);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e(r.tree);
      e.kernels = table;
      const std::size_t bytes = table->scratch_bytes(static_cast<int>(e.constants.bodies.size()),
                                                     e.constants.nv, e.constants.path),
                        guard = 4096;
      e.scratch = {};
      e.scratch.reserve(bytes + guard);
      auto* behind = static_cast<unsigned char*>(e.scratch.data()) + bytes;
      std::memset(behind, 0xa5, guard);
      all_results(e, r);
      for (std::size_t i = 0; i < guard; ++i)
        ASSERT_EQ(behind[i], 0xa5) << table->lanes << ' ' << i;
    }
  });
}

/// Products of single numbers give what they should whatever stands in memory before the call.
TEST(EngineKernels, DoNotReadWhatIsNotWritten) {
  for_random_cases(30, [](Random& random) {
    const EngineCase r = random_case(random, 20);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine clean = engine_with(r.tree, *table), stained = engine_with(r.tree, *table);
      const std::size_t bytes =
          table->scratch_bytes(static_cast<int>(clean.constants.bodies.size()), clean.constants.nv,
                               clean.constants.path);
      if (bytes > 0) std::memset(stained.scratch.data(), 0xff, bytes);  // all numbers NaN
      EXPECT_EQ(all_results(stained, r), all_results(clean, r)) << table->lanes;
    }
  });
}

}  // namespace
}  // namespace axode::test::kernels_test
