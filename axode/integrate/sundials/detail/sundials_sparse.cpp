#include "axode/integrate/sundials/detail/sundials_sparse.hpp"

#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <exception>
#include <type_traits>

#include "axode/linalg/compressed_lu.hpp"

namespace axode {
namespace {

static_assert(std::is_same_v<sunindextype, std::int64_t>);

struct SparseFactor {
  std::size_t size;
  CompressedLu lu;
};
SparseFactor& sparse_factor_of(SUNLinearSolver s) {
  return *static_cast<SparseFactor*>(s->content);
}

SUNLinearSolver_Type sparse_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int initialize_sparse(SUNLinearSolver) { return SUNLS_SUCCESS; }
int setup_sparse(SUNLinearSolver s, SUNMatrix A) {
  const bool regular = sparse_factor_of(s).lu.factor(
      {SUNSparseMatrix_IndexPointers(A), SUNSparseMatrix_IndexValues(A), SUNSparseMatrix_Data(A)});
  return regular ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}
int solve_sparse(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  SparseFactor& f = sparse_factor_of(s);
  const double* right = N_VGetArrayPointer(b);
  double* result = N_VGetArrayPointer(x);
  if (result != right) std::copy_n(right, f.size, result);
  return f.lu.solve({result, f.size}) ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
}
int release_sparse(SUNLinearSolver s) {
  delete static_cast<SparseFactor*>(s->content);
  s->content = nullptr;
  SUNLinSolFreeEmpty(s);
  return SUNLS_SUCCESS;
}

}  // namespace

void* sundials_sparse_solver(int n, void* context) {
  SUNLinearSolver s = SUNLinSolNewEmpty(static_cast<SUNContext>(context));
  if (s == nullptr) return nullptr;
  try {
    s->content = new SparseFactor{static_cast<std::size_t>(n), CompressedLu(n)};
  } catch (const std::exception&) {
    SUNLinSolFreeEmpty(s);
    return nullptr;
  }
  s->ops->gettype = sparse_type;
  s->ops->initialize = initialize_sparse;
  s->ops->setup = setup_sparse;
  s->ops->solve = solve_sparse;
  s->ops->free = release_sparse;
  return s;
}

}  // namespace axode
