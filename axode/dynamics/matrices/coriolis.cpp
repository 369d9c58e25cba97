#include "axode/dynamics/detail/coriolis.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

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
