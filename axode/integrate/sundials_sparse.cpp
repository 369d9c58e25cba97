#include "axode/integrate/sundials_sparse.hpp"

#include <klu.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace axode {
namespace {

/// SUNDIALS' matrix in its own arrays, and its factors.
struct SparseFactor {
  sunindextype size;
  klu_l_common common;
  klu_l_symbolic* symbolic = nullptr;
  klu_l_numeric* numeric = nullptr;

  explicit SparseFactor(int n) : size(n) {
    klu_l_defaults(&common);
    common.ordering = 1;  // COLAMD
  }
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;
  ~SparseFactor() {
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }
  /// New values with the pivots in use; false if these have become bad by the condition number, which is estimated
  /// cheaply and, where that is alarming, well.
  bool refactor(sunindextype* start, sunindextype* row, double* value) {
    const double bad = std::pow(std::numeric_limits<double>::epsilon(), 2. / 3);
    return klu_l_refactor(start, row, value, symbolic, numeric, &common) != 0 &&
           klu_l_rcond(symbolic, numeric, &common) != 0 &&
           (common.rcond >= bad || (klu_l_condest(start, value, symbolic, numeric, &common) != 0 &&
                                    common.condest <= 1 / bad));
  }
  bool factor(sunindextype* start, sunindextype* row, double* value) {
    if (symbolic == nullptr) symbolic = klu_l_analyze(size, start, row, &common);
    if (symbolic == nullptr) return false;
    if (numeric != nullptr && refactor(start, row, value)) return true;
    klu_l_free_numeric(&numeric, &common);
    numeric = klu_l_factor(start, row, value, symbolic, &common);
    if (numeric != nullptr && common.status != KLU_OK) klu_l_free_numeric(&numeric, &common);
    return numeric != nullptr;
  }
};
SparseFactor& sparse_factor_of(SUNLinearSolver s) {
  return *static_cast<SparseFactor*>(s->content);
}

SUNLinearSolver_Type sparse_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int initialize_sparse(SUNLinearSolver) { return SUNLS_SUCCESS; }
int setup_sparse(SUNLinearSolver s, SUNMatrix A) {
  SparseFactor& f = sparse_factor_of(s);
  sunindextype* start = SUNSparseMatrix_IndexPointers(A);
  double* value = SUNSparseMatrix_Data(A);
  if (!std::all_of(value, value + start[f.size], [](double x) { return std::isfinite(x); }))
    return SUNLS_LUFACT_FAIL;
  return f.factor(start, SUNSparseMatrix_IndexValues(A), value) ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}
int solve_sparse(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  SparseFactor& f = sparse_factor_of(s);
  const double* right = N_VGetArrayPointer(b);
  double* result = N_VGetArrayPointer(x);
  if (result != right) std::copy_n(right, f.size, result);
  const bool solved = klu_l_solve(f.symbolic, f.numeric, f.size, 1, result, &f.common) != 0;
  return solved ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
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
  s->content = new (std::nothrow) SparseFactor(n);
  if (s->content == nullptr) {
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
