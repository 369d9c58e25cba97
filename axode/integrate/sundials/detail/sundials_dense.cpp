#include "axode/integrate/sundials/detail/sundials_dense.hpp"

#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <exception>

#include "axode/linalg/dense_lu.hpp"

namespace axode {
namespace {

struct Factor {
  std::size_t size;
  DenseLu lu;
};
Factor& factor_of(SUNLinearSolver s) { return *static_cast<Factor*>(s->content); }

SUNLinearSolver_Type type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int initialize(SUNLinearSolver) { return SUNLS_SUCCESS; }
int setup(SUNLinearSolver s, SUNMatrix A) {
  Factor& f = factor_of(s);
  return f.lu.factor({SUNDenseMatrix_Data(A), f.size * f.size}) ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}
int solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  Factor& f = factor_of(s);
  f.lu.solve({N_VGetArrayPointer(b), f.size}, {N_VGetArrayPointer(x), f.size});
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
  try {
    s->content = new Factor{static_cast<std::size_t>(n), DenseLu(n)};
  } catch (const std::exception&) {
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
