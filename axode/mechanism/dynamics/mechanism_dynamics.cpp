#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "axode/core/error.hpp"
#include "axode/linalg/largest.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {

using detail::largest;

namespace {

/// Below this part of the largest scale a right side is rounding, at rest and without forces [1/s^2].
constexpr double rounding_of_rest = 1e-12;
std::string in_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", std::abs(x));
  return text;
}
/// Coordinates of joints: lengths by the size of the model, angles by 1.
std::vector<double> sizes_of_velocities(const MechanismSystem& system) {
  const MechanismEquations& eq = system.equations();
  std::vector<double> sizes = velocity_scales(system);
  const bool is_tree = eq.how.family == CoordinateFamily::relative;
  const double size = model_size(eq.mechanism);
  std::unordered_map<std::string_view, bool> lengths;
  for (const MechanismCoordinate& c : eq.mechanism.coordinates) lengths[c.name] = !c.is_angle;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::string_view name = eq.velocity_names[k];
    const auto known = lengths.find(name);
    if (known == lengths.end() && !is_tree) continue;
    const bool is_length = known != lengths.end()
                               ? known->second
                               : name.ends_with(".x") || name.ends_with(".y") ||
                                     name.ends_with(".v_x") || name.ends_with(".v_y") ||
                                     name.ends_with(".v_z");
    sizes[k] = is_length ? size : 1;
  }
  return sizes;
}
}  // namespace

MechanismDynamics::MechanismDynamics(MechanismSystem& system) : system_(&system) {
  const MechanismEquations& eq = system.equations();
  const std::size_t n = eq.velocities(), m = eq.rows();
  for (std::vector<double>* x : {&phi_, &rate_, &c_, &multiplier_, &stabilize_}) x->assign(m, 0.0);
  for (std::vector<double>* x : {&Q_, &move_, &still_, &near_v_}) x->assign(n, 0.0);
  trial_.assign(eq.numbers(), 0.0);
  near_q_ = trial_;
  const Mechanism& mech = eq.mechanism;
  poses_.resize(mech.bodies.size());
  twists_.resize(mech.bodies.size());
  loaded_ = !mech.drivers.empty() || !mech.loads.empty() ||
            std::ranges::any_of(mech.springs,
                                [](const PointSpring& s) { return s.damping != 0 || s.force; }) ||
            std::ranges::any_of(mech.coordinate_forces,
                                [](const CoordinateForce& f) { return f.damping != 0 || f.force; });
}

void MechanismDynamics::forget() {
  for (SparseRows* matrix : {&M_, &J_, &weight_, &rows_}) matrix->forget();
  solver.forget();
  projector_.forget();
  scaled_ = false;
}

void MechanismDynamics::save(std::vector<double>& numbers) {
  numbers.insert(numbers.end(), {scaled_ ? 1. : 0., redundant ? 1. : 0., largest_scale_, heaviest_,
                                 worst_residual_});
  for (const std::span<const double> list : std::initializer_list<std::span<const double>>{
           scales_, sizes_, solver.remembered(), projector_.remembered()}) {
    numbers.push_back(static_cast<double>(list.size()));
    numbers.insert(numbers.end(), list.begin(), list.end());
  }
  solver.choose_pivots();
  projector_.choose_pivots();
}

void MechanismDynamics::load(std::span<const double>& numbers) {
  const auto take = [&](std::size_t n) {
    if (numbers.size() < n)
      throw Error("too few numbers", "MechanismDynamics::load", "give those that save gave");
    const std::span<const double> first = numbers.first(n);
    numbers = numbers.subspan(n);
    return first;
  };
  const auto list = [&](std::size_t size) {
    const double n = take(1)[0];
    if (n != 0 && n != static_cast<double>(size))
      throw Error("the numbers are those of another system", "MechanismDynamics::load",
                  "give those that save gave");
    return take(n == 0 ? 0 : size);
  };
  forget();
  const std::span<const double> fixed = take(5);
  scaled_ = fixed[0] != 0;
  redundant = fixed[1] != 0;
  largest_scale_ = fixed[2];
  heaviest_ = fixed[3];
  worst_residual_ = fixed[4];
  const std::size_t rows = phi_.size(), velocities = Q_.size();
  const auto scales = list(rows), sizes = list(velocities);
  scales_.assign(scales.begin(), scales.end());
  sizes_.assign(sizes.begin(), sizes.end());
  solver.remember(list(rows));
  projector_.remember(list(rows));
}

/// What residuals are judged by: the change of an equation when a coordinate in it changes by its
/// size. Once per form of the equations.
void MechanismDynamics::measure(double t, std::span<const double> q) {
  if (scaled_) return;
  scaled_ = true;
  system_->jacobian(t, q, rows_);
  sizes_ = sizes_of_velocities(*system_);
  scales_.assign(rows_.rows, 0.0);
  largest_scale_ = 0;
  for (int i = 0; i < rows_.rows; ++i) {
    double& scale = scales_[i];
    for (int e = rows_.start[i]; e < rows_.start[i + 1]; ++e)
      scale = std::max(scale, std::abs(rows_.value[e]) * sizes_[rows_.column[e]]);
    largest_scale_ = std::max(largest_scale_, scale);
  }
  if (!(largest_scale_ > 0)) largest_scale_ = 1;
  for (double& scale : scales_)  // rows of nothing but rounding
    if (!(scale > 1e-14 * largest_scale_)) scale = largest_scale_;
  system_->mass(q, weight_);
  heaviest_ = 0;
  for (int i = 0; i < weight_.rows; ++i)
    for (int e = weight_.start[i]; e < weight_.start[i + 1]; ++e)
      if (weight_.column[e] == i)
        heaviest_ = std::max(heaviest_, weight_.value[e] * sizes_[i] * sizes_[i]);
  if (!(heaviest_ > 0)) heaviest_ = 1;
}

/// What the residuals of a solution say.
bool MechanismDynamics::explain(const ConstrainedSolve::Outcome& outcome) {
  constexpr double force_met = 1e-8;
  const MechanismEquations& eq = system_->equations();
  if (outcome.finite) worst_residual_ = std::max(worst_residual_, outcome.constraint);
  if (outcome.finite && outcome.force <= force_met && outcome.constraint <= row_tolerance)
    return true;
  if (!outcome.finite)
    why_ = "the accelerations are not finite";
  else if (outcome.force > force_met)
    why_ = "the acceleration of coordinate '" + eq.velocity_names[outcome.worst_force] +
           "' is not determined: it has neither inertia nor an equation";
  else
    why_ = "equation '" + eq.equations[outcome.worst_row].name +
           "' cannot be met together with the others";
  return false;
}

bool MechanismDynamics::accelerate(double t, std::span<const double> q, std::span<const double> v,
                                   std::span<double> a, std::span<double> lambda) {
  if (alpha != 0 || beta != 0) {
    system_->position(t, q, phi_);
    system_->velocity(t, q, v, rate_);
    for (std::size_t i = 0; i < stabilize_.size(); ++i)
      stabilize_[i] = 2 * alpha * rate_[i] + beta * beta * phi_[i];
  }
  if (redundant) {
    std::ranges::copy(q, near_q_.begin());
    std::ranges::copy(v, near_v_.begin());
    return project(t, near_q_, near_v_) && solve_at(t, near_q_, near_v_, a, lambda);
  }
  return solve_at(t, q, v, a, lambda);
}

bool MechanismDynamics::solve_at(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<double> a, std::span<double> lambda) {
  measure(t, q);
  system_->mass(q, M_);
  system_->jacobian(t, q, J_);
  system_->forces(t, q, v, Q_);
  system_->acceleration_right(t, q, v, c_);
  for (std::size_t i = 0; i < c_.size(); ++i) c_[i] -= stabilize_[i];
  // Rows and velocities in units of their scales, unless the penalty has a unit.
  const bool scales = !(solver.penalty > 0);
  const auto scale_rows = [&](bool back) {
    for (int i = 0; i < J_.rows; ++i) {
      const double factor = back ? scales_[i] : 1 / scales_[i];
      for (int e = J_.start[i]; e < J_.start[i + 1]; ++e) {
        const double size = sizes_[J_.column[e]];
        J_.value[e] *= back ? factor / size : factor * size;
      }
      if (back) lambda[i] *= heaviest_ / scales_[i];
      if (!back) c_[i] /= scales_[i];
    }
    for (int i = 0; i < M_.rows; ++i) {
      if (back) a[i] *= sizes_[i];
      if (back) continue;
      Q_[i] *= sizes_[i] / heaviest_;
      for (int e = M_.start[i]; e < M_.start[i + 1]; ++e)
        M_.value[e] *= sizes_[i] * sizes_[M_.column[e]] / heaviest_;
    }
  };
  if (scales) scale_rows(false);
  solver.floor = rounding_of_rest * (scales ? 1 : largest_scale_) * (1 + 2 * alpha + beta * beta);
  ++factorizations_;
  if (!solver.factor(M_, J_)) {
    why_ = "the matrix of the accelerations is singular or not finite";
    return false;
  }
  const ConstrainedSolve::Outcome outcome = solver.solve(Q_, c_, a, lambda);
  if (scales) scale_rows(true);
  return explain(outcome);
}

int MechanismDynamics::count_redundant(double t, std::span<const double> q) {
  measure(t, q);
  system_->jacobian(t, q, rows_);
  for (int i = 0; i < rows_.rows; ++i)
    for (int e = rows_.start[i]; e < rows_.start[i + 1]; ++e)
      rows_.value[e] *= sizes_[rows_.column[e]] / scales_[i];
  const int count = null_basis(transposed(rows_)).count;
  redundant = count > 0;
  return count;
}

bool MechanismDynamics::multipliers(double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> a, std::span<double> lambda) {
  if (!accelerate(t, q, v, a, lambda)) return false;
  if (redundant) least_norm(J_, lambda);
  return true;
}

/// The matrix of projections: rows and velocities in units of their scales, masses as weights.
/// It refers to rows_, which stay as they are while it is used.
bool MechanismDynamics::refactor(double t, std::span<const double> q) {
  system_->mass(q, weight_);
  system_->jacobian(t, q, rows_);
  for (int i = 0; i < rows_.rows; ++i)
    for (int e = rows_.start[i]; e < rows_.start[i + 1]; ++e)
      rows_.value[e] *= sizes_[rows_.column[e]] / scales_[i];
  for (int i = 0; i < weight_.rows; ++i)
    for (int e = weight_.start[i]; e < weight_.start[i + 1]; ++e)
      weight_.value[e] *= sizes_[i] * sizes_[weight_.column[e]] / heaviest_;
  ++factorizations_;
  return projector_.factor(weight_, rows_);
}

/// The least move, by the masses, that changes the equations by -missed; move_.
bool MechanismDynamics::least_move(std::span<double> missed) {
  for (std::size_t i = 0; i < missed.size(); ++i) missed[i] /= -scales_[i];
  if (!projector_.solve(still_, missed, move_, multiplier_).finite) return false;
  for (std::size_t i = 0; i < move_.size(); ++i) move_[i] *= sizes_[i];
  return true;
}

/// Relative to the size of the whole model, which may be large beside its bodies: what none of them
/// can see.
constexpr double projection_rounding = 2e-17;

/// Newton's iteration; the matrix is made anew when the last step did not bring a tenth.
bool MechanismDynamics::project_position(double t, std::span<double> q) {
  constexpr int most = 60;
  constexpr double met = 1e-9;
  int row = 0;
  measure(t, q);
  system_->position(t, q, phi_);
  double size = largest(phi_, scales_, row);
  bool fresh = false;
  for (int k = 0; k < most && size > projection_rounding; ++k) {
    if (!fresh) {
      if (!refactor(t, q)) return false;
      fresh = true;
    }
    if (!least_move(phi_)) return false;
    plus(system_->configuration(), q, move_, trial_);
    system_->position(t, trial_, phi_);
    const double next = largest(phi_, scales_, row);
    if (!(next < size)) {  // rounding, or no solution near
      system_->position(t, q, phi_);
      break;
    }
    std::ranges::copy(trial_, q.begin());
    fresh = next < 0.1 * size;
    size = next;
  }
  size = largest(phi_, scales_, row);
  if (size <= met) return true;
  why_ = "equation '" + system_->equations().equations[row].name + "' is missed by " +
         in_digits(phi_[row]);
  return false;
}

bool MechanismDynamics::project_velocity(double t, std::span<const double> q, std::span<double> v) {
  constexpr double met = 1e-8;
  int row = 0, speed = 0;
  measure(t, q);
  system_->velocity(t, q, v, rate_);
  double size = largest(rate_, scales_, row);
  for (int k = 0; k < 20; ++k) {
    const double scale = 1 + largest(v, sizes_, speed);
    if (size <= projection_rounding * scale) return true;
    if (k % 5 == 0 && !refactor(t, q)) return false;
    if (!least_move(rate_)) return false;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += move_[i];
    system_->velocity(t, q, v, rate_);
    const double next = largest(rate_, scales_, row);
    if (next > 0.5 * size) break;  // rounding
    size = next;
  }
  size = largest(rate_, scales_, row);
  if (size <= met * (1 + largest(v, sizes_, speed))) return true;
  why_ = "no velocity meets equation '" + system_->equations().equations[row].name +
         "', which is missed by " + in_digits(rate_[row]);
  return false;
}

bool MechanismDynamics::project(double t, std::span<double> q, std::span<double> v) {
  return project_position(t, q) && project_velocity(t, q, v);
}

MechanismDynamics::Violation MechanismDynamics::violation(double t, std::span<const double> q,
                                                          std::span<const double> v) {
  Violation result;
  system_->position(t, q, phi_);
  system_->velocity(t, q, v, rate_);
  result.position = largest(phi_, result.position_row);
  result.velocity = largest(rate_, result.velocity_row);
  return result;
}

}  // namespace axode
