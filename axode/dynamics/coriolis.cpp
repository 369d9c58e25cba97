#include "axode/dynamics/coriolis.inl"

#include "axode/lie/dual.hpp"

namespace axode {

DenseMatrix<double> coriolis_matrix(const Tree& tree, In<double> q, In<double> v,
                                    CoriolisChoice choice) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  Coriolis<double> C(tree);
  coriolis_matrix(tree, at, v, C, choice);
  return dense(C);
}

template struct Coriolis<double>;
template void coriolis_matrix(const Tree&, const Poses<double>&, In<double>, Coriolis<double>&,
                              CoriolisChoice) noexcept;
template void multiply(const Coriolis<double>&, In<double>, Out<double>) noexcept;
template DenseMatrix<double> dense(const Coriolis<double>&);

using D = Dual<double>;
template struct Coriolis<D>;
template void coriolis_matrix(const Tree&, const Poses<D>&, In<D>, Coriolis<D>&,
                              CoriolisChoice) noexcept;
template void multiply(const Coriolis<D>&, In<D>, Out<D>) noexcept;
template DenseMatrix<D> dense(const Coriolis<D>&);

}  // namespace axode
