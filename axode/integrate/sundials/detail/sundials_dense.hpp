/// A dense linear solver for SUNDIALS on Eigen's LU factorization with partial pivoting.
///
/// SUNDIALS' own works column by column in scalars; this one is vectorised, three times as quick for
/// 30 unknowns, and in small systems that is what a step costs beside the rates.
/// Tests: tests/integrate/sundials/detail/sundials_dense_test.cpp
#pragma once

namespace axode {

/// A SUNLinearSolver for systems of n numbers in serial vectors and SUNDIALS' dense matrices, in a
/// SUNContext; freed by SUNLinSolFree. Null where there is no memory. (Untyped, so that users of the
/// library need no headers of SUNDIALS.)
void* sundials_dense_solver(int n, void* context);

}  // namespace axode
