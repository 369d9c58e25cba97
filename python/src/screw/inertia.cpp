/// The class Inertia and the forms of an inertia.
#include "axode/screw/inertia.hpp"

#include "axode/core/error.hpp"
#include "src/screw/screw.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

constexpr double default_tolerance = 1e6 * epsilon<double>;

Inertia<double> made_inertia(double mass, nb::handle com, nb::handle about_com) {
  return {finite(mass, "mass"), com.is_none() ? Vec3<double>{} : vec3(com, "com"),
          about_com.is_none() ? Sym3<double>{} : sym3(about_com, "about_com")};
}

void bind_inertia_class(nb::module_& m) {
  nb::class_<Inertia<double>> type(
      m, "Inertia",
      "The inertia of a rigid body in some frame: mass [kg], centre of mass com [m], rotational "
      "inertia about_com [kg m^2] about it in the axes of the frame. Products of inertia are "
      "entries "
      "of the tensor: xy = -integral x y dm. It need not be physically possible: see "
      "check_physical. `a + b`: two bodies as one, given in the same frame.");
  type.def(
          "__init__",
          [](Inertia<double>* self, double mass, nb::handle com, nb::handle about_com) {
            new (self) Inertia<double>(made_inertia(mass, com, about_com));
          },
          nb::arg("mass") = 0.0, nb::arg("com") = nb::none(), nb::arg("about_com") = nb::none(),
          nb::sig("def __init__(self, mass: float = 0.0, com: axode.typing.ArrayLike | None = "
                  "None, about_com: axode.typing.ArrayLike | None = None) -> None"),
          "com (3,), about_com (3, 3) symmetric or its diagonal (3,); what is not given is zero.")
      .def_prop_ro(
          "mass", [](const Inertia<double>& I) { return I.mass; }, "[kg]")
      .def_prop_ro(
          "com", [](const Inertia<double>& I) { return array(I.com); },
          nb::sig("def com(self) -> axode.typing.Array"), "Centre of mass [m], (3,).")
      .def_prop_ro(
          "about_com", [](const Inertia<double>& I) { return matrix(I.about_com); },
          nb::sig("def about_com(self) -> axode.typing.Array"),
          "Rotational inertia about the centre of mass [kg m^2], (3, 3).")
      .def_prop_ro(
          "matrix", [](const Inertia<double>& I) { return matrix(axode::matrix(I)); },
          nb::sig("def matrix(self) -> axode.typing.Array"),
          "The 6x6 matrix [Theta, m c~; -m c~, m I] in the frame of the inertia, angular part "
          "first; Theta about the origin.")
      .def(
          "__add__",
          [](const Inertia<double>& a, const Inertia<double>& b) {
            return all_finite(a + b, "sum");
          },
          nb::is_operator())
      .def("__repr__", [](const Inertia<double>& I) {
        return "Inertia(mass=" + text(I.mass) + ", com=" + text(I.com) +
               ", about_com=" + text(I.about_com.matrix()) + ")";
      });
  compares(type);
  pickles(type);
}

void bind_forms(nb::module_& m) {
  m.def(
      "inertia_from_matrix",
      [](nb::handle M, double tolerance) { return inertia_from_matrix(mat6(M, "M"), tolerance); },
      nb::arg("M"), nb::arg("tolerance") = default_tolerance,
      nb::sig("def inertia_from_matrix(M: axode.typing.ArrayLike, tolerance: float = "
              "2.220446049250313e-10) -> Inertia"),
      "The inertia of a 6x6 matrix [Theta, m c~; -m c~, m I], angular part first. Raises Error if "
      "it "
      "does not have this structure within `tolerance` of its largest entry.");
  m.def(
      "about_origin", [](const Inertia<double>& I) { return matrix(about_origin(I)); },
      nb::arg("I"), nb::sig("def about_origin(I: Inertia) -> axode.typing.Array"),
      "Rotational inertia about the origin of the frame [kg m^2], (3, 3).");
  m.def(
      "parameters",
      [](const Inertia<double>& I) {
        const InertiaParameters<double> p = parameters(I);
        return result("InertiaParameters", p.mass, array(p.first_moment), matrix(p.about_origin));
      },
      nb::arg("I"), nb::sig("def parameters(I: Inertia) -> axode._results.screw.InertiaParameters"),
      "The ten numbers the equations of motion are linear in: mass [kg], first moment m c [kg m] "
      "and rotational inertia about the origin [kg m^2].");
  m.def(
      "inertia_from_parameters",
      [](double mass, nb::handle first_moment, nb::handle about_origin) {
        return inertia_from_parameters(
            InertiaParameters<double>{finite(mass, "mass"), vec3(first_moment, "first_moment"),
                                      sym3(about_origin, "about_origin")});
      },
      nb::arg("mass"), nb::arg("first_moment"), nb::arg("about_origin"),
      nb::sig("def inertia_from_parameters(mass: float, first_moment: axode.typing.ArrayLike, "
              "about_origin: axode.typing.ArrayLike) -> Inertia"),
      "The inverse of parameters: inertia_from_parameters(*parameters(I)). With zero mass the "
      "centre "
      "of mass is the origin; a first moment is then an Error.");
  m.def(
      "pseudo_inertia", [](const Inertia<double>& I) { return matrix(pseudo_inertia(I)); },
      nb::arg("I"), nb::sig("def pseudo_inertia(I: Inertia) -> axode.typing.Array"),
      "The 4x4 pseudo-inertia [Sigma, m c; m c^T, m], Sigma = integral x x^T dm about the origin.");
  m.def(
      "inertia_from_pseudo_inertia",
      [](nb::handle J, double tolerance) {
        return inertia_from_pseudo_inertia(mat4(J, "J"), tolerance);
      },
      nb::arg("J"), nb::arg("tolerance") = default_tolerance,
      nb::sig("def inertia_from_pseudo_inertia(J: axode.typing.ArrayLike, tolerance: float = "
              "2.220446049250313e-10) -> Inertia"),
      "The inertia of a 4x4 pseudo-inertia. Raises Error if that is not symmetric within "
      "`tolerance` of its largest entry.");
  m.def(
      "binet_of", [](nb::handle A) { return matrix(binet_of(sym3(A, "A"))); }, nb::arg("A"),
      nb::sig("def binet_of(A: axode.typing.ArrayLike) -> axode.typing.Array"),
      "trace(A)/2 I - A: takes a rotational inertia to its Binet tensor integral x x^T dm, (3, "
      "3).");
  m.def(
      "rotational_inertia_of_binet",
      [](nb::handle B) { return matrix(rotational_inertia_of_binet(sym3(B, "B"))); }, nb::arg("B"),
      nb::sig("def rotational_inertia_of_binet(B: axode.typing.ArrayLike) -> axode.typing.Array"),
      "trace(B) I - B: the rotational inertia of a Binet tensor, (3, 3).");
  m.def(
      "binet_tensor", [](const Inertia<double>& I) { return matrix(binet_tensor(I)); },
      nb::arg("I"), nb::sig("def binet_tensor(I: Inertia) -> axode.typing.Array"),
      "Binet's tensor about the centre of mass [kg m^2], (3, 3).");
}

void bind_checks(nb::module_& m) {
  m.def(
      "physical_violation",
      [](const Inertia<double>& I, double tolerance) { return physical_violation(I, tolerance); },
      nb::arg("I"), nb::arg("tolerance") = 1e3 * epsilon<double>,
      nb::sig("def physical_violation(I: Inertia, tolerance: float = 2.220446049250313e-13) -> "
              "str"),
      "Empty if a body of positive mass can have this inertia: mass > 0, principal moments about "
      "the "
      "centre of mass >= 0 and none larger than the sum of the others; otherwise one sentence that "
      "names what is violated. `tolerance` is relative to the moments about the origin.");
  m.def(
      "check_physical",
      [](const Inertia<double>& I, const std::string& where) { check_physical(I, where); },
      nb::arg("I"), nb::arg("where") = "inertia",
      "Raises Error with the sentence of physical_violation, if there is one; `where` names the "
      "body.");
  m.def(
      "transform",
      [](nb::handle T_AB, const Inertia<double>& I) {
        return all_finite(transform(pose(T_AB, "T_AB"), I), "transform");
      },
      nb::arg("T_AB"), nb::arg("I"),
      nb::sig("def transform(T_AB: SE3 | axode.typing.ArrayLike, I: Inertia) -> Inertia"),
      "The same body in frame A: T_AB the pose of the frame B in which I is given.");
}

}  // namespace

void bind_inertia(nb::module_& m) {
  bind_inertia_class(m);
  bind_forms(m);
  bind_checks(m);
}

}  // namespace axode::python
