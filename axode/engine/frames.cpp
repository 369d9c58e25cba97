#include "axode/engine/frames.hpp"

#include <algorithm>
#include <array>

#include "axode/engine/detail/start.hpp"
#include "axode/kinematics/jacobian.hpp"

namespace axode {
namespace {

using engine::PathMemory;
using engine::PointMotion;

PathMemory& memory_of(Engine& e) {
  if (!e.path) e.path.emplace(*e.tree);
  return *e.path;
}

/// Bodies of frames, and the world: those whose paths a quantity depends on.
using Bodies = std::array<int, 8>;
Bodies bodies_of(const FrameRoles& f) noexcept {
  Bodies bodies{f.of.origin.body,
                f.of.axes.body,
                f.relative_to.origin.body,
                f.relative_to.axes.body,
                -1,
                -1,
                -1,
                -1};
  if (f.expressed_in)
    bodies[4] = f.expressed_in->origin.body, bodies[5] = f.expressed_in->axes.body;
  if (f.base_velocity_in)
    bodies[6] = f.base_velocity_in->origin.body, bodies[7] = f.base_velocity_in->axes.body;
  return bodies;
}

/// Lists the bodies on the paths to these, each after its parent.
void list_paths(const Tree& tree, In<int> ends, std::vector<int>& path) {
  path.clear();
  bool several = false;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const auto here = ends.begin() + static_cast<std::ptrdiff_t>(k);
    if (*here < 0 || std::find(ends.begin(), here, *here) != here) continue;
    several = several || !path.empty();
    for (int i = ends[k]; i >= 0; i = tree.links[i].parent) path.push_back(i);
  }
  if (!several) return std::reverse(path.begin(), path.end());
  std::sort(path.begin(), path.end());
  path.erase(std::unique(path.begin(), path.end()), path.end());
}

/// Writes the poses on these paths; v may be none. Returns the memory they are in.
PathMemory& place(Engine& e, In<double> q, In<double> v, In<int> ends) {
  PathMemory& m = memory_of(e);
  list_paths(*e.tree, ends, m.bodies);
  const engine::Call<double> c = engine::start(e, q, v, {});
  e.kernels->path_poses(c, engine::steps_of(e), m.bodies.data(), static_cast<int>(m.bodies.size()),
                        reinterpret_cast<double*>(m.poses.T_WB.data()));
  return m;
}

/// The screws of a joint whose screws depend on q: those of its general joint.
Vec6<double> moving_screw(const double* X) noexcept {
  return {{X[0], X[1], X[2]}, {X[4], X[5], X[6]}};
}

/// Motion of a body in its parent, in its own frame: S v, and S a + (dS/dt) v.
struct Relative {
  Vec6<double> velocity{}, acceleration{};
};
Relative relative_motion(const Engine& e, const EngineStep& s, In<double> v,
                         In<double> a) noexcept {
  Relative r;
  const engine::General<double>* general = s.moving ? &e.generals[s.general] : nullptr;
  for (int k = 0; k < s.nv; ++k) {
    const Vec6<double> X = general ? moving_screw(general->screw[k]) : e.tree->screws[s.v + k];
    r.velocity += X * v[s.v + k];
    if (!a.empty()) r.acceleration += X * a[s.v + k];
  }
  if (general && !a.empty()) r.acceleration += moving_screw(general->bias);
  return r;
}

/// Writes the motions of the bodies on the paths; `a` may be none, rates are then not valid.
void move(const Engine& e, In<double> v, In<double> a, PathMemory& m) noexcept {
  const bool accelerated = !a.empty();
  for (const int i : m.bodies) {
    const EngineStep& s = e.constants.steps[i];
    const SE3<double>& T = m.poses.T_WB[i];
    PointMotion& B = m.motions[i];
    const PointMotion none, &P = s.parent < 0 ? none : m.motions[s.parent];
    const Vec3<double> r = s.parent < 0 ? T.p : T.p - m.poses.T_WB[s.parent].p;
    const Vec3<double> across = cross(P.w, r);
    Relative in_body;
    if (s.nv > 0) in_body = relative_motion(e, s, v, a);
    const Vec3<double> w = T.R * in_body.velocity.angular, u = T.R * in_body.velocity.linear;
    B.w = P.w + w;
    B.v = P.v + across + u;
    if (!accelerated) continue;
    // d/dt of w_P x r has w_P x u besides; d/dt (R S_v v) has w_B x u.
    B.w_rate = P.w_rate + T.R * in_body.acceleration.angular + cross(P.w, w);
    B.v_rate = P.v_rate + cross(P.w_rate, r) + cross(P.w, across) +
               T.R * in_body.acceleration.linear + cross(P.w + B.w, u);
  }
}

/// A frame in the world: angular velocity of its axes, velocity of its origin, and their rates.
struct MovingFrame {
  SO3<double> R;
  Vec3<double> p;
  PointMotion motion;
};
MovingFrame moving_frame(const PathMemory& m, const FrameChoice& F) noexcept {
  const SE3<double> T = transform(m.poses, F);
  MovingFrame f{T.R, T.p, {}};
  if (F.axes.body >= 0) {
    const PointMotion& axes = m.motions[F.axes.body];
    f.motion.w = axes.w, f.motion.w_rate = axes.w_rate;
  }
  if (F.origin.body >= 0) {
    const PointMotion& B = m.motions[F.origin.body];
    const Vec3<double> r = T.p - m.poses.T_WB[F.origin.body].p, across = cross(B.w, r);
    f.motion.v = B.v + across;
    f.motion.v_rate = B.v_rate + cross(B.w_rate, r) + cross(B.w, across);
  }
  return f;
}

/// Motion of F relative to A as of one rigid body, at a point p that moves with velocity p': angular
/// velocity, velocity at p, and the rates of both, in world axes.
PointMotion relative_motion(const MovingFrame& F, const MovingFrame& A, const Vec3<double>& p,
                            const Vec3<double>& p_rate) noexcept {
  const auto at = [&](const MovingFrame& f) -> PointMotion {
    const PointMotion& x = f.motion;
    const Vec3<double> r = p - f.p;
    return {x.w, x.v + cross(x.w, r), x.w_rate,
            x.v_rate + cross(x.w_rate, r) + cross(x.w, p_rate - x.v)};
  };
  const PointMotion f = at(F), a = at(A);
  return {f.w - a.w, f.v - a.v, f.w_rate - a.w_rate, f.v_rate - a.v_rate};
}

struct Roles {
  MovingFrame of, relative_to, expressed_in;
};
Roles roles_in(const PathMemory& m, const FrameRoles& frames) noexcept {
  Roles r{moving_frame(m, frames.of), moving_frame(m, frames.relative_to), {}};
  if (frames.expressed_in) {
    r.expressed_in = moving_frame(m, *frames.expressed_in);
    return r;
  }
  const PointMotion &F = r.of.motion, &A = r.relative_to.motion;  // hybrid: origin of F, axes of A
  r.expressed_in = {r.relative_to.R, r.of.p, {A.w, F.v, A.w_rate, F.v_rate}};
  return r;
}

}  // namespace

SE3<double> transform(Engine& e, In<double> q, const FrameChoice& of,
                      const FrameChoice& relative_to) {
  const PathMemory& m = place(e, q, {}, bodies_of({.of = of, .relative_to = relative_to}));
  return transform(m.poses, of, relative_to);
}

Vec6<double> twist(Engine& e, In<double> q, In<double> v, const FrameRoles& frames) {
  PathMemory& m = place(e, q, {}, bodies_of(frames));
  move(e, v, {}, m);
  const auto [F, A, D] = roles_in(m, frames);
  const PointMotion V = relative_motion(F, A, D.p, D.motion.v);
  return {inverse_times(D.R, V.w), inverse_times(D.R, V.v)};
}

Vec6<double> acceleration(Engine& e, In<double> q, In<double> v, In<double> a,
                          const FrameRoles& frames, AccelerationKind kind) {
  PathMemory& m = place(e, q, v, bodies_of(frames));
  move(e, v, a, m);
  const auto [F, A, D] = roles_in(m, frames);
  // The components that are differentiated are those in D, or in A: in axes that turn with w.
  const bool apparent = kind == AccelerationKind::apparent;
  const MovingFrame& observer = apparent ? D : A;
  const PointMotion V = relative_motion(F, A, observer.p, observer.motion.v);
  const Vec3<double>& w = observer.motion.w;
  const Vec3<double> angular = V.w_rate - cross(w, V.w), linear = V.v_rate - cross(w, V.v);
  const Vec3<double> at_D = apparent ? linear : linear + cross(angular, D.p - A.p);
  return {inverse_times(D.R, angular), inverse_times(D.R, at_D)};
}

namespace {

/// The poses on these paths and the joint screws there.
PathMemory& place_with_screws(Engine& e, In<double> q, In<int> ends) {
  PathMemory& m = place(e, q, {}, ends);
  if (e.constants.has_moving)
    for (const int i : m.bodies) {
      const EngineStep& s = e.constants.steps[i];
      for (int k = 0; s.moving && k < s.nv; ++k)
        m.poses.screws[s.v + k] = moving_screw(e.generals[s.general].screw[k]);
    }
  return m;
}

}  // namespace

template <Rep rep>
void jacobian(Engine& e, In<double> q, const Frame& frame, Out<Twist<rep>> columns) {
  const PathMemory& m = place_with_screws(e, q, std::array{frame.body});
  jacobian<rep, double>(*e.tree, m.poses, frame, columns);
}
void jacobian(Engine& e, In<double> q, const FrameRoles& frames, Out<Vec6<double>> columns) {
  const PathMemory& m = place_with_screws(e, q, bodies_of(frames));
  jacobian<double>(*e.tree, m.poses, frames, columns);
}

template <Rep rep>
void jacobian_rate(Engine& e, In<double> q, In<double> v, const Frame& frame,
                   Out<Acceleration<rep>> columns) {
  const Poses<double>& at = engine::all_poses(e, q);
  auto& motion = e.recursions.get<Motion<rep>>(*e.tree);
  twists(*e.tree, at, v, motion);
  jacobian_rate<rep, double>(*e.tree, at, motion, v, frame, columns);
}
Vec6<double> jacobian_rate_times_velocity(Engine& e, In<double> q, In<double> v,
                                          const FrameRoles& frames) {
  const Poses<double>& at = engine::all_poses(e, q);
  auto& motion = e.recursions.get<Motion<Rep::body>>(*e.tree);
  twists(*e.tree, at, v, motion);
  return jacobian_rate_times_velocity<double>(*e.tree, at, motion, v, frames);
}

template void jacobian<Rep::body>(Engine&, In<double>, const Frame&, Out<Twist<Rep::body>>);
template void jacobian<Rep::spatial>(Engine&, In<double>, const Frame&, Out<Twist<Rep::spatial>>);
template void jacobian<Rep::hybrid>(Engine&, In<double>, const Frame&, Out<Twist<Rep::hybrid>>);
template void jacobian<Rep::mixed>(Engine&, In<double>, const Frame&, Out<Twist<Rep::mixed>>);
template void jacobian_rate<Rep::body>(Engine&, In<double>, In<double>, const Frame&,
                                       Out<Acceleration<Rep::body>>);
template void jacobian_rate<Rep::spatial>(Engine&, In<double>, In<double>, const Frame&,
                                          Out<Acceleration<Rep::spatial>>);
template void jacobian_rate<Rep::hybrid>(Engine&, In<double>, In<double>, const Frame&,
                                         Out<Acceleration<Rep::hybrid>>);
template void jacobian_rate<Rep::mixed>(Engine&, In<double>, In<double>, const Frame&,
                                        Out<Acceleration<Rep::mixed>>);

}  // namespace axode
