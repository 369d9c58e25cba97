#include "axode/kinematics/frames/frame_kinematics.hpp"

#include <algorithm>
#include <cassert>

#include "axode/kinematics/jacobian.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {
namespace {

/// A body twist and the derivative of its components.
template <class S>
struct RigidMotion {
  Vec6<S> V = Vec6<S>{}, A = Vec6<S>{};
};
/// A frame moving in the world, its twist and the derivative of its components in itself.
template <class S>
struct MovingFrame {
  SE3<S> T_WF;
  RigidMotion<S> motion;
};

FrameChoice expression_frame(const FrameRoles& frames) noexcept {
  return frames.expressed_in.value_or(expressed_in(Rep::hybrid, frames.of, frames.relative_to));
}

template <class S>
SO3<S> axes_of(const Poses<S>& poses, int body) noexcept {
  return body < 0 ? SO3<S>{} : poses.T_WB.data()[body].R;
}

/// Angular part from the body that has the axes, linear part from the one that has the origin;
/// `motion_of` gives the RigidMotion of a body.
template <class S, class MotionOf>
MovingFrame<S> moving_frame(const Poses<S>& poses, const FrameChoice& F,
                            MotionOf&& motion_of) noexcept {
  const SE3<S> T_WF = transform(poses, F);
  const RigidMotion<S> axes = F.axes.body < 0 ? RigidMotion<S>{} : motion_of(F.axes.body);
  const RigidMotion<S> origin = F.origin.body == F.axes.body ? axes
                                : F.origin.body < 0          ? RigidMotion<S>{}
                                                             : motion_of(F.origin.body);
  const SO3<S> R_BF = detail::cast<S>(F.axes.T_BF).R;
  const Vec3<S> w = inverse_times(R_BF, axes.V.angular);
  // Velocity and acceleration of the origin in the axes of its body B, then in those of F.
  const SO3<S> R_FB = inverse_times(T_WF.R, axes_of(poses, F.origin.body));
  const Vec3<S> p = detail::cast<S>(F.origin.T_BF.p);
  const Vec3<S> v = origin.V.linear + cross(origin.V.angular, p);
  const Vec3<S> rate = origin.A.linear + cross(origin.A.angular, p);
  const Vec3<S> v_F = R_FB * v, pddot = R_FB * (rate + cross(origin.V.angular, v));
  return {T_WF, {{w, v_F}, {inverse_times(R_BF, axes.A.angular), pddot - cross(w, v_F)}}};
}

/// Both parts moved to the frame D: C_v of (33) and the intrinsic acceleration of (47).
template <class S>
RigidMotion<S> expressed(const SE3<S>& T_WD, const MovingFrame<S>& F) noexcept {
  const SE3<S> T_DF = inverse_times(T_WD, F.T_WF);
  // D_v = D_X_F F_v  [TraversaroSaccon (33)], D_a = D_X_F d/dt(F_v)  [TraversaroSaccon (47)]
  return {Ad(T_DF, F.motion.V), Ad(T_DF, F.motion.A)};
}

template <class S>
auto motion_source(const Motion<Rep::body, S>& motion) noexcept {
  return [&motion](int body) {
    return RigidMotion<S>{motion.twists.data()[body].six(),
                          motion.accelerations.data()[body].six()};
  };
}

/// d/dt of the components in D, (44), or of those in A and then in D, (47).
template <class S, class MotionOf>
Vec6<S> acceleration_from(const Poses<S>& poses, const FrameRoles& frames, AccelerationKind kind,
                          MotionOf&& motion_of) noexcept {
  const MovingFrame<S> D = moving_frame(poses, expression_frame(frames), motion_of);
  const RigidMotion<S> F = expressed(D.T_WF, moving_frame(poses, frames.of, motion_of));
  const RigidMotion<S> A = expressed(D.T_WF, moving_frame(poses, frames.relative_to, motion_of));
  const Vec6<S>& observer = kind == AccelerationKind::apparent ? D.motion.V : A.V;
  return F.A - A.A - ad(observer, F.V - A.V);
}

// --- Jacobians ------------------------------------------------------------------------------------

/// Which of two frames' axes and origins a joint moves.
struct Moves {
  bool of_axes, of_origin, reference_axes, reference_origin;
};

/// Calls take(j, moves) for the joints that move one frame against the other: those up to the point
/// where all four paths have met.
template <class Take>
void for_joints_between(const Tree& tree, const FrameRoles& frames, Take&& take) noexcept {
  std::array<int, 4> at{frames.of.axes.body, frames.of.origin.body, frames.relative_to.axes.body,
                        frames.relative_to.origin.body};
  for (;;) {
    const int j = *std::max_element(at.begin(), at.end());
    if (*std::min_element(at.begin(), at.end()) == j) return;
    take(j, Moves{at[0] == j, at[1] == j, at[2] == j, at[3] == j});
    for (int& body : at)
      if (body == j) body = tree.links[j].parent;
  }
}

/// Where a relative twist is looked at: origins of the two frames and of D, and the axes of D.
template <class S>
struct View {
  SE3<S> T_WD;
  Vec3<S> p_of, p_reference;
};
template <class S>
View<S> make_view(const Poses<S>& poses, const FrameRoles& frames) noexcept {
  return {transform(poses, expression_frame(frames)), transform(poses, frames.of).p,
          transform(poses, frames.relative_to).p};
}

/// A field of twists: angular velocity w, and velocity v at the point r; world axes.
template <class S>
struct Field {
  Vec3<S> w, v, r;
};
/// Of the frame at p whose axes, or origin, the field moves: its twist at p_D in world axes.
template <class S>
Vec6<S> moved_by(const Field<S>& f, bool axes, bool origin, const Vec3<S>& p,
                 const Vec3<S>& p_D) noexcept {
  if (axes && origin) return {f.w, f.v + cross(f.r - p_D, f.w)};
  const Vec3<S> w = axes ? f.w : Vec3<S>{};
  const Vec3<S> v = origin ? f.v + cross(f.r - p, f.w) : Vec3<S>{};
  return {w, v + cross(p - p_D, w)};
}
/// The relative twist of the two frames in D that the field makes.
template <class S>
Vec6<S> relative_twist(const Field<S>& f, const Moves& moves, const View<S>& view) noexcept {
  const Vec3<S>& p_D = view.T_WD.p;
  const Vec6<S> V =
      moved_by(f, moves.of_axes, moves.of_origin, view.p_of, p_D) -
      moved_by(f, moves.reference_axes, moves.reference_origin, view.p_reference, p_D);
  return {inverse_times(view.T_WD.R, V.angular), inverse_times(view.T_WD.R, V.linear)};
}
template <class S>
Field<S> field(const SE3<S>& T_WB, const Vec6<S>& screw) noexcept {
  return {T_WB.R * screw.angular, T_WB.R * screw.linear, T_WB.p};
}

/// What dJ/dt v loses when the base velocity is taken in the frame C: J_base d/dt(C_v_{W,base}), at
/// constant velocity coordinates of the tree.
template <class S, class MotionOf>
Vec6<S> base_velocity_correction(const Tree& tree, const Poses<S>& poses, const FrameRoles& frames,
                                 MotionOf&& motion_of) noexcept {
  const MovingFrame<S> C = moving_frame(poses, *frames.base_velocity_in, motion_of);
  const RigidMotion<S> base = expressed(C.T_WF, MovingFrame<S>{poses.T_WB[0], motion_of(0)});
  const Vec6<S> rate = base.A - ad(C.motion.V, base.V);
  Vec6<S> correction = Vec6<S>{};
  for_joints_between(tree, frames, [&](int j, const Moves& moves) {
    if (j == 0) correction = relative_twist(field(C.T_WF, rate), moves, make_view(poses, frames));
  });
  return correction;
}

}  // namespace

template <class S>
SE3<S> transform(const Poses<S>& poses, const FrameChoice& of) noexcept {
  const SO3<S> R = axes_of(poses, of.axes.body) * detail::cast<S>(of.axes.T_BF).R;
  const Vec3<S> p = detail::cast<S>(of.origin.T_BF.p);
  return {R, of.origin.body < 0 ? p : poses.T_WB.data()[of.origin.body] * p};
}
template <class S>
SE3<S> transform(const Poses<S>& poses, const FrameChoice& of,
                 const FrameChoice& relative_to) noexcept {
  return inverse_times(transform(poses, relative_to), transform(poses, of));
}

template <class S>
Vec6<S> wrench_transform(const Poses<S>& poses, const Vec6<S>& wrench, const FrameChoice& from,
                         const FrameChoice& to) noexcept {
  return Ad_inverse_transpose(transform(poses, from, to), wrench);
}

template <class S>
Vec6<S> twist(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
              const FrameRoles& frames) noexcept {
  const auto motion_of = motion_source(motion);
  const SE3<S> T_WD = transform(poses, expression_frame(frames));
  return expressed(T_WD, moving_frame(poses, frames.of, motion_of)).V -
         expressed(T_WD, moving_frame(poses, frames.relative_to, motion_of)).V;
}

template <class S>
Vec6<S> acceleration(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                     const FrameRoles& frames, AccelerationKind kind) noexcept {
  return acceleration_from(poses, frames, kind, motion_source(motion));
}

template <class S>
void jacobian(const Tree& tree, const Poses<S>& poses, const FrameRoles& frames,
              Out<Vec6<S>> columns) noexcept {
  assert(static_cast<int>(columns.size()) == tree.nv);
  std::fill(columns.begin(), columns.end(), Vec6<S>{});
  const View<S> view = make_view(poses, frames);
  for_joints_between(tree, frames, [&](int j, const Moves& moves) {
    const Link& link = tree.links[j];
    // The columns of a base velocity in C are the unit twists in C.
    const bool base = j == 0 && frames.base_velocity_in;
    const SE3<S> T_WB = base ? transform(poses, *frames.base_velocity_in) : poses.T_WB.data()[j];
    for (int k = 0; k < link.nv; ++k) {
      Vec6<S> unit = Vec6<S>{};
      unit[k] = S(1);
      columns.data()[link.v + k] =
          relative_twist(field(T_WB, base ? unit : poses.screws.data()[link.v + k]), moves, view);
    }
  });
}

template <class S>
Vec6<S> jacobian_rate_times_velocity(const Tree& tree, const Poses<S>& poses,
                                     const Motion<Rep::body, S>& motion, In<S> v,
                                     const FrameRoles& frames) noexcept {
  const auto at_constant_v = [&](int body) {
    const Acceleration<Rep::body, S> A =
        jacobian_rate_times_velocity(tree, poses, motion, v, Frame{body, {}});
    return RigidMotion<S>{motion.twists.data()[body].six(), A.six()};
  };
  const Vec6<S> A = acceleration_from(poses, frames, AccelerationKind::apparent, at_constant_v);
  return frames.base_velocity_in ? A - base_velocity_correction(tree, poses, frames, at_constant_v)
                                 : A;
}

template SE3<double> transform(const Poses<double>&, const FrameChoice&) noexcept;
template SE3<double> transform(const Poses<double>&, const FrameChoice&,
                               const FrameChoice&) noexcept;
template Vec6<double> wrench_transform(const Poses<double>&, const Vec6<double>&,
                                       const FrameChoice&, const FrameChoice&) noexcept;
template Vec6<double> twist(const Poses<double>&, const Motion<Rep::body, double>&,
                            const FrameRoles&) noexcept;
template Vec6<double> acceleration(const Poses<double>&, const Motion<Rep::body, double>&,
                                   const FrameRoles&, AccelerationKind) noexcept;
template void jacobian(const Tree&, const Poses<double>&, const FrameRoles&,
                       Out<Vec6<double>>) noexcept;
template Vec6<double> jacobian_rate_times_velocity(const Tree&, const Poses<double>&,
                                                   const Motion<Rep::body, double>&, In<double>,
                                                   const FrameRoles&) noexcept;
template SE3<Dual<double>> transform(const Poses<Dual<double>>&, const FrameChoice&) noexcept;
template SE3<Dual<double>> transform(const Poses<Dual<double>>&, const FrameChoice&,
                                     const FrameChoice&) noexcept;
template Vec6<Dual<double>> wrench_transform(const Poses<Dual<double>>&, const Vec6<Dual<double>>&,
                                             const FrameChoice&, const FrameChoice&) noexcept;
template Vec6<Dual<double>> twist(const Poses<Dual<double>>&,
                                  const Motion<Rep::body, Dual<double>>&,
                                  const FrameRoles&) noexcept;
template Vec6<Dual<double>> acceleration(const Poses<Dual<double>>&,
                                         const Motion<Rep::body, Dual<double>>&, const FrameRoles&,
                                         AccelerationKind) noexcept;
template void jacobian(const Tree&, const Poses<Dual<double>>&, const FrameRoles&,
                       Out<Vec6<Dual<double>>>) noexcept;
template Vec6<Dual<double>> jacobian_rate_times_velocity(const Tree&, const Poses<Dual<double>>&,
                                                         const Motion<Rep::body, Dual<double>>&,
                                                         In<Dual<double>>,
                                                         const FrameRoles&) noexcept;

}  // namespace axode
