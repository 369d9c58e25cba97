#include "axode/dynamics/matrices/momentum_form.hpp"

#include "axode/dynamics/any_scalar/mass_matrix.hpp"
#include "axode/dynamics/detail/screw_rates.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
MomentumForm<S>::MomentumForm(const Tree& tree)
    : composite(tree),
      factors(tree),
      screw_rates(tree.screws.size()),
      wrenches(tree.links.size()) {}

template <class S>
void generalized_momenta(const Tree& tree, const Composite<S>& composite, In<S> v, Out<S> p,
                         const Effects& effects) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k)
      // p = J^T P, P_i = M_i V_i summed over all that joint i carries  [MuellerDyn (79)]
      p[k] = dot(composite.screws[k], composite.momenta[i]);
  }
  add_armature<S>(tree, effects, v, p);
}

template <class S>
MassOutcome velocities_from_momenta(const Tree& tree, const Poses<S>& poses, In<S> p,
                                    MomentumForm<S>& work, Out<S> v,
                                    const Effects& effects) noexcept {
  // v = M^-1 p, M = L^T D L of [MuellerDyn (81)]
  composite_inertias(tree, poses, work.composite);
  mass_matrix(tree, work.composite, work.factors, effects);
  const MassOutcome found = factorize(work.factors);
  for (std::size_t k = 0; k < tree.screws.size(); ++k) v[k] = p[k];
  solve<S>(work.factors, v);
  return found;
}

template <class S>
void momentum_rates(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                    MomentumForm<S>& work, Out<S> rates, In<Wrench<Rep::body, S>> external,
                    const Effects& effects) noexcept {
  Composite<S>& sums = work.composite;
  composite_momenta(tree, poses, v, sums);
  detail::moving_screw_rates(tree, poses, sums.point, v.data(), sums.twists.data(),
                             sums.screws.data(), work.screw_rates.data());
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    // Ad_C^-T W: external wrenches about the point, then F_i of all that joint i carries
    work.wrenches[i] =
        external.empty()
            ? Vec6<S>{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}}
            : Ad_inverse_transpose(pose_about(sums.point, poses.T_WB[i]), external[i].six());
  detail::sum_inwards(tree, work.wrenches.data(),
                      [](const Vec6<S>& a, const Vec6<S>& b) { return a + b; });
  // losses add to the forces needed, hence -tau here and the change of sign below
  for (std::size_t k = 0; k < tree.screws.size(); ++k) rates[k] = -tau[k];
  add_losses<S>(tree, effects, v, rates);
  const Vec3<S> g = -world_acceleration<S>(tree, effects);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const InertiaParameters<S>& M = sums.inertias[i];
    const Vec6<S> F = work.wrenches[i] + Vec6<S>{cross(M.first_moment, g), g * M.mass};
    for (int j = link.v; j < link.v + link.nv; ++j) {
      const std::size_t k = j;
      // J^T (P' - W) = 0 and p = J^T P: p'_k = J'_k^T P_i + J_k^T F_i + tau_k  [MuellerDyn (79)]
      rates[k] = -rates[k] + dot(work.screw_rates[k], sums.momenta[i]) + dot(sums.screws[k], F);
    }
  }
}

template <class S>
S hamiltonian(const Tree& tree, const Poses<S>& poses, In<S> p, In<S> v,
              const Effects& effects) noexcept {
  S sum(0);
  for (std::size_t k = 0; k < tree.screws.size(); ++k) sum += p[k] * v[k];
  const S kinetic = S(Real<S>(0.5)) * sum;
  return effects.gravity ? kinetic + potential_energy(tree, poses) : kinetic;
}

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
  if (const MassOutcome found =
          velocities_from_momenta<double>(tree, at, p, work, result.v, effects);
      !found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                           "momentum_form");
  momentum_rates<double>(tree, at, result.v, tau, work, result.momentum_rates, {}, effects);
  return result;
}

template struct MomentumForm<double>;
template void generalized_momenta(const Tree&, const Composite<double>&, In<double>, Out<double>,
                                  const Effects&) noexcept;
template MassOutcome velocities_from_momenta(const Tree&, const Poses<double>&, In<double>,
                                             MomentumForm<double>&, Out<double>,
                                             const Effects&) noexcept;
template void momentum_rates(const Tree&, const Poses<double>&, In<double>, In<double>,
                             MomentumForm<double>&, Out<double>, In<Wrench<Rep::body, double>>,
                             const Effects&) noexcept;
template double hamiltonian(const Tree&, const Poses<double>&, In<double>, In<double>,
                            const Effects&) noexcept;

template struct MomentumForm<Dual<double>>;
template void generalized_momenta(const Tree&, const Composite<Dual<double>>&, In<Dual<double>>,
                                  Out<Dual<double>>, const Effects&) noexcept;
template MassOutcome velocities_from_momenta(const Tree&, const Poses<Dual<double>>&,
                                             In<Dual<double>>, MomentumForm<Dual<double>>&,
                                             Out<Dual<double>>, const Effects&) noexcept;
template void momentum_rates(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                             In<Dual<double>>, MomentumForm<Dual<double>>&, Out<Dual<double>>,
                             In<Wrench<Rep::body, Dual<double>>>, const Effects&) noexcept;
template Dual<double> hamiltonian(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                  In<Dual<double>>, const Effects&) noexcept;

}  // namespace axode
