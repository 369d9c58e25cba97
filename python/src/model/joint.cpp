/// Joints by their axes and points: axode/model/joint.hpp.
#include "axode/model/joint.hpp"

#include "src/model/model.hpp"
#include "src/screw/screw.hpp"

namespace axode::python {

Coordinates joint_coordinates(std::string_view text) {
  return static_cast<Coordinates>(
      choice(text, "coordinates", {"second_kind", "first_kind", "quaternion"}));
}
Rep free_velocity(std::string_view text, const char* argument) {
  constexpr Rep reps[] = {Rep::body, Rep::spatial, Rep::hybrid};
  return reps[choice(text, argument, {"body", "spatial", "hybrid"})];
}

SE3<double> pose_or_identity(nb::handle value, const char* argument) {
  return value.is_none() ? SE3<double>{} : pose(value, argument);
}

namespace {

Vec3<double> or_default(nb::handle value, const char* argument, const Vec3<double>& otherwise) {
  return value.is_none() ? otherwise : vec3(value, argument);
}
constexpr Vec3<double> e_x{1, 0, 0}, e_y{0, 1, 0}, e_z{0, 0, 1}, origin{};

std::vector<Vec6<double>> screws_of(nb::handle value) {
  const States numbers(value, "screws", 6, "screws as rows, angular part first");
  std::vector<Vec6<double>> screws;
  // One to six: more are refused by the joint, which need not see them all.
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.count(), 7); ++i)
    screws.push_back(read_six(numbers[i].data()));
  return screws;
}

void bind_joint_class(nb::module_& m) {
  nb::class_<Joint>(m, "Joint",
                    "The motion a joint allows, as screws: made by revolute(), spherical(), ...")
      .def_prop_ro(
          "type", [](const Joint& j) { return axode::name(j.type); },
          nb::sig("def type(self) -> axode.typing.JointType"), "Such as 'revolute'.")
      .def_prop_ro(
          "coordinates", [](const Joint& j) { return axode::name(j.coordinates); },
          nb::sig("def coordinates(self) -> axode.typing.Coordinates"),
          "'second_kind': product of exponentials; 'first_kind': exponential of the sum of screws; "
          "'quaternion'.")
      .def_prop_ro(
          "velocity", [](const Joint& j) { return name(j.velocity); },
          nb::sig("def velocity(self) -> axode.typing.Rep"),
          "Of a free joint: the form of its velocity coordinates.")
      .def_prop_ro(
          "screws", [](const Joint& j) { return rows(j.screws); },
          nb::sig("def screws(self) -> axode.typing.Array"),
          "Unit screws, angular part first, in the frame of the geometry form, (degrees of "
          "freedom, 6).")
      .def_prop_ro("dof", &Joint::dof, "Number of degrees of freedom.")
      .def("__repr__", [](const Joint& j) {
        std::string screws;
        for (const Vec6<double>& X : j.screws) screws += (screws.empty() ? "" : ", ") + text(X);
        return "Joint('" + std::string(axode::name(j.type)) + "', '" +
               std::string(axode::name(j.coordinates)) + "', screws=[" + screws + "])";
      });
}

void bind_lower_pairs(nb::module_& m) {
  m.def("fixed", &fixed, "A joint without motion.");
  m.def(
      "revolute",
      [](nb::handle axis, nb::handle point) {
        return revolute({or_default(axis, "axis", e_z), or_default(point, "point", origin)});
      },
      nb::arg("axis") = nb::none(), nb::arg("point") = nb::none(),
      nb::sig("def revolute(axis: axode.typing.ArrayLike | None = None, "
              "point: axode.typing.ArrayLike | None = None) -> Joint"),
      "Rotation about an axis (any length but zero; z if not given) through a point [m] (the "
      "origin), in the frame of the geometry form: the world at q = 0 if no other is chosen. "
      "q: angle [rad].");
  m.def(
      "prismatic", [](nb::handle axis) { return prismatic({or_default(axis, "axis", e_z)}); },
      nb::arg("axis") = nb::none(),
      nb::sig("def prismatic(axis: axode.typing.ArrayLike | None = None) -> Joint"),
      "Translation along an axis (z if not given). q: displacement [m].");
  m.def(
      "helical",
      [](nb::handle axis, nb::handle point, double pitch) {
        return helical({or_default(axis, "axis", e_z), or_default(point, "point", origin), pitch});
      },
      nb::arg("axis") = nb::none(), nb::arg("point") = nb::none(), nb::arg("pitch") = 0.0,
      nb::sig("def helical(axis: axode.typing.ArrayLike | None = None, "
              "point: axode.typing.ArrayLike | None = None, pitch: float = 0.0) -> Joint"),
      "Screw motion about an axis through a point [m], with its pitch, the advance per radian "
      "[m/rad], finite. q: angle [rad].");
  m.def(
      "one_screw", [](const Screw<double>& screw) { return one_screw(screw); }, nb::arg("screw"),
      nb::sig("def one_screw(screw: Screw) -> Joint"),
      "One screw of any pitch: a revolute, helical or prismatic joint.");
  m.def(
      "cylindrical",
      [](nb::handle axis, nb::handle point) {
        return cylindrical({or_default(axis, "axis", e_z), or_default(point, "point", origin)});
      },
      nb::arg("axis") = nb::none(), nb::arg("point") = nb::none(),
      nb::sig("def cylindrical(axis: axode.typing.ArrayLike | None = None, "
              "point: axode.typing.ArrayLike | None = None) -> Joint"),
      "Translation along and rotation about one axis. q: displacement [m], angle [rad].");
}

void bind_several_axes(nb::module_& m) {
  m.def(
      "spherical",
      [](nb::handle point, std::string_view coordinates, nb::handle axes) {
        return spherical({or_default(point, "point", origin), joint_coordinates(coordinates),
                          axes.is_none() ? SO3<double>{} : rotation(axes, "axes")});
      },
      nb::arg("point") = nb::none(), nb::arg("coordinates") = "quaternion",
      nb::arg("axes") = nb::none(),
      nb::sig("def spherical(point: axode.typing.ArrayLike | None = None, "
              "coordinates: axode.typing.Coordinates = 'quaternion', "
              "axes: SO3 | axode.typing.ArrayLike | None = None) -> Joint"),
      "Rotation about a point [m]. q: quaternion (w, x, y, z), velocity the angular velocity in "
      "the body's joint axes [rad/s]; or three angles about x, y, z of the first or second kind. "
      "axes: a rotation whose columns are those axes.");
  m.def(
      "planar",
      [](nb::handle x, nb::handle z, nb::handle point, std::string_view coordinates) {
        return planar({or_default(x, "x", e_x), or_default(z, "z", e_z),
                       or_default(point, "point", origin), joint_coordinates(coordinates)});
      },
      nb::arg("x") = nb::none(), nb::arg("z") = nb::none(), nb::arg("point") = nb::none(),
      nb::arg("coordinates") = "second_kind",
      nb::sig("def planar(x: axode.typing.ArrayLike | None = None, "
              "z: axode.typing.ArrayLike | None = None, "
              "point: axode.typing.ArrayLike | None = None, "
              "coordinates: axode.typing.Coordinates = 'second_kind') -> Joint"),
      "Two translations in a plane and the rotation about its normal z through the point [m]. q: "
      "displacements along x and y [m], angle about z [rad]. x is made perpendicular to z.");
  m.def(
      "universal",
      [](nb::handle first, nb::handle second, nb::handle point) {
        return universal({or_default(first, "first", e_x), or_default(second, "second", e_y),
                          or_default(point, "point", origin)});
      },
      nb::arg("first") = nb::none(), nb::arg("second") = nb::none(), nb::arg("point") = nb::none(),
      nb::sig("def universal(first: axode.typing.ArrayLike | None = None, "
              "second: axode.typing.ArrayLike | None = None, "
              "point: axode.typing.ArrayLike | None = None) -> Joint"),
      "Two rotations about axes that meet in a point [m]. q: angle about the first axis (fixed in "
      "the parent), then about the second (in the body) [rad].");
  m.def(
      "free_joint",
      [](std::string_view velocity, nb::handle at, std::string_view coordinates) {
        return free_joint({free_velocity(velocity, "velocity"), pose_or_identity(at, "at"),
                           joint_coordinates(coordinates)});
      },
      nb::arg("velocity") = "body", nb::arg("at") = nb::none(),
      nb::arg("coordinates") = "quaternion",
      nb::sig("def free_joint(velocity: axode.typing.FreeVelocity = 'body', "
              "at: axode.typing.PoseLike | None = None, "
              "coordinates: axode.typing.Coordinates = 'quaternion') -> Joint"),
      "Six degrees of freedom. q: quaternion (w, x, y, z) and position [m] of the joint frame "
      "`at`, seven "
      "numbers; velocities: six, angular first, in body, spatial or hybrid form [rad/s, m/s]. "
      "First and second kind: six screw coordinates, rotations first.");
}

void bind_general(nb::module_& m) {
  m.def(
      "subgroup_joint",
      [](std::string_view group, nb::handle at, double pitch, std::string_view coordinates) {
        return subgroup_joint(subgroup(group), pose_or_identity(at, "at"), pitch,
                              joint_coordinates(coordinates));
      },
      nb::arg("group"), nb::arg("at") = nb::none(), nb::arg("pitch") = 0.0,
      nb::arg("coordinates") = "second_kind",
      nb::sig("def subgroup_joint(group: axode.typing.MotionSubgroup, "
              "at: axode.typing.PoseLike | None = None, pitch: float = 0.0, "
              "coordinates: axode.typing.Coordinates = 'second_kind') -> Joint"),
      "A motion subgroup as macro joint, translations first: its axis is the z axis of the frame "
      "`at`, its plane the x-y plane, its centre the origin; pitch [m/rad] for 'helical' and "
      "'helical_planar'.");
  m.def(
      "screws_joint",
      [](nb::handle screws, std::string_view coordinates) {
        return screws_joint(screws_of(screws), joint_coordinates(coordinates));
      },
      nb::arg("screws"), nb::arg("coordinates") = "second_kind",
      nb::sig("def screws_joint(screws: axode.typing.ArrayLike, "
              "coordinates: axode.typing.Coordinates = 'second_kind') -> Joint"),
      "One to six screws (m, 6) in unit coordinates (e, p x e + h e) or (0, e), angular part "
      "first.");
}

}  // namespace

void bind_joints(nb::module_& m) {
  bind_joint_class(m);
  bind_lower_pairs(m);
  bind_several_axes(m);
  bind_general(m);
}

}  // namespace axode::python
