#include "axode/dynamics/derivatives/detail/second_derivatives.inl"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

InverseDynamicsSecondDerivatives<double> inverse_dynamics_second_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  detail::check_external(tree, external, "second derivatives of inverse dynamics");
  const Poses<double> p = poses(tree, q);
  InverseDynamicsSecondDerivatives<double> result(tree);
  inverse_dynamics_second_derivatives<double>(tree, p, v, a, result, external, effects);
  return result;
}

template struct InverseDynamicsSecondDerivatives<double>;
template void inverse_dynamics_second_derivatives(const Tree&, const Poses<double>&, In<double>,
                                                  In<double>,
                                                  InverseDynamicsSecondDerivatives<double>&,
                                                  In<Wrench<Rep::body, double>>,
                                                  const Effects&) noexcept;
template struct InverseDynamicsSecondDerivatives<Dual<double>>;
template void inverse_dynamics_second_derivatives(const Tree&, const Poses<Dual<double>>&,
                                                  In<Dual<double>>, In<Dual<double>>,
                                                  InverseDynamicsSecondDerivatives<Dual<double>>&,
                                                  In<Wrench<Rep::body, Dual<double>>>,
                                                  const Effects&) noexcept;

}  // namespace axode
