#include "axode/dynamics/derivatives/detail/time_derivatives.inl"

#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

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
