// The joints in the articulated-body algorithm: freedoms eliminated one by one, from the last to the
// first, and their accelerations from the first to the last. The same in every representation.
#pragma once
#include <array>

#include "axode/dynamics/forward_dynamics.hpp"
#include "axode/kinematics/motion.inl"

namespace axode::detail {

/// (dS/dt) v: the acceleration of the body in its parent at a = 0, in its own frame.
template <class S>
Vec6<S> screw_rate_times_velocity(const Tree& tree, std::size_t i, const Poses<S>& poses,
                                  const S* v) noexcept {
  const Link& link = tree.links[i];
  std::array<Vec6<S>, 12> screws;
  for (int k = 0; k < link.nv; ++k)
    screws[static_cast<std::size_t>(k)] = poses.screws[static_cast<std::size_t>(link.v + k)];
  const std::array<const S*, 1> velocity{v};
  joint_screw_derivatives<S>(tree, static_cast<int>(i), poses.q.data(), velocity, 1, screws.data());
  Vec6<S> rate{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  for (int k = 0; k < link.nv; ++k)
    rate += screws[static_cast<std::size_t>(link.nv + k)] * v[link.v + k];
  return rate;
}

// --- when is D = S^T I S nothing but rounding? -----------------------------------------------------
//
// After an elimination I is a difference: massless bodies beyond which the inertia along S is used up
// (two joints on one axis) leave rounding errors relative to the numbers before. So the largest
// numbers are kept, as the trace of the two diagonal blocks, which bounds all entries, and passed on
// to the parent. Each counts as alone, levers as perpendicular: sums, and squares of summed levers,
// would grow without limit in long chains, while the rounding of far bodies does not.

/// Rounding errors of D are below this times its scale: up to 2.3 epsilon were found in random trees.
template <class S>
inline constexpr Real<S> rounding_of_D = Real<S>(16) * epsilon<S>;

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

// --- freedoms ---------------------------------------------------------------------------------------

/// U and D of a freedom with this screw.
template <class S>
inline void respond(const ArticulatedInertia<S>& I, const InertiaScale<S>& scale,
                    const Vec6<S>& screw, double armature, FreedomResponse<S>& f) noexcept {
  f.U = I * screw;
  f.D = dot(screw, f.U) + S(static_cast<Real<S>>(armature));
  f.noise = S(rounding_of_D<S>) *
            (squared_norm(screw.angular) * scale.moment + squared_norm(screw.linear) * scale.mass);
}
/// Eliminates a freedom on which the force f.u acts beside p. False if it has no inertia, in any
/// lane: then it is locked.
template <class S>
inline bool eliminate(const Vec6<S>& screw, FreedomResponse<S>& f, ArticulatedInertia<S>& I,
                      Vec6<S>& p) noexcept {
  const auto regular = f.D > f.noise;
  f.inverse_D = select(regular, S(1) / f.D, S(0));
  f.u -= dot(screw, p);
  p += f.U * (f.u * f.inverse_D);
  I = without(I, f.U, f.inverse_D);
  return all_of(regular);
}
/// The acceleration of the freedom; A becomes that with it.
template <class S>
inline S accelerate(const Vec6<S>& screw, const FreedomResponse<S>& f, Vec6<S>& A) noexcept {
  const S a = (f.u - dot(f.U, A)) * f.inverse_D;
  A += screw * a;
  return a;
}

/// All joints free, driven by the forces in freedoms[k].u.
template <class S>
struct FreeJoints {
  const Tree& tree;
  bool armature;
  FreedomResponse<S>* freedoms;
  S* a;

  /// Eliminates the freedoms of a joint; false if one of them has no inertia.
  bool inwards(const Link& link, const Vec6<S>* screws, const InertiaScale<S>& scale,
               ArticulatedInertia<S>& I, Vec6<S>& p) const noexcept {
    bool regular = true;
    for (int k = link.v + link.nv; k-- > link.v;) {
      FreedomResponse<S>& f = freedoms[k];
      respond(I, scale, screws[k], armature ? tree.dofs[static_cast<std::size_t>(k)].armature : 0.0,
              f);
      regular = eliminate(screws[k], f, I, p) && regular;
    }
    return regular;
  }
  /// Adds to A, of the body at a = 0, what the freedoms of its joint give.
  void outwards(const Link& link, const Vec6<S>* screws, Vec6<S>& A) const noexcept {
    for (int k = link.v; k < link.v + link.nv; ++k) a[k] = accelerate(screws[k], freedoms[k], A);
  }
};

/// One body of the inward sweep, before anything moves to its parent: I and p become what the parent
/// feels at the body. Returns the scale of I.
template <Rep rep, class S, class Joints>
inline InertiaScale<S> eliminate_joint(const Tree& tree, std::size_t i, const Vec6<S>* screws,
                                       const Joints& joints, ForwardDynamics<rep, S>& work,
                                       ArticulatedInertia<S>& I, Vec6<S>& p) noexcept {
  const InertiaScale<S> scale = larger(work.scales[i], scale_of(I));
  if (!joints.inwards(tree.links[i], screws, scale, I, p) && work.singular_body < 0)
    work.singular_body = static_cast<int>(i);
  p += I * work.rates[i];
  return scale;
}

}  // namespace axode::detail
