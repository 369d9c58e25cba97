/// A tree at one state in world axes about one point: joint screws, motions, and for each body sums
/// over all it carries. In these terms the mass matrix, Coriolis matrices, momenta and all
/// derivatives are short formulas along paths.
///
///   J_k        screw of velocity k, Ad(C_i) S_k                                 [MuellerKin (28)]
///   V_i, A_i   spatial twist and acceleration, gravity in the latter as -g of the world
///   M_i        spatial inertia of body i and all it carries               [MuellerDyn (34), (37)]
///   W_i        wrench its joint transmits                                   [MuellerDyn (70)-(71)]
///   B_i        the matrix with B X = -M ad_V X - ad_V^T M X - ad_X^T M V of each body, summed: what
///              a change X of all twists does to W, beside M times that of the accelerations. It
///              acts on the angular part x of X alone:
///                B X = ((Theta' - h_a~) x, -2 h_l x x),
///              with (h_a, h_l) the momentum and Theta' the rate of the inertia about the point.
///
/// The point is the origin of the first body that moves, at that instant: as fixed in space as the
/// world's, but near, so that a robot far from the world's origin loses no digits. (Several robots in
/// one tree, far from each other, do: eps times the square of their distance in M.) O(n).
/// Tests: tests/dynamics/detail/composite_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// B of one or more bodies.
template <class S = double>
struct CoriolisSum {
  Mat3<S> turning;   ///< Theta' - h_a~
  Vec3<S> momentum;  ///< h_l
  friend constexpr Vec6<S> operator*(const CoriolisSum& B, const Vec6<S>& X) noexcept {
    return {B.turning * X.angular, cross(X.angular, B.momentum) * S(2)};
  }
};

/// Make it once per tree and thread, then reuse it.
template <class S = double>
struct Composite {
  explicit Composite(const Tree& tree);
  Vec3<S> point{};                             ///< in the world
  std::vector<Vec6<S>> screws;                 ///< by velocity: J
  std::vector<InertiaParameters<S>> inertias;  ///< by body: M
  std::vector<Vec6<S>> twists, accelerations;  ///< by body: V, A
  std::vector<Vec6<S>> momenta, wrenches;      ///< by body: sum of M V, and W
  std::vector<CoriolisSum<S>> coriolis;        ///< by body: B
};

/// Writes point, screws and inertias. None of these allocates.
template <class S>
void composite_inertias(const Tree& tree, const Poses<S>& poses, Composite<S>& result) noexcept;
/// Writes those, twists and momenta.
template <class S>
void composite_momenta(const Tree& tree, const Poses<S>& poses, In<S> v,
                       Composite<S>& result) noexcept;
/// Writes all.
template <class S>
void composite_motion(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                      Composite<S>& result, In<Wrench<Rep::body, S>> external = {},
                      const Effects& effects = {}) noexcept;

/// M X of an inertia given by its parameters.
template <class S>
constexpr Vec6<S> operator*(const InertiaParameters<S>& M, const Vec6<S>& X) noexcept {
  return {M.about_origin * X.angular + cross(M.first_moment, X.linear),
          X.linear * M.mass + cross(X.angular, M.first_moment)};
}
/// The body whose origin is the point: the first whose joint has a degree of freedom, or 0.
std::size_t first_moving_body(const Tree& tree) noexcept;
/// Pose of a body about the point.
template <class S>
constexpr SE3<S> pose_about(const Vec3<S>& point, const SE3<S>& T_WB) noexcept {
  return {T_WB.R, T_WB.p - point};
}

}  // namespace axode
