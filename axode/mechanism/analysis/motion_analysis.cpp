#include "axode/mechanism/analysis/motion_analysis.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/largest.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {

using detail::largest;

namespace {

constexpr double consistency = 1e-8;
constexpr std::size_t max_names = 4;

/// The numbers of the largest entries, those below a tenth of the largest left out.
std::vector<int> leading(std::span<const double> x) {
  std::vector<int> order(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) order[k] = static_cast<int>(k);
  std::ranges::stable_sort(order, std::greater<>{}, [&](int k) { return std::abs(x[k]); });
  std::size_t count = 0;
  while (count < std::min(order.size(), max_names) && std::abs(x[order[count]]) > 0 &&
         std::abs(x[order[count]]) > 0.1 * std::abs(x[order[0]]))
    ++count;
  order.resize(count);
  return order;
}

void prepare(MechanismSystem& system, double t, std::span<const double> q, MotionWork& work) {
  if (work.choices != system.choices()) work.J.forget();
  work.choices = system.choices();
  system.motion_jacobian(t, q, work.J);
  work.solver.factor(work.J);
  work.right.resize(work.J.rows);
  work.x.resize(work.J.columns);
}

/// x moved by the least change that makes J change = right; `scale` of the terms of the equations.
void correct(std::span<double> x, MotionWork& work, MotionResult& result, double scale) {
  const double left = work.solver.solve(work.right, work.x);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += work.x[j];
  result.residual = std::max(result.residual, left);
  scale = std::max(scale, row_norm(work.J) * largest(work.x));
  result.consistent = left <= consistency * scale || scale == 0;
}

void count(const MechanismSystem& system, MotionWork& work, MotionResult& result) {
  const int n = work.J.columns, idle = work.J.rows - system.constraints();
  const int rank = work.solver.is_regular() ? n : matrix_rank(work.J).rank;
  result.rank = rank - idle;
  result.unique = rank == n;
  if (result.unique) return;
  const int dofs = n - rank;
  result.message = "not unique: " + std::to_string(dofs) +
                   (dofs == 1 ? " degree of freedom is" : " degrees of freedom are") +
                   " not driven";
  const auto free = null_space(work.J);
  if (free.empty()) return;
  result.message += ", one of them moves";
  for (const int k : leading(free[0]))
    result.message += " '" + system.equations().velocity_names[k] + "'";
}

void name_conflict(const MechanismSystem& system, MotionWork& work, std::span<const double> right,
                   const char* what, MotionResult& result) {
  std::vector<double> left(right.size());
  work.J.multiply(work.x, left);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = right[i] - left[i];
  result.message = std::string("no ") + what + " meets all equations: in conflict are";
  const char* separator = " ";
  left.resize(system.constraints());  // rows of idle spins can always be met
  for (const int i : leading(left)) {
    result.message += separator + equation_label(system, i);
    separator = ", ";
  }
  result.message += ": over-driven, or at a dead point";
}

void velocity_part(MechanismSystem& system, double t, std::span<const double> q,
                   std::span<double> v, MotionWork& work, MotionResult& result) {
  std::ranges::fill(work.right, 0.0);
  system.time_rate(t, q, work.right);
  const double scale = std::max(largest(work.right), row_norm(work.J) * largest(v));
  // Also no idle spin: that is what the rows after the equations say.
  work.J.multiply(v, work.right);
  system.velocity(t, q, v, work.right);
  for (double& x : work.right) x = -x;
  correct(v, work, result, scale);
  if (!result.consistent) name_conflict(system, work, work.right, "velocity", result);
}

void acceleration_part(MechanismSystem& system, double t, std::span<const double> q,
                       std::span<const double> v, std::span<double> a, MotionWork& work,
                       MotionResult& result) {
  std::vector<double> c(work.right.size());
  system.acceleration_right(t, q, v, c);
  system.idle_spin_right(q, v, std::span(c).subspan(system.constraints()));
  const double speed = largest(v);
  const double scale = std::max(largest(c), row_norm(work.J) * speed * speed);
  work.J.multiply(a, work.right);
  for (std::size_t i = 0; i < c.size(); ++i) work.right[i] = c[i] - work.right[i];
  correct(a, work, result, scale);
  if (!result.consistent) name_conflict(system, work, work.right, "acceleration", result);
}

}  // namespace

MotionResult solve_velocity(MechanismSystem& system, double t, std::span<const double> q,
                            std::span<double> v) {
  MotionWork work;
  MotionResult result;
  prepare(system, t, q, work);
  count(system, work, result);
  velocity_part(system, t, q, v, work, result);
  return result;
}

MotionResult solve_acceleration(MechanismSystem& system, double t, std::span<const double> q,
                                std::span<const double> v, std::span<double> a) {
  MotionWork work;
  MotionResult result;
  prepare(system, t, q, work);
  count(system, work, result);
  acceleration_part(system, t, q, v, a, work, result);
  return result;
}

MotionResult solve_motion(MechanismSystem& system, double t, std::span<const double> q,
                          std::span<double> v, std::span<double> a, MotionWork& work) {
  MotionResult result;
  prepare(system, t, q, work);
  count(system, work, result);
  velocity_part(system, t, q, v, work, result);
  if (result.consistent) acceleration_part(system, t, q, v, a, work, result);
  return result;
}

}  // namespace axode
