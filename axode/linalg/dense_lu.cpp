#include "axode/linalg/dense_lu.hpp"

#include <Eigen/LU>
#include <cmath>

namespace axode {

struct DenseLu::Factors {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::VectorXd x;
};

DenseLu::DenseLu(int size)
    : factors_(std::make_unique<Factors>(
          Factors{Eigen::PartialPivLU<Eigen::MatrixXd>(size), Eigen::VectorXd::Zero(size)})) {}
DenseLu::~DenseLu() = default;
DenseLu::DenseLu(DenseLu&&) noexcept = default;
DenseLu& DenseLu::operator=(DenseLu&&) noexcept = default;

bool DenseLu::factor(std::span<const double> columns) noexcept {
  Factors& f = *factors_;
  const Eigen::Index n = f.x.size();
  f.lu.compute(Eigen::Map<const Eigen::MatrixXd>(columns.data(), n, n));
  const auto pivots = f.lu.matrixLU().diagonal();
  for (Eigen::Index i = 0; i < n; ++i)
    if (pivots[i] == 0 || !std::isfinite(pivots[i])) return false;
  return true;
}

void DenseLu::solve(std::span<const double> b, std::span<double> x) noexcept {
  Factors& f = *factors_;
  const Eigen::Index n = f.x.size();
  f.x.noalias() = f.lu.permutationP() * Eigen::Map<const Eigen::VectorXd>(b.data(), n);
  f.lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(f.x);
  f.lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(f.x);
  Eigen::Map<Eigen::VectorXd>(x.data(), n) = f.x;
}

}  // namespace axode
