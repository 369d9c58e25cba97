#include "axode/integrate/sundials/kinsol.hpp"

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <vector>

#include "axode/core/finite.hpp"
#include "axode/integrate/stepper.hpp"
#include "axode/integrate/sundials/detail/sundials_sparse.hpp"

namespace axode {
namespace {
void kinsol_prints_nothing(int, const char*, const char*, char*, void*) {}
/// What KINSOL must reach: both equations, as numbers.
constexpr double norm_tolerance = 1e-11;

struct Search {
  ConstrainedView system;
  std::vector<double> guess, q, zero, no_force, force, phi, rate, along, product;
  SparseAssembly tangent;
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector u = nullptr, scale = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;

  Search(const ConstrainedView& s, std::span<const double> from)
      : system(s), guess(from.begin(), from.end()), q(guess) {
    const std::size_t n = s.nv(), m = s.constraints;
    for (std::vector<double>* x : {&zero, &force}) x->assign(n, 0.0);
    for (std::vector<double>* x : {&no_force, &phi, &rate}) x->assign(m, 0.0);
    for (std::vector<double>* x : {&along, &product}) x->assign(n + m, 0.0);
    SUNContext_Create(nullptr, &context);
    u = N_VNew_Serial(size(), context);
    scale = N_VNew_Serial(size(), context);
    N_VConst(0, u);
    N_VConst(1, scale);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() {
    if (memory != nullptr) KINFree(&memory);
    if (solver != nullptr) SUNLinSolFree(solver);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    N_VDestroy(u);
    N_VDestroy(scale);
    SUNContext_Free(&context);
  }
  int size() const { return system.nv() + system.constraints; }
  void move(N_Vector z) {
    const std::span<const double> d{N_VGetArrayPointer(z), std::size_t(system.nv())};
    plus(*system.group, guess, d, q);
    system.tangent({0, q, zero, zero, no_force}, {.identity = 1}, tangent);
  }
  int residual(N_Vector z, N_Vector r) {
    move(z);
    if (!system.residual({0, q, zero, zero, no_force}, {force, phi, rate})) return 1;
    const std::span<double> result{N_VGetArrayPointer(r), std::size_t(size())};
    const double* numbers = N_VGetArrayPointer(z);
    const std::size_t n = system.nv();
    std::fill_n(along.begin(), n, 0.0);
    std::copy_n(numbers + n, phi.size(), along.begin() + system.nv());
    multiply(tangent.matrix, along, product);  // its first part is G^T eta
    dexp_transpose(*system.group, {numbers, n}, std::span(product).first(n), result.first(n));
    for (std::size_t k = 0; k < n; ++k) result[k] += numbers[k];
    std::ranges::copy(phi, result.begin() + system.nv());
    return all_finite(result) ? 0 : 1;
  }
  int jacobian(N_Vector z, SUNMatrix J) {
    move(z);
    std::ranges::copy(tangent.matrix.start, SUNSparseMatrix_IndexPointers(J));
    std::ranges::copy(tangent.matrix.row, SUNSparseMatrix_IndexValues(J));
    std::ranges::copy(tangent.matrix.value, SUNSparseMatrix_Data(J));
    return 0;
  }
  bool solve() {
    move(u);
    matrix = SUNSparseMatrix(size(), size(), tangent.matrix.nonzeros(), CSC_MAT, context);
    solver = static_cast<SUNLinearSolver>(sundials_sparse_solver(size(), context));
    memory = KINCreate(context);
    KINSetErrHandlerFn(memory, kinsol_prints_nothing, nullptr);
    KINInit(
        memory,
        [](N_Vector z, N_Vector r, void* self) {
          return static_cast<Search*>(self)->residual(z, r);
        },
        u);
    KINSetUserData(memory, this);
    KINSetLinearSolver(memory, solver, matrix);
    KINSetJacFn(memory, [](N_Vector z, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector) {
      return static_cast<Search*>(self)->jacobian(z, J);
    });
    KINSetMaxSetupCalls(memory, 1);
    KINSetFuncNormTol(memory, norm_tolerance);
    KINSetScaledStepTol(memory, 1e-14);
    const int flag = KINSol(memory, u, KIN_LINESEARCH, scale, scale);
    if (flag != KIN_SUCCESS && flag != KIN_INITIAL_GUESS_OK) return false;
    move(u);
    return true;
  }
};
}  // namespace

ClosestResult closest_configuration(const ConstrainedView& system, std::span<double> q,
                                    double tolerance) {
  ConstrainedWork work;
  ClosestResult result;
  if (system.constraints > 0) {
    Search search(system, q);
    result.nearest = search.solve();
    if (result.nearest) std::ranges::copy(search.q, q.begin());
  }
  const ProjectionResult last = project_position(system, 0, q, work, tolerance);
  result.converged = last.converged;
  result.nearest = result.nearest && last.converged;
  result.residual = last.residual;
  return result;
}

}  // namespace axode
