#include "axode/mechanism/analysis/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"

namespace axode {
namespace {

double squared(std::span<const double> x) {
  double sum = 0;
  for (const double a : x) sum += a * a;
  return sum;
}

/// One search. Rows are divided by the largest norm they had so far, so that equations of different
/// units count alike, and one that vanishes somewhere is not blown up.
struct Search {
  MechanismSystem& system;
  double t;
  std::span<double> q;
  const PositionOptions& options;
  PositionResult result;
  SparseRows J{};  ///< its rows divided by the weights once they are found
  LeastNorm solver{};
  std::vector<double> by_velocity, phi, residual, weight, scale, scale_now, step, trial, still,
      gradient;
  double size = 1;
  double merit = 0;                       ///< squared norm of weighted residuals
  double largest = 0, largest_there = 0;  ///< of them, at q and at the trial
  double damping = 1e-3;
  bool is_damped = false;

  Search(MechanismSystem& s, double time, std::span<double> x, const PositionOptions& o)
      : system(s),
        t(time),
        q(x),
        options(o),
        by_velocity(velocity_scales(s)),
        size(model_size(s.mechanism())) {
    const std::size_t m = s.constraints(), n = s.equations().velocities();
    phi.resize(m);
    residual.resize(m);
    weight.assign(m, 0);
    scale.assign(m, 0);  // the largest so far: rows that vanish somewhere are no measure
    scale_now.resize(m);
    step.resize(n);
    trial.resize(q.size());
    still.assign(n, 0);
    gradient.resize(n);
    is_damped = o.method == PositionMethod::levenberg_marquardt;
  }

  /// Equations and Jacobian at q; true if met.
  bool evaluate() {
    if (system.refresh(q, still)) J.forget();
    system.position(t, q, phi);
    system.jacobian(t, q, J);
    equation_scales(by_velocity, J, scale_now);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::max(scale[i], scale_now[i]);
    result.residual = 0;
    result.worst = -1;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const double left = std::abs(phi[i]) / scale[i];
      if (!(left <= result.residual)) {
        result.residual = left;
        result.worst = static_cast<int>(i);
      }
    }
    return result.residual <= options.tolerance;
  }
  void weigh() {
    double biggest = 0;
    for (int i = 0; i < J.rows; ++i) {
      double square = 0;
      for (int k = J.start[i]; k < J.start[i + 1]; ++k) square += J.value[k] * J.value[k];
      weight[i] = std::max(weight[i], std::sqrt(square));
      biggest = std::max(biggest, weight[i]);
    }
    for (int i = 0; i < J.rows; ++i) {
      // Rows of nothing but rounding are not blown up.
      if (weight[i] <= 1e-14 * biggest) weight[i] = std::max(biggest, 1e-300);
      for (int k = J.start[i]; k < J.start[i + 1]; ++k) J.value[k] /= weight[i];
      residual[i] = -phi[i] / weight[i];
    }
    merit = squared(residual);
    largest = 0;
    for (const double r : residual) largest = std::max(largest, std::abs(r));
  }
  double merit_at(std::span<const double> x) {
    system.position(t, x, phi);
    double sum = 0;
    largest_there = 0;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const double r = phi[i] / (weight[i] > 0 ? weight[i] : 1);
      sum += r * r;
      largest_there = std::max(largest_there, std::abs(r));
    }
    return std::isfinite(sum) ? sum : HUGE_VAL;
  }
  /// Moves by factor step; angles and lengths by not much more than the model's size.
  double try_step(double factor) {
    for (double& x : step) x *= factor;
    plus(system.configuration(), q, step, trial);
    const double there = merit_at(trial);
    for (double& x : step) x /= factor;
    return there;
  }
  bool shortened_step() {
    solver.factor(J);
    solver.solve(residual, step);
    double longest = 0;
    for (const double x : step) longest = std::max(longest, std::abs(x));
    if (!std::isfinite(longest)) return false;
    const double most = std::min(1.0, 2 * std::max(size, 1.0) / std::max(longest, 1e-300));
    if (options.method == PositionMethod::newton) return try_step(1) < HUGE_VAL;
    for (double factor = most; factor > 1e-3; factor /= 2) {
      const double there = try_step(factor);
      if (there < (1 - 1e-4 * factor) * merit) return true;
      // One driver moves a long chain: little is left in many equations, which may sum up to more.
      if (there < HUGE_VAL && largest_there < 0.1 * largest) return true;
    }
    return false;
  }
  bool damped_step() {
    for (int attempt = 0; attempt < 30; ++attempt) {
      const double relative = std::min(1.0, merit / (size * size));
      solver.factor(J, std::clamp(damping * relative, 1e-13, 1e8));
      solver.step(residual, step);
      J.multiply(step, phi);
      double linear = 0;
      for (std::size_t i = 0; i < phi.size(); ++i)
        linear += (phi[i] - residual[i]) * (phi[i] - residual[i]);
      const double there = try_step(1), expected = merit - linear;
      const double gain = expected > 0 ? (merit - there) / expected : -1;
      if (gain > 1e-4) {
        damping *= gain > 0.7 ? 0.2 : gain < 0.25 ? 3 : 1;
        damping = std::max(damping, 1e-10);
        return true;
      }
      damping = std::max(damping * 5, 1e-12);
    }
    return false;
  }
  /// Whether no direction makes residuals smaller: |J^T Phi| against |Phi|.
  bool is_stationary() {
    std::ranges::fill(gradient, 0.0);
    J.add_transposed(residual, gradient);
    return squared(gradient) <= 1e-14 * merit;
  }
  /// The equation that is missed most, and those with which it is in conflict: at a least residual
  /// the rows of all that are missed cancel.
  void explain(bool is_least) {
    const std::string where = result.worst >= 0 ? equation_label(system, result.worst) : "none";
    result.message = is_least
                         ? fmt::format("cannot be assembled from this guess: least residual {:.3g}",
                                       result.residual)
                         : fmt::format("not converged after {} iterations: residual {:.3g}",
                                       result.iterations, result.residual);
    result.message += " of the model's size in equation " + where;
    if (!is_least) return;
    result.conflict.clear();
    system.position(t, q, phi);  // trials have written over it
    for (std::size_t i = 0; i < phi.size(); ++i)
      if (static_cast<int>(i) != result.worst &&
          std::abs(phi[i]) / scale[i] > 0.05 * result.residual)
        result.conflict.push_back(static_cast<int>(i));
    const auto missed = [&](int i) { return std::abs(phi[i]) / scale[i]; };
    std::ranges::stable_sort(result.conflict, std::greater<>{}, missed);
    for (std::size_t k = 0; k < std::min<std::size_t>(result.conflict.size(), 3); ++k)
      result.message += (k == 0 ? ", against " : ", ") + equation_label(system, result.conflict[k]);
    if (result.conflict.size() > 3) result.message += ", ...";
  }
  /// One more step with the factors at hand: residuals are met to the tolerance, coordinates where
  /// the mechanism is nearly singular not yet.
  void polish() {
    if (result.iterations == 0 || result.residual < 1e-15) return;
    weigh();
    solver.solve(residual, step);
    if (try_step(1) < merit) std::ranges::copy(trial, q.begin());
  }
  void run() {
    int slow = 0, stalls = 0;
    while (!(result.converged = evaluate()) && result.iterations < options.iterations) {
      weigh();
      if (is_stationary() && result.residual > 1e3 * options.tolerance) {
        explain(true);
        return;
      }
      ++result.iterations;
      const double before = merit;
      bool moved = is_damped ? damped_step() : shortened_step();
      const bool may_damp = options.method == PositionMethod::automatic && !is_damped;
      if (!moved && may_damp) {
        is_damped = true;
        moved = damped_step();
      }
      if (!moved) {  // at rounding, or at a least residual
        result.converged = result.residual <= 1e3 * options.tolerance;
        if (!result.converged) explain(true);
        return;
      }
      std::ranges::copy(trial, q.begin());
      const double now = merit_at(q);
      stalls = now > 0.5 * before ? stalls + 1 : 0;
      if (may_damp && stalls >= 4) is_damped = true;
      slow = now > (1 - 1e-7) * before ? slow + 1 : 0;
      if (slow >= 10) {
        evaluate();
        explain(true);
        return;
      }
    }
    if (result.converged)
      polish();
    else
      explain(false);
  }
};

void check(const MechanismSystem& system, std::span<const double> q) {
  if (std::ssize(q) != system.equations().numbers())
    throw Error("the guess has " + std::to_string(q.size()) + " numbers, the mechanism " +
                    std::to_string(system.equations().numbers()),
                "solve_position");
  for (std::size_t k = 0; k < q.size(); ++k)
    if (!std::isfinite(q[k]))
      throw Error("coordinate '" + system.equations().coordinate_names[k] + "' is not finite",
                  "solve_position", "give a number to start from");
}

/// Bodies at the poses of a mirror image, as far as they are rigid, thrown about a little.
std::vector<double> shaken(MechanismSystem& system, std::span<const double> q, double amount,
                           std::mt19937_64& random) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  system.poses(q, poses);
  const double size = model_size(m);
  const auto uniform = [&] {
    return (static_cast<double>(random() >> 11U) * 0x1p-53 * 2 - 1) * amount;
  };
  for (std::size_t k = 1; k < poses.size(); ++k) {
    Vec6<double> d{{uniform(), uniform(), 3 * uniform()}, {uniform(), uniform(), uniform()}};
    if (m.is_planar) d.angular.x = d.angular.y = d.linear.z = 0;
    poses[k].p += d.linear * size;
    poses[k].R = exp(d.angular) * poses[k].R;
  }
  return system.from_poses(poses);
}

}  // namespace

PositionResult solve_position(MechanismSystem& system, double t, std::span<double> q,
                              const PositionOptions& options) {
  check(system, q);
  std::mt19937_64 random(7);
  PositionResult result;
  for (int attempt = 0; attempt < 8; ++attempt) {
    unwind_turns(system, t, q);
    Search search(system, t, q, options);
    search.run();
    search.result.iterations += result.iterations;
    result = search.result;
    result.rank = -1;
    if (result.converged && options.count_rank)
      result.rank = search.solver.is_regular() && search.result.iterations > 0
                        ? search.J.columns
                        : matrix_rank(search.J).rank;
    if (!options.refuse_mirror || !(result.converged || attempt > 0)) break;
    if (result.converged) {
      const MechanismSystem::Mirror mirror = system.mirrored(t, q);
      if (!mirror.found) return result;
      result.converged = false;
      result.mirrored = true;
      result.message = "only a wrong assembly was found: " + mirror.what;
    }
    const std::vector<double> next = shaken(system, q, 0.05 * std::pow(1.6, attempt), random);
    std::ranges::copy(next, q.begin());
  }
  return result;
}

}  // namespace axode
