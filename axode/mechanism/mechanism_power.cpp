// Of mechanism_dynamics.hpp: the power of what has no potential.
#include "axode/mechanism/mechanism_dynamics.hpp"

namespace axode {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct MovingPoint {
  Vec3<double> position, velocity;
};
MovingPoint moving_point(const SE3<double>& T, const Twist<Rep::hybrid>& twist,
                         const Vec3<double>& local) {
  const Vec3<double> arm = T.R * local;
  return {T.p + arm, twist.linear + cross(twist.angular, arm)};
}
}  // namespace

double MechanismDynamics::coordinate_power(double t, std::span<const double> v) const {
  const MechanismEquations& eq = system_->equations();
  const std::vector<CoordinateForce>& forces = eq.mechanism.coordinate_forces;
  double sum = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const CoordinateForce& f = forces[i];
    if (f.damping == 0 && !f.force) continue;
    double rate = 0;
    for (const Scalar::Part& part : eq.scalars[at(eq.loads.coordinate_forces[i])].parts)
      rate += part.factor * v[at(part.v)];
    sum += ((f.force ? f.force(t) : 0) - f.damping * rate) * rate;
  }
  return sum;
}

double MechanismDynamics::body_power(double t) const {
  const Mechanism& mech = system_->mechanism();
  double sum = 0;
  for (const PointSpring& s : mech.springs) {
    if (s.damping == 0 && !s.force) continue;
    const MovingPoint a = moving_point(poses_[at(s.body[0])], twists_[at(s.body[0])], s.point[0]);
    const MovingPoint b = moving_point(poses_[at(s.body[1])], twists_[at(s.body[1])], s.point[1]);
    const double length = norm(b.position - a.position);
    const double rate =
        length > 0 ? dot(b.position - a.position, b.velocity - a.velocity) / length : 0;
    sum += ((s.force ? s.force(t) : 0) - s.damping * rate) * rate;
  }
  for (const BodyLoad& load : mech.loads) {
    Vec6<double> all{load.torque, load.force};
    if (load.varying) all += load.varying(t);
    const Twist<Rep::hybrid>& twist = twists_[at(load.body)];
    const MovingPoint p = moving_point(poses_[at(load.body)], twist, load.point);
    sum += dot(all.linear, p.velocity) + dot(all.angular, twist.angular);
  }
  return sum;
}

double MechanismDynamics::power(double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> lambda) {
  if (!loaded_) return 0;
  const MechanismEquations& eq = system_->equations();
  double sum = coordinate_power(t, v);
  for (int i = 0; i < eq.rows(); ++i)
    if (const int d = eq.equations[at(i)].driver; d >= 0)
      sum -= lambda[at(i)] * eq.mechanism.drivers[at(d)].motion(t).rate;
  if (eq.mechanism.springs.empty() && eq.mechanism.loads.empty()) return sum;
  system_->motion(q, v, poses_, twists_);
  return sum + body_power(t);
}

}  // namespace axode
