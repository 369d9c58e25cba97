/// Forces of a tree as named tuples of axode/_results/simulate.py, and back.
#pragma once
#include "src/simulate/simulate.hpp"

namespace axode::python {

template <class Items, class F>
nb::list each(const Items& items, F&& f) {
  nb::list result;
  for (const auto& item : items) result.append(f(item));
  return result;
}

nb::object spring_object(const JointSpringDamper& s);
nb::object joint_force_object(const JointForce& f);
nb::object wrench_object(const BodyForce& f);
nb::object point_object(const PointForce& p);
nb::object ball_object(const Ball& b);
nb::object contact_object(const CompliantContact& c);
nb::object friction_object(const JointFriction& f);
nb::object stops_object(const JointStops& s);

/// Throw Error, and what is raised where members are missing or of another type.
BodyForce wrench_from(nb::handle body, nb::handle wrench, nb::handle expressed_in,
                      const Tree& tree);
ContactLaw law_from(nb::handle value);
CompliantContact contact_from(nb::handle value, const Tree& tree);

}  // namespace axode::python
