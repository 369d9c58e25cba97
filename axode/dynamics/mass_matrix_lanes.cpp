#include "axode/dynamics/mass_matrix.inl"
#include "axode/lie/pack.hpp"

namespace axode {

using P = Pack<double, AXODE_LANES>;

template struct Composite<P>;
template void composite_inertias(const Tree&, const Poses<P>&, Composite<P>&) noexcept;
template void composite_momenta(const Tree&, const Poses<P>&, In<P>, Composite<P>&) noexcept;
template void composite_motion(const Tree&, const Poses<P>&, In<P>, In<P>, Composite<P>&,
                               In<Wrench<Rep::body, P>>, const Effects&) noexcept;

template struct PathMatrix<P>;
template int factorize(PathMatrix<P>&) noexcept;
template void solve(const PathMatrix<P>&, Out<P>) noexcept;
template void solve_transpose(const PathMatrix<P>&, Out<P>) noexcept;
template void multiply(const PathMatrix<P>&, In<P>, Out<P>) noexcept;
template void inverse(const PathMatrix<P>&, DenseMatrix<P>&) noexcept;

template void mass_matrix(const Tree&, const Composite<P>&, PathMatrix<P>&,
                          const Effects&) noexcept;

}  // namespace axode
