#include "axode/mechanism/dynamics/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/linalg/cholesky.hpp"
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode {
namespace {

using Vector = std::vector<double>;
using Matrix = DenseMatrix<double>;
constexpr const char* where = "linearize";

Vector difference(std::span<const double> a, std::span<const double> b) {
  Vector result(a.begin(), a.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= b[i];
  return result;
}
void add(Vector& sum, double factor, std::span<const double> x) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * x[i];
}

/// Values and rates of coordinates, as the state has them.
std::vector<TimeValue> coordinates_of(MechanismSystem& system, std::span<const double> q,
                                      std::span<const double> v, std::span<const int> chosen,
                                      std::vector<SE3<double>>& poses) {
  const Mechanism& m = system.mechanism();
  poses.resize(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  const std::vector<Vec6<double>> rates(m.bodies.size());
  system.motion(q, v, poses, twists);
  std::vector<TimeValue> found;
  for (const int c : chosen) {
    found.push_back(measure(m, c, poses, twists, rates));
    found.back().value = measure_with_turns(m, c, poses);
    found.back().acceleration = 0;
  }
  return found;
}

/// The mechanism with drivers on the independent coordinates, which keep their rates.
Mechanism held(Mechanism m, std::span<const int> independent, std::span<const TimeValue> now,
               double t) {
  for (std::size_t k = 0; k < independent.size(); ++k) {
    const TimeValue at = now[k];
    m.drivers.push_back({m.coordinates[independent[k]].name,
                         independent[k],
                         [at, t](double time) {
                           return TimeValue{at.value + at.rate * (time - t), at.rate, 0};
                         },
                         {}});
  }
  return m;
}

/// The formulation of the same kind that sees the drivers of held().
FormulationOptions with_drivers(FormulationOptions how) {
  how.with_drivers = true;
  return how;
}

/// The mechanism whose motion z determines, and the slopes of that motion.
class HeldMechanism {
 public:
  HeldMechanism(const MechanismEquations& equations, std::span<const int> independent,
                std::span<const TimeValue> now, std::span<const SE3<double>> poses, double t)
      : system_(make_equations(held(equations.mechanism, independent, now, t),
                               with_drivers(equations.how))),
        t_(t),
        drivers_(static_cast<int>(equations.mechanism.drivers.size())),
        n_(static_cast<int>(independent.size())),
        nv_(system_.equations().velocities()),
        q_(system_.from_poses(poses)),
        v_(nv_),
        a_(nv_) {
    if (nv_ > 1000)
      throw LimitError(fmt::format("{} velocities", nv_), where,
                       "mechanisms of up to 1000 are linearized; choose relative coordinates");
    (void)solve_position(system_, t_, q_, {.count_rank = false});  // polished: it is assembled
    is_determined_ = solve_velocity(system_, t_, q_, v_).unique &&
                     solve_acceleration(system_, t_, q_, v_, a_).unique;
    system_.motion_jacobian(t_, q_, J_);
    solver_.factor(J_);
  }
  bool is_determined() const noexcept { return is_determined_; }

  /// M and the forces that this motion needs, then z'' = M^-1 (tau - them) added to the motion.
  void find_mass(MechanismLinearization& result) {
    for (int k = 0; k < n_; ++k) {
      Vector unit(J_.rows, 0.0);
      unit[row_of_driver(k)] = 1;
      R_.push_back(solved(unit));
    }
    system_.mass(q_, M_);
    Vector Q(nv_), Ma(nv_);
    system_.forces(t_, q_, v_, Q);
    M_.multiply(a_, Ma);
    const Vector missing = difference(Ma, Q);
    result.M = zero_matrix(n_, n_);
    for (int i = 0; i < n_; ++i) {
      result.tau.push_back(dot(R_[i], missing));
      M_.multiply(R_[i], Ma);
      for (int j = 0; j < n_; ++j) result.M(j, i) = dot(R_[j], Ma);
    }
  }
  void accelerate(std::span<const double> zdd) {
    for (int k = 0; k < n_; ++k) add(a_, zdd[k], R_[k]);
  }

  void find_slopes(MechanismLinearization& result) {
    const Vector lambda = multipliers();
    SparseAssembly by_q = tangent({.stiffness = 1, .rate = 1}, lambda);
    SparseAssembly by_v = tangent({.damping = 1}, lambda);
    result.D = result.K = zero_matrix(n_, n_);
    const bool moves = max_abs(v_) > 0 || max_abs(a_) > 0;
    for (int k = 0; k < n_; ++k) {
      Vector right(J_.rows, 0.0);
      Vector stiffness = product(by_q, R_[k], right);
      const Vector S = moves ? solved(negative(right)) : Vector(nv_, 0.0);
      add(stiffness, 1, product(by_v, S));
      Vector damping = product(by_v, R_[k]);
      if (moves) {
        add(damping, 1, mass_times(solved(slope_by_rate(R_[k]))));
        add(stiffness, 1, mass_times(solved(slope_along(R_[k], S))));
      }
      for (int i = 0; i < n_; ++i) {
        result.K(i, k) = dot(R_[i], stiffness);
        result.D(i, k) = dot(R_[i], damping);
      }
    }
  }

 private:
  int row_of_driver(int k) const {
    const auto& equations = system_.equations().equations;
    for (std::size_t row = 0; row < equations.size(); ++row)
      if (equations[row].driver == drivers_ + k) return static_cast<int>(row);
    throw Error("a driver has no equation", where);
  }
  /// x with Phi_q x = right; rows of idle spins: none.
  Vector solved(std::span<const double> right) {
    Vector x(nv_);
    solver_.solve(right, x);
    return x;
  }
  static Vector negative(Vector x) {
    for (double& e : x) e = -e;
    return x;
  }
  Vector mass_times(std::span<const double> x) const {
    Vector result(nv_);
    M_.multiply(x, result);
    return result;
  }
  /// Phi_q^T lambda = Q - M a, also by the rows that hold z.
  Vector multipliers() {
    Vector Q(nv_);
    system_.forces(t_, q_, v_, Q);
    SparseRows J;
    system_.jacobian(t_, q_, J);
    LeastNorm solver;
    solver.factor(J);
    Vector lambda(J.rows);
    solver.solve_transposed(difference(Q, mass_times(a_)), lambda);
    return lambda;
  }
  SparseAssembly tangent(const TangentScale& scale, std::span<const double> lambda) {
    SparseAssembly m;
    m.begin(nv_ + system_.constraints());
    system_.tangent({.t = t_, .q = q_, .v = v_, .a = a_, .lambda = lambda}, scale, m);
    m.end();
    return m;
  }
  /// The rows of forces; of the equations, what the rate of Phi_q adds.
  Vector product(const SparseAssembly& m, std::span<const double> x,
                 std::span<double> equations = {}) const {
    Vector all(x.begin(), x.end()), result(m.matrix.size), plain(J_.rows);
    all.resize(result.size(), 0.0);
    multiply(m.matrix, all, result);
    if (!equations.empty()) {
      J_.multiply(x, plain);
      for (int row = 0; row < system_.constraints(); ++row)
        equations[row] = result[nv_ + row] - plain[row];
    }
    result.resize(nv_);
    return result;
  }
  /// c - Phi_q a at a neighbouring state, with a of this one: what Phi_q da is there.
  Vector missed(std::span<const double> q, std::span<const double> v) {
    const int rows = system_.constraints();
    Vector c(J_.rows, 0.0), Ja(rows);
    SparseRows J;
    system_.jacobian(t_, q, J);
    J.multiply(a_, Ja);
    system_.acceleration_right(t_, q, v, std::span(c).first(rows));
    for (int i = 0; i < rows; ++i) c[i] -= Ja[i];
    return c;
  }
  /// Of missed() by v along x; it is quadratic in v, and central differences are exact.
  Vector slope_by_rate(std::span<const double> x) {
    const double h = std::max(max_abs(v_), 1e-3) / std::max(max_abs(x), 1e-300);
    return slope(
        [&](double s) {
          Vector v = v_;
          add(v, s, x);
          return missed(q_, v);
        },
        h);
  }
  /// Along dq = R dz, dv = S dz, by differences of two widths extrapolated.
  Vector slope_along(std::span<const double> R, std::span<const double> S) {
    const auto at = [&](double s) {
      Vector step(R.begin(), R.end()), q(q_.size()), v = v_;
      for (double& x : step) x *= s;
      plus(system_.configuration(), q_, step, q);
      add(v, s, S);
      return missed(q, v);
    };
    const double h = 2e-3 / std::max(max_abs(R), 1e-300);
    Vector wide = slope(at, 2 * h), narrow = slope(at, h);
    for (std::size_t i = 0; i < wide.size(); ++i) narrow[i] += (narrow[i] - wide[i]) / 3;
    return narrow;
  }
  template <class At>
  static Vector slope(At&& at, double h) {
    Vector result = difference(at(h), at(-h));
    for (double& x : result) x /= 2 * h;
    return result;
  }

  MechanismSystem system_;
  double t_;
  int drivers_, n_, nv_;
  Vector q_, v_, a_;
  bool is_determined_ = false;
  SparseRows J_, M_;
  LeastNorm solver_;
  std::vector<Vector> R_;
};

void check(const MechanismSystem& system, std::span<const double> q, std::span<const double> v,
           const MechanismLinearizeOptions& options) {
  const Mechanism& m = system.mechanism();
  if (std::ssize(q) != system.equations().numbers() ||
      std::ssize(v) != system.equations().velocities())
    throw Error("q or v has a wrong number of numbers", where, "give those that assemble returns");
  if (!all_finite(q) || !all_finite(v) || !all_finite(options.tau))
    throw Error("a number is not finite", where);
  for (const int c : options.independent) {
    if (c < 0 || c >= std::ssize(m.coordinates))
      throw Error(fmt::format("{} is not the number of a coordinate", c), where,
                  fmt::format("the mechanism has {}", m.coordinates.size()));
    if (std::ranges::find(m.drivers, c, &MechanismDriver::coordinate) != m.drivers.end())
      throw Error(fmt::format("coordinate '{}' has a driver", m.coordinates[c].name), where,
                  "choose others, or remove the driver");
    if (std::ranges::count(options.independent, c) > 1)
      throw Error(fmt::format("coordinate '{}' is given twice", m.coordinates[c].name), where,
                  "give it once");
  }
}

/// Factors M in place. The first degree of freedom that adds no inertia to those before, or -1.
int without_inertia(const Matrix& M, Vector& factor) {
  const int n = M.rows;
  if (const CholeskyOutcome outcome = cholesky(factor, n); !outcome.ok()) return outcome.failed_row;
  for (int k = 0; k < n; ++k) {
    const double inverse = factor[k * n + k];  // of the root of the pivot
    if (!(M(k, k) * inverse * inverse < 1e13)) return k;
  }
  return -1;
}

/// A = [0, 1; -M^-1 K, -M^-1 D], B = [0; M^-1]; `factor` is that of M.
void state_space(std::span<const double> factor, MechanismLinearization& l) {
  const int n = l.M.rows;
  l.A = zero_matrix(2 * n, 2 * n);
  l.B = zero_matrix(2 * n, n);
  Vector x(n);
  const auto solve = [&](const Matrix* right, int column, double sign, Matrix& to, int at) {
    for (int i = 0; i < n; ++i) x[i] = right != nullptr ? (*right)(i, column) : i == column;
    cholesky_solve(factor, n, x);
    for (int i = 0; i < n; ++i) to(n + i, at) = sign * x[i];
  };
  for (int k = 0; k < n; ++k) {
    l.A(k, n + k) = 1;
    solve(&l.K, k, -1, l.A, k);
    solve(&l.D, k, -1, l.A, n + k);
    solve(nullptr, k, 1, l.B, k);
  }
}

MechanismLinearization failed(MechanismLinearization result, std::string message,
                              std::string remedy) {
  result.message = std::move(message);
  result.remedy = std::move(remedy);
  return result;
}

/// Chooses coordinates for the degrees of freedom; a message if that fails.
std::string choose(MechanismSystem& system, double t, std::span<const double> q,
                   std::vector<int>& independent) {
  const DofsLeft left = dofs_left(system, t, q);
  if (independent.empty()) independent = left.to_drive;
  if (left.count == 0) return "no degree of freedom is left";
  if (std::ssize(independent) == left.count) return {};
  return fmt::format("{} coordinates for {} degrees of freedom", independent.size(), left.count);
}

}  // namespace

MechanismLinearization linearize(MechanismSystem& system, std::span<const double> q,
                                 std::span<const double> v,
                                 const MechanismLinearizeOptions& options) {
  check(system, q, v, options);
  MechanismLinearization result;
  result.independent = options.independent;
  if (const std::string problem = choose(system, options.t, q, result.independent);
      !problem.empty())
    return failed(result, problem,
                  system.mechanism().drivers.empty() ? "measure coordinates of what can move"
                                                     : "remove drivers, or measure coordinates");
  const int n = static_cast<int>(result.independent.size());
  if (!options.tau.empty() && std::ssize(options.tau) != n)
    throw Error(fmt::format("tau has {} numbers", options.tau.size()), where,
                fmt::format("give {}, one for each independent coordinate", n));
  std::vector<SE3<double>> poses;
  const std::vector<TimeValue> now = coordinates_of(system, q, v, result.independent, poses);
  for (const TimeValue& z : now) {
    result.q.push_back(z.value);
    result.v.push_back(z.rate);
  }
  HeldMechanism motion(system.equations(), result.independent, now, poses, options.t);
  if (!motion.is_determined())
    return failed(result, "the coordinates do not determine the motion here",
                  "choose other independent coordinates, or another state");
  motion.find_mass(result);
  Vector factor = result.M.values;
  if (const int k = without_inertia(result.M, factor); k >= 0)
    return failed(result,
                  fmt::format("the motion of '{}' has no inertia",
                              system.mechanism().coordinates[result.independent[k]].name),
                  "give the bodies mass");
  result.a.assign(n, 0.0);
  if (!options.tau.empty()) {
    result.a = difference(options.tau, result.tau);
    cholesky_solve(factor, n, result.a);
    result.tau = options.tau;
    motion.accelerate(result.a);
  }
  motion.find_slopes(result);
  state_space(factor, result);
  result.solved = all_finite(result.A.values) && all_finite(result.B.values);
  if (!result.solved) result.message = "a result is not finite";
  return result;
}

}  // namespace axode
