/// What a mechanism consists of, as named tuples.
#include "axode/core/error.hpp"
#include "axode/mechanism/description/spanning_tree.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {
namespace {

nb::object pair_array(const std::array<Vec3<double>, 2>& two) {
  const Output both({2, 3});
  for (int k = 0; k < 6; ++k) both.data[k] = two[k / 3][k % 3];
  return both.array;
}
nb::dict named(const std::vector<NamedVector>& vectors) {
  nb::dict all;
  for (const NamedVector& v : vectors) all[v.name.c_str()] = array(v.at);
  return all;
}
nb::tuple body_names(const Mechanism& m, const std::array<int, 2>& body) {
  return nb::make_tuple(m.bodies[body[0]].name, m.bodies[body[1]].name);
}
nb::object homogeneous(const SE3<double>& T) {
  const Output all({4, 4});
  write_homogeneous(T, all.data);
  return all.array;
}
const std::string& coordinate_name(const Mechanism& m, int c) { return m.coordinates[c].name; }

nb::object part(const Mechanism&, const MechanismBody& b) {
  return result("MechanismBody", b.name, b.inertia, named(b.points), named(b.vectors),
                homogeneous(b.pose), b.rod);
}
nb::object part(const Mechanism& m, const MechanismJoint& j) {
  return result("MechanismJoint", j.name, name(j.type), body_names(m, j.body), pair_array(j.point),
                pair_array(j.axis), pair_array(j.zero), j.value, j.pitch, j.ratio, j.offset,
                j.angle);
}
nb::object part(const Mechanism& m, const MechanismCoordinate& c) {
  constexpr std::array kinds{"joint", "distance", "component", "angle"};
  const nb::object joint = c.joint < 0 ? nb::object(nb::none()) : nb::cast(m.joints[c.joint].name);
  const std::array<int, 2> body = c.joint < 0 ? c.body : m.joints[c.joint].body;
  return result("MechanismCoordinate", c.name, kinds[std::size_t(c.kind)], joint, c.which,
                body_names(m, body), pair_array(c.point), array(c.axis), c.is_angle);
}
nb::object part(const Mechanism& m, const MechanismCoupling& c) {
  nb::list parts;
  for (const MechanismCoupling::Part& p : c.parts)
    parts.append(nb::make_tuple(coordinate_name(m, p.coordinate), p.factor));
  return result("MechanismCoupling", c.name, parts, c.constant);
}
nb::object part(const Mechanism& m, const MechanismDriver& d) {
  return result("MechanismDriver", d.name, coordinate_name(m, d.coordinate),
                PyTimeFunction{d.motion, d.text});
}
/// Forces as functions of time without derivatives: their text is what can be told.
nb::object part(const Mechanism& m, const CoordinateForce& f) {
  return result("CoordinateForce", f.name, coordinate_name(m, f.coordinate), f.stiffness, f.rest,
                f.damping, f.text);
}
nb::object part(const Mechanism& m, const PointSpring& s) {
  return result("PointSpring", s.name, body_names(m, s.body), pair_array(s.point), s.stiffness,
                s.length, s.damping, s.text);
}
nb::object part(const Mechanism& m, const BodyLoad& l) {
  return result("BodyLoad", l.name, m.bodies[l.body].name, array(l.point), array(l.force),
                array(l.torque), l.text);
}

template <class Part>
void parts(MechanismClass& c, const char* name, const char* sig, std::vector<Part> Mechanism::*all,
           const char* doc) {
  c.def_prop_ro(
      name,
      [all](const PyMechanism& self) {
        nb::list list;
        for (const Part& p : self.mechanism.*all) list.append(part(self.mechanism, p));
        return list;
      },
      nb::sig(sig), doc);
}

nb::dict starts(const Mechanism& m, const std::vector<double>& numbers) {
  nb::dict told;
  for (std::size_t c = 0; c < numbers.size(); ++c)
    if (numbers[c] == numbers[c]) told[m.coordinates[c].name.c_str()] = numbers[c];
  return told;
}

nb::list names_of(const auto& items) {
  nb::list names;
  for (const auto& item : items) names.append(item.name);
  return names;
}

}  // namespace

void bind_mechanism_parts(MechanismClass& c) {
  c.def_prop_ro("name", [](const PyMechanism& m) { return m.mechanism.name; })
      .def_prop_ro(
          "is_planar", [](const PyMechanism& m) { return m.mechanism.is_planar; },
          "Whether it moves in the plane z = 0.")
      .def_prop_ro(
          "gravity", [](const PyMechanism& m) { return array(m.mechanism.gravity); },
          nb::sig("def gravity(self) -> axode.typing.Array"), "[m/s^2], (3,).");
  parts(c, "bodies", "def bodies(self) -> list[axode._results.MechanismBody]", &Mechanism::bodies,
        "Bodies, the world first.");
  parts(c, "joints", "def joints(self) -> list[axode._results.MechanismJoint]", &Mechanism::joints,
        "Joints.");
  parts(c, "coordinates", "def coordinates(self) -> list[axode._results.MechanismCoordinate]",
        &Mechanism::coordinates, "Coordinates of all joints in order, then measured ones.");
  parts(c, "couplings", "def couplings(self) -> list[axode._results.MechanismCoupling]",
        &Mechanism::couplings, "Couplings of coordinates.");
  parts(c, "drivers", "def drivers(self) -> list[axode._results.MechanismDriver]",
        &Mechanism::drivers, "Drivers.");
  parts(c, "coordinate_forces",
        "def coordinate_forces(self) -> list[axode._results.CoordinateForce]",
        &Mechanism::coordinate_forces, "Forces, springs and dampers on coordinates.");
  parts(c, "springs", "def springs(self) -> list[axode._results.PointSpring]", &Mechanism::springs,
        "Springs and dampers between points.");
  parts(c, "loads", "def loads(self) -> list[axode._results.BodyLoad]", &Mechanism::loads,
        "Forces and torques on bodies.");
  c.def_prop_ro(
       "coordinate_names", [](const PyMechanism& m) { return names_of(m.mechanism.coordinates); },
       nb::sig("def coordinate_names(self) -> list[str]"), "Names of the coordinates.")
      .def_prop_ro(
          "body_names", [](const PyMechanism& m) { return names_of(m.mechanism.bodies); },
          nb::sig("def body_names(self) -> list[str]"), "Names of the bodies, the world first.")
      .def_prop_ro(
          "joint_names", [](const PyMechanism& m) { return names_of(m.mechanism.joints); },
          nb::sig("def joint_names(self) -> list[str]"), "Names of the joints.")
      .def_prop_ro(
          "points",
          [](const PyMechanism& m) {
            nb::list all;
            for (const MechanismBody& body : m.mechanism.bodies)
              for (const NamedVector& point : body.points) all.append(body.name + "." + point.name);
            return all;
          },
          nb::sig("def points(self) -> list[str]"), "Named points, each as 'body.point'.")
      .def_prop_ro(
          "initial", [](const PyMechanism& m) { return starts(m.mechanism, m.mechanism.initial); },
          nb::sig("def initial(self) -> dict[str, float]"),
          "Starting values that were told, by coordinate.")
      .def_prop_ro(
          "initial_rate",
          [](const PyMechanism& m) { return starts(m.mechanism, m.mechanism.initial_rate); },
          nb::sig("def initial_rate(self) -> dict[str, float]"),
          "Starting rates that were told, by coordinate.")
      .def(
          "dofs",
          [](const PyMechanism& m, const std::string& joint) {
            const Mechanism& all = m.mechanism;
            return dofs(all.joints[joint_index(all, joint)], all.is_planar);
          },
          nb::arg("joint"), "Degrees of freedom that a joint leaves between its bodies.")
      .def(
          "spanning_tree",
          [](const PyMechanism& m) {
            const SpanningTree tree = spanning_tree(m.mechanism);
            const auto joint = [&](int j) { return m.mechanism.joints[j].name; };
            nb::list cut, loops;
            for (const int j : tree.cut) cut.append(joint(j));
            for (const auto& loop : tree.loops) {
              nb::list names;
              for (const int j : loop) names.append(joint(j));
              loops.append(names);
            }
            return result("SpanningTree", cut, loops);
          },
          nb::sig("def spanning_tree(self) -> axode._results.SpanningTree"),
          "Joints that relative coordinates cut, and the loop that each closes.");
}

}  // namespace axode::python::mechanisms
