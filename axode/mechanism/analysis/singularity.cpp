#include "axode/mechanism/analysis/singularity.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/rank.hpp"
#include "axode/linalg/singular_values.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/dynamics/body_wrenches.hpp"

namespace axode {
namespace {

using Matrix = DenseMatrix<double>;

struct SmallestValue {
  double value = 0;
  bool lost = false;  ///< fewer than `needed` values above the tolerance
};
SmallestValue smallest_value(const Matrix& A, int needed, double tolerance) {
  if (needed == 0) return {};
  if (std::min(A.rows, A.columns) < needed) return {0, true};
  const std::vector<double> sigma = singular_values(A);
  return {sigma[needed - 1], !(sigma[needed - 1] > tolerance * std::max(1.0, sigma[0]))};
}

/// Rates of coordinates for each motion of a basis.
Matrix output_rates(MechanismSystem& system, std::span<const double> q,
                    const std::vector<std::vector<double>>& basis, std::span<const int> outputs) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  Matrix Y = zero_matrix(static_cast<int>(outputs.size()), static_cast<int>(basis.size()));
  for (int k = 0; k < Y.columns; ++k) {
    system.motion(q, basis[k], poses, twists);
    for (int i = 0; i < Y.rows; ++i) {
      const int coordinate = outputs[i];
      Y(i, k) = coordinate_rate(coordinate_wrench(m, coordinate, poses), poses, twists);
    }
  }
  return Y;
}

std::string explain(const SingularityResult& r) {
  std::string text = r.type == 0   ? "regular"
                     : r.type == 1 ? "type 1 (serial): outputs stand still while inputs move"
                     : r.type == 2 ? "type 2 (parallel): it moves with its inputs held"
                                   : "type 3: outputs may stand still, and move with inputs held";
  if (r.constraint)
    text += "; constraint singularity: mobility " + std::to_string(r.mobility) + " instead of " +
            std::to_string(r.finite_mobility) + ", branches may meet";
  return text;
}

}  // namespace

SingularityResult singularity(MechanismSystem& system, double t, std::span<const double> q,
                              std::span<const int> outputs, double tolerance) {
  const MechanismEquations& eq = system.equations();
  SparseRows J;
  system.motion_jacobian(t, q, J);
  std::vector<int> passive, driven;
  for (int i = 0; i < eq.rows(); ++i) (eq.equations[i].driver >= 0 ? driven : passive).push_back(i);
  for (int i = eq.rows(); i < J.rows; ++i) passive.push_back(i);  // without idle spins
  const auto basis = null_space(rows_of(J, passive), tolerance);
  const SparseRows inputs = rows_of(J, driven);
  Matrix D = zero_matrix(static_cast<int>(driven.size()), static_cast<int>(basis.size()));
  std::vector<double> rates(driven.size());
  for (int k = 0; k < D.columns; ++k) {
    inputs.multiply(basis[k], rates);
    for (int i = 0; i < D.rows; ++i) D(i, k) = rates[i];
  }
  MechanismEquations free = eq;
  std::erase_if(free.equations, [](const Equation& e) { return e.driver >= 0; });
  MechanismSystem undriven(std::move(free));
  const MobilityResult moves = mobility(undriven, t, q);

  SingularityResult result;
  result.mobility = static_cast<int>(basis.size());
  result.finite_mobility = std::max(0, moves.finite_mobility - moves.idle_spins);
  result.constraint = moves.instantaneous;
  const SmallestValue in = smallest_value(D, D.columns, tolerance);
  const Matrix Y = output_rates(system, q, basis, outputs);
  const SmallestValue out = smallest_value(Y, std::min(Y.rows, Y.columns), tolerance);
  result.parallel_measure = in.value;
  result.serial_measure = out.value;
  result.parallel = in.lost;
  result.serial = out.lost;
  result.type = (result.serial ? 1 : 0) + (result.parallel ? 2 : 0);
  result.message = explain(result);
  return result;
}

std::vector<int> undriven_coordinates(const Mechanism& mechanism) {
  std::vector<int> undriven;
  for (int c = 0; c < std::ssize(mechanism.coordinates); ++c)
    if (std::ranges::find(mechanism.drivers, c, &MechanismDriver::coordinate) ==
        mechanism.drivers.end())
      undriven.push_back(c);
  return undriven;
}

}  // namespace axode
