#include "axode/simulate/forces/controller.hpp"

#include <algorithm>

#include "axode/core/error.hpp"

namespace axode {

namespace {

/// The gain for all degrees of freedom but those of free joints: a floating base has no motors.
std::vector<double> gains(const Tree& tree, double gain) {
  std::vector<double> result(tree.nv, gain);
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.bodies[i].joint_type == JointType::free)
      std::fill_n(result.begin() + tree.links[i].v, tree.links[i].nv, 0.0);
  return result;
}

}  // namespace

Controller pd_controller(const Tree& tree, double kp, double kd, std::vector<double> q) {
  Controller result;
  result.kp = gains(tree, kp);
  result.kd = gains(tree, kd);
  result.reference = hold(tree, std::move(q));
  return result;
}

Controller computed_torque_controller(const Tree& tree, double frequency, double damping_ratio,
                                      Trajectory reference) {
  if (!(frequency > 0) || !(damping_ratio >= 0))
    throw Error("frequency or damping ratio is not positive", "computed_torque_controller",
                "give both > 0, such as 10 and 1");
  Controller result;
  result.kind = Controller::Kind::computed_torque;
  result.kp = gains(tree, frequency * frequency);
  result.kd = gains(tree, 2 * damping_ratio * frequency);
  result.reference = std::move(reference);
  return result;
}

double next_switch(const Controller& controller, double t) noexcept {
  if (t < controller.from) return controller.from;
  if (t >= controller.until) return std::numeric_limits<double>::infinity();
  return std::min(controller.until, next_switch(controller.reference, t));
}

}  // namespace axode
