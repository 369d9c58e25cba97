#include "src/simulate/force_objects.hpp"

#include "axode/core/error.hpp"
#include "src/kinematics/frame_names.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
// --- to Python -----------------------------------------------------------------------------------

nb::object spring_object(const JointSpringDamper& s) {
  return result("JointSpringDamper", s.velocity, s.stiffness, s.rest, s.damping);
}
nb::object joint_force_object(const JointForce& f) {
  return result("JointForce", f.velocity, signal_object(f.force));
}
nb::object wrench_object(const BodyForce& f) {
  nb::list six = each(f.wrench, signal_object);
  const Frame &o = f.expressed_in.origin, &a = f.expressed_in.axes;
  return result("BodyForce", f.body, nb::tuple(six),
                nb::make_tuple(o.body, homogeneous(o.T_BF), a.body, homogeneous(a.T_BF)));
}
nb::object point_object(const PointForce& p) {
  return result("PointForce", p.body_a, p.body_b, array(p.point_a), array(p.point_b), p.stiffness,
                p.damping, p.free_length, signal_object(p.force));
}
nb::object ball_object(const Ball& b) { return result("Ball", b.body, array(b.centre), b.radius); }
nb::object contact_object(const CompliantContact& c) {
  const ContactLaw& l = c.law;
  return result("CompliantContact",
                result("HalfSpace", c.plane.body, array(c.plane.point), array(c.plane.normal)),
                nb::tuple(each(c.balls, ball_object)),
                result("ContactLaw", l.stiffness, l.exponent, l.dissipation, l.friction, l.width));
}
nb::object friction_object(const JointFriction& f) {
  return result("JointFriction", f.on, f.width);
}
nb::object stops_object(const JointStops& s) {
  return result("JointStops", s.on, s.frequency, s.damping_ratio, s.width,
                s.stiffness.empty() ? nb::object(nb::none()) : array(s.stiffness));
}

// --- from Python ---------------------------------------------------------------------------------

/// A named tuple as argument: what is none, or has other members, is a TypeError that names it.
struct Named {
  nb::handle from;
  const char* argument;
  const char* type;  ///< with its article

  nb::object member(const char* name) const {
    if (!nb::hasattr(from, name))
      throw nb::type_error(
          (std::string(argument) + ": " + Py_TYPE(from.ptr())->tp_name + " is not " + type)
              .c_str());
    return from.attr(name);
  }
  double number(const char* name) const {
    const nb::object value = member(name);
    double x = 0;
    if (!nb::try_cast(value, x))
      throw nb::type_error((std::string(argument) + ": its " + name + " is not a number").c_str());
    return x;
  }
};
static Ball ball_from(nb::handle value, const Tree& tree) {
  const Named ball{value, "balls", "an axode.forces.Ball"};
  const nb::object body = ball.member("body"), centre = ball.member("centre");
  return {body_from(body, tree, "ball", false), vec3(centre, "centre"), ball.number("radius")};
}
ContactLaw law_from(nb::handle value) {
  if (value.is_none()) return {};
  const Named law{value, "law", "an axode.forces.ContactLaw"};
  return {law.number("stiffness"), law.number("exponent"), law.number("dissipation"),
          law.number("friction"), law.number("width")};
}
CompliantContact contact_from(nb::handle value, const Tree& tree) {
  const Named contact{value, "contact", "an axode.forces.CompliantContact"};
  const nb::object half = contact.member("plane"), balls = contact.member("balls"),
                   law = contact.member("law");
  const Named plane{half, "plane", "an axode.forces.HalfSpace"};
  const nb::object body = plane.member("body"), point = plane.member("point"),
                   normal = plane.member("normal");
  if (PySequence_Check(balls.ptr()) == 0)
    throw nb::type_error("balls: not a sequence of axode.forces.Ball");
  CompliantContact result;
  result.plane = {body_from(body, tree, "plane", true), vec3(point, "point"),
                  vec3(normal, "normal")};
  for (nb::handle ball : balls) result.balls.push_back(ball_from(ball, tree));
  result.law = law_from(law);
  return result;
}

BodyForce wrench_from(nb::handle body, nb::handle wrench, nb::handle expressed_in,
                      const Tree& tree) {
  BodyForce force;
  force.body = body_from(body, tree, "body", false);
  std::size_t count = 0;
  for (nb::handle component : nb::iter(wrench)) {
    if (count < 6) force.wrench[count] = signal_from(component, tree, "wrench");
    ++count;
  }
  if (count != 6)
    throw Error("has " + std::to_string(count) + " numbers or signals instead of 6", "wrench",
                "give the torque, then the force");
  if (PyTuple_Check(expressed_in.ptr()) && nb::len(expressed_in) == 4) {  // as in a BodyForce
    const auto parts = nb::borrow<nb::tuple>(expressed_in);
    const nb::object o = parts[0], T_o = parts[1], a = parts[2], T_a = parts[3];
    force.expressed_in = {{body_from(o, tree, "frame", true), pose(T_o, "frame")},
                          {body_from(a, tree, "frame", true), pose(T_a, "frame")}};
  } else {
    force.expressed_in = frame_choice(tree, expressed_in, "expressed_in");
  }
  return force;
}

}  // namespace axode::python
