// The joints in the articulated-body algorithm: degrees of freedom eliminated one by one, from the last to the
// first, and their accelerations from the first to the last. The same in every representation.
#pragma once
#include <array>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// (dS/dt) v: the acceleration of the body in its parent at a = 0, in its own frame.
template <class S>
Vec6<S> screw_rate_times_velocity(const Tree& tree, std::size_t i, const Poses<S>& poses,
                                  const S* v) noexcept {
  const Link& link = tree.links[i];
  std::array<Vec6<S>, 12> screws;
  for (int k = 0; k < link.nv; ++k) screws[k] = poses.screws[link.v + k];
  const std::array<const S*, 1> velocity{v};
  joint_screw_derivatives<S>(tree, static_cast<int>(i), poses.q.data(), velocity, 1, screws.data());
  Vec6<S> rate{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  for (int k = 0; k < link.nv; ++k) rate += screws[link.nv + k] * v[link.v + k];
  return rate;
}

// --- when is D = S^T I S nothing but rounding? -----------------------------------------------------
//
// After an elimination I is a difference: massless bodies beyond which the inertia along S is used up
// (two joints on one axis) leave rounding errors relative to the numbers before. So the largest
// numbers are kept, as the trace of the two diagonal blocks, which bounds all entries, and passed on
// to the parent. Each counts as alone, levers as perpendicular: sums, and squares of summed levers,
// would grow without limit in long chains, while the rounding of far bodies does not.

//
// Degrees of freedom beyond bring their own rounding errors: if they answer a unit of this degree of freedom with
// accelerations a_m, then D has a_m^2 times those of D_m in it. They answer with large ones where
// they can barely follow, near a gimbal lock with bodies without mass. Only a D that is small beside
// its scale is put to this question.

/// Rounding errors of D are below this times its scale: up to 2.3 epsilon were found in random trees.
template <class S>
inline constexpr Real<S> rounding_of_D = Real<S>(16) * epsilon<S>;
/// D above this multiple of its noise is regular whatever the degrees of freedom beyond answer.
template <class S>
inline constexpr Real<S> beyond_doubt = Real<S>(6e6);

template <class S>
InertiaScale<S> larger(const InertiaScale<S>& a, const InertiaScale<S>& b) noexcept {
  return {max(a.moment, b.moment), max(a.mass, b.mass)};
}
template <class S>
InertiaScale<S> scale_of(const ArticulatedInertia<S>& I) noexcept {
  return {trace(I.aa), trace(I.ll)};
}
/// About a point at a distance p.
template <class S>
InertiaScale<S> shift(const Vec3<S>& p, const InertiaScale<S>& a) noexcept {
  return {a.moment + a.mass * squared_norm(p), a.mass};
}

// --- degrees of freedom ---------------------------------------------------------------------------------------

/// U and D of a degree of freedom with this screw.
template <class S>
inline void respond(const ArticulatedInertia<S>& I, const InertiaScale<S>& scale,
                    const Vec6<S>& screw, double armature, DofResponse<S>& f) noexcept {
  f.U = I * screw;
  f.D = dot(screw, f.U) + S(static_cast<Real<S>>(armature));
  f.noise = S(rounding_of_D<S>) *
            (squared_norm(screw.angular) * scale.moment + squared_norm(screw.linear) * scale.mass);
}
/// The rounding errors of D: f.noise, or what `with_response()` returns where D is small.
template <class S, class Noise>
inline S judged_noise(const DofResponse<S>& f, const Noise& with_response) noexcept {
  const auto doubtful = f.D > f.noise && f.D < f.noise * S(beyond_doubt<S>);
  if (any_of(doubtful)) [[unlikely]]
    return select(doubtful, with_response(), f.noise);
  return f.noise;
}
/// Eliminates a degree of freedom on which the force f.u acts beside p. False if it has no inertia beyond
/// `noise`, in any lane: then it is locked.
template <class S>
inline bool eliminate(const Vec6<S>& screw, DofResponse<S>& f, const S& noise,
                      ArticulatedInertia<S>& I, Vec6<S>& p) noexcept {
  const auto regular = f.D > noise;
  f.inverse_D = select(regular, S(1) / f.D, S(0));
  // u = tau - S^T p; p + U u / D and I - U U^T / D are felt by the parent
  f.u -= dot(screw, p);
  p += f.U * (f.u * f.inverse_D);
  I = without(I, f.U, f.inverse_D);
  return all_of(regular);
}
/// The acceleration of the degree of freedom; A becomes that with it.
template <class S>
inline S accelerate(const Vec6<S>& screw, const DofResponse<S>& f, Vec6<S>& A) noexcept {
  // q'' = (u - U^T A) / D
  const S a = (f.u - dot(f.U, A)) * f.inverse_D;
  A += screw * a;
  return a;
}

/// All joints free, driven by the forces in dofs[k].u.
template <class S>
struct FreeJoints {
  const Tree& tree;
  bool armature;
  DofResponse<S>* dofs;
  S* a;

  /// Eliminates the degrees of freedom of a joint; false if one of them has no inertia. noise_of(k) is called
  /// for those in doubt.
  template <class Noise>
  bool inwards(const Link& link, const Vec6<S>* screws, const InertiaScale<S>& scale,
               const Noise& noise_of, ArticulatedInertia<S>& I, Vec6<S>& p) const noexcept {
    bool regular = true;
    for (int k = link.v + link.nv; k-- > link.v;) {
      DofResponse<S>& f = dofs[k];
      respond(I, scale, screws[k], armature ? tree.dofs[k].armature : 0.0, f);
      const S noise = judged_noise(f, [&] { return noise_of(k); });
      regular = eliminate(screws[k], f, noise, I, p) && regular;
    }
    return regular;
  }
  /// Adds to A, of the body at a = 0, what the degrees of freedom of its joint give.
  void outwards(const Link& link, const Vec6<S>* screws, Vec6<S>& A) const noexcept {
    for (int k = link.v; k < link.v + link.nv; ++k) a[k] = accelerate(screws[k], dofs[k], A);
  }
};

/// The rounding errors of D of velocity k, of body i, with those of all degrees of freedom beyond, which answer
/// as the accelerations of a unit of it. `carried(j, A)`: the acceleration of body j when its parent
/// has A. Those of the bodies are used as memory: the sweep outwards is still to come.
template <Rep rep, class S, class Carried>
[[gnu::noinline]] S noise_with_response(const Tree& tree, std::size_t i, int k,
                                        const Vec6<S>* screws, const Carried& carried,
                                        ForwardDynamics<rep, S>& work) noexcept {
  const DofResponse<S>* dofs = work.dofs.data();
  Acceleration<rep, S>* A = work.motion.accelerations.data();
  S noise = dofs[k].noise;
  const auto answer = [&](std::size_t j, int first, Vec6<S> A_j) {
    for (int m = first; m < tree.links[j].v + tree.links[j].nv; ++m) {
      const S a = -dot(dofs[m].U, A_j) * dofs[m].inverse_D;
      A_j += screws[m] * a;
      noise += a * a * dofs[m].noise;
    }
    A[j] = {A_j.angular, A_j.linear};
  };
  answer(i, k + 1, screws[k]);
  for (std::size_t j = i + 1; j < tree.links.size(); ++j) {
    const int parent = tree.links[j].parent;
    if (parent < static_cast<int>(i))  // not carried: at rest, and so are those on it
      A[j] = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    else
      answer(j, tree.links[j].v, carried(j, A[parent].six()));
  }
  return noise;
}

/// One body of the inward sweep, before anything moves to its parent: I and p become what the parent
/// feels at the body. Returns the scale of I; `found` is the first body whose joint cannot be eliminated.
template <Rep rep, class S, class Joints, class Carried>
inline InertiaScale<S> eliminate_joint(const Tree& tree, std::size_t i, const Vec6<S>* screws,
                                       const Joints& joints, const Carried& carried,
                                       ForwardDynamics<rep, S>& work, ArticulatedInertia<S>& I,
                                       Vec6<S>& p, ForwardOutcome& found) noexcept {
  InertiaScale<S> scale = larger(work.scales[i], scale_of(I));
  const auto noise_of = [&](int k) {
    return noise_with_response(tree, i, k, screws, carried, work);
  };
  if (!joints.inwards(tree.links[i], screws, scale, noise_of, I, p) && found.ok())
    found.singular_body = static_cast<int>(i);
  p += I * work.rates[i];
  return scale;
}

}  // namespace axode::detail
