#include "axode/dynamics/derivatives/detail/forward_derivatives.inl"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

ForwardDynamicsDerivatives<double> forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  constexpr const char* here = "derivatives of forward dynamics";
  check_velocity(tree, v);
  check_velocity(tree, tau, "tau");
  detail::check_external(tree, external, here);
  if (!tree.couplings.empty())
    throw Error("tree '" + tree.name + "' has coupled joints", here,
                "use linearize, which keeps the couplings");
  ForwardDynamicsDerivatives<double> d(tree);
  forward_dynamics_derivatives<double>(tree, poses(tree, q), v, tau, d, external, effects);
  if (d.singular_velocity >= 0)
    detail::throw_singular(tree, detail::body_of_velocity(tree, d.singular_velocity), here);
  return d;
}

template struct ForwardDynamicsDerivatives<double>;
template void forward_dynamics_derivatives(const Tree&, const Poses<double>&, In<double>,
                                           In<double>, ForwardDynamicsDerivatives<double>&,
                                           In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template struct ForwardDynamicsDerivatives<Dual<double>>;
template void forward_dynamics_derivatives(const Tree&, const Poses<Dual<double>>&,
                                           In<Dual<double>>, In<Dual<double>>,
                                           ForwardDynamicsDerivatives<Dual<double>>&,
                                           In<Wrench<Rep::body, Dual<double>>>,
                                           const Effects&) noexcept;

}  // namespace axode
