#include "axode/mechanism/analysis/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {
namespace {

/// How far neighbours are, by the size of the model and in rad, and how many directions are tried.
constexpr double neighbour = 2e-3;
constexpr std::size_t max_directions = 8;

int gruebler_count(const Mechanism& m) {
  const int each = m.is_planar ? 3 : 6;
  int count = each * (static_cast<int>(m.bodies.size()) - 1);
  for (const MechanismJoint& joint : m.joints) count -= each - dofs(joint, m.is_planar);
  return count - static_cast<int>(m.couplings.size() + m.drivers.size());
}

/// Equations that are there twice by their nature are not worth telling.
void name_redundant(const MechanismSystem& system, const SparseRows& J, const RankResult& rank,
                    MobilityResult& result) {
  const MechanismEquations& eq = system.equations();
  std::vector<RowDependence> dependences;
  if (rank.redundant.size() <= 200) dependences = row_dependences(J, rank);
  std::map<int, MobilityResult::Joint> joints;
  for (std::size_t k = 0; k < rank.redundant.size(); ++k) {
    const Equation& e = eq.equations[rank.redundant[k]];
    MobilityResult::Redundant r{.equation = rank.redundant[k], .name = e.name};
    if (e.origin == Equation::Origin::joint) {
      r.joint = eq.mechanism.joints[e.index].name;
      ++joints[e.index].redundant;
    }
    if (k < dependences.size())
      for (const auto& part : dependences[k].parts) r.with.push_back(part.row);
    result.redundant_equations.push_back(std::move(r));
  }
  for (const Equation& e : eq.equations)
    if (const auto known = joints.find(e.index);
        e.origin == Equation::Origin::joint && known != joints.end())
      ++known->second.equations;
  for (auto& [index, joint] : joints) {
    joint.joint = index;
    joint.name = eq.mechanism.joints[index].name;
    result.joints.push_back(joint);
  }
}

/// Newton with directions left alone that hardly change the equations: next to a configuration with
/// redundant equations the Jacobian is nearly singular along the motion itself.
bool close_gently(MechanismSystem& system, double t, std::span<double> q) {
  SparseRows J;
  LeastNorm solver;
  const std::vector<double> by_velocity = velocity_scales(system);
  std::vector<double> phi(system.constraints()), scale(phi.size());
  std::vector<double> step(system.equations().velocities());
  for (int k = 0; k < 100; ++k) {
    system.position(t, q, phi);
    system.jacobian(t, q, J);
    equation_scales(by_velocity, J, scale);
    double left = 0;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      left = std::max(left, std::abs(phi[i]) / scale[i]);
      phi[i] = -phi[i];
    }
    if (left < 1e-14 || (k > 20 && left < 1e-12)) return true;
    // Less damped as it comes near, so that weak rows do not stall.
    solver.factor(J, std::clamp(left, 1e-10, 1e-6));
    solver.step(phi, step);
    plus(system.configuration(), q, step, q);
  }
  return false;
}

/// How far bodies are from where they were: lengths by the size of the model, and angles.
double way(std::span<const SE3<double>> from, std::span<const SE3<double>> to, double size) {
  double most = 0;
  for (std::size_t k = 0; k < from.size(); ++k)
    most = std::max(
        {most, max_abs(to[k].p - from[k].p) / size, max_abs(to[k].R.matrix - from[k].R.matrix)});
  return most;
}

/// The length along a direction that moves bodies by `neighbour`, whatever unit coordinates have.
double neighbour_length(MechanismSystem& system, std::span<const double> q,
                        std::span<const double> direction, double size) {
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  system.motion(q, direction, poses, twists);
  double fastest = 0;
  for (const Twist<Rep::hybrid>& twist : twists)
    fastest = std::max({fastest, norm(twist.angular), norm(twist.linear) / size});
  return neighbour / std::max(fastest, 1e-3);
}

/// Moves along a direction and closes again; the degrees of freedom there, -1 if it does not get away from q.
int dofs_nearby(MechanismSystem& system, double t, std::span<const double> q,
                std::span<const double> direction, double sign, bool gently) {
  const double size = model_size(system.mechanism());
  std::vector<double> step(direction.begin(), direction.end()), there(q.size());
  const double length = sign * neighbour_length(system, q, direction, size);
  for (double& x : step) x *= length;
  std::vector<SE3<double>> before(system.mechanism().bodies.size()), after(before);
  system.poses(q, before);
  plus(system.configuration(), q, step, there);
  system.poses(there, after);
  const double wanted = way(before, after, size);
  const PositionOptions options{.iterations = 100, .refuse_mirror = false, .count_rank = false};
  if (!(gently ? close_gently(system, t, there)
               : solve_position(system, t, there, options).converged))
    return -1;
  system.poses(there, after);
  if (way(before, after, size) < 0.3 * wanted) return -1;
  SparseRows J;
  system.jacobian(t, there, J);
  return matrix_rank(J).nullity();
}

void look_around(const MechanismSystem& system, double t, std::span<const double> q,
                 const SparseRows& J, MobilityResult& result) {
  const auto basis = null_space(J);
  std::vector<std::vector<double>> directions(
      basis.begin(),
      basis.begin() + static_cast<std::ptrdiff_t>(std::min(basis.size(), max_directions)));
  for (int mix = 1; mix <= 4 && basis.size() > 1; ++mix) {
    std::vector<double> mixed(J.columns, 0.0);
    double square = 0;
    for (std::size_t k = 0; k < basis.size(); ++k) {
      const double factor = std::sin(1.7 * mix + 2.3 * mix * static_cast<double>(k + 1));
      square += factor * factor;
      for (std::size_t j = 0; j < mixed.size(); ++j) mixed[j] += factor * basis[k][j];
    }
    for (double& x : mixed) x /= std::sqrt(square);
    directions.push_back(mixed);
  }
  // The least that is reached: directions may mix branches, or leave a part where it is.
  int least = -1;
  for (const auto& direction : directions)
    for (const double sign : {1.0, -1.0})
      for (const bool gently : {false, true}) {
        MechanismSystem moved(system.equations());  // forms and seats stay those of q
        const int count = dofs_nearby(moved, t, q, direction, sign, gently);
        if (count > 0 && (least < 0 || count < least)) least = count;
        if (count > 0) break;
      }
  result.finite_mobility = std::clamp(least, 0, result.mobility);
  result.instantaneous = result.finite_mobility < result.mobility;
}

std::string explain(const MobilityResult& r) {
  std::string text = "mobility " + std::to_string(r.mobility);
  if (r.instantaneous)
    text += " at this configuration alone: neighbours have " + std::to_string(r.finite_mobility);
  if (r.idle_spins > 0)
    text += "; idle spins of bodies about their lines among them: " + std::to_string(r.idle_spins);
  if (r.redundant > 0)
    text += "; over-constrained: " + std::to_string(r.redundant) + " equations are redundant";
  if (r.gruebler != r.mobility)
    text += "; counting bodies and joints gives " + std::to_string(r.gruebler);
  return text;
}

}  // namespace

MobilityResult mobility(MechanismSystem& system, double t, std::span<const double> q) {
  SparseRows J;
  system.jacobian(t, q, J);
  const RankResult rank = matrix_rank(J);
  MobilityResult result;
  result.coordinates = J.columns;
  result.equations = J.rows;
  result.rank = rank.rank;
  result.mobility = rank.nullity();
  result.idle_spins = static_cast<int>(system.equations().idle_spins.size());
  result.redundant = J.rows - rank.rank;
  result.smallest_kept = rank.smallest_kept;
  result.largest_dropped = rank.largest_dropped;
  result.gruebler = gruebler_count(system.mechanism());
  result.finite_mobility = result.mobility;
  name_redundant(system, J, rank, result);
  if (result.mobility > 0) look_around(system, t, q, J, result);
  result.message = explain(result);
  return result;
}

}  // namespace axode
