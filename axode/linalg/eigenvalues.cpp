#include "axode/linalg/eigenvalues.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/linalg/dense.hpp"

namespace axode {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void check_size(const std::vector<double>& A, int n, const char* where) {
  if (n < 0 || A.size() != std::size_t(n) * n)
    throw Error(
        std::to_string(A.size()) + " numbers for a matrix of " + std::to_string(n) + " rows", where,
        "give n x n numbers, row by row");
}

}  // namespace

SymmetricModes symmetric_modes(const std::vector<double>& A, int n) {
  check_size(A, n, "symmetric_modes");
  SymmetricModes result;
  if (!all_finite(A)) return result;
  result.solved = true;
  if (n == 0) return result;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::Map<const Rows>(A.data(), n, n));
  if (solver.info() != Eigen::Success) return {};
  const auto& w = solver.eigenvalues();
  const auto& x = solver.eigenvectors();
  result.values.assign(w.data(), w.data() + w.size());
  result.vectors.assign(x.data(), x.data() + x.size());
  return result;
}

SymmetricModes symmetric_modes(const std::vector<double>& A, const std::vector<double>& B, int n) {
  check_size(A, n, "symmetric_modes");
  check_size(B, n, "symmetric_modes");
  SymmetricModes result;
  if (!all_finite(A) || !all_finite(B)) return result;
  result.solved = true;
  if (n == 0) return result;
  const Eigen::Map<const Rows> a(A.data(), n, n), b(B.data(), n, n);
  if (Eigen::LLT<Eigen::MatrixXd>(b).info() != Eigen::Success) return {};
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, b);
  if (solver.info() != Eigen::Success) return {};
  const auto& w = solver.eigenvalues();
  const auto& x = solver.eigenvectors();
  result.values.assign(w.data(), w.data() + w.size());
  result.vectors.assign(x.data(), x.data() + x.size());
  return result;
}

GeneralModes general_modes(const std::vector<double>& A, int n) {
  check_size(A, n, "general_modes");
  GeneralModes result;
  if (!all_finite(A)) return result;
  result.solved = true;
  if (n == 0) return result;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Rows>(A.data(), n, n));
  if (solver.info() != Eigen::Success) return {};
  const auto& w = solver.eigenvalues();
  const Eigen::MatrixXcd x = solver.eigenvectors();
  result.values.assign(w.data(), w.data() + w.size());
  result.vectors.assign(x.data(), x.data() + x.size());
  return result;
}

std::vector<Oscillation> oscillations(const std::vector<double>& A, int n) {
  std::vector<Oscillation> all;
  for (const std::complex<double>& value : general_modes(A, n).values) {
    const double size = std::abs(value);
    all.push_back({value, size, size > 0 ? -value.real() / size : 0});
  }
  std::ranges::stable_sort(all, {}, &Oscillation::frequency);
  return all;
}

}  // namespace axode
