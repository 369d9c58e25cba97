/// The class Screw, screw displacements (Chasles) and central axes of wrenches (Poinsot).
#include "axode/core/error.hpp"
#include "axode/screw/chasles.hpp"
#include "axode/screw/poinsot.hpp"
#include "src/screw/screw.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

constexpr const char* displacement_kinds[] = {"identity", "translation", "screw"};
constexpr const char* wrench_kinds[] = {"zero", "couple", "force"};

/// Members of a named tuple (kind, screw, amount).
struct Parts {
  std::string kind;
  Screw<double> screw;
  double amount;
};
Parts parts(nb::handle value, const char* argument, const char* amount) {
  try {
    const nb::object kind = value.attr("kind"), screw = value.attr("screw"),
                     number = value.attr(amount);
    return {nb::cast<std::string>(kind), nb::cast<Screw<double>>(screw), nb::cast<double>(number)};
  } catch (const std::exception&) {
    throw nb::type_error(
        (std::string(argument) + ": wanted is a tuple (kind, screw, " + amount + ")").c_str());
  }
}

void bind_screw_class(nb::module_& m) {
  nb::class_<Screw<double>> type(
      m, "Screw",
      "A line in space with a pitch: a unit axis, any point of the line [m], and the pitch, the "
      "advance per radian [m/rad]: 0 of a revolute axis, infinite of a translation.");
  type.def(
          "__init__",
          [](Screw<double>* self, nb::handle axis, nb::handle point, double pitch) {
            new (self) Screw<double>(
                make_screw(vec3(axis, "axis"),
                           point.is_none() ? Vec3<double>{} : vec3(point, "point"), pitch));
          },
          nb::arg("axis"), nb::arg("point") = nb::none(), nb::arg("pitch") = 0.0,
          nb::sig("def __init__(self, axis: axode.typing.ArrayLike, point: axode.typing.ArrayLike "
                  "| None = None, pitch: float = 0.0) -> None"),
          "axis (3,) of any length but zero is made a unit vector; the point (3,) is the origin if "
          "not given.")
      .def_prop_ro(
          "axis", [](const Screw<double>& s) { return array(s.axis); },
          nb::sig("def axis(self) -> axode.typing.Array"), "Unit vector, (3,).")
      .def_prop_ro(
          "point", [](const Screw<double>& s) { return array(s.point); },
          nb::sig("def point(self) -> axode.typing.Array"),
          "A point of the line [m], (3,); without meaning at infinite pitch.")
      .def_prop_ro(
          "pitch", [](const Screw<double>& s) { return s.pitch; },
          "Advance per radian [m/rad], or infinite_pitch.")
      .def("__repr__", [](const Screw<double>& s) {
        return "Screw(axis=" + text(s.axis) + ", point=" + text(s.point) +
               ", pitch=" + text(s.pitch) + ")";
      });
  type.def(
      "__eq__",
      [](const Screw<double>& a, const Screw<double>& b) {
        return a.axis == b.axis && a.point == b.point && a.pitch == b.pitch;
      },
      nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
  type.attr("__hash__") = nb::none();
  pickles(type);
}

void bind_functions(nb::module_& m) {
  m.attr("infinite_pitch") = infinite_pitch<double>;
  m.def(
      "make_screw",
      [](nb::handle axis, nb::handle point, double pitch) {
        return make_screw(vec3(axis, "axis"), vec3(point, "point"), pitch);
      },
      nb::arg("axis"), nb::arg("point"), nb::arg("pitch") = 0.0,
      nb::sig("def make_screw(axis: axode.typing.ArrayLike, point: axode.typing.ArrayLike, pitch: "
              "float = 0.0) -> Screw"),
      "A screw from an axis of any length but zero, a point [m] and a pitch [m/rad].");
  m.def(
      "make_translation_screw",
      [](nb::handle axis) { return make_translation_screw(vec3(axis, "axis")); }, nb::arg("axis"),
      nb::sig("def make_translation_screw(axis: axode.typing.ArrayLike) -> Screw"),
      "A screw of infinite pitch along an axis of any length but zero.");
  m.def(
      "screw_from_pluecker",
      [](nb::handle direction, nb::handle moment, double length) {
        return screw_from_pluecker(vec3(direction, "direction"), vec3(moment, "moment"),
                                   finite(length, "length"));
      },
      nb::arg("direction"), nb::arg("moment"), nb::arg("length") = 1.0,
      nb::sig("def screw_from_pluecker(direction: axode.typing.ArrayLike, moment: "
              "axode.typing.ArrayLike, length: float = 1.0) -> Screw"),
      "The line of Pluecker coordinates (direction, moment = point x direction), any multiple of "
      "them, as a screw of pitch 0. Raises Error if the two are not perpendicular; `length` [m] is "
      "the size of the mechanism, relative to which a pitch is taken for rounding.");
  m.def(
      "coordinates", [](const Screw<double>& screw) { return array(coordinates(screw)); },
      nb::arg("screw"), nb::sig("def coordinates(screw: Screw) -> axode.typing.Array"),
      "The unit screw coordinates (e, p x e + h e), or (0, e) at infinite pitch, (6,).");
  m.def(
      "screw_from_coordinates",
      [](nb::handle X) {
        const ScrewWithMagnitude<double> s = screw_from_coordinates(vec6(X, "X"));
        return result("ScrewWithMagnitude", s.screw, s.magnitude);
      },
      nb::arg("X"),
      nb::sig("def screw_from_coordinates(X: axode.typing.ArrayLike) -> "
              "axode._results.screw.ScrewWithMagnitude"),
      "The screw of a six-vector (6,) and its magnitude: the instantaneous screw axis of a twist. "
      "An "
      "angular part of zero gives infinite pitch.");
  m.def(
      "reciprocal_product",
      [](nb::handle a, nb::handle b) {
        return finite(reciprocal_product(vec6(a, "a"), vec6(b, "b")), "reciprocal_product");
      },
      nb::arg("a"), nb::arg("b"),
      nb::sig("def reciprocal_product(a: axode.typing.ArrayLike, b: axode.typing.ArrayLike) -> "
              "float"),
      "Klein form of two screws (6,): zero if a wrench on the one does no work on a twist about "
      "the "
      "other.");
}

void bind_theorems(nb::module_& m) {
  m.def(
      "chasles",
      [](nb::handle T, double angle_tolerance) {
        const auto c = chasles(pose(T, "T"), finite(angle_tolerance, "angle_tolerance"));
        return result("ScrewDisplacement", displacement_kinds[static_cast<int>(c.kind)], c.screw,
                      c.displacement);
      },
      nb::arg("T"), nb::arg("angle_tolerance") = 4 * epsilon<double>,
      nb::sig("def chasles(T: SE3 | axode.typing.ArrayLike, angle_tolerance: float = "
              "8.881784197001252e-16) -> axode._results.screw.ScrewDisplacement"),
      "The screw motion that makes the displacement T: a rotation about a line and a translation "
      "along it. Rotations by less than `angle_tolerance` [rad] count as none.");
  m.def(
      "displacement",
      [](nb::handle motion) {
        const Parts p = parts(motion, "motion", "displacement");
        const int kind = choice(p.kind, "kind", {"identity", "translation", "screw"});
        return all_finite(
            displacement(ScrewDisplacement<double>{static_cast<DisplacementKind>(kind), p.screw,
                                                   finite(p.amount, "displacement")}),
            "motion");
      },
      nb::arg("motion"),
      nb::sig("def displacement(motion: axode._results.screw.ScrewDisplacement) -> SE3"),
      "The displacement of a screw motion, inverse of chasles.");
  m.def(
      "central_axis",
      [](nb::handle W) {
        const CentralAxis<double> c = central_axis(vec6(W, "W"));
        return result("CentralAxis", wrench_kinds[static_cast<int>(c.kind)], c.screw, c.intensity);
      },
      nb::arg("W"),
      nb::sig("def central_axis(W: axode.typing.ArrayLike) -> axode._results.screw.CentralAxis"),
      "The central axis of a wrench (torque about the origin, force) (6,): the line about which "
      "its "
      "moment is smallest. A couple has infinite pitch.");
  m.def(
      "wrench",
      [](nb::handle axis) {
        const Parts p = parts(axis, "axis", "intensity");
        const int kind = choice(p.kind, "kind", {"zero", "couple", "force"});
        return array(all_finite(wrench(CentralAxis<double>{static_cast<WrenchKind>(kind), p.screw,
                                                           finite(p.amount, "intensity")}),
                                "axis"));
      },
      nb::arg("axis"),
      nb::sig("def wrench(axis: axode._results.screw.CentralAxis) -> axode.typing.Array"),
      "The wrench (torque about the origin, force) (6,), inverse of central_axis.");
}

}  // namespace

void bind_screws(nb::module_& m) {
  bind_screw_class(m);
  bind_functions(m);
  bind_theorems(m);
}

}  // namespace axode::python
