#include "axode/dynamics/derivatives/time_derivatives.hpp"

#include <string>

#include "axode/core/error.hpp"
#include "axode/dynamics/derivatives/detail/time_derivatives_body.hpp"
#include "axode/dynamics/derivatives/detail/time_derivatives_hybrid.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <Rep rep, class S>
InverseDynamicsRates<rep, S>::InverseDynamicsRates(const Tree& tree)
    : twists(tree.links.size()),
      joint_wrenches(tree.links.size()),
      relative(tree.links.size()),
      screws(4 * tree.screws.size()) {}

namespace detail {
/// Armature, damping and friction with their derivatives; friction is constant.
template <class S>
void add_loss_rates(const Tree& tree, const Effects& effects, const JointMotion<S>& motion,
                    int order, const JointForcesOut<S>& forces) noexcept {
  const Effects without_friction{effects.gravity, effects.armature, effects.damping, false};
  add_losses<S>(tree, effects, motion.v, forces.tau);
  add_armature<S>(tree, effects, motion.a, forces.tau);
  add_losses<S>(tree, without_friction, motion.a, forces.first);
  add_armature<S>(tree, effects, motion.jerk, forces.first);
  if (order < 2) return;
  add_losses<S>(tree, without_friction, motion.jerk, forces.second);
  add_armature<S>(tree, effects, motion.snap, forces.second);
}
}  // namespace detail

template <Rep rep, class S>
void inverse_dynamics_rates(const Tree& tree, const Poses<S>& poses,
                            const std::type_identity_t<JointMotion<S>>& motion,
                            InverseDynamicsRates<rep, S>& work,
                            const std::type_identity_t<JointForcesOut<S>>& forces,
                            const std::type_identity_t<ExternalWrenchRates<S>>& external,
                            const Effects& effects) noexcept {
  const int order = motion.snap.empty() ? 1 : 2;
  const Vec3<S> from_gravity = world_acceleration<S>(tree, effects);
  if constexpr (rep == Rep::body)
    detail::inverse_dynamics_rates_body<S>(tree, poses, motion, from_gravity, external, order, work,
                                           forces);
  else
    detail::inverse_dynamics_rates_hybrid<S>(tree, poses, motion, from_gravity, external, order,
                                             work, forces);
  detail::add_loss_rates<S>(tree, effects, motion, order, forces);
}

namespace {
void check_wrenches(const Tree& tree, std::span<const Wrench<Rep::body, double>> wrenches) {
  if (wrenches.empty()) return;
  if (wrenches.size() != tree.links.size())
    throw Error("there are " + std::to_string(wrenches.size()) + " wrenches for " +
                    std::to_string(tree.size()) + " bodies",
                "external wrenches", "give one for each body, or none");
  for (std::size_t i = 0; i < wrenches.size(); ++i)
    if (!is_finite(wrenches[i].six()))
      throw Error("the wrench is not finite", "body '" + tree.bodies[i].name + "'",
                  "give six finite numbers");
}
}  // namespace

JointForceRates inverse_dynamics_rates(const Tree& tree, In<double> q,
                                       const JointMotion<double>& motion,
                                       const ExternalWrenchRates<double>& external,
                                       const Effects& effects) {
  check_velocity(tree, motion.v, "v");
  check_velocity(tree, motion.a, "a");
  check_velocity(tree, motion.jerk, "jerk");
  const bool second = !motion.snap.empty();
  if (second) check_velocity(tree, motion.snap, "snap");
  for (const auto wrenches : {external.wrenches, external.first, external.second})
    check_wrenches(tree, wrenches);

  const std::size_t n = tree.nv;
  JointForceRates result{std::vector<double>(n), std::vector<double>(n),
                         std::vector<double>(second ? n : 0)};
  InverseDynamicsRates<Rep::body> work(tree);
  inverse_dynamics_rates(tree, poses(tree, q), motion, work,
                         {result.tau, result.first, result.second}, external, effects);
  return result;
}

template struct InverseDynamicsRates<Rep::body, double>;
template struct InverseDynamicsRates<Rep::hybrid, double>;
template struct InverseDynamicsRates<Rep::body, Dual<double>>;
template struct InverseDynamicsRates<Rep::hybrid, Dual<double>>;
template void inverse_dynamics_rates(const Tree&, const Poses<double>&, const JointMotion<double>&,
                                     InverseDynamicsRates<Rep::body, double>&,
                                     const JointForcesOut<double>&,
                                     const ExternalWrenchRates<double>&, const Effects&) noexcept;
template void inverse_dynamics_rates(const Tree&, const Poses<double>&, const JointMotion<double>&,
                                     InverseDynamicsRates<Rep::hybrid, double>&,
                                     const JointForcesOut<double>&,
                                     const ExternalWrenchRates<double>&, const Effects&) noexcept;
template void inverse_dynamics_rates(const Tree&, const Poses<Dual<double>>&,
                                     const JointMotion<Dual<double>>&,
                                     InverseDynamicsRates<Rep::body, Dual<double>>&,
                                     const JointForcesOut<Dual<double>>&,
                                     const ExternalWrenchRates<Dual<double>>&,
                                     const Effects&) noexcept;
template void inverse_dynamics_rates(const Tree&, const Poses<Dual<double>>&,
                                     const JointMotion<Dual<double>>&,
                                     InverseDynamicsRates<Rep::hybrid, Dual<double>>&,
                                     const JointForcesOut<Dual<double>>&,
                                     const ExternalWrenchRates<Dual<double>>&,
                                     const Effects&) noexcept;

}  // namespace axode
