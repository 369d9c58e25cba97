#include "axode/dynamics/matrices/closed_form.hpp"

#include "axode/dynamics/detail/screw_rates.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
ClosedForm<S>::ClosedForm(const Tree& tree)
    : twists(tree.links.size()),
      products(tree.links.size()),
      rates(tree.links.size()),
      wrenches(tree.links.size()),
      screw_rates(tree.screws.size()),
      forces(tree.screws.size()) {}

namespace detail {

template <class S>
Inertia<S> inertia_in(const SystemJacobian<Rep::body, S>& J, std::size_t i) noexcept {
  return cast<S>(J.tree->bodies[i].inertia);
}

/// Writes the twists V = J v and dX/dt at v.
template <class S>
void closed_form_twists(const SystemJacobian<Rep::body, S>& J, In<S> v,
                        ClosedForm<S>& work) noexcept {
  apply<Rep::body, S>(J, v, work.twists);
  for (int i = 0; i < J.tree->size(); ++i)
    joint_screw_rates(*J.tree, i, *J.poses, v.data(), work.screw_rates.data() + J.tree->links[i].v);
}

/// S x or S' x of one joint.
template <class S>
Vec6<S> times_screws(const Link& link, const Vec6<S>* screws, In<S> x) noexcept {
  Vec6<S> sum{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  for (int k = link.v; k < link.v + link.nv; ++k) sum += screws[k] * x[k];
  return sum;
}

/// work.rates = J' x = A (X' x + a (X x - J x)); work.products holds J x.
template <class S>
void jacobian_rate_times(const SystemJacobian<Rep::body, S>& J, In<S> v, In<S> x,
                         ClosedForm<S>& work) noexcept {
  const Vec6<S>* X = J.poses->screws.data();
  for (std::size_t i = 0; i < work.rates.size(); ++i) {
    const Link& link = J.tree->links[i];
    // a = diag(ad_U), U = X q'; X' and a X x vanish for joints of one degree of freedom, which leaves
    // J' = -A a J  [MuellerDyn (8)-(9), corrected: docs/errata.md]
    const Vec6<S> U = times_screws(link, X, v);
    work.rates[i] = times_screws<S>(link, work.screw_rates.data(), x) +
                    ad(U, times_screws(link, X, x) - work.products[i]);
  }
  apply_A(J, work.rates);
}

}  // namespace detail

template <class S>
void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, S>& J, In<S> v, In<S> a,
                                    ClosedForm<S>& work, Out<S> tau,
                                    In<Wrench<Rep::body, S>> external,
                                    const Effects& effects) noexcept {
  detail::closed_form_twists(J, v, work);
  work.products = work.twists;
  detail::jacobian_rate_times(J, v, v, work);
  apply<Rep::body, S>(J, a, work.products);
  const Vec3<S> from_gravity = world_acceleration<S>(*J.tree, effects);
  for (std::size_t i = 0; i < work.wrenches.size(); ++i) {
    const Inertia<S> M = detail::inertia_in(J, i);
    // V' = J q'' + J' q'  [MuellerDyn (10)], M_i V'_i - ad_V^T M_i V_i - W^app  [MuellerDyn (77)]
    const Vec6<S>& V = work.twists[i];
    Vec6<S> V_rate = work.products[i] + work.rates[i];
    V_rate.linear += inverse_times(J.poses->T_WB[i].R, from_gravity);
    work.wrenches[i] = detail::times(M, V_rate) - ad_transpose(V, detail::times(M, V));
    if (!external.empty()) work.wrenches[i] -= external[i].six();
  }
  // tau = J^T (M V' - b^T M V - W^app), b = diag(ad_V)  [MuellerDyn (78), (82)]
  apply_transpose<Rep::body, S>(J, work.wrenches, tau);
  add_losses<S>(*J.tree, effects, v, tau);
  add_armature<S>(*J.tree, effects, a, tau);
}

template <class S>
void multiply_mass_matrix(const SystemJacobian<Rep::body, S>& J, In<S> x, ClosedForm<S>& work,
                          Out<S> result, const Effects& effects) noexcept {
  // J^T (M (J x))  [MuellerDyn (81)]
  apply<Rep::body, S>(J, x, work.products);
  for (std::size_t i = 0; i < work.wrenches.size(); ++i)
    work.wrenches[i] = detail::times(detail::inertia_in(J, i), work.products[i]);
  apply_transpose<Rep::body, S>(J, work.wrenches, result);
  add_armature<S>(*J.tree, effects, x, result);
}

template <class S>
void multiply_coriolis_matrix(const SystemJacobian<Rep::body, S>& J, In<S> v, In<S> x,
                              ClosedForm<S>& work, Out<S> result, CoriolisForm form) noexcept {
  detail::closed_form_twists(J, v, work);
  apply<Rep::body, S>(J, x, work.products);
  detail::jacobian_rate_times(J, v, x, work);
  for (std::size_t i = 0; i < work.wrenches.size(); ++i) {
    const Inertia<S> M = detail::inertia_in(J, i);
    work.wrenches[i] = detail::times(M, work.products[i]);
    work.rates[i] = detail::times(M, work.rates[i]);
  }
  if (form == CoriolisForm::equation_84) {  // J^T (M J' - b^T M J) x  [MuellerDyn (84)]
    for (std::size_t i = 0; i < work.wrenches.size(); ++i)
      work.rates[i] -= ad_transpose(work.twists[i], work.wrenches[i]);
    apply_transpose<Rep::body, S>(J, work.rates, result);
    return;
  }
  // -(a J + b X)^T A^T M J x + J^T M J' x; of joints of several degrees of freedom (b - a) X for b X
  // [MuellerDyn (83), corrected: docs/errata.md]
  apply_A_transpose(J, work.wrenches);
  for (std::size_t i = 0; i < work.wrenches.size(); ++i) {
    const Vec6<S> U = detail::times_screws(J.tree->links[i], J.poses->screws.data(), v);
    work.rates[i] -= ad_transpose(U, work.wrenches[i]);
    work.wrenches[i] = ad_transpose(work.twists[i] - U, work.wrenches[i]);
  }
  apply_transpose<Rep::body, S>(J, work.rates, result);
  apply_X_transpose<Rep::body, S>(J, work.wrenches, work.forces);
  for (std::size_t k = 0; k < work.forces.size(); ++k) result[k] -= work.forces[k];
}

template struct ClosedForm<double>;
template void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, double>&, In<double>,
                                             In<double>, ClosedForm<double>&, Out<double>,
                                             In<Wrench<Rep::body, double>>,
                                             const Effects&) noexcept;
template void multiply_mass_matrix(const SystemJacobian<Rep::body, double>&, In<double>,
                                   ClosedForm<double>&, Out<double>, const Effects&) noexcept;
template void multiply_coriolis_matrix(const SystemJacobian<Rep::body, double>&, In<double>,
                                       In<double>, ClosedForm<double>&, Out<double>,
                                       CoriolisForm) noexcept;

template struct ClosedForm<Dual<double>>;
template void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, Dual<double>>&,
                                             In<Dual<double>>, In<Dual<double>>,
                                             ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                             In<Wrench<Rep::body, Dual<double>>>,
                                             const Effects&) noexcept;
template void multiply_mass_matrix(const SystemJacobian<Rep::body, Dual<double>>&, In<Dual<double>>,
                                   ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                   const Effects&) noexcept;
template void multiply_coriolis_matrix(const SystemJacobian<Rep::body, Dual<double>>&,
                                       In<Dual<double>>, In<Dual<double>>,
                                       ClosedForm<Dual<double>>&, Out<Dual<double>>,
                                       CoriolisForm) noexcept;

}  // namespace axode
