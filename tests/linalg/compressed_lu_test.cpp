#include "axode/linalg/compressed_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/random_cases.hpp"

namespace axode::test::compressed_lu {

/// A band of three diagonals with a full last row, whose values a test sets.
struct Band {
  std::vector<std::int64_t> start{0}, row;
  std::vector<double> value;

  explicit Band(int n) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        if (std::abs(i - j) <= 1 || i == n - 1) row.push_back(i);
      start.push_back(static_cast<std::int64_t>(row.size()));
    }
    value.resize(row.size());
  }
  CompressedColumns columns() { return {start.data(), row.data(), value.data()}; }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> result(x.size());
    for (std::size_t j = 0; j < x.size(); ++j)
      for (auto k = start[j]; k < start[j + 1]; ++k) result[row[k]] += value[k] * x[j];
    return result;
  }
};

TEST(CompressedLu, SolvesWhatWasMultipliedAlsoWithNewValues) {
  Random random(1);
  for (const int n : {1, 2, 7, 33}) {
    Band A(n);
    CompressedLu lu(n);
    for (int pass = 0; pass < 4; ++pass) {
      for (double& e : A.value) e = random.uniform(.5, 1);
      // large on the diagonal, then small: the pivots of the first pass are poor in the next
      for (int j = 0; j < n; ++j)
        for (auto k = A.start[j]; k < A.start[j + 1]; ++k)
          if (A.row[k] == j) A.value[k] = pass % 2 == 0 || n == 1 ? 4 : 1e-3;
      std::vector<double> x(n);
      for (double& e : x) e = random.uniform(-1, 1);
      std::vector<double> b = A.times(x);
      ASSERT_TRUE(lu.factor(A.columns())) << n << " " << pass;
      ASSERT_TRUE(lu.solve(b));
      for (int i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-9) << n << " " << pass;
    }
  }
}
TEST(CompressedLu, TellsSingularFromRegularMatricesAndRefusesWhatIsNotFinite) {
  Band A(3);
  CompressedLu lu(3);
  std::vector<double> b(3, 1);
  EXPECT_FALSE(lu.factor(A.columns()));  // zeros
  EXPECT_FALSE(lu.solve(b));
  A.value.assign(A.value.size(), 1);
  A.value.front() = 3;
  A.value.back() = 5;
  EXPECT_TRUE(lu.factor(A.columns()));
  A.value.back() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(lu.factor(A.columns()));
}

}  // namespace axode::test::compressed_lu
