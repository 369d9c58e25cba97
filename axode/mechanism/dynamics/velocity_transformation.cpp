#include "axode/mechanism/dynamics/velocity_transformation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/linalg/largest.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"

namespace axode {

using detail::largest;

VelocityTransformation::VelocityTransformation(MechanismSystem& relative, MechanismSystem& other)
    : relative_(&relative), other_(&other) {
  const std::size_t bodies = relative.mechanism().bodies.size();
  if (!relative.equations().tree)
    throw Error("the first formulation is not in relative coordinates", "velocity transformation",
                "make it with CoordinateFamily::relative");
  if (other.mechanism().bodies.size() != bodies)
    throw Error("the formulations are of different mechanisms", "velocity transformation",
                "make both from the same one");
  poses_.resize(bodies);
  twists_.resize(bodies);
  Q_.resize(other.equations().velocities());
  right_.resize(relative.equations().velocities());
  c_.resize(relative.constraints());
  find_angles();
}

/// Poses tell angles but for whole turns, which the relative coordinates know: angles about parallel
/// axes change by the same numbers everywhere.
void VelocityTransformation::unwind() {
  if (angles_.empty()) return;
  for (const Angle& angle : angles_) {
    double wished = angle.start;
    for (const auto& [column, factor] : angle.factors)
      wished += factor * (z_[column] - start_z_[column]);
    q_[angle.x] = nearest_turn(q_[angle.x], wished);
  }
}

/// The angles among the coordinates, and how the relative ones move them at the start.
void VelocityTransformation::find_angles() {
  const MechanismEquations &eq = other_->equations(), &tree = relative_->equations();
  std::vector<std::pair<int, int>> found;  // number, velocity
  for (const BodyCoordinates& body : eq.bodies)
    if (body.kind == BodyCoordinates::Kind::planar) found.emplace_back(body.x + 2, body.v + 2);
  for (std::size_t c = 0; c < eq.mixed.size(); ++c)
    if (eq.mixed[c] >= 0 && eq.mechanism.coordinates[c].is_angle) {
      const Scalar::Part& part = eq.scalars[eq.mixed[c]].parts[0];
      found.emplace_back(part.x, part.v);
    }
  if (found.empty() || tree.numbers() != tree.velocities()) return;  // all real
  const std::vector<SE3<double>> start = start_poses(tree.mechanism);
  start_z_ = relative_->from_poses(start);
  move_to(start_z_, std::vector<double>(tree.velocities(), 0.));
  matrix();
  for (const auto& [x, v] : found) {
    Angle angle{x, q_[x], {}};
    for (int e = R_.start[v]; e < R_.start[v + 1]; ++e)
      if (R_.value[e] != 0) angle.factors.emplace_back(R_.column[e], R_.value[e]);
    // In space only those of joints of the tree.
    if (tree.mechanism.is_planar || angle.factors.size() == 1) angles_.push_back(std::move(angle));
  }
}

void VelocityTransformation::move_to(std::span<const double> z, std::span<const double> rates) {
  z_.assign(z.begin(), z.end());
  rates_.assign(rates.begin(), rates.end());
  relative_->motion(z, rates, poses_, twists_);
  q_ = other_->from_poses(poses_);
  unwind();
  v_ = other_->from_twists(q_, twists_);
  // Mixed coordinates by their forms that are regular here.
  if (other_->refresh(q_, v_)) v_ = other_->from_twists(q_, twists_);
  has_matrix_ = has_bias_ = false;
}

const SparseRows& VelocityTransformation::matrix() {
  if (has_matrix_) return R_;
  const int columns = relative_->equations().velocities();
  R_.forget();
  R_.begin(other_->equations().velocities(), columns);
  std::vector<double> unit(columns, 0.);
  for (int k = 0; k < columns; ++k) {
    unit[k] = 1;
    relative_->motion(z_, unit, poses_, twists_);
    unit[k] = 0;
    const std::vector<double> column = other_->from_twists(q_, twists_);
    for (int i = 0; i < R_.rows; ++i)
      if (column[i] != 0) R_.add(i, k, column[i]);
  }
  R_.end();
  has_matrix_ = true;
  return R_;
}

/// The q'' that gives bodies the rates of twists they have at z'' = 0. Twists leave the length of
/// Euler parameters and the shape of natural elements open, and from_twists knows no accelerations
/// of mixed coordinates: these are put right afterwards.
const std::vector<double>& VelocityTransformation::bias() {
  if (has_bias_) return bias_;
  std::vector<Vec6<double>> rates(poses_.size()), own = rates;
  relative_->motion(z_, rates_, poses_, twists_);
  relative_->accelerations(z_, rates_, std::vector<double>(rates_.size(), 0.), rates);
  other_->accelerations(q_, v_, std::vector<double>(v_.size(), 0.), own);
  std::vector<Twist<Rep::hybrid>> difference(rates.size());
  for (std::size_t b = 0; b < rates.size(); ++b)
    difference[b] = {rates[b].angular - own[b].angular, rates[b].linear - own[b].linear};
  bias_ = other_->from_twists(q_, difference);
  correct_parameters();
  correct_nodes(rates);
  correct_mixed();
  has_bias_ = true;
  return bias_;
}

/// p . p'' = -p' . p' of unit Euler parameters.
void VelocityTransformation::correct_parameters() {
  for (const BodyCoordinates& body : other_->equations().bodies) {
    if (body.kind != BodyCoordinates::Kind::euler_parameters) continue;
    const std::size_t x = body.x + 3, v = body.v + 3;
    double along = 0, square = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      along += q_[x + k] * bias_[v + k] + v_[v + k] * v_[v + k];
      square += q_[x + k] * q_[x + k];
    }
    for (std::size_t k = 0; k < 4; ++k) bias_[v + k] -= q_[x + k] * along / square;
  }
}

/// Points and directions accelerate with their bodies.
void VelocityTransformation::correct_nodes(std::span<const Vec6<double>> rates) {
  for (const Node& node : other_->equations().nodes) {
    if (node.kind != Node::Kind::coordinates) continue;
    const std::size_t b = node.body;
    const Vec3<double> s = poses_[b].R * node.local, &omega = twists_[b].angular;
    Vec3<double> a = cross(rates[b].angular, s) + cross(omega, cross(omega, s));
    if (node.is_point) a += rates[b].linear;
    for (int k = 0; k < node.size; ++k) bias_[node.v + k] = a[k];
  }
}

void VelocityTransformation::correct_mixed() {
  const MechanismEquations& eq = other_->equations();
  SparseRows J;
  std::vector<double> c(other_->constraints());
  other_->jacobian(0, q_, J);
  other_->acceleration_right(0, q_, v_, c);
  for (std::size_t r = 0; r < eq.equations.size(); ++r) {
    const Equation& e = eq.equations[r];
    if (e.origin != Equation::Origin::coordinate) continue;
    const int own = eq.scalars[eq.mixed[e.index]].parts[0].v;
    double by_own = 0, left = c[r];
    for (int k = J.start[r]; k < J.start[r + 1]; ++k) {
      const int v = J.column[k];
      if (v == own)
        by_own += J.value[k];
      else
        left -= J.value[k] * bias_[v];
    }
    if (by_own != 0) bias_[own] = left / by_own;
  }
}

/// R^T M R and R^T (Q - M R' z').
void VelocityTransformation::reduce(double t) {
  matrix();
  bias();
  M_.forget();
  other_->mass(q_, M_);
  other_->forces(t, q_, v_, Q_);
  reduced_.forget();
  reduced_.begin(R_.columns, R_.columns);
  for (int i = 0; i < M_.rows; ++i)
    for (int k = M_.start[i]; k < M_.start[i + 1]; ++k) {
      const int j = M_.column[k];
      const double m = M_.value[k];
      Q_[i] -= m * bias_[j];
      for (int a = R_.start[i]; a < R_.start[i + 1]; ++a)
        for (int b = R_.start[j]; b < R_.start[j + 1]; ++b)
          reduced_.add(R_.column[a], R_.column[b], R_.value[a] * m * R_.value[b]);
    }
  reduced_.end();
  std::fill(right_.begin(), right_.end(), 0.);
  R_.add_transposed(Q_, right_);
}

/// Phi_z^T lambda = Q_z - M_z z''.
bool VelocityTransformation::find_multipliers(double t, std::span<const double> acceleration,
                                              std::span<double> lambda) {
  constexpr double tolerance = 1e-6;
  if (lambda.empty()) return true;
  SparseRows mass;
  std::vector<double> force(acceleration.size()), inertia(acceleration.size());
  relative_->mass(z_, mass);
  relative_->forces(t, z_, rates_, force);
  mass.multiply(acceleration, inertia);
  for (std::size_t k = 0; k < force.size(); ++k) force[k] -= inertia[k];
  // What is left is judged by the forces at work, which may balance.
  const double whole = std::max({largest(inertia), largest(force), 1e-300});
  const double left = multipliers_of_force(J_, force, lambda) * largest(force);
  if (left <= tolerance * whole) return true;
  why_ = "no multipliers balance the forces: the state misses the equations; assemble it first";
  return false;
}

bool VelocityTransformation::accelerate(double t, std::span<const double> z,
                                        std::span<const double> rates,
                                        std::span<double> acceleration, std::span<double> lambda) {
  move_to(z, rates);
  reduce(t);
  J_.forget();
  relative_->jacobian(t, z, J_);
  relative_->acceleration_right(t, z, rates, c_);
  solver_.forget();
  why_.clear();
  if (!solver_.factor(reduced_, J_)) {
    why_ = "the motion is not determined: a degree of freedom moves no mass and has no equation";
    return false;
  }
  // Its multipliers are those of the relative equations only if q can take cut joints apart.
  const ConstrainedSolve::Outcome outcome = solver_.solve(right_, c_, acceleration, lambda);
  constexpr double tolerance = 1e-6;
  if (!outcome.finite)
    why_ = "the accelerations are not finite";
  else if (outcome.constraint > tolerance)
    why_ = fmt::format("the equations of '{}' contradict others",
                       relative_->equations().equations[outcome.worst_row].name);
  else if (outcome.force > tolerance)
    why_ = fmt::format("forces act on '{}', which moves no mass",
                       relative_->equations().velocity_names[outcome.worst_force]);
  return why_.empty() && find_multipliers(t, acceleration, lambda);
}

std::vector<double> VelocityTransformation::transformed(std::span<const double> acceleration) {
  std::vector<double> a(matrix().rows);
  R_.multiply(acceleration, a);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += bias()[k];
  return a;
}

}  // namespace axode
