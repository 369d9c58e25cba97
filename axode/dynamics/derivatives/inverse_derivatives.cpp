#include "axode/dynamics/any_scalar/inverse_derivatives.hpp"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

std::size_t detail::dense_entries(const Tree& tree) {
  constexpr int most = 46'340;  // its square is the last below 2^31
  if (tree.nv > most)
    throw LimitError("it has " + std::to_string(tree.nv) +
                         " velocities, matrices of nv x nv take " + std::to_string(most) +
                         " at most",
                     "tree '" + tree.name + "'", "use dual numbers for the directions you need");
  return std::size_t(tree.nv) * tree.nv;
}

InverseDynamicsDerivatives<double> reference::inverse_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  detail::check_external(tree, external, "derivatives of inverse dynamics");
  InverseDerivativesWork<double> work(tree);
  InverseDynamicsDerivatives<double> result(tree);
  axode::inverse_dynamics_derivatives<double>(tree, poses(tree, q), v, a, work, result, external,
                                              effects);
  return result;
}

template struct InverseDynamicsDerivatives<double>;
template struct InverseDerivativesWork<double>;
template void inverse_dynamics_derivatives(const Tree&, const Poses<double>&, In<double>,
                                           In<double>, InverseDerivativesWork<double>&,
                                           InverseDynamicsDerivatives<double>&,
                                           In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template struct InverseDynamicsDerivatives<Dual<double>>;
template struct InverseDerivativesWork<Dual<double>>;
template void inverse_dynamics_derivatives(const Tree&, const Poses<Dual<double>>&,
                                           In<Dual<double>>, In<Dual<double>>,
                                           InverseDerivativesWork<Dual<double>>&,
                                           InverseDynamicsDerivatives<Dual<double>>&,
                                           In<Wrench<Rep::body, Dual<double>>>,
                                           const Effects&) noexcept;

}  // namespace axode
