#include "axode/dynamics/derivatives/forward_derivatives.hpp"

#include "axode/dynamics/any_scalar/inverse_derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
ForwardDynamicsDerivatives<S>::ForwardDynamicsDerivatives(const Tree& tree)
    : a(tree.nv, S(0)),
      by_q{tree.nv, tree.nv, std::vector<S>(a.size() * a.size(), S(0))},
      by_v(by_q),
      by_tau(by_q),
      inverse(tree) {}

template <class S>
ForwardDerivativesWork<S>::ForwardDerivativesWork(const Tree& tree)
    : inverse(tree), factors(tree), zero(tree.dofs.size(), S(0)) {}

namespace detail {

/// The accelerations of the joint forces, and the factors of the mass matrix.
template <class S>
MassOutcome solve_accelerations(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                                ForwardDerivativesWork<S>& work, Out<S> a,
                                In<Wrench<Rep::body, S>> external,
                                const Effects& effects) noexcept {
  Composite<S>& c = work.inverse.composite;
  composite_motion<S>(tree, poses, v, work.zero, c, external, effects);
  mass_matrix(tree, c, work.factors, effects);
  const MassOutcome found = factorize(work.factors);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    for (int k = tree.links[i].v; k < tree.links[i].v + tree.links[i].nv; ++k) {
      const std::size_t g = k;
      a[g] = dot(c.screws[g], c.wrenches[i]);
    }
  add_losses<S>(tree, effects, v, a);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - a[k];
  solve<S>(work.factors, a);
  return found;
}

}  // namespace detail

template <class S>
MassOutcome forward_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v,
                                         In<S> tau, ForwardDerivativesWork<S>& work,
                                         ForwardDynamicsDerivatives<S>& result,
                                         In<Wrench<Rep::body, S>> external,
                                         const Effects& effects) noexcept {
  const MassOutcome found =
      detail::solve_accelerations<S>(tree, poses, v, tau, work, result.a, external, effects);
  inverse_dynamics_derivatives<S>(tree, poses, v, result.a, work.inverse, result.inverse, external,
                                  effects);
  // da/dq = -M^-1 dtau/dq, da/dv = -M^-1 dtau/dv, da/dtau = M^-1
  for (std::size_t e = 0; e < result.by_q.values.size(); ++e) {
    result.by_q.values[e] = -result.inverse.by_q.values[e];
    result.by_v.values[e] = -result.inverse.by_v.values[e];
  }
  solve_columns(work.factors, result.by_q);
  solve_columns(work.factors, result.by_v);
  inverse(work.factors, result.by_tau);
  return found;
}

ForwardDynamicsDerivatives<double> reference::forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  constexpr const char* here = "derivatives of forward dynamics";
  check_velocity(tree, v);
  check_velocity(tree, tau, "tau");
  detail::check_external(tree, external, here);
  detail::check_couplings(tree, q, v, here);
  ForwardDerivativesWork<double> work(tree);
  ForwardDynamicsDerivatives<double> d(tree);
  const MassOutcome found =
      forward_dynamics_derivatives(tree, poses(tree, q), v, tau, work, d, external, effects);
  if (!found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity), here);
  return d;
}

template struct ForwardDynamicsDerivatives<double>;
template struct ForwardDerivativesWork<double>;
template MassOutcome forward_dynamics_derivatives(const Tree&, const Poses<double>&, In<double>,
                                                  In<double>, ForwardDerivativesWork<double>&,
                                                  ForwardDynamicsDerivatives<double>&,
                                                  In<Wrench<Rep::body, double>>,
                                                  const Effects&) noexcept;
template struct ForwardDynamicsDerivatives<Dual<double>>;
template struct ForwardDerivativesWork<Dual<double>>;
template MassOutcome forward_dynamics_derivatives(const Tree&, const Poses<Dual<double>>&,
                                                  In<Dual<double>>, In<Dual<double>>,
                                                  ForwardDerivativesWork<Dual<double>>&,
                                                  ForwardDynamicsDerivatives<Dual<double>>&,
                                                  In<Wrench<Rep::body, Dual<double>>>,
                                                  const Effects&) noexcept;

}  // namespace axode
