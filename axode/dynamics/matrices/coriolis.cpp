#include "axode/dynamics/detail/coriolis.hpp"

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

template struct Coriolis<Dual<double>>;
template void coriolis_matrix(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                              Coriolis<Dual<double>>&, CoriolisChoice) noexcept;
template void multiply(const Coriolis<Dual<double>>&, In<Dual<double>>, Out<Dual<double>>) noexcept;
template DenseMatrix<Dual<double>> dense(const Coriolis<Dual<double>>&);

}  // namespace axode
