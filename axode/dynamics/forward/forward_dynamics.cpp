#include "axode/dynamics/any_scalar/forward_dynamics.hpp"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {
constexpr const char* in_forward_dynamics = "forward dynamics";

std::vector<double> regular(const Tree& tree, std::vector<double> a, const ForwardOutcome& found) {
  if (!found.ok()) detail::throw_singular(tree, found.singular_body, in_forward_dynamics);
  return a;
}
template <Rep rep>
std::vector<double> free_forward_dynamics(const Tree& tree, const Poses<double>& poses,
                                          In<double> v, In<double> tau,
                                          In<Wrench<Rep::body, double>> external,
                                          const Effects& effects) {
  ForwardDynamics<rep> work(tree);
  std::vector<double> a(tree.dofs.size());
  const ForwardOutcome found =
      forward_dynamics<rep, double>(tree, poses, v, tau, work, a, external, effects);
  return regular(tree, std::move(a), found);
}
std::vector<double> kept_couplings(const Tree& tree, const Poses<double>& poses, In<double> v,
                                   In<double> tau, In<Wrench<Rep::body, double>> external,
                                   const Effects& effects) {
  ForwardDynamics<Rep::body> work(tree);
  std::vector<double> a(tree.dofs.size());
  const ForwardOutcome found =
      reference::forward_dynamics(tree, poses, v, tau, work, a, external, effects);
  return regular(tree, std::move(a), found);
}
}  // namespace

std::vector<double> reference::forward_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                In<double> tau, Rep representation,
                                                const DynamicsOptions& options) {
  check_velocity(tree, v);
  check_velocity(tree, tau, "tau");
  const Poses<double> p = poses(tree, q);
  if (representation == Rep::mixed)
    throw Error("there is no algorithm in mixed representation", in_forward_dynamics,
                "choose body, spatial or hybrid: the result is the same");
  detail::check_couplings(tree, q, v, in_forward_dynamics);
  const std::vector<Wrench<Rep::body>> external =
      external_wrenches(tree, p, options.external, options.body_wrenches, in_forward_dynamics);
  const Effects& effects = options.effects;
  if (!tree.couplings.empty()) return kept_couplings(tree, p, v, tau, external, effects);
  switch (representation) {
    case Rep::spatial:
      return free_forward_dynamics<Rep::spatial>(tree, p, v, tau, external, effects);
    case Rep::hybrid:
      return free_forward_dynamics<Rep::hybrid>(tree, p, v, tau, external, effects);
    default:
      return free_forward_dynamics<Rep::body>(tree, p, v, tau, external, effects);
  }
}

template struct ForwardDynamics<Rep::body, double>;
template struct ForwardDynamics<Rep::spatial, double>;
template struct ForwardDynamics<Rep::hybrid, double>;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                                         ForwardDynamics<Rep::body, double>&, Out<double>,
                                         In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                                         ForwardDynamics<Rep::spatial, double>&, Out<double>,
                                         In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<double>&, In<double>, In<double>,
                                         ForwardDynamics<Rep::hybrid, double>&, Out<double>,
                                         In<Wrench<Rep::body, double>>, const Effects&) noexcept;

template struct ForwardDynamics<Rep::body, Dual<double>>;
template struct ForwardDynamics<Rep::spatial, Dual<double>>;
template struct ForwardDynamics<Rep::hybrid, Dual<double>>;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                         In<Dual<double>>,
                                         ForwardDynamics<Rep::body, Dual<double>>&,
                                         Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                                         const Effects&) noexcept;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                         In<Dual<double>>,
                                         ForwardDynamics<Rep::spatial, Dual<double>>&,
                                         Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                                         const Effects&) noexcept;
template ForwardOutcome forward_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                         In<Dual<double>>,
                                         ForwardDynamics<Rep::hybrid, Dual<double>>&,
                                         Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                                         const Effects&) noexcept;

}  // namespace axode
