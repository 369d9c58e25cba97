#include "axode/dynamics/energy.hpp"

#include "axode/dynamics/any_scalar/composite.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
S kinetic_energy(const Tree& tree, const Motion<Rep::body, S>& motion) noexcept {
  S sum(0);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    sum += kinetic_energy(detail::cast<S>(tree.bodies[i].inertia), motion.twists[i]);
  return sum;
}

template <class S>
S armature_energy(const Tree& tree, In<S> v) noexcept {
  S sum(0);
  for (std::size_t k = 0; k < tree.dofs.size(); ++k)
    sum += S(static_cast<Real<S>>(tree.dofs[k].armature)) * v[k] * v[k];
  return S(Real<S>(0.5)) * sum;
}

template <class S>
Power<S> power(const Tree& tree, const Motion<Rep::body, S>& motion, In<S> v, In<S> tau,
               In<Wrench<Rep::body, S>> external, const Effects& effects) noexcept {
  Power<S> result{S(0), S(0), S(0)};
  for (std::size_t k = 0; k < tree.dofs.size(); ++k) {
    const Dof& dof = tree.dofs[k];
    result.joints += tau[k] * v[k];
    if (effects.damping) result.losses -= S(static_cast<Real<S>>(dof.damping)) * v[k] * v[k];
    if (effects.friction) result.losses -= S(static_cast<Real<S>>(dof.friction)) * abs(v[k]);
  }
  for (std::size_t i = 0; i < external.size(); ++i)
    result.external += pairing(external[i], motion.twists[i]);
  return result;
}

template <class S>
void body_momenta(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                  Out<Momentum<Rep::spatial, S>> momenta) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    // P^s = Ad_C^-T M^b V^b  [MuellerDyn (35)]
    momenta[i] = convert_with_pose<Rep::spatial>(
        poses.T_WB[i], momentum(detail::cast<S>(tree.bodies[i].inertia), motion.twists[i]));
}

namespace detail {

/// Sum over the bodies on the world: of the whole tree, from sums of what each carries.
template <class T, class Add>
T sum_of_roots(const Tree& tree, const std::vector<T>& sums, T sum, Add&& add) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.links[i].parent < 0) sum = add(sum, sums[i]);
  return sum;
}
template <class S>
Vec6<S> total(const Tree& tree, const std::vector<Vec6<S>>& sums, int body = -1) noexcept {
  if (body >= 0) return sums[body];
  return sum_of_roots(tree, sums, Vec6<S>{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}},
                      [](const Vec6<S>& a, const Vec6<S>& b) { return a + b; });
}
/// The inertia about the point of the composite, in world axes.
template <class S>
Inertia<S> total_inertia(const Tree& tree, const Composite<S>& composite, int body = -1) noexcept {
  InertiaParameters<S> M{S(0), {S(0), S(0), S(0)}, {S(0), S(0), S(0), S(0), S(0), S(0)}};
  M = body >= 0 ? composite.inertias[body] : sum_of_roots(tree, composite.inertias, M, add<S>);
  const auto massless = M.mass == S(0);
  const Vec3<S> com = M.first_moment / select(massless, S(1), M.mass);
  return {M.mass, com, M.about_origin - minus_skew_squared(com) * M.mass};
}
/// A momentum or wrench about another point.
template <class S>
Vec6<S> about(const Vec3<S>& point, const Vec6<S>& P) noexcept {
  return {P.angular - cross(point, P.linear), P.linear};
}

}  // namespace detail

template <class S>
Momentum<Rep::spatial, S> spatial_momentum(const Tree& tree, const Composite<S>& composite,
                                           int body) noexcept {
  const Vec6<S> P = detail::total(tree, composite.momenta, body);
  return {P.angular + cross(composite.point, P.linear), P.linear};
}

template <class S>
Inertia<S> locked_inertia(const Tree& tree, const Composite<S>& composite, int body) noexcept {
  Inertia<S> I = detail::total_inertia(tree, composite, body);
  I.com += composite.point;
  return I;
}

template <class S>
Momentum<Rep::hybrid, S> centroidal_momentum(const Tree& tree,
                                             const Composite<S>& composite) noexcept {
  const Vec6<S> P = detail::about(detail::total_inertia(tree, composite).com,
                                  detail::total(tree, composite.momenta));
  return {P.angular, P.linear};
}

template <class S>
void centroidal_momentum_matrix(const Tree& tree, const Composite<S>& composite,
                                Out<Momentum<Rep::hybrid, S>> columns) noexcept {
  const Vec3<S> com = detail::total_inertia(tree, composite).com;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    for (int j = link.v; j < link.v + link.nv; ++j) {
      const std::size_t k = j;
      const Vec6<S> P = detail::about(com, composite.inertias[i] * composite.screws[k]);
      columns[k] = {P.angular, P.linear};
    }
  }
}

template <class S>
Wrench<Rep::hybrid, S> centroidal_momentum_rate(const Tree& tree,
                                                const Composite<S>& composite) noexcept {
  // P' = W  [MuellerDyn (36)]
  // The centre moves along the momentum, which so has no moment about it: no further term.
  const Vec6<S> W = detail::about(detail::total_inertia(tree, composite).com,
                                  detail::total(tree, composite.wrenches));
  return {W.angular, W.linear};
}

template <class S>
AverageVelocity<S> average_velocity(const Tree& tree, const Composite<S>& composite) noexcept {
  const Inertia<S> I = detail::total_inertia(tree, composite);
  const Momentum<Rep::hybrid, S> h = centroidal_momentum(tree, composite);
  const Mat3<S> A = I.about_com.matrix();
  const Sym3<S>& a = I.about_com;
  const S det = determinant(A);
  // det <= xx yy zz, and is rounded with that.
  const S rounding = S(Real<S>(64) * epsilon<S>) * (a.xx * a.yy * a.zz);
  if (any_of(!(I.mass > S(0))) || any_of(!(det > rounding)))
    return {{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}}, false};
  const Mat3<S> cofactors{cross(A.y, A.z), cross(A.z, A.x), cross(A.x, A.y)};  // A is symmetric
  return {{cofactors * h.angular / det, h.linear / I.mass}, true};
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
