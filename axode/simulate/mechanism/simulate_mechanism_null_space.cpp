#include <algorithm>
#include <cmath>

#include "axode/linalg/largest.hpp"
#include "axode/simulate/mechanism/detail/simulate_mechanism_ode.hpp"

namespace axode::detail {
namespace {

/// Solves A x = b in place, A symmetric and positive definite, n x n; false if it is not.
bool solve_definite(std::size_t n, std::span<double> A, std::span<double> b) {
  for (std::size_t j = 0; j < n; ++j) {
    double d = A[j * n + j];
    const double whole = d;
    for (std::size_t k = 0; k < j; ++k) d -= A[j * n + k] * A[j * n + k];
    if (!(d > 1e-14 * whole)) return false;
    A[j * n + j] = std::sqrt(d);
    for (std::size_t i = j + 1; i < n; ++i) {
      double e = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k) e -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = e / A[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return true;
}

/// x = (q, z', work): z' are independent velocities, the others follow from them,
///   v = R z' + b  by  [D J^T; J 0] (v, .) = (z', -Phi_t),  D = 1 for independent ones, else 0,
/// likewise the columns of R by (e_k, 0) and R' z' + b' by (0, c). All in units of the sizes of the
/// velocities, so that lengths and angles are told apart alike in small and large mechanisms.
struct NullSpaceFlow {
  MechanismRun& run;
  LieGroup whole;
  std::size_t nx, nv, nf = 0;
  std::vector<int> independent;
  SparseRows M, J, D;
  ConstrainedSolve solve;
  std::vector<double> v, a, right, c, Q, multiplier, none, still, R, MR, reduced, zdd;
  double growth = 0;  ///< largest entry of R when the independent ones were chosen
  double now = 0;     ///< and at the last rate
  std::vector<double> near{}, rates{};
  std::span<const double> sizes{};  ///< of velocities

  explicit NullSpaceFlow(MechanismRun& of)
      : run(of), nx(of.system.configuration().nx), nv(of.system.configuration().nv) {
    for (std::vector<double>* x : {&v, &a, &right, &Q, &still, &MR}) x->assign(nv, 0.0);
    for (std::vector<double>* x : {&c, &multiplier, &none}) x->assign(of.lambda.size(), 0.0);
    solve.remembers = false;  // the independent velocities stay the same there
  }
  const LieGroup& group() const noexcept { return whole; }

  /// Phi_q, for velocities in units of their sizes, equations in theirs.
  void jacobian(double t, std::span<const double> q) {
    run.system.jacobian(t, q, J);
    sizes = run.dynamics.sizes(t, q);
    for (std::size_t i = 0; i < none.size(); ++i)
      for (std::size_t e = J.start[i]; e < std::size_t(J.start[i + 1]); ++e)
        J.value[e] *= sizes[J.column[e]] / run.units.row[i];
  }
  bool find(std::span<const double> f, std::span<const double> rows, std::span<double> x) {
    if (!met(solve.solve(f, rows, x, multiplier))) return false;
    for (std::size_t i = 0; i < nv; ++i) x[i] *= sizes[i];
    return true;
  }
  /// Chooses independent velocities at a configuration. Returns their number.
  std::size_t choose(double t, std::span<const double> q) {
    jacobian(t, q);
    const NullBasis basis = null_basis(J);
    if (nf != 0 && std::size_t(basis.count) != nf) return std::size_t(basis.count);
    independent = independent_components(basis);
    nf = independent.size();
    R.assign(nv * nf, 0.0);
    reduced.assign(nf * nf, 0.0);
    zdd.assign(nf, 0.0);
    whole = LieGroup(run.system.configuration()).real(static_cast<int>(nf) + 1);
    std::ranges::fill(right, 0.0);
    for (const int k : independent) right[k] = 1;
    D.forget();
    D.begin(static_cast<int>(nv), static_cast<int>(nv));
    for (int k = 0; k < static_cast<int>(nv); ++k) D.add(k, k, right[k]);
    D.end();
    solve.forget();
    growth = 0;
    return nf;
  }
  bool met(const ConstrainedSolve::Outcome& outcome) const {
    return outcome.finite && outcome.constraint < run.dynamics.row_tolerance;
  }
  /// v of z' at q; factors the matrix.
  bool expand(double t, std::span<const double> q, std::span<const double> zd) {
    jacobian(t, q);
    run.system.time_rate(t, q, c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] /= -run.units.row[i];
    std::ranges::fill(right, 0.0);
    for (std::size_t k = 0; k < nf; ++k) {
      const std::size_t i = independent[k];
      right[i] = zd[k] / sizes[i];
    }
    const double fast = largest(right);
    if (!solve.factor(D, J) || !find(right, c, v)) return false;
    return std::ranges::all_of(independent, [&](int i) {
      return !(std::abs(v[i] / sizes[i] - right[i]) > 1e-6 * (1 + fast));
    });
  }
  bool columns() {
    now = 0;
    for (std::size_t k = 0; k < nf; ++k) {
      std::ranges::fill(right, 0.0);
      right[independent[k]] = 1;
      const std::span<double> column = std::span(R).subspan(k * nv, nv);
      if (!find(right, none, column)) return false;
      for (std::size_t i = 0; i < nv; ++i) now = std::max(now, std::abs(column[i]) / sizes[i]);
      const double size = sizes[independent[k]];
      for (double& e : column) e /= size;
    }
    if (growth == 0) growth = std::max(now, 1.0);
    return true;
  }
  /// z'' into zdd, a, and lambda.
  bool accelerate(double t, std::span<const double> q) {
    run.system.mass(q, M);
    run.system.forces(t, q, v, Q);
    run.system.acceleration_right(t, q, v, c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] /= run.units.row[i];
    if (!find(still, c, a)) return false;
    M.multiply(a, MR);
    for (std::size_t i = 0; i < nv; ++i) right[i] = Q[i] - MR[i];
    for (std::size_t k = 0; k < nf; ++k) {
      const double* column = R.data() + k * nv;
      zdd[k] = 0;
      for (std::size_t i = 0; i < nv; ++i) zdd[k] += column[i] * right[i];
      M.multiply(std::span(R).subspan(k * nv, nv), MR);
      for (std::size_t j = 0; j < nf; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < nv; ++i) sum += R[j * nv + i] * MR[i];
        reduced[j * nf + k] = sum;
      }
    }
    if (!solve_definite(nf, reduced, zdd)) return false;
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t i = 0; i < nv; ++i) a[i] += R[k * nv + i] * zdd[k];
    if (!run.dynamics.does_work()) return true;
    M.multiply(a, MR);
    for (std::size_t i = 0; i < nv; ++i) right[i] = (Q[i] - MR[i]) * sizes[i];
    if (!solve.solve(right, none, MR, multiplier).finite) return false;
    for (std::size_t i = 0; i < c.size(); ++i) multiplier[i] /= run.units.row[i];
    return true;
  }
  std::span<const double> independent_rates(std::span<const double> x) {
    rates.resize(nf);
    for (std::size_t k = 0; k < nf; ++k) rates[k] = x[nx + k] * run.units.v[independent[k]];
    return rates;
  }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    near.resize(nx);
    std::ranges::transform(run.units.q, x, near.begin(), std::multiplies<>{});
    if (run.dynamics.redundant && !run.dynamics.project_position(t, near)) return false;
    return evaluate(t, near, independent_rates(x), r);
  }
  bool evaluate(double t, std::span<const double> q, std::span<const double> zd,
                std::span<double> r) {
    if (!expand(t, q, zd) || !columns() || !accelerate(t, q)) return false;
    const std::vector<double>& unit = run.units.v;
    for (std::size_t i = 0; i < nv; ++i) r[i] = v[i] / unit[i];
    for (std::size_t k = 0; k < nf; ++k) r[nv + k] = zdd[k] / unit[independent[k]];
    r[nv + nf] = run.dynamics.power(t, q, v, multiplier) / run.units.energy;
    return true;
  }
  void read(double t, std::span<const double> x, std::span<double> q, std::span<double> velocity) {
    std::ranges::transform(run.units.q, x, q.begin(), std::multiplies<>{});
    if (expand(t, q, independent_rates(x))) std::ranges::copy(v, velocity.begin());
  }
  void write(std::span<const double> q, std::span<const double> velocity,
             std::span<double> x) const {
    std::ranges::transform(q, run.units.q, x.begin(), std::divides<>{});
    for (std::size_t k = 0; k < nf; ++k) {
      const std::size_t i = independent[k];
      x[nx + k] = velocity[i] / run.units.v[i];
    }
  }
  bool correct(double t, std::span<double> q, std::span<double> velocity, bool& lost) {
    constexpr double degraded = 4;
    lost = !run.dynamics.project(t, q, velocity);
    if (run.system.refresh(q, velocity)) {
      run.dynamics.forget();
      J.forget();
      M.forget();
      solve.forget();
      ++run.result.restarts;
      choose(t, q);
    } else if (now > degraded * growth) {
      ++run.result.restarts;
      choose(t, q);
    }
    return true;
  }
};
}  // namespace

void run_null_space(MechanismRun& run) {
  run.project_samples = true;
  NullSpaceFlow flow(run);
  flow.choose(run.options.start, run.q);
  run_flow(run, flow);
}

}  // namespace axode::detail
