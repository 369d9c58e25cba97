#include "axode/dynamics/forward/prescribed_dynamics.hpp"

#include <algorithm>

#include "axode/dynamics/any_scalar/forward_dynamics_body.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace detail {

/// Of each degree of freedom force or acceleration given. dofs[k].u holds the force on entry, less the
/// losses; for those of given acceleration the losses.
template <class S>
struct GivenJoints {
  const Tree& tree;
  bool armature;
  DofResponse<S>* dofs;
  S *a, *tau;
  const Given* given;

  template <class Noise>
  bool inwards(const Link& link, const Vec6<S>* screws, const InertiaScale<S>& scale,
               const Noise& noise_of, ArticulatedInertia<S>& I, Vec6<S>& p) const noexcept {
    bool regular = true;
    for (int k = link.v + link.nv; k-- > link.v;) {
      DofResponse<S>& f = dofs[k];
      respond(I, scale, screws[k], armature ? tree.dofs[k].armature : 0.0, f);
      if (given[k] == Given::force) {
        const S noise = judged_noise(f, [&] { return noise_of(k); });
        regular = eliminate(screws[k], f, noise, I, p) && regular;
      } else {
        f.inverse_D = S(0);
        f.u += dot(screws[k], p);
        p += f.U * a[k];
      }
    }
    return regular;
  }
  void outwards(const Link& link, const Vec6<S>* screws, Vec6<S>& A) const noexcept {
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const DofResponse<S>& f = dofs[k];
      if (given[k] == Given::force) {
        a[k] = accelerate(screws[k], f, A);
      } else {
        tau[k] = f.u + dot(f.U, A) + f.D * a[k];
        A += screws[k] * a[k];
      }
    }
  }
};

}  // namespace detail

template <class S>
ForwardOutcome prescribed_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v,
                                   In<Given> given, ForwardDynamics<Rep::body, S>& work, Out<S> a,
                                   Out<S> tau, In<Wrench<Rep::body, S>> external,
                                   const Effects& effects) noexcept {
  DofResponse<S>* f = work.dofs.data();
  for (std::size_t k = 0; k < given.size(); ++k) {
    f[k].u = tau[k];
    tau[k] = S(0);
  }
  add_losses<S>(tree, effects, v, tau);
  for (std::size_t k = 0; k < given.size(); ++k) {
    const S loss = tau[k];
    tau[k] = f[k].u;
    f[k].u = given[k] == Given::force ? tau[k] - loss : loss;
  }
  const detail::GivenJoints<S> joints{tree,     effects.armature, f,
                                      a.data(), tau.data(),       given.data()};
  return detail::articulated_bodies(tree, poses, v.data(), world_acceleration<S>(tree, effects),
                                    external, joints, work);
}

std::vector<Given> given_accelerations(const Tree& tree, std::span<const std::string_view> joints) {
  std::vector<Given> given(tree.dofs.size(), Given::force);
  for (const std::string_view joint : joints) {
    const Link& link = tree.links[joint_index(tree, joint)];
    std::fill_n(given.begin() + link.v, link.nv, Given::acceleration);
  }
  return given;
}

template ForwardOutcome prescribed_dynamics(const Tree&, const Poses<double>&, In<double>,
                                            In<Given>, ForwardDynamics<Rep::body, double>&,
                                            Out<double>, Out<double>, In<Wrench<Rep::body, double>>,
                                            const Effects&) noexcept;
template ForwardOutcome prescribed_dynamics(const Tree&, const Poses<Dual<double>>&,
                                            In<Dual<double>>, In<Given>,
                                            ForwardDynamics<Rep::body, Dual<double>>&,
                                            Out<Dual<double>>, Out<Dual<double>>,
                                            In<Wrench<Rep::body, Dual<double>>>,
                                            const Effects&) noexcept;

}  // namespace axode
