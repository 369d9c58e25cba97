#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "axode/core/error.hpp"
#include "axode/model/bounds.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode {

namespace {

[[noreturn]] void fail(const std::string& what, std::size_t i, const std::string& problem,
                       const std::string& remedy) {
  throw Error(problem, fmt::format("forces, {} {}", what, i), remedy);
}
void check_number(const std::string& what, std::size_t i, double x, const char* name,
                  double least = -std::numeric_limits<double>::infinity()) {
  if (std::abs(x) > detail::largest_number && std::isfinite(x))
    fail(what, i, fmt::format("{} is {}, too large to compute with", name, x), "give SI units");
  if (!std::isfinite(x) || x < least)
    fail(what, i, fmt::format("{} is {}", name, x),
         std::isfinite(least) ? fmt::format("give a finite number >= {}", least)
                              : std::string("give a finite number"));
}
void check_body(const Tree& tree, const std::string& what, std::size_t i, int body, int least) {
  if (body < least || body >= tree.size())
    fail(what, i, fmt::format("there is no body {}", body),
         least < 0 ? "use body_index, or -1 for the world" : "use body_index");
}
void check_dof(const Tree& tree, const std::string& what, std::size_t i, int velocity) {
  if (velocity < 0 || velocity >= tree.nv)
    fail(what, i, fmt::format("there is no degree of freedom {}", velocity), "use dof_index");
}
void check_signal(const std::string& what, std::size_t i, const Signal& signal) {
  if (const double* constant = std::get_if<double>(&signal.form))
    check_number(what, i, *constant, "a constant");
  const SignalFunction* function = std::get_if<SignalFunction>(&signal.form);
  if (function && !*function) fail(what, i, "the function is empty", "give one");
}
void check_vector(const std::string& what, std::size_t i, const Vec3<double>& p) {
  if (!is_finite(p)) fail(what, i, "a point or direction is not finite", "give finite numbers");
}

bool has_quaternion(const Tree& tree, int velocity) {
  // The last joint that begins at or before it: velocities stand in the order of the joints.
  const auto after = std::upper_bound(tree.links.begin(), tree.links.end(), velocity,
                                      [](int v, const Link& link) { return v < link.v; });
  const Link& link = *std::prev(after);
  return link.map == JointMap::quaternion || link.map == JointMap::free;
}

void check_joints(const Tree& tree, const Forces& forces) {
  for (std::size_t i = 0; i < forces.springs.size(); ++i) {
    const JointSpringDamper& spring = forces.springs[i];
    check_dof(tree, "spring", i, spring.velocity);
    check_number("spring", i, spring.stiffness, "the stiffness", 0);
    check_number("spring", i, spring.damping, "the damping", 0);
    check_number("spring", i, spring.rest, "the rest position");
    if (spring.stiffness != 0 && has_quaternion(tree, spring.velocity))
      fail("spring", i,
           "a degree of freedom of a quaternion has no coordinate for a spring to act on",
           "use a pd controller, or springs between points");
  }
  for (std::size_t i = 0; i < forces.joint_forces.size(); ++i) {
    check_dof(tree, "joint force", i, forces.joint_forces[i].velocity);
    check_signal("joint force", i, forces.joint_forces[i].force);
  }
  check_number("friction of joints,", 0, forces.friction.width, "the width", 1e-12);
  check_number("stops of joints,", 0, forces.stops.width, "the width", 1e-12);
  check_number("stops of joints,", 0, forces.stops.frequency, "the frequency", 0);
  check_number("stops of joints,", 0, forces.stops.damping_ratio, "the damping ratio", 0);
  const auto& stiffness = forces.stops.stiffness;
  if (!stiffness.empty() && stiffness.size() != static_cast<std::size_t>(tree.nv))
    fail("stops of joints,", 0, fmt::format("{} stiffnesses", stiffness.size()),
         fmt::format("give {}, one for each degree of freedom, or none", tree.nv));
  for (std::size_t k = 0; k < stiffness.size(); ++k)
    check_number("stiffness of stop", k, stiffness[k], "it", 0);
}

void check_bodies(const Tree& tree, const Forces& forces) {
  for (std::size_t i = 0; i < forces.wrenches.size(); ++i) {
    const BodyForce& force = forces.wrenches[i];
    check_body(tree, "wrench", i, force.body, 0);
    check_body(tree, "wrench", i, force.expressed_in.origin.body, -1);
    check_body(tree, "wrench", i, force.expressed_in.axes.body, -1);
    for (const Signal& signal : force.wrench) check_signal("wrench", i, signal);
  }
  for (std::size_t i = 0; i < forces.points.size(); ++i) {
    const PointForce& point = forces.points[i];
    check_body(tree, "point force", i, point.body_a, -1);
    check_body(tree, "point force", i, point.body_b, -1);
    check_vector("point force", i, point.point_a);
    check_vector("point force", i, point.point_b);
    check_number("point force", i, point.stiffness, "the stiffness", 0);
    check_number("point force", i, point.damping, "the damping", 0);
    check_number("point force", i, point.free_length, "the free length", 0);
    check_signal("point force", i, point.force);
    if (point.body_a == point.body_b)
      fail("point force", i, "both points are on one body", "give points of two bodies");
  }
}

void check_contacts(const Tree& tree, const Forces& forces) {
  for (std::size_t i = 0; i < forces.contacts.size(); ++i) {
    const CompliantContact& contact = forces.contacts[i];
    check_body(tree, "contact", i, contact.plane.body, -1);
    check_vector("contact", i, contact.plane.point);
    if (!(std::abs(norm(contact.plane.normal) - 1) < 1e-9))
      fail("contact", i, "the normal is not a unit vector", "normalise it");
    for (const Ball& ball : contact.balls) {
      check_body(tree, "contact", i, ball.body, 0);
      check_vector("contact", i, ball.centre);
      check_number("contact", i, ball.radius, "a radius", 0);
      if (ball.body == contact.plane.body)
        fail("contact", i, "a ball and the plane are on one body", "leave that body out");
    }
    check_number("contact", i, contact.law.stiffness, "the stiffness", 0);
    check_number("contact", i, contact.law.exponent, "the exponent", 1);
    check_number("contact", i, contact.law.dissipation, "the dissipation", 0);
    check_number("contact", i, contact.law.friction, "the friction", 0);
    check_number("contact", i, contact.law.width, "the width", 1e-12);
  }
}

void check_controllers(const Tree& tree, const Forces& forces) {
  const std::size_t nq = tree.nq, nv = tree.nv;
  for (std::size_t i = 0; i < forces.controllers.size(); ++i) {
    const Controller& controller = forces.controllers[i];
    if (controller.kp.size() != nv || controller.kd.size() != nv)
      fail("controller", i, "kp and kd do not have one number for each degree of freedom",
           fmt::format("give {} of each", nv));
    for (std::size_t k = 0; k < nv; ++k) {
      check_number("controller", i, controller.kp[k], "a gain kp", 0);
      check_number("controller", i, controller.kd[k], "a gain kd", 0);
    }
    const std::size_t points = controller.reference.times.size();
    if (points == 0 || controller.reference.waypoints.size() != points * nq)
      fail("controller", i, "the reference is not one of this tree",
           "make it by hold() or trajectory()");
    if (!(controller.from < controller.until))
      fail("controller", i, "it ends before it begins", "give from < until");
  }
}

}  // namespace

void check_forces(const Tree& tree, const Forces& forces) {
  check_joints(tree, forces);
  check_bodies(tree, forces);
  check_controllers(tree, forces);
  check_contacts(tree, forces);
}

}  // namespace axode
