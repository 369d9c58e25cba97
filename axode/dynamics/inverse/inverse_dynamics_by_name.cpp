// The functions of inverse_dynamics.hpp that check their arguments and take wrenches by name.
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/screw/convert.hpp"

namespace axode {
namespace {

template <Rep rep>
void evaluate(const Tree& tree, const Poses<double>& poses, In<double> v, In<double> a,
              const DynamicsOptions& options, JointForces& result) {
  const std::vector<Wrench<Rep::body>> external =
      external_wrenches(tree, poses, options.external, options.body_wrenches, "inverse dynamics");
  InverseDynamics<rep> work(tree);
  inverse_dynamics<rep, double>(tree, poses, v, a, work, result.tau, external, options.effects);
  for (std::size_t i = 0; i < external.size(); ++i)
    result.joint_wrenches[i] = convert_with_pose<Rep::body>(poses.T_WB[i], work.joint_wrenches[i]);
}

}  // namespace

JointForces joint_forces(const Tree& tree, In<double> q, In<double> v, In<double> a,
                         Rep representation, const DynamicsOptions& options) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  JointForces result{std::vector<double>(v.size()),
                     std::vector<Wrench<Rep::body>>(tree.links.size()), representation};
  switch (representation) {
    case Rep::body:
      evaluate<Rep::body>(tree, at, v, a, options, result);
      break;
    case Rep::spatial:
      evaluate<Rep::spatial>(tree, at, v, a, options, result);
      break;
    case Rep::hybrid:
      evaluate<Rep::hybrid>(tree, at, v, a, options, result);
      break;
    case Rep::mixed:
      evaluate<Rep::mixed>(tree, at, v, a, options, result);
      break;
  }
  return result;
}

std::vector<double> reference::inverse_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                In<double> a, Rep representation,
                                                const DynamicsOptions& options) {
  return joint_forces(tree, q, v, a, representation, options).tau;
}

}  // namespace axode
