// The function of inverse_dynamics.hpp that checks its arguments and takes wrenches by name.
#include "axode/dynamics/inverse/inverse_dynamics.hpp"

namespace axode {
namespace {

template <Rep rep>
std::vector<double> by_recursion(const Tree& tree, const Poses<double>& poses, In<double> v,
                                 In<double> a, In<Wrench<Rep::body>> external,
                                 const Effects& effects) {
  InverseDynamics<rep> work(tree);
  std::vector<double> tau(v.size());
  inverse_dynamics<rep, double>(tree, poses, v, a, work, tau, external, effects);
  return tau;
}

}  // namespace

std::vector<double> reference::inverse_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                In<double> a, Rep representation,
                                                const DynamicsOptions& options) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  const std::vector<Wrench<Rep::body>> external =
      external_wrenches(tree, at, options.external, options.body_wrenches, "inverse dynamics");
  switch (representation) {
    case Rep::spatial:
      return by_recursion<Rep::spatial>(tree, at, v, a, external, options.effects);
    case Rep::hybrid:
      return by_recursion<Rep::hybrid>(tree, at, v, a, external, options.effects);
    case Rep::mixed:
      return by_recursion<Rep::mixed>(tree, at, v, a, external, options.effects);
    default:
      return by_recursion<Rep::body>(tree, at, v, a, external, options.effects);
  }
}

}  // namespace axode
