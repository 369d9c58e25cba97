#include "axode/engine/calls.hpp"

#include <algorithm>

#include "axode/dynamics/errors.hpp"
#include "axode/screw/convert.hpp"

namespace axode {

namespace {

/// Checked arguments of a call, wrenches looked up, and the engine that answers it.
struct Call {
  explicit Call(const Tree& tree, In<double> q, const Effects& effects = {})
      : engine(checked(tree, q)) {
    options.effects = effects;
  }
  Call(const Tree& tree, In<double> q, In<double> v) : Call(tree, q) { check_velocity(tree, v); }
  Call(const Tree& tree, In<double> q, In<double> v, In<double> third, const char* name,
       const DynamicsOptions& given, const char* where)
      : Call(tree, q, given.effects) {
    check_velocity(tree, v);
    check_velocity(tree, third, name);
    act(tree, q, given, where);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void act(const Tree& tree, In<double> q, const DynamicsOptions& given, const char* where) {
    if (given.external.empty() && given.body_wrenches.empty()) return;
    external = external_wrenches(tree, poses(tree, q), given.external, given.body_wrenches, where);
    options.external = external;
  }
  static const Tree& checked(const Tree& tree, In<double> q) {
    check_configuration(tree, q);
    return tree;
  }

  Engine engine;
  std::vector<Wrench<Rep::body>> external;
  EngineOptions options;
};

void require_regular(const Tree& tree, const MassOutcome& found, const char* where) {
  if (!found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity), where);
}

DenseMatrix<double> square(const Tree& tree) {
  return {tree.nv, tree.nv, std::vector<double>(detail::dense_entries(tree))};
}

/// The wrenches in the body frames, by the recursion in that representation.
template <Rep rep>
void find_joint_forces(Call& call, In<double> q, In<double> v, In<double> a, JointForces& result) {
  std::vector<Wrench<rep>> wrenches(result.joint_wrenches.size());
  joint_forces<rep>(call.engine, q, v, a, result.tau, wrenches, call.options);
  std::vector<SE3<double>> T_WB(wrenches.size());
  poses(call.engine, q, T_WB);
  for (std::size_t i = 0; i < wrenches.size(); ++i)
    result.joint_wrenches[i] = convert_with_pose<Rep::body>(T_WB[i], wrenches[i]);
}

constexpr const char* in_prescribed_dynamics = "prescribed dynamics";

/// Throws Error if of a coupled joint the force is given.
void check_coupled_given(const Tree& tree, In<Given> given) {
  for (const Coupling& c : tree.couplings)
    for (const int i : {c.follower, c.leader})
      if (given[tree.links[i].v] == Given::force)
        throw Error("joint '" + tree.bodies[i].joint_name +
                        "' is coupled to another, but its force is given",
                    in_prescribed_dynamics,
                    "give the accelerations of all coupled joints, or use forward_dynamics, which "
                    "keeps couplings");
}

/// The numbers of degrees of freedom of one kind must be finite; the others are not looked at.
std::vector<double> given_numbers(const Tree& tree, In<double> all, In<Given> given, Given kind,
                                  const char* what) {
  std::vector<double> numbers(all.begin(), all.end());
  for (std::size_t k = 0; k < std::min(numbers.size(), given.size()); ++k)
    if (given[k] != kind) numbers[k] = 0;
  check_velocity(tree, numbers, what);
  return numbers;
}
}  // namespace

std::vector<double> inverse_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                     const DynamicsOptions& options) {
  Call call(tree, q, v, a, "a", options, "inverse dynamics");
  std::vector<double> tau(v.size());
  inverse_dynamics(call.engine, q, v, a, tau, call.options);
  return tau;
}

JointForces joint_forces(const Tree& tree, In<double> q, In<double> v, In<double> a,
                         Rep representation, const DynamicsOptions& options) {
  Call call(tree, q, v, a, "a", options, "inverse dynamics");
  JointForces result{std::vector<double>(v.size()),
                     std::vector<Wrench<Rep::body>>(tree.links.size()), representation};
  switch (representation) {
    case Rep::spatial:
      find_joint_forces<Rep::spatial>(call, q, v, a, result);
      break;
    case Rep::hybrid:
      find_joint_forces<Rep::hybrid>(call, q, v, a, result);
      break;
    case Rep::mixed:
      find_joint_forces<Rep::mixed>(call, q, v, a, result);
      break;
    default:
      joint_forces<Rep::body>(call.engine, q, v, a, result.tau, result.joint_wrenches,
                              call.options);
  }
  return result;
}

std::vector<double> forward_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                     const DynamicsOptions& options) {
  constexpr const char* here = "forward dynamics";
  Call call(tree, q, v, tau, "tau", options, here);
  detail::check_couplings(tree, q, v, here);
  std::vector<double> a(v.size());
  if (const ForwardOutcome found = forward_dynamics(call.engine, q, v, tau, a, call.options);
      !found.ok())
    detail::throw_singular(tree, found.singular_body, here);
  return a;
}

PrescribedDynamics prescribed_dynamics(const Tree& tree, In<double> q, In<double> v,
                                       In<Given> given, In<double> a, In<double> tau,
                                       const DynamicsOptions& options) {
  check_velocity(tree, v);
  if (given.size() != tree.dofs.size())
    throw Error("'given' has " + std::to_string(given.size()) + " entries, the tree has " +
                    std::to_string(tree.nv) + " velocities",
                in_prescribed_dynamics, "give one for each");
  check_coupled_given(tree, given);
  Call call(tree, q, options.effects);
  call.act(tree, q, options, in_prescribed_dynamics);
  PrescribedDynamics result{given_numbers(tree, a, given, Given::acceleration, "a"),
                            given_numbers(tree, tau, given, Given::force, "tau")};
  detail::check_couplings(tree, q, v, in_prescribed_dynamics);
  detail::check_couplings(tree, q, result.a, in_prescribed_dynamics);
  if (const ForwardOutcome found =
          prescribed_dynamics(call.engine, q, v, given, result.a, result.tau, call.options);
      !found.ok())
    detail::throw_singular(tree, found.singular_body, in_prescribed_dynamics);
  return result;
}

DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  Call call(tree, q, effects);
  PathMatrix<double> M(tree);
  mass_matrix(call.engine, q, M, effects);
  return dense(M);
}

DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  Call call(tree, q, effects);
  DenseMatrix<double> result = square(tree);
  require_regular(tree, inverse_mass_matrix(call.engine, q, result, effects),
                  "inverse_mass_matrix");
  return result;
}
DenseMatrix<double> coriolis_matrix(const Tree& tree, In<double> q, In<double> v,
                                    CoriolisChoice choice) {
  Call call(tree, q, v);
  DenseMatrix<double> result = square(tree);
  coriolis_matrix(call.engine, q, v, result, choice);
  return result;
}

InverseDynamicsDerivatives<double> inverse_dynamics_derivatives(const Tree& tree, In<double> q,
                                                                In<double> v, In<double> a,
                                                                const DynamicsOptions& options) {
  Call call(tree, q, v, a, "a", options, "derivatives of inverse dynamics");
  InverseDynamicsDerivatives<double> result(tree);
  inverse_dynamics_derivatives(call.engine, q, v, a, result, call.options);
  return result;
}

ForwardDynamicsDerivatives<double> forward_dynamics_derivatives(const Tree& tree, In<double> q,
                                                                In<double> v, In<double> tau,
                                                                const DynamicsOptions& options) {
  constexpr const char* here = "derivatives of forward dynamics";
  Call call(tree, q, v, tau, "tau", options, here);
  detail::check_couplings(tree, q, v, here);
  ForwardDynamicsDerivatives<double> result(tree);
  require_regular(tree, forward_dynamics_derivatives(call.engine, q, v, tau, result, call.options),
                  here);
  return result;
}

Energy energy(const Tree& tree, In<double> q, In<double> v) {
  Call call(tree, q, v);
  return energy(call.engine, q, v);
}
double potential_energy(const Tree& tree, In<double> q, const Springs& springs) {
  check_springs(tree, springs);
  Call call(tree, q);
  return potential_energy(call.engine, q, springs);
}
Power<> power(const Tree& tree, In<double> q, In<double> v, In<double> tau,
              const DynamicsOptions& options) {
  Call call(tree, q, v, tau, "tau", options, "power");
  return power(call.engine, q, v, tau, call.options);
}
std::vector<double> gravity_forces(const Tree& tree, In<double> q) {
  Call call(tree, q);
  std::vector<double> forces(tree.nv);
  gravity_forces(call.engine, q, forces);
  return forces;
}
std::vector<double> spring_forces(const Tree& tree, In<double> q, const Springs& springs) {
  check_springs(tree, springs);
  Call call(tree, q);
  std::vector<double> forces(tree.nv);
  spring_forces(call.engine, q, springs, forces);
  return forces;
}
Momentum<Rep::spatial> spatial_momentum(const Tree& tree, In<double> q, In<double> v) {
  Call call(tree, q, v);
  return spatial_momentum(call.engine, q, v);
}
Momentum<Rep::hybrid> centroidal_momentum(const Tree& tree, In<double> q, In<double> v) {
  Call call(tree, q, v);
  return centroidal_momentum(call.engine, q, v);
}
std::vector<Momentum<Rep::hybrid>> centroidal_momentum_matrix(const Tree& tree, In<double> q) {
  Call call(tree, q);
  std::vector<Momentum<Rep::hybrid>> columns(tree.nv);
  centroidal_momentum_matrix(call.engine, q, columns);
  return columns;
}
AverageVelocity<> average_velocity(const Tree& tree, In<double> q, In<double> v) {
  Call call(tree, q, v);
  return average_velocity(call.engine, q, v);
}
Inertia<double> locked_inertia(const Tree& tree, In<double> q) {
  Call call(tree, q);
  return locked_inertia(call.engine, q);
}

}  // namespace axode
