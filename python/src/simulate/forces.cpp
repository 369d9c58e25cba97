/// axode.Forces: all that acts on a tree beside gravity and the damping of its degrees of freedom.
#include <nanobind/stl/vector.h>

#include "src/shared/callbacks.hpp"
#include "src/simulate/force_objects.hpp"

namespace axode::python {
namespace {

/// Adds to a list of the forces, or throws what check_forces finds and leaves them as they were.
template <class Item>
void add(PyForces& to, std::vector<Item> Forces::*list, Item item) {
  Forces alone;  // checked alone, so that n forces are added in O(n)
  (alone.*list).push_back(std::move(item));
  alone.stops.on = alone.friction.on = false;
  check_forces(*to.tree, alone);
  (to.forces.*list).push_back(std::move((alone.*list).back()));
}

void set_stops(PyForces& f, bool on, double frequency, double damping_ratio, double width,
               nb::handle stiffness) {
  Forces alone;
  alone.friction.on = false;
  alone.stops = {on, frequency, damping_ratio, width,
                 stiffness.is_none() ? std::vector<double>{} : vector(stiffness, "stiffness")};
  check_forces(*f.tree, alone);
  f.forces.stops = std::move(alone.stops);
}
void set_friction(PyForces& f, bool on, double width) {
  Forces alone;
  alone.stops.on = false;
  alone.friction = {on, width};
  check_forces(*f.tree, alone);
  f.forces.friction = alone.friction;
}

nb::list controllers_of(const PyForces& f) {
  return each(f.forces.controllers, [&](const Controller& c) {
    return nb::cast(PyController{f.tree_object, f.tree, c});
  });
}

std::string forces_text(const PyForces& p) {
  const Forces& f = p.forces;
  std::string text = "<axode.Forces:";
  const auto count = [&](std::size_t n, const char* what) {
    if (n > 0) text += " " + std::to_string(n) + " " + what + ",";
  };
  count(f.springs.size(), "springs");
  count(f.joint_forces.size(), "joint forces");
  count(f.wrenches.size(), "wrenches");
  count(f.points.size(), "point forces");
  count(f.controllers.size(), "controllers");
  count(f.contacts.size(), "contacts");
  return text + " friction " + (f.friction.on ? "on" : "off") + ", stops " +
         (f.stops.on ? "on" : "off") + ">";
}

nb::object state_of(const PyForces& p) {
  const Forces& f = p.forces;
  return nb::make_tuple(friction_object(f.friction), stops_object(f.stops),
                        each(f.springs, spring_object), each(f.joint_forces, joint_force_object),
                        each(f.wrenches, wrench_object), each(f.points, point_object),
                        controllers_of(p), each(f.contacts, contact_object), f.effort_limits);
}

/// Functions of signals may refer to the forces: the garbage collector has to see them. Those that
/// a run or a copy holds too belong to it as well and are not garbage.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto seen = [&](const Signal& signal) {
    const auto* held = std::get_if<SignalFunction>(&signal.form);
    const PySignal* python = held != nullptr ? held->target<PySignal>() : nullptr;
    if (python == nullptr || !python->function.alone()) return 0;
    Py_VISIT(python->function.borrowed().ptr());
    return 0;
  };
  const Forces& f = nb::inst_ptr<PyForces>(self)->forces;
  for (const JointForce& force : f.joint_forces)
    if (const int end = seen(force.force)) return end;
  for (const PointForce& force : f.points)
    if (const int end = seen(force.force)) return end;
  for (const BodyForce& force : f.wrenches)
    for (const Signal& signal : force.wrench)
      if (const int end = seen(signal)) return end;
  return 0;
}
int clear(PyObject* self) {
  Forces gone;  // what ends with them may look at the forces
  if (nb::inst_ready(self)) std::swap(gone, nb::inst_ptr<PyForces>(self)->forces);
  return 0;
}
PyType_Slot collected[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                           {Py_tp_clear, reinterpret_cast<void*>(clear)},
                           {0, nullptr}};

}  // namespace

void bind_forces(nb::module_& m) {
  using Handle = nb::handle;
  nb::class_<PyForces>(
      m, "Forces", nb::type_slots(collected),
      "All that acts on a tree in a simulation beside gravity and the damping of its degrees of "
      "freedom.\n\n"
      "Friction and limits of the tree's joints (as stops) act unless set_friction or set_stops "
      "say "
      "otherwise. A signal is a number, the text of an expression of t, q[joint] and v[joint], "
      "axode.forces.samples, or a function f(t, q, v) -> float. Joints and bodies are given by "
      "name or "
      "number. Units: N, N m, m, rad, s.")
      .def(
          "__init__",
          [](PyForces* self, nb::object tree) {
            const Tree& of = tree_of(tree);
            new (self) PyForces{std::move(tree), &of, {}};
          },
          nb::arg("tree"), nb::sig("def __init__(self, tree: Tree) -> None"))
      .def_prop_ro(
          "tree", [](const PyForces& f) { return f.tree_object; },
          nb::sig("def tree(self) -> Tree"), "The tree they act on.")
      .def("set_friction", &set_friction, nb::arg("on") = true, nb::arg("width") = 1e-3,
           "Coulomb friction of the tree's degrees of freedom, smooth within `width` [rad/s, m/s].")
      .def("set_stops", &set_stops, nb::arg("on") = true, nb::arg("frequency") = 25,
           nb::arg("damping_ratio") = 1, nb::arg("width") = 1e-3, nb::arg("stiffness") = nb::none(),
           nb::sig("def set_stops(self, on: bool = True, frequency: float = 25, "
                   "damping_ratio: float = 1, width: float = 1e-3, "
                   "stiffness: axode.typing.ArrayLike | None = None) -> None"),
           "Limits of the tree's degrees of freedom as compliant stops of that frequency [Hz], or "
           "of the "
           "stiffness (nv,) [N m/rad, N/m].")
      .def(
          "add_spring",
          [](PyForces& f, Handle joint, double stiffness, double rest, double damping) {
            add(f, &Forces::springs,
                JointSpringDamper{dof_from(joint, *f.tree, "joint"), stiffness, rest, damping});
          },
          nb::arg("joint"), nb::kw_only(), nb::arg("stiffness") = 0.0, nb::arg("rest") = 0.0,
          nb::arg("damping") = 0.0,
          nb::sig("def add_spring(self, joint: str | int, *, stiffness: float = 0, "
                  "rest: float = 0, damping: float = 0) -> None"),
          "tau = -stiffness (q - rest) - damping v on a degree of freedom \"joint\" or "
          "\"joint.k\".")
      .def(
          "add_joint_force",
          [](PyForces& f, Handle joint, Handle force) {
            add(f, &Forces::joint_forces,
                JointForce{dof_from(joint, *f.tree, "joint"),
                           signal_from(force, *f.tree, "force")});
          },
          nb::arg("joint"), nb::arg("force"),
          nb::sig("def add_joint_force(self, joint: str | int, force: axode.typing.SignalLike) -> "
                  "None"),
          "A force or torque on a degree of freedom.")
      .def(
          "add_wrench",
          [](PyForces& f, Handle body, Handle wrench, Handle expressed_in) {
            add(f, &Forces::wrenches, wrench_from(body, wrench, expressed_in, *f.tree));
          },
          nb::arg("body"), nb::arg("wrench"), nb::arg("expressed_in") = "world",
          nb::sig("def add_wrench(self, body: str | int, "
                  "wrench: collections.abc.Sequence[axode.typing.SignalLike] | "
                  "axode.typing.Array, expressed_in: axode.typing.FrameLike | "
                  "tuple[int, axode.typing.Array, int, axode.typing.Array] = 'world') -> None"),
          "A wrench of six signals on a body: torque about the origin of the frame, then force, in "
          "its axes. Frames as \"tool\" or \"tool[world]\".")
      .def(
          "add_point_force",
          [](PyForces& f, Handle body_a, Handle point_a, Handle body_b, Handle point_b,
             double stiffness, double damping, double free_length, Handle force) {
            add(f, &Forces::points,
                PointForce{body_from(body_a, *f.tree, "body_a", true),
                           body_from(body_b, *f.tree, "body_b", true), vec3(point_a, "point_a"),
                           vec3(point_b, "point_b"), stiffness, damping, free_length,
                           signal_from(force, *f.tree, "force")});
          },
          nb::arg("body_a").none(), nb::arg("point_a"), nb::arg("body_b").none(),
          nb::arg("point_b"), nb::kw_only(), nb::arg("stiffness") = 0.0, nb::arg("damping") = 0.0,
          nb::arg("free_length") = 0.0, nb::arg("force") = 0.0,
          nb::sig("def add_point_force(self, body_a: str | int | None, "
                  "point_a: axode.typing.ArrayLike, body_b: str | int | None, "
                  "point_b: axode.typing.ArrayLike, *, stiffness: float = 0, damping: float = 0, "
                  "free_length: float = 0, force: axode.typing.SignalLike = 0) -> None"),
          "Spring, damper and actuator (> 0 pushes apart) on the line between two points in the "
          "frames of their bodies; None or \"world\" is the world.")
      .def(
          "add_controller",
          [](PyForces& f, const PyController& c) { add(f, &Forces::controllers, c.controller); },
          nb::arg("controller"), "A controller; the sum of all is cut at the effort limits.")
      .def(
          "add_contact",
          [](PyForces& f, Handle contact) {
            add(f, &Forces::contacts, contact_from(contact, *f.tree));
          },
          nb::arg("contact"),
          nb::sig("def add_contact(self, contact: axode._results.CompliantContact) -> None"),
          "Balls that touch a half space.")
      .def(
          "add_ground_contact",
          [](PyForces& f, const std::vector<std::string>& bodies, Handle law, double height) {
            add(f, &Forces::contacts, ground_contact(*f.tree, bodies, law_from(law), height));
          },
          nb::arg("bodies"), nb::arg("law") = nb::none(), nb::arg("height") = 0.0,
          nb::sig("def add_ground_contact(self, bodies: collections.abc.Sequence[str], "
                  "law: axode._results.ContactLaw | None = None, height: float = 0) -> None"),
          "The collision shapes of the bodies against the plane z = height of the world.")
      .def_prop_rw(
          "effort_limits", [](const PyForces& f) { return f.forces.effort_limits; },
          [](PyForces& f, bool on) { f.forces.effort_limits = on; },
          "Whether the sum of the controllers is cut at the effort limits of the tree.")
      .def_prop_ro(
          "friction", [](const PyForces& f) { return friction_object(f.forces.friction); },
          nb::sig("def friction(self) -> axode._results.JointFriction"),
          "Coulomb friction of the degrees of freedom.")
      .def_prop_ro(
          "stops", [](const PyForces& f) { return stops_object(f.forces.stops); },
          nb::sig("def stops(self) -> axode._results.JointStops"),
          "Stops at the limits of the degrees of freedom.")
      .def_prop_ro(
          "springs", [](const PyForces& f) { return each(f.forces.springs, spring_object); },
          nb::sig("def springs(self) -> list[axode._results.JointSpringDamper]"),
          "Springs and dampers of joints.")
      .def_prop_ro(
          "joint_forces",
          [](const PyForces& f) { return each(f.forces.joint_forces, joint_force_object); },
          nb::sig("def joint_forces(self) -> list[axode._results.JointForce]"),
          "Forces on degrees of freedom.")
      .def_prop_ro(
          "wrenches", [](const PyForces& f) { return each(f.forces.wrenches, wrench_object); },
          nb::sig("def wrenches(self) -> list[axode._results.BodyForce]"), "Wrenches on bodies.")
      .def_prop_ro(
          "points", [](const PyForces& f) { return each(f.forces.points, point_object); },
          nb::sig("def points(self) -> list[axode._results.PointForce]"), "Forces between points.")
      .def_prop_ro(
          "controllers", [](const PyForces& f) { return controllers_of(f); },
          nb::sig("def controllers(self) -> list[Controller]"), "Controllers.")
      .def_prop_ro(
          "contacts", [](const PyForces& f) { return each(f.forces.contacts, contact_object); },
          nb::sig("def contacts(self) -> list[axode._results.CompliantContact]"), "Contacts.")
      .def("__repr__", &forces_text)
      .def("__reduce__", [](const PyForces& f) {
        const nb::object make = nb::module_::import_("axode._forces").attr("rebuilt");
        return nb::make_tuple(make, nb::make_tuple(f.tree_object, state_of(f)));
      });

  m.def(
      "contact_balls",
      [](Handle tree, const std::vector<std::string>& bodies) {
        return each(contact_balls(tree_of(tree), bodies), ball_object);
      },
      nb::arg("tree"), nb::arg("bodies"),
      nb::sig("def contact_balls(tree: Tree, bodies: collections.abc.Sequence[str]) -> "
              "list[axode._results.Ball]"),
      "The balls that stand for the collision shapes of the bodies.");
  m.def(
      "ground_contact",
      [](Handle tree, const std::vector<std::string>& bodies, Handle law, double height) {
        return contact_object(ground_contact(tree_of(tree), bodies, law_from(law), height));
      },
      nb::arg("tree"), nb::arg("bodies"), nb::arg("law") = nb::none(), nb::arg("height") = 0.0,
      nb::sig("def ground_contact(tree: Tree, bodies: collections.abc.Sequence[str], "
              "law: axode._results.ContactLaw | None = None, height: float = 0) -> "
              "axode._results.CompliantContact"),
      "The collision shapes of the bodies against the plane z = height of the world.");
}

}  // namespace axode::python
