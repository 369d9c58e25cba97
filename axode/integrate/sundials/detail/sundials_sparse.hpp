/// A sparse linear solver for SUNDIALS on KLU's factors, as sundials_dense.hpp is one on dense factors.
///
/// It does what SUNDIALS' own solver on KLU does, to the same bits: pivots are kept while the condition number allows
/// it. That one is not used because Debian's package of it needs PETSc and MPI.
/// Tests: tests/integrate/sundials/detail/sundials_sparse_test.cpp
#pragma once

namespace axode {

/// A SUNLinearSolver for systems of n numbers in serial vectors and SUNDIALS' sparse matrices in compressed columns,
/// whose pattern must stay that of the first setup; in a SUNContext, freed by SUNLinSolFree. Null where there is no
/// memory. (Untyped, so that users of the library need no headers of SUNDIALS.)
void* sundials_sparse_solver(int n, void* context);

}  // namespace axode
