#include "axode/dynamics/energy.inl"

#include "axode/dynamics/potential.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {

Composite<double> composite_at(const Tree& tree, In<double> q, In<double> v) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  Composite<double> composite(tree);
  composite_momenta(tree, at, v, composite);
  return composite;
}
Composite<double> composite_at(const Tree& tree, In<double> q) {
  Composite<double> composite(tree);
  composite_inertias(tree, poses(tree, q), composite);
  return composite;
}

}  // namespace

Energy energy(const Tree& tree, In<double> q, In<double> v) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, v);
  Motion<Rep::body> motion(tree);
  twists(tree, at, v, motion);
  return {kinetic_energy(tree, motion), armature_energy<double>(tree, v),
          potential_energy(tree, at)};
}
Momentum<Rep::spatial> spatial_momentum(const Tree& tree, In<double> q, In<double> v) {
  return spatial_momentum(tree, composite_at(tree, q, v));
}
Momentum<Rep::hybrid> centroidal_momentum(const Tree& tree, In<double> q, In<double> v) {
  return centroidal_momentum(tree, composite_at(tree, q, v));
}
std::vector<Momentum<Rep::hybrid>> centroidal_momentum_matrix(const Tree& tree, In<double> q) {
  std::vector<Momentum<Rep::hybrid>> columns(static_cast<std::size_t>(tree.nv));
  centroidal_momentum_matrix<double>(tree, composite_at(tree, q), columns);
  return columns;
}
AverageVelocity<> average_velocity(const Tree& tree, In<double> q, In<double> v) {
  return average_velocity(tree, composite_at(tree, q, v));
}
Inertia<double> locked_inertia(const Tree& tree, In<double> q) {
  return locked_inertia(tree, composite_at(tree, q));
}

template double kinetic_energy(const Tree&, const Motion<Rep::body, double>&) noexcept;
template double armature_energy(const Tree&, In<double>) noexcept;
template Power<double> power(const Tree&, const Motion<Rep::body, double>&, In<double>, In<double>,
                             In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void body_momenta(const Tree&, const Poses<double>&, const Motion<Rep::body, double>&,
                           Out<Momentum<Rep::spatial, double>>) noexcept;
template Momentum<Rep::spatial, double> spatial_momentum(const Tree&, const Composite<double>&,
                                                         int) noexcept;
template Inertia<double> locked_inertia(const Tree&, const Composite<double>&, int) noexcept;
template Momentum<Rep::hybrid, double> centroidal_momentum(const Tree&,
                                                           const Composite<double>&) noexcept;
template void centroidal_momentum_matrix(const Tree&, const Composite<double>&,
                                         Out<Momentum<Rep::hybrid, double>>) noexcept;
template Wrench<Rep::hybrid, double> centroidal_momentum_rate(const Tree&,
                                                              const Composite<double>&) noexcept;
template AverageVelocity<double> average_velocity(const Tree&, const Composite<double>&) noexcept;

using D = Dual<double>;
template D kinetic_energy(const Tree&, const Motion<Rep::body, D>&) noexcept;
template D armature_energy(const Tree&, In<D>) noexcept;
template Power<D> power(const Tree&, const Motion<Rep::body, D>&, In<D>, In<D>,
                        In<Wrench<Rep::body, D>>, const Effects&) noexcept;
template void body_momenta(const Tree&, const Poses<D>&, const Motion<Rep::body, D>&,
                           Out<Momentum<Rep::spatial, D>>) noexcept;
template Momentum<Rep::spatial, D> spatial_momentum(const Tree&, const Composite<D>&, int) noexcept;
template Inertia<D> locked_inertia(const Tree&, const Composite<D>&, int) noexcept;
template Momentum<Rep::hybrid, D> centroidal_momentum(const Tree&, const Composite<D>&) noexcept;
template void centroidal_momentum_matrix(const Tree&, const Composite<D>&,
                                         Out<Momentum<Rep::hybrid, D>>) noexcept;
template Wrench<Rep::hybrid, D> centroidal_momentum_rate(const Tree&, const Composite<D>&) noexcept;
template AverageVelocity<D> average_velocity(const Tree&, const Composite<D>&) noexcept;

}  // namespace axode
