#include "axode/dynamics/forward_dynamics.inl"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace detail {
/// forward_dynamics_coupled.cpp
std::vector<double> coupled_forward_dynamics(const Tree& tree, const Poses<double>& poses,
                                             In<double> v, In<double> tau,
                                             const ForwardDynamicsOptions& options);
}  // namespace detail

namespace {
constexpr const char* here = "forward dynamics";

template <Rep rep>
std::vector<double> free_forward_dynamics(const Tree& tree, const Poses<double>& poses,
                                          In<double> v, In<double> tau,
                                          const ForwardDynamicsOptions& options) {
  ForwardDynamics<rep> work(tree);
  std::vector<double> a(tree.dofs.size());
  forward_dynamics<rep, double>(tree, poses, v, tau, work, a, options.external, options.effects);
  if (work.singular_body >= 0) detail::throw_singular(tree, work.singular_body, here);
  return a;
}
}  // namespace

std::vector<double> forward_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                     const ForwardDynamicsOptions& options) {
  check_velocity(tree, v);
  check_velocity(tree, tau, "tau");
  detail::check_external(tree, options.external, here);
  const Poses<double> p = poses(tree, q);
  if (options.representation == Rep::mixed)
    throw Error("there is no algorithm in mixed representation", here,
                "choose body, spatial or hybrid: the result is the same");
  if (!tree.couplings.empty()) return detail::coupled_forward_dynamics(tree, p, v, tau, options);
  switch (options.representation) {
    case Rep::spatial:
      return free_forward_dynamics<Rep::spatial>(tree, p, v, tau, options);
    case Rep::hybrid:
      return free_forward_dynamics<Rep::hybrid>(tree, p, v, tau, options);
    default:
      return free_forward_dynamics<Rep::body>(tree, p, v, tau, options);
  }
}

using D = Dual<double>;

template struct ForwardDynamics<Rep::body, double>;
template struct ForwardDynamics<Rep::spatial, double>;
template struct ForwardDynamics<Rep::hybrid, double>;
template void forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               ForwardDynamics<Rep::body, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               ForwardDynamics<Rep::spatial, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                               ForwardDynamics<Rep::hybrid, double>&, Out<double>,
                               In<Wrench<Rep::body, double>>, const Effects&) noexcept;

template struct ForwardDynamics<Rep::body, D>;
template struct ForwardDynamics<Rep::spatial, D>;
template struct ForwardDynamics<Rep::hybrid, D>;
template void forward_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               ForwardDynamics<Rep::body, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               ForwardDynamics<Rep::spatial, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;
template void forward_dynamics(const Tree&, const Poses<D>&, In<D>, In<D>,
                               ForwardDynamics<Rep::hybrid, D>&, Out<D>, In<Wrench<Rep::body, D>>,
                               const Effects&) noexcept;

}  // namespace axode
