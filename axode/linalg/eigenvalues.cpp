#include "axode/linalg/eigenvalues.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"

namespace axode {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Rows> view(const DenseMatrix<double>& A, int n, const char* where) {
  if (A.rows != n || A.columns != n || A.values.size() != std::size_t(n) * n)
    throw Error(fmt::format("{} numbers for a matrix of {} x {}", A.values.size(), n, n), where,
                "give n x n numbers, row by row");
  return {A.values.data(), n, n};
}

/// Values and vectors of a solver that ended well; not solved otherwise.
template <class Modes, class Solver>
Modes modes_of(const Solver& solver) {
  if (solver.info() != Eigen::Success) return {};
  const auto& w = solver.eigenvalues();
  const auto x = solver.eigenvectors().eval();  // column by column
  const int n = static_cast<int>(w.size());
  return {true, {w.data(), w.data() + n}, {n, n, {x.data(), x.data() + x.size()}}};
}

}  // namespace

SymmetricModes symmetric_modes(const DenseMatrix<double>& A) {
  const auto a = view(A, A.rows, "symmetric_modes");
  if (!all_finite(A.values)) return {};
  if (A.rows == 0) return {true, {}, {}};
  return modes_of<SymmetricModes>(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a));
}

SymmetricModes symmetric_modes(const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
  const auto a = view(A, A.rows, "symmetric_modes"), b = view(B, A.rows, "symmetric_modes");
  if (!all_finite(A.values) || !all_finite(B.values)) return {};
  if (A.rows == 0) return {true, {}, {}};
  if (Eigen::LLT<Eigen::MatrixXd>(b).info() != Eigen::Success) return {};
  return modes_of<SymmetricModes>(Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(a, b));
}

GeneralModes general_modes(const DenseMatrix<double>& A) {
  const auto a = view(A, A.rows, "general_modes");
  if (!all_finite(A.values)) return {};
  if (A.rows == 0) return {true, {}, {}};
  return modes_of<GeneralModes>(Eigen::EigenSolver<Eigen::MatrixXd>(a));
}

}  // namespace axode
