// All terms of the forces at one state, templates of the scalar: joints, controllers, bodies.
#pragma once
#include "axode/simulate/forces/detail/force_laws.hpp"
#include "axode/simulate/forces/detail/force_scratch.hpp"

namespace axode::laws {

/// How far the coordinate is beyond the limit it has passed, if any, and the sign of the way back.
template <class S>
struct Passed {
  Beyond<S> beyond{S(0), S(0)};
  double back = 0;  ///< 0: within the limits
};
template <class S>
Passed<S> passed(const Stop& stop, const S& q, const S& v) noexcept {
  if (q > S(stop.upper)) return {{q - S(stop.upper), v}, -1};
  if (q < S(stop.lower)) return {{S(stop.lower) - q, -v}, 1};
  return {};
}

template <class S>
void add_joint_terms(const Forces& forces, const ForceScratch& scratch,
                     const SignalArguments<S>& state, Out<S> tau) {
  for (std::size_t i = 0; i < forces.springs.size(); ++i) {
    const JointSpringDamper& spring = forces.springs[i];
    S& force = tau[spring.velocity];
    if (spring.stiffness != 0)
      force -= S(spring.stiffness) * (state.q[scratch.spring_q[i]] - S(spring.rest));
    if (spring.damping != 0) force -= S(spring.damping) * state.v[spring.velocity];
  }
  for (const Rub& rub : scratch.rubs)
    tau[rub.velocity] -= S(rub.force) * smooth_sign(state.v[rub.velocity], forces.friction.width);
  for (const Stop& stop : scratch.stops) {
    const Passed<S> p = passed(stop, state.q[stop.q], state.v[stop.velocity]);
    if (p.back != 0)
      tau[stop.velocity] +=
          S(p.back) * stop_force(p.beyond, stop.stiffness, stop.damping, forces.stops.width);
  }
  for (const JointForce& force : forces.joint_forces)
    tau[force.velocity] += value<S>(force.force, state);
}

/// Inverse dynamics of a = command; the torque to stand still if there is none.
inline void control_torque(const Tree&, ForceScratch& scratch, const SignalArguments<double>& state,
                           bool still) {
  ControlScratch<double>& c = scratch.control;
  const std::vector<double>& zero = c.zero;
  inverse_dynamics(*scratch.engine, state.q, still ? In<double>(zero) : state.v,
                   still ? zero : c.command, c.torque, {.effects = {.friction = false}});
}
inline void control_torque(const Tree& tree, ForceScratch& scratch,
                           const SignalArguments<Dual<double>>& state, bool still) {
  using D = Dual<double>;
  DualScratch& dual = *scratch.dual;
  ControlScratch<D>& c = dual.control;
  poses<D>(tree, state.q, dual.moved);
  inverse_dynamics<Rep::body, D>(tree, dual.moved, still ? In<D>(c.zero) : state.v,
                                 still ? c.zero : c.command, dual.dynamics, c.torque, {},
                                 {.friction = false});
}

template <class S>
void add_controllers(const Tree& tree, const Forces& forces, ForceScratch& scratch,
                     ControlScratch<S>& c, const SignalArguments<S>& state, Out<S> tau) {
  if (forces.controllers.empty()) return;
  const std::size_t n = c.drive.size();
  std::fill(c.drive.begin(), c.drive.end(), S(0));
  for (const Controller& controller : forces.controllers) {
    if (state.t < controller.from || state.t >= controller.until) continue;
    sample(tree, controller.reference, state.t, scratch.q_d, scratch.v_d, scratch.a_d);
    for (std::size_t i = 0; i < scratch.q_d.size(); ++i) c.target[i] = S(scratch.q_d[i]);
    difference<S>(tree, state.q, c.target, c.error);
    const bool computed = controller.kind == Controller::Kind::computed_torque;
    for (std::size_t k = 0; k < n; ++k)
      c.command[k] = S(controller.kp[k]) * c.error[k] +
                     S(controller.kd[k]) * (S(scratch.v_d[k]) - state.v[k]) +
                     S(computed ? scratch.a_d[k] : 0.0);
    if (computed || controller.gravity_compensation)
      control_torque(tree, scratch, state, !computed);
    for (std::size_t k = 0; k < n; ++k) {
      if (controller.kp[k] == 0 && controller.kd[k] == 0) continue;
      if (!computed) c.drive[k] += c.command[k];
      if (computed || controller.gravity_compensation) c.drive[k] += c.torque[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const S limit(forces.effort_limits ? tree.dofs[k].max_effort
                                       : std::numeric_limits<double>::infinity());
    tau[k] += select(c.drive[k] > limit, limit, select(c.drive[k] < -limit, -limit, c.drive[k]));
  }
}

template <class S>
void add_body_terms(const Forces& forces, const Bodies<S>& bodies, const SignalArguments<S>& state,
                    Out<Wrench<Rep::body, S>> wrenches) {
  for (const BodyForce& force : forces.wrenches) {
    std::array<S, 6> w;
    for (std::size_t i = 0; i < 6; ++i) w[i] = value<S>(force.wrench[i], state);
    const Frame &origin = force.expressed_in.origin, &axes = force.expressed_in.axes;
    const SO3<S> R = bodies.pose(axes.body).R * cast<S>(axes.T_BF).R;
    apply(bodies, force.body, R * Vec3<S>{w[0], w[1], w[2]}, R * Vec3<S>{w[3], w[4], w[5]},
          bodies.pose(origin.body) * cast<S>(origin.T_BF.p), wrenches);
  }
  const Vec3<S> none{S(0), S(0), S(0)};
  for (const PointForce& point : forces.points) {
    const Line<S> l = line(point, bodies);
    const S push = S(-point.stiffness) * (l.length - S(point.free_length)) -
                   S(point.damping) * l.rate + value<S>(point.force, state);
    apply(bodies, point.body_a, none, -push * l.along, l.a, wrenches);
    apply(bodies, point.body_b, none, push * l.along, l.b, wrenches);
  }
  for (const CompliantContact& contact : forces.contacts)
    for (const Ball& ball : contact.balls) {
      const Touch<S> touched = touch(contact.plane, ball, bodies);
      if (!(touched.depth > S(0))) continue;
      const Vec3<S> force = contact_force(contact.law, touched);
      apply(bodies, ball.body, none, force, touched.x, wrenches);
      apply(bodies, contact.plane.body, none, -force, touched.x, wrenches);
    }
}

/// The time as far as the forces may see: some round-offs before the next switch, as expressions such
/// as sign(.1*t - .07) are zero over several.
inline double seen_time(const Forces& forces, double t, ForceWork& work) noexcept {
  if (!(t >= work.from && t < work.until)) {
    work.from = t;
    work.until = next_discontinuity(forces, t);
  }
  if (!std::isfinite(work.until)) return t;
  return std::max(work.from, std::min(t, work.until - 16 * epsilon<double> * std::abs(work.until)));
}

}  // namespace axode::laws
