// Definitions of forward_derivatives.hpp; instantiated by forward_derivatives.cpp.
#pragma once
#include "axode/dynamics/any_scalar/inverse_derivatives.inl"
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

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
  d.singular_velocity = factorize(d.factors);
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
  for (std::size_t e = 0; e < result.by_q.values.size(); ++e) {
    result.by_q.values[e] = -result.inverse.by_q.values[e];
    result.by_v.values[e] = -result.inverse.by_v.values[e];
  }
  solve_columns(result.factors, result.by_q);
  solve_columns(result.factors, result.by_v);
  inverse(result.factors, result.by_tau);
}

}  // namespace axode
