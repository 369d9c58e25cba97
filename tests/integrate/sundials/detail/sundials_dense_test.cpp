#include "axode/integrate/sundials/detail/sundials_dense.hpp"

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>

namespace axode::test::sundials_dense {

struct Solver {
  SUNContext context = nullptr;
  SUNMatrix A = nullptr;
  N_Vector x = nullptr, b = nullptr;
  SUNLinearSolver solver = nullptr;
  explicit Solver(int n) {
    SUNContext_Create(nullptr, &context);
    A = SUNDenseMatrix(n, n, context);
    x = N_VNew_Serial(n, context);
    b = N_VNew_Serial(n, context);
    solver = static_cast<SUNLinearSolver>(sundials_dense_solver(n, context));
  }
  ~Solver() {
    SUNLinSolFree(solver);
    N_VDestroy(x);
    N_VDestroy(b);
    SUNMatDestroy(A);
    SUNContext_Free(&context);
  }
};

TEST(SundialsDense, SolvesWhatWasMultiplied) {
  for (const int n : {1, 2, 7, 33}) {
    Solver s(n);
    const auto expected = [](int i) { return std::sin(1. + i); };
    double* const A = SUNDenseMatrix_Data(s.A);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        A[j * n + i] = std::cos(3. * i + 5. * j * i + j) + (i + j == n - 1 ? 3 : 0);
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += A[j * n + i] * expected(j);
      N_VGetArrayPointer(s.b)[i] = sum;
    }
    ASSERT_EQ(SUNLinSolSetup(s.solver, s.A), SUNLS_SUCCESS);
    ASSERT_EQ(SUNLinSolSolve(s.solver, s.A, s.x, s.b, 0), SUNLS_SUCCESS);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(N_VGetArrayPointer(s.x)[i], expected(i), 1e-11) << n;
    // in place, as SUNDIALS does it
    ASSERT_EQ(SUNLinSolSolve(s.solver, s.A, s.b, s.b, 0), SUNLS_SUCCESS);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(N_VGetArrayPointer(s.b)[i], expected(i), 1e-11) << n;
  }
}
TEST(SundialsDense, SaysWhenAMatrixIsSingular) {
  Solver s(3);
  EXPECT_GT(SUNLinSolSetup(s.solver, s.A), 0);  // zeros; positive: a smaller step may help
  double* const A = SUNDenseMatrix_Data(s.A);
  for (int i = 0; i < 9; ++i) A[i] = NAN;
  EXPECT_GT(SUNLinSolSetup(s.solver, s.A), 0);
}

}  // namespace axode::test::sundials_dense
