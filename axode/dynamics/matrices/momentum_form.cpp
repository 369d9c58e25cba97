#include "axode/dynamics/matrices/detail/momentum_form.inl"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {
void check_uncoupled(const Tree& tree) {
  if (tree.couplings.empty()) return;
  const std::size_t follower = tree.couplings.front().follower;
  throw Error("joint '" + tree.bodies[follower].joint_name + "' is coupled to another",
              "momentum_form",
              "use forward_dynamics, which keeps couplings, or a tree without couplings");
}
}  // namespace

HamiltonRates momentum_form(const Tree& tree, In<double> q, In<double> p, In<double> tau,
                            const Effects& effects) {
  const Poses<double> at = poses(tree, q);
  check_velocity(tree, p, "p");
  check_velocity(tree, tau, "tau");
  check_uncoupled(tree);
  MomentumForm<double> work(tree);
  HamiltonRates result{std::vector<double>(p.size()), std::vector<double>(p.size())};
  const int failed = velocities_from_momenta<double>(tree, at, p, work, result.v, effects);
  if (failed >= 0)
    detail::throw_singular(tree, detail::body_of_velocity(tree, failed), "momentum_form");
  momentum_rates<double>(tree, at, result.v, tau, work, result.momentum_rates, {}, effects);
  return result;
}

template struct MomentumForm<double>;
template void generalized_momenta(const Tree&, const Composite<double>&, In<double>, Out<double>,
                                  const Effects&) noexcept;
template int velocities_from_momenta(const Tree&, const Poses<double>&, In<double>,
                                     MomentumForm<double>&, Out<double>, const Effects&) noexcept;
template void momentum_rates(const Tree&, const Poses<double>&, In<double>, In<double>,
                             MomentumForm<double>&, Out<double>, In<Wrench<Rep::body, double>>,
                             const Effects&) noexcept;
template double hamiltonian(const Tree&, const Poses<double>&, In<double>, In<double>,
                            const Effects&) noexcept;

template struct MomentumForm<Dual<double>>;
template void generalized_momenta(const Tree&, const Composite<Dual<double>>&, In<Dual<double>>,
                                  Out<Dual<double>>, const Effects&) noexcept;
template int velocities_from_momenta(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                     MomentumForm<Dual<double>>&, Out<Dual<double>>,
                                     const Effects&) noexcept;
template void momentum_rates(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                             In<Dual<double>>, MomentumForm<Dual<double>>&, Out<Dual<double>>,
                             In<Wrench<Rep::body, Dual<double>>>, const Effects&) noexcept;
template Dual<double> hamiltonian(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                  In<Dual<double>>, const Effects&) noexcept;

}  // namespace axode
