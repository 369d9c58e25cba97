#include "axode/integrate/sundials_dense.hpp"

#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/LU>
#include <cmath>
#include <new>

namespace axode {
namespace {

struct Factor {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::VectorXd x;
};
Factor& factor_of(SUNLinearSolver s) { return *static_cast<Factor*>(s->content); }

SUNLinearSolver_Type type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int initialize(SUNLinearSolver) { return SUNLS_SUCCESS; }
int setup(SUNLinearSolver s, SUNMatrix A) {
  Factor& f = factor_of(s);
  f.lu.compute(Eigen::Map<const Eigen::MatrixXd>(SUNDenseMatrix_Data(A), SUNDenseMatrix_Rows(A),
                                                 SUNDenseMatrix_Columns(A)));
  const auto pivots = f.lu.matrixLU().diagonal();
  for (Eigen::Index i = 0; i < pivots.size(); ++i)
    if (pivots[i] == 0 || !std::isfinite(pivots[i])) return SUNLS_LUFACT_FAIL;
  return SUNLS_SUCCESS;
}
int solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  Factor& f = factor_of(s);
  const Eigen::Index n = f.x.size();
  f.x.noalias() = f.lu.permutationP() * Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(b), n);
  f.lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(f.x);
  f.lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(f.x);
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(x), n) = f.x;
  return SUNLS_SUCCESS;
}
int release(SUNLinearSolver s) {
  delete static_cast<Factor*>(s->content);
  s->content = nullptr;
  SUNLinSolFreeEmpty(s);
  return SUNLS_SUCCESS;
}

}  // namespace

void* sundials_dense_solver(int n, void* context) {
  SUNLinearSolver s = SUNLinSolNewEmpty(static_cast<SUNContext>(context));
  if (s == nullptr) return nullptr;
  s->content =
      new (std::nothrow) Factor{Eigen::PartialPivLU<Eigen::MatrixXd>(n), Eigen::VectorXd::Zero(n)};
  if (s->content == nullptr) {
    SUNLinSolFreeEmpty(s);
    return nullptr;
  }
  s->ops->gettype = type;
  s->ops->initialize = initialize;
  s->ops->setup = setup;
  s->ops->solve = solve;
  s->ops->free = release;
  return s;
}

}  // namespace axode
