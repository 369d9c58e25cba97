// The kernels on matrices along paths of any tree: factors, inverses and products.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::factors_test {
namespace {

/// Velocities of a random tree, or forest, with a matrix along its paths.
struct PathCase {
  int n;
  std::vector<int> parent;
  std::vector<double> M;  ///< dense
  std::vector<double> values, scale;
  std::vector<std::size_t> first;
};
/// M = sum of D_k l_k l_k^T, l_k with entries on the path of k.
PathCase random_path_matrix(Random& random, int n) {
  PathCase r{n, {}, std::vector<double>(n * n), {}, {}, {}};
  for (int k = 0; k < n; ++k)
    r.parent.push_back(random.integer(0, 2) > 0 ? k - 1 : random.integer(-1, k - 1));
  std::vector<double> l(n);
  for (int k = 0; k < n; ++k) {
    const double D = random.log_uniform(.01, 10);
    for (double& x : l) x = 0;
    for (int i = k; i >= 0; i = r.parent[i]) l[i] = i == k ? 1 : random.uniform(-1, 1);
    for (int i = 0; i < n * n; ++i) r.M[i] += D * l[i / n] * l[i % n];
  }
  for (int k = 0; k < n; ++k) {
    r.first.push_back(r.values.size());
    r.scale.push_back(r.M[k * n + k]);
    for (int i = k; i >= 0; i = r.parent[i]) r.values.push_back(r.M[k * n + i]);
  }
  return r;
}

/// The kernels on matrices of a tree.
class Work {
 public:
  Work(const std::vector<int>& parent, const engine::Kernels& table)
      : kernels(table), memory(parent, table.tile) {}
  bool factorize(PathCase& r) {
    return kernels.factorize({r.values.data(), r.first.data(), r.scale.data()}, memory.view());
  }
  std::vector<double> inverse() {
    const std::size_t n = memory.tiles.slot.size();
    std::vector<double> W(n * n + 1, 1234.5);
    kernels.invert(memory.view(), W.data(), memory.inversion.data());
    EXPECT_EQ(W.back(), 1234.5);
    W.pop_back();
    return W;
  }
  const engine::Kernels& kernels;
  engine::FactorMemory memory;
};

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::fmax(most, std::abs(a));
  return most;
}

TEST(Factors, Invert) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const int n = random.integer(0, 40);
    PathCase r = random_path_matrix(random, n);
    for (const engine::Kernels* table : kernel_tables()) {
      Work work(r.parent, *table);
      ASSERT_TRUE(work.factorize(r));
      const std::vector<double> W = work.inverse();
      const double scale = largest(r.M) * largest(W) * epsilon<double>;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          ASSERT_EQ(W[i * n + j], W[j * n + i]);
          double residual = i == j ? -1 : 0;
          for (int k = 0; k < n; ++k) residual += r.M[i * n + k] * W[k * n + j];
          // The sum itself has n terms, each rounded.
          ASSERT_LE(std::abs(residual), (n + 10) * scale) << n << ' ' << table->lanes;
          worst = std::fmax(worst, std::abs(residual) / scale);
        }
    }
  });
  record("worst_residual_of_condition", worst);
}

TEST(Factors, TellWhenInDoubtAndForgetIt) {
  for_random_cases(50, [](Random& random) {
    const int n = random.integer(1, 20), k = random.integer(0, n - 1);
    PathCase r = random_path_matrix(random, n), spoiled = r;
    spoiled.values[spoiled.first[k]] *= random.integer(0, 1) == 0 ? -1 : NAN;
    PathCase large = r;
    large.scale[k] *= 1e9;  // whatever the pivot is, it may be rounding of such numbers
    for (const engine::Kernels* table : kernel_tables()) {
      Work work(r.parent, *table);
      ASSERT_TRUE(work.factorize(r));
      const std::vector<double> W = work.inverse();
      EXPECT_FALSE(work.factorize(spoiled));
      EXPECT_FALSE(work.factorize(large));
      EXPECT_TRUE(work.factorize(r));
      EXPECT_EQ(work.inverse(), W);
    }
  });
}

TEST(Factors, MultiplyTwo) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const int n = random.integer(0, 40);
    const PathCase r = random_path_matrix(random, n);
    std::vector<double> Y(n * n), X[2] = {Y, Y}, Z[2] = {Y, Y};
    for (int i = 0; i < n * n; ++i) {
      if (i % n <= i / n) Y[i] = Y[i % n * n + i / n] = random.uniform(-1, 1);
      for (auto& x : X) x[i] = r.M[i] == 0 ? 0 : random.uniform(-1, 1);
    }
    for (const engine::Kernels* table : kernel_tables()) {
      for (auto& z : Z) z.assign((n * n) + 1, 1234.5);
      Work work(r.parent, *table);
      table->multiply_negative(work.memory.view(), Y.data(), {X[0].data(), X[1].data()},
                               {Z[0].data(), Z[1].data()});
      for (int m = 0; m < 2; ++m) {
        EXPECT_EQ(Z[m].back(), 1234.5);
        for (int i = 0; i < n * n; ++i) {
          double sum = Z[m][i];
          for (int k = 0; k < n; ++k) sum += Y[i / n * n + k] * X[m][k * n + i % n];
          ASSERT_LE(std::abs(sum), 2 * n * epsilon<double>) << n << ' ' << table->lanes;
          worst = std::fmax(worst, std::abs(sum));
        }
      }
    }
  });
  record("worst_difference", worst);
}

}  // namespace
}  // namespace axode::test::factors_test
