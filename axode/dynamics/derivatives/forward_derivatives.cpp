#include "axode/dynamics/any_scalar/inverse_derivatives.hpp"
#include "axode/dynamics/derivatives/forward_derivatives_coupled.hpp"
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
      inverse(tree),
      factors(tree),
      zero(a) {}

namespace detail {

/// The accelerations of the joint forces, and the factors of the mass matrix.
template <class S>
void solve_accelerations(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                         ForwardDynamicsDerivatives<S>& d, In<Wrench<Rep::body, S>> external,
                         const Effects& effects) noexcept {
  Composite<S>& c = d.inverse.composite;
  composite_motion<S>(tree, poses, v, d.zero, c, external, effects);
  mass_matrix(tree, c, d.factors, effects);
  d.singular_velocity = factorize(d.factors).singular_velocity;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    for (int k = tree.links[i].v; k < tree.links[i].v + tree.links[i].nv; ++k) {
      const std::size_t g = k;
      d.a[g] = dot(c.screws[g], c.wrenches[i]);
    }
  add_losses<S>(tree, effects, v, d.a);
  for (std::size_t k = 0; k < d.a.size(); ++k) d.a[k] = tau[k] - d.a[k];
  solve<S>(d.factors, d.a);
}

}  // namespace detail

template <class S>
void forward_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                                  ForwardDynamicsDerivatives<S>& result,
                                  In<Wrench<Rep::body, S>> external,
                                  const Effects& effects) noexcept {
  detail::solve_accelerations(tree, poses, v, tau, result, external, effects);
  inverse_dynamics_derivatives<S>(tree, poses, v, result.a, result.inverse, external, effects);
  // da/dq = -M^-1 dtau/dq, da/dv = -M^-1 dtau/dv, da/dtau = M^-1
  for (std::size_t e = 0; e < result.by_q.values.size(); ++e) {
    result.by_q.values[e] = -result.inverse.by_q.values[e];
    result.by_v.values[e] = -result.inverse.by_v.values[e];
  }
  solve_columns(result.factors, result.by_q);
  solve_columns(result.factors, result.by_v);
  inverse(result.factors, result.by_tau);
}

ForwardDynamicsDerivatives<double> reference::forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    In<Wrench<Rep::body, double>> external, const Effects& effects) {
  constexpr const char* here = "derivatives of forward dynamics";
  check_velocity(tree, v);
  check_velocity(tree, tau, "tau");
  detail::check_external(tree, external, here);
  detail::check_couplings(tree, q, v, here);
  ForwardDynamicsDerivatives<double> d(tree);
  if (tree.couplings.empty())
    axode::forward_dynamics_derivatives<double>(tree, poses(tree, q), v, tau, d, external, effects);
  else
    coupled_forward_derivatives(tree, poses(tree, q), v, tau, d, external, effects);
  if (d.singular_velocity >= 0)
    detail::throw_singular(tree, detail::body_of_velocity(tree, d.singular_velocity), here);
  return d;
}

template struct ForwardDynamicsDerivatives<double>;
template void forward_dynamics_derivatives(const Tree&, const Poses<double>&, In<double>,
                                           In<double>, ForwardDynamicsDerivatives<double>&,
                                           In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template struct ForwardDynamicsDerivatives<Dual<double>>;
template void forward_dynamics_derivatives(const Tree&, const Poses<Dual<double>>&,
                                           In<Dual<double>>, In<Dual<double>>,
                                           ForwardDynamicsDerivatives<Dual<double>>&,
                                           In<Wrench<Rep::body, Dual<double>>>,
                                           const Effects&) noexcept;

}  // namespace axode
