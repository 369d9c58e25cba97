#include "axode/dynamics/detail/energy.inl"

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
  std::vector<Momentum<Rep::hybrid>> columns(tree.nv);
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

template Dual<double> kinetic_energy(const Tree&, const Motion<Rep::body, Dual<double>>&) noexcept;
template Dual<double> armature_energy(const Tree&, In<Dual<double>>) noexcept;
template Power<Dual<double>> power(const Tree&, const Motion<Rep::body, Dual<double>>&,
                                   In<Dual<double>>, In<Dual<double>>,
                                   In<Wrench<Rep::body, Dual<double>>>, const Effects&) noexcept;
template void body_momenta(const Tree&, const Poses<Dual<double>>&,
                           const Motion<Rep::body, Dual<double>>&,
                           Out<Momentum<Rep::spatial, Dual<double>>>) noexcept;
template Momentum<Rep::spatial, Dual<double>> spatial_momentum(const Tree&,
                                                               const Composite<Dual<double>>&,
                                                               int) noexcept;
template Inertia<Dual<double>> locked_inertia(const Tree&, const Composite<Dual<double>>&,
                                              int) noexcept;
template Momentum<Rep::hybrid, Dual<double>> centroidal_momentum(
    const Tree&, const Composite<Dual<double>>&) noexcept;
template void centroidal_momentum_matrix(const Tree&, const Composite<Dual<double>>&,
                                         Out<Momentum<Rep::hybrid, Dual<double>>>) noexcept;
template Wrench<Rep::hybrid, Dual<double>> centroidal_momentum_rate(
    const Tree&, const Composite<Dual<double>>&) noexcept;
template AverageVelocity<Dual<double>> average_velocity(const Tree&,
                                                        const Composite<Dual<double>>&) noexcept;

}  // namespace axode
