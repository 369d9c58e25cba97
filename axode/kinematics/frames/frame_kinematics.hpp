/// Poses, twists, accelerations, wrenches and Jacobians between any frames, named as one says them:
///
///   auto J = jacobian(tree, q, {.of = "tool", .relative_to = "world", .expressed_in = "tool"});
///
/// Frames are the world, bodies, named frames on them, and composites B[A] with the origin of B and
/// the axes of A; all may move. One that is left out is the world; but `expressed_in` is then the
/// origin of `of` with the axes of `relative_to`: the hybrid representation. In the symbols of
/// [TraversaroSaccon], but angular part first:
///
///   transform      A_H_B        pose of B in A                      [TraversaroSaccon (12)-(13)]
///   twist          C_v_{A,B}    velocity of B relative to A, expressed in C
///                                             [TraversaroSaccon (17)-(35); MuellerKin (79), (81)]
///   acceleration   d/dt(C_v_{A,B}), the apparent one      [TraversaroSaccon (44)-(46), (52)-(55)]
///                  C_a_{A,B} = C_X_A d/dt(A_v_{A,B}), the intrinsic one
///                                                                   [TraversaroSaccon (47)-(51)]
///   wrenches       A_f = A_X^B B_f                                  [TraversaroSaccon (57)-(60)]
///   jacobian       D_J_{A,E/C}: C_v_{W,base} and the joint velocities to D_v_{A,E}
///                                                                   [TraversaroSaccon (70)-(76)]
///
/// Functions of names look the names up and may allocate; those of FrameChoices are for loops, cost
/// O(depth) (Jacobians O(nv)) and do not allocate. Motions hold body twists. Straight from coordinates:
/// engine/kinematics_calls.hpp, as above, and engine/frames.hpp.
/// Units: rad/s and m/s, rad/s^2 and m/s^2, N m and N.
/// Tests: tests/kinematics/frames/frame_kinematics_test.cpp, tests/kinematics/dictionary_test.cpp
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/model/frames.hpp"

namespace axode {

/// The six numbers linear part first, and back: from_linear_first<Vec6<>>(numbers).
template <class S>
constexpr std::array<S, 6> linear_first(const Vec6<S>& a) noexcept {
  return {a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z};
}

enum class AccelerationKind {
  apparent,  ///< derivative of the components of the twist
  intrinsic  ///< of those in the frame it is relative to, then expressed as asked for
};

// --- frames by name -------------------------------------------------------------------------------

struct PoseQuery {
  FrameName of = {}, relative_to = {};
};
struct WrenchQuery {
  FrameName from = {}, to = {};
};
struct TwistQuery {
  FrameName of = {}, relative_to = {};
  std::optional<FrameName> expressed_in = {};  ///< default: origin_of(of).axes_of(relative_to)
};
struct AccelerationQuery {
  FrameName of = {}, relative_to = {};
  std::optional<FrameName> expressed_in = {};  ///< default: origin_of(of).axes_of(relative_to)
  AccelerationKind kind = AccelerationKind::apparent;
};
struct JacobianQuery {
  FrameName of = {}, relative_to = {};
  std::optional<FrameName> expressed_in = {};  ///< default: origin_of(of).axes_of(relative_to)
  /// Trees on a free base only: the first six velocities are then the twist of the base relative to
  /// the world, angular part first, expressed in this frame: "base" for the body form,
  /// origin_of("base").axes_of("world") for the hybrid, "world" for the spatial one. If it is not
  /// said they are those of the tree.
  std::optional<FrameName> base_velocity_in = {};
};

using Columns = std::vector<Vec6<double>>;  ///< of a 6 x nv matrix

SE3<double> transform(const Tree& tree, const Poses<double>& poses, const PoseQuery& query);
/// The wrench (torque about the frame's origin, force) expressed in another frame, and the 6x6
/// matrix that does it.
Vec6<double> wrench_transform(const Tree& tree, const Poses<double>& poses,
                              const Vec6<double>& wrench, const WrenchQuery& query);
Mat6<double> wrench_matrix(const Tree& tree, const Poses<double>& poses, const WrenchQuery& query);
/// `motion` holds the twists.
Vec6<double> twist(const Tree& tree, const Poses<double>& poses, const Motion<Rep::body>& motion,
                   const TwistQuery& query);
/// `motion` holds twists and accelerations.
Vec6<double> acceleration(const Tree& tree, const Poses<double>& poses,
                          const Motion<Rep::body>& motion, const AccelerationQuery& query);
/// Throws Error if a base velocity is asked for on a tree whose first joint is not free.
Columns jacobian(const Tree& tree, const Poses<double>& poses, const JacobianQuery& query);
/// dJ/dt times the velocity of that Jacobian (with the base's in the form it asks for): what the
/// apparent acceleration is when the derivatives of those velocities vanish. `v` is the tree's own.
Vec6<double> jacobian_rate_times_velocity(const Tree& tree, const Poses<double>& poses,
                                          const Motion<Rep::body>& motion, In<double> v,
                                          const JacobianQuery& query);

// --- frames looked up before, for loops -----------------------------------------------------------

struct FrameRoles {
  FrameChoice of = {}, relative_to = {};
  std::optional<FrameChoice> expressed_in = {};      ///< default: that of the hybrid representation
  std::optional<FrameChoice> base_velocity_in = {};  ///< Jacobians only
};
/// The frame in which the twist of `of` relative to another frame has the components of a
/// representation; of the mixed one the linear part: its angular part is expressed in `of`.
FrameChoice expressed_in(Rep rep, const FrameChoice& of, const FrameChoice& relative_to) noexcept;
/// Throws Error on unknown names, and on a base velocity without a free base.
FrameRoles frame_roles(const Tree& tree, const JacobianQuery& query);

/// Relative to the world, or to another frame.
template <class S>
SE3<S> transform(const Poses<S>& poses, const FrameChoice& of) noexcept;
template <class S>
SE3<S> transform(const Poses<S>& poses, const FrameChoice& of,
                 const FrameChoice& relative_to) noexcept;
template <class S>
Vec6<S> wrench_transform(const Poses<S>& poses, const Vec6<S>& wrench, const FrameChoice& from,
                         const FrameChoice& to) noexcept;
template <class S>
Vec6<S> twist(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
              const FrameRoles& frames) noexcept;
template <class S>
Vec6<S> acceleration(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                     const FrameRoles& frames,
                     AccelerationKind kind = AccelerationKind::apparent) noexcept;
template <class S>
void jacobian(const Tree& tree, const Poses<S>& poses, const FrameRoles& frames,
              Out<Vec6<S>> columns) noexcept;
template <class S>
Vec6<S> jacobian_rate_times_velocity(const Tree& tree, const Poses<S>& poses,
                                     const Motion<Rep::body, S>& motion, In<S> v,
                                     const FrameRoles& frames) noexcept;

}  // namespace axode
