// Mechanisms by independent velocities alone: null space of Phi_q.
#include <algorithm>
#include <cmath>

#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/linalg/cholesky.hpp"
#include "axode/linalg/largest.hpp"
#include "axode/simulate/run/detail/mechanism_run.hpp"

namespace axode::detail {
namespace {

/// x = (q, z', work): z' are independent velocities, the others follow from them,
///   v = R z' + b  by  [D J^T; J 0] (v, .) = (z', -Phi_t),  D = 1 for independent ones, else 0,
/// likewise the columns of R by (e_k, 0) and R' z' + b' by (0, c). All in units of the sizes of the
/// velocities, so that lengths and angles are told apart alike in small and large mechanisms.
struct NullSpace : MechanismModel {
  static constexpr bool has_work = true;
  LieGroup whole;
  std::size_t nx, nv, nf = 0;
  std::vector<int> independent;
  SparseRows M, J, D;
  ConstrainedSolve solve;
  std::vector<double> whole_v, whole_a, right, c, Q, multiplier, none, still, R, MR, reduced, zdd;
  std::vector<double> z_units;
  double growth = 0;  ///< largest entry of R when the independent ones were chosen
  double now = 0;     ///< and at the last rate
  std::vector<double> near{}, z_rates{};
  std::span<const double> sizes{};  ///< of velocities

  NullSpace(const RunTask& of, MechanismSystem& with)
      : MechanismModel(of, with), nx(with.configuration().nx), nv(with.configuration().nv) {
    for (std::vector<double>* x : {&whole_v, &whole_a, &right, &Q, &still, &MR}) x->assign(nv, 0.0);
    for (std::vector<double>* x : {&c, &multiplier, &none}) x->assign(lambda.size(), 0.0);
    solve.remembers = false;  // the independent velocities stay the same there
    project_samples = true;
  }
  const LieGroup& group() const noexcept { return whole; }

  /// Phi_q, for velocities in units of their sizes, equations in theirs.
  void jacobian(double t, std::span<const double> q) {
    system.jacobian(t, q, J);
    sizes = dynamics.sizes(t, q);
    for (std::size_t i = 0; i < none.size(); ++i)
      for (std::size_t e = J.start[i]; e < std::size_t(J.start[i + 1]); ++e)
        J.value[e] *= sizes[J.column[e]] / units.row[i];
  }
  bool find(std::span<const double> f, std::span<const double> rows, std::span<double> x) {
    if (!met(solve.solve(f, rows, x, multiplier))) return false;
    for (std::size_t i = 0; i < nv; ++i) x[i] *= sizes[i];
    return true;
  }
  /// Chooses independent velocities at a configuration; as many as before, or those of before stay.
  void choose(double t, std::span<const double> q) {
    jacobian(t, q);
    const NullBasis basis = null_basis(J);
    if (nf == 0 || std::size_t(basis.count) == nf) use(independent_components(basis));
  }
  void use(std::vector<int> velocities) {
    independent = std::move(velocities);
    nf = independent.size();
    R.assign(nv * nf, 0.0);
    reduced.assign(nf * nf, 0.0);
    zdd.assign(nf, 0.0);
    whole = LieGroup(system.configuration()).real(static_cast<int>(nf) + 1);
    std::ranges::fill(right, 0.0);
    for (const int k : independent) right[k] = 1;
    D.forget();
    D.begin(static_cast<int>(nv), static_cast<int>(nv));
    for (int k = 0; k < static_cast<int>(nv); ++k) D.add(k, k, right[k]);
    D.end();
    solve.forget();
    growth = 0;
  }
  bool met(const ConstrainedSolve::Outcome& outcome) const {
    return outcome.finite && outcome.constraint < dynamics.row_tolerance;
  }
  /// v of z' at q; factors the matrix.
  bool expand(double t, std::span<const double> q, std::span<const double> zd) {
    jacobian(t, q);
    system.time_rate(t, q, c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] /= -units.row[i];
    std::ranges::fill(right, 0.0);
    for (std::size_t k = 0; k < nf; ++k) {
      const std::size_t i = independent[k];
      right[i] = zd[k] / sizes[i];
    }
    const double fast = largest(right);
    if (!solve.factor(D, J) || !find(right, c, whole_v)) return false;
    return std::ranges::all_of(independent, [&](int i) {
      return !(std::abs(whole_v[i] / sizes[i] - right[i]) > 1e-6 * (1 + fast));
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
    system.mass(q, M);
    system.forces(t, q, whole_v, Q);
    system.acceleration_right(t, q, whole_v, c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] /= units.row[i];
    if (!find(still, c, whole_a)) return false;
    M.multiply(whole_a, MR);
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
    if (!solve_reduced()) return false;
    for (std::size_t k = 0; k < nf; ++k)
      for (std::size_t i = 0; i < nv; ++i) whole_a[i] += R[k * nv + i] * zdd[k];
    if (!dynamics.does_work()) return true;
    M.multiply(whole_a, MR);
    for (std::size_t i = 0; i < nv; ++i) right[i] = (Q[i] - MR[i]) * sizes[i];
    if (!solve.solve(right, none, MR, multiplier).finite) return false;
    for (std::size_t i = 0; i < c.size(); ++i) multiplier[i] /= units.row[i];
    return true;
  }
  /// zdd becomes the solution of R^T M R z'' = zdd, with a diagonal of 1 by units of z''; false where there
  /// is motion without inertia.
  bool solve_reduced() {
    constexpr double rounding = 1e-14;
    z_units.resize(nf);
    for (std::size_t k = 0; k < nf; ++k) {
      z_units[k] = std::sqrt(reduced[k * nf + k]);
      if (!(z_units[k] > 0)) return false;
    }
    for (std::size_t j = 0; j < nf; ++j) {
      for (std::size_t k = 0; k < nf; ++k) reduced[j * nf + k] /= z_units[j] * z_units[k];
      reduced[j * nf + j] = 1;
      zdd[j] /= z_units[j];
    }
    const int n = static_cast<int>(nf);
    if (!cholesky(reduced, n).ok()) return false;
    for (std::size_t k = 0; k < nf; ++k) {
      const double inverse_root = reduced[k * nf + k];  // of the pivot
      if (!(1 > rounding * inverse_root * inverse_root)) return false;
    }
    cholesky_solve(reduced, n, zdd);
    for (std::size_t k = 0; k < nf; ++k) zdd[k] /= z_units[k];
    return true;
  }
  std::span<const double> independent_rates(std::span<const double> x) {
    z_rates.resize(nf);
    for (std::size_t k = 0; k < nf; ++k) z_rates[k] = x[nx + k] * units.v[independent[k]];
    return z_rates;
  }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    near.resize(nx);
    std::ranges::transform(units.q, x, near.begin(), std::multiplies<>{});
    if (dynamics.redundant && !dynamics.project_position(t, near)) return false;
    return evaluate(t, near, independent_rates(x), r);
  }
  bool evaluate(double t, std::span<const double> q, std::span<const double> zd,
                std::span<double> r) {
    if (!expand(t, q, zd) || !columns() || !accelerate(t, q)) return false;
    const std::vector<double>& unit = units.v;
    for (std::size_t i = 0; i < nv; ++i) r[i] = whole_v[i] / unit[i];
    for (std::size_t k = 0; k < nf; ++k) r[nv + k] = zdd[k] / unit[independent[k]];
    r[nv + nf] = dynamics.power(t, q, whole_v, multiplier) / units.energy;
    return true;
  }
  /// Where no velocity meets the equations, q_ is that of x and v_ that of before.
  void look(double t, std::span<const double> x) {
    std::ranges::transform(units.q, x, q_.begin(), std::multiplies<>{});
    if (expand(t, q_, independent_rates(x))) v_ = whole_v;
  }
  double work(std::span<const double> x) const { return x.back() * units.energy; }
  /// Not the work.
  void write(std::span<double> x) const {
    std::ranges::transform(q_, units.q, x.begin(), std::divides<>{});
    for (std::size_t k = 0; k < nf; ++k) {
      const std::size_t i = independent[k];
      x[nx + k] = v_[i] / units.v[i];
    }
  }
  void put(double t, std::span<const double> q, std::span<const double> v, std::span<double> x) {
    meet_equations(t, q, v);
    write(x);
  }
  Correction correct(double t, std::span<double> x) {
    constexpr double degraded = 4;
    const bool grown = now > degraded * growth;  // before look, which evaluates nothing of it
    look(t, x);
    if (!dynamics.project(t, q_, v_)) {
      why_not = dynamics.why();
      return Correction::lost;
    }
    const bool refreshed = refresh();
    if (refreshed) {
      J.forget();
      M.forget();
    } else if (grown) {
      ++figures.restarts;
    }
    if (refreshed || grown) choose(t, q_);
    if (refreshed) solve.forget();
    write(x);
    return refreshed || grown ? Correction::equations : Correction::state;
  }
  void save(std::vector<double>& numbers) {
    MechanismModel::save(numbers);
    const std::vector<double> chosen(independent.begin(), independent.end());
    save_list(chosen, numbers);
    numbers.push_back(growth);
    solve.forget();
  }
  void load(SavedNumbers& saved) {
    MechanismModel::load(saved);
    std::vector<int> chosen;
    for (const double k : saved.take_list()) {
      if (!(k >= 0 && k < static_cast<double>(nv)))
        throw Error("the checkpoint has a velocity that does not exist", "simulate",
                    "resume with the model and options of the first run");
      chosen.push_back(static_cast<int>(k));
    }
    use(std::move(chosen));
    growth = saved.take();
  }
};
}  // namespace

RunResult run_null_space(const RunTask& task, MechanismSystem& system,
                         const State<double>& initial) {
  RunResult refused;
  NullSpace model(task, system);
  if (!task.resume) {
    if (!model.begin(initial, refused)) return refused;
    model.choose(task.options.start, model.q());
  }
  const StepOptions step = step_options(task);
  return run_loop(
      task, model, model, [&] { return MuntheKaas(model.group(), 5, step, step.step == 0); },
      [&] {
        std::vector<double> x(model.group().nx, 0.0);
        model.write(x);
        return x;
      });
}

}  // namespace axode::detail
