#include "axode/dynamics/derivatives/detail/coriolis_derivatives.inl"

#include "axode/lie/dual.hpp"

namespace axode {

DenseTensor<double> coriolis_derivatives(const Tree& tree, In<double> q, In<double> v,
                                         CoriolisChoice choice) {
  check_velocity(tree, v);
  const Poses<double> p = poses(tree, q);
  DenseTensor<double> result(tree.nv);
  CoriolisDerivatives<double> at(tree);
  prepare_coriolis_derivatives<double>(tree, p, v, at, choice);
  coriolis_derivatives(tree, at, result);
  return result;
}

template struct CoriolisDerivatives<double>;
template void prepare_coriolis_derivatives(const Tree&, const Poses<double>&, In<double>,
                                           CoriolisDerivatives<double>&, CoriolisChoice) noexcept;
template void coriolis_derivative(const Tree&, const CoriolisDerivatives<double>&, int,
                                  DenseMatrix<double>&) noexcept;
template void coriolis_derivatives(const Tree&, const CoriolisDerivatives<double>&,
                                   DenseTensor<double>&) noexcept;
template struct CoriolisDerivatives<Dual<double>>;
template void prepare_coriolis_derivatives(const Tree&, const Poses<Dual<double>>&,
                                           In<Dual<double>>, CoriolisDerivatives<Dual<double>>&,
                                           CoriolisChoice) noexcept;
template void coriolis_derivative(const Tree&, const CoriolisDerivatives<Dual<double>>&, int,
                                  DenseMatrix<Dual<double>>&) noexcept;
template void coriolis_derivatives(const Tree&, const CoriolisDerivatives<Dual<double>>&,
                                   DenseTensor<Dual<double>>&) noexcept;

}  // namespace axode
