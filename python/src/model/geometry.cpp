/// Where bodies are, in each of the equivalent descriptions: axode/model/geometry.hpp.
#include "axode/model/geometry.hpp"

#include <nanobind/stl/vector.h>

#include "src/model/model.hpp"
#include "src/screw/screw.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/results.hpp"

namespace axode::python {

GeometryForm geometry_form(std::string_view text) {
  return static_cast<GeometryForm>(
      choice(text, "form", {"zero_reference", "body_screws", "parent_screws", "joint_frames"}));
}

namespace {

nb::object made(const ZeroReference& g) { return result("ZeroReference", g.A, rows(g.Y)); }

using Row = PlacedJoint (*)(const DenavitHartenberg&);
auto row_of(Row row) {
  return [row](double theta, double d, double a, double alpha, std::string_view type) {
    const bool revolves = choice(type, "type", {"revolute", "prismatic"}) == 0;
    return row({theta, d, a, alpha, revolves ? JointType::revolute : JointType::prismatic});
  };
}

void bind_classes(nb::module_& m) {
  nb::class_<Placement>(m, "Placement",
                        "Where a body is at q = 0, and the frame in which its joint's screws are "
                        "given: made by zero_reference(), body_screws(), parent_screws() or "
                        "joint_frames().")
      .def_prop_ro(
          "form", [](const Placement& p) { return name(p.form); },
          nb::sig("def form(self) -> axode.typing.GeometryForm"), "The description chosen.")
      .def_prop_ro(
          "pose", [](const Placement& p) { return p.pose; },
          "A = T_WB, B = T_PB or S_parent = T_PJ, by the form.")
      .def_prop_ro(
          "S_body", [](const Placement& p) { return p.S_body; }, "T_BJ, of joint_frames only.")
      .def("__repr__",
           [](const Placement& p) { return "Placement('" + std::string(name(p.form)) + "')"; });
  nb::class_<PlacedJoint>(m, "PlacedJoint",
                          "A joint with its place, as rows of Denavit and Hartenberg give them.")
      .def_prop_ro("joint", [](const PlacedJoint& p) { return p.joint; })
      .def_prop_ro("placement", [](const PlacedJoint& p) { return p.placement; })
      .def("__repr__", [](const PlacedJoint& p) {
        return "PlacedJoint('" + std::string(name(p.joint.type)) + "', '" +
               std::string(name(p.placement.form)) + "')";
      });
}

void bind_reading_back(nb::module_& m) {
  m.def(
      "zero_reference",
      [](const PyTree& t, nb::handle body) {
        return made(zero_reference(t.tree, body_argument(t.tree, body)));
      },
      nb::arg("tree"), nb::arg("body"),
      nb::sig("def zero_reference(tree: Tree, body: typing.SupportsIndex | str) -> "
              "axode.model.ZeroReference"),
      "The pose A = T_WB of a body, by name or number, and its joint screws Y (degrees of freedom, "
      "6), both "
      "in the world at q = 0.");
  m.def(
      "body_screws",
      [](const PyTree& t, nb::handle body) {
        const BodyScrews g = body_screws(t.tree, body_argument(t.tree, body));
        return result("BodyScrews", g.B, rows(g.X), rows(g.X_parent));
      },
      nb::arg("tree"), nb::arg("body"),
      nb::sig("def body_screws(tree: Tree, body: typing.SupportsIndex | str) -> "
              "axode.model.BodyScrews"),
      "The pose B = T_PB of a body in its parent at q = 0, and its joint screws in the body frame, "
      "X, and in the parent's, X_parent, (degrees of freedom, 6).");
  m.def(
      "joint_frames",
      [](const PyTree& t, nb::handle body) {
        const JointFrames g = joint_frames(t.tree, body_argument(t.tree, body));
        return result("JointFrames", g.S_parent, g.S_body, rows(g.Z));
      },
      nb::arg("tree"), nb::arg("body"),
      nb::sig("def joint_frames(tree: Tree, body: typing.SupportsIndex | str) -> "
              "axode.model.JointFrames"),
      "The joint frames S_parent = T_PJ and S_body = T_BJ, and the screws Z (degrees of freedom, "
      "6) in them: "
      "those given, or the one whose third axis is the axis of the first screw.");
  m.def(
      "zero_references",
      [](const PyTree& t) {
        nb::list all;
        for (const ZeroReference& g : zero_references(t.tree)) all.append(made(g));
        return all;
      },
      nb::arg("tree"),
      nb::sig("def zero_references(tree: Tree) -> list[axode.model.ZeroReference]"),
      "zero_reference of all bodies.");
}

void bind_placements(nb::module_& m) {
  m.def(
      "zero_reference", [](nb::handle A) { return zero_reference(pose_or_identity(A, "A")); },
      nb::arg("A") = nb::none(),
      nb::sig("def zero_reference(A: axode.typing.PoseLike | None = None) -> Placement"),
      "The body is at A = T_WB at q = 0; the screws of its joint are in the world.");
  m.def(
      "body_screws", [](nb::handle B) { return body_screws(pose(B, "B")); }, nb::arg("B"),
      nb::sig("def body_screws(B: axode.typing.PoseLike) -> Placement"),
      "The body is at B = T_PB in its parent at q = 0; the screws of its joint are in the body "
      "frame.");
  m.def(
      "parent_screws", [](nb::handle B) { return parent_screws(pose(B, "B")); }, nb::arg("B"),
      nb::sig("def parent_screws(B: axode.typing.PoseLike) -> Placement"),
      "The body is at B = T_PB in its parent at q = 0; the screws of its joint are in the parent's "
      "frame.");
  m.def(
      "joint_frames",
      [](nb::handle S_parent, nb::handle S_body) {
        return joint_frames(pose(S_parent, "S_parent"), pose_or_identity(S_body, "S_body"));
      },
      nb::arg("S_parent"), nb::arg("S_body") = nb::none(),
      nb::sig("def joint_frames(S_parent: axode.typing.PoseLike, "
              "S_body: axode.typing.PoseLike | None = None) -> Placement"),
      "The joint frame is at S_parent = T_PJ on the parent and S_body = T_BJ on the body; the "
      "screws of the joint are in it.");
  const char* classic =
      "def classic_dh(theta: float = 0.0, d: float = 0.0, a: float = 0.0, "
      "alpha: float = 0.0, type: typing.Literal['revolute', 'prismatic'] = "
      "'revolute') -> PlacedJoint";
  m.def("classic_dh", row_of(classic_dh), nb::arg("theta") = 0.0, nb::arg("d") = 0.0,
        nb::arg("a") = 0.0, nb::arg("alpha") = 0.0, nb::arg("type") = "revolute", nb::sig(classic),
        "A row of Denavit and Hartenberg in the classic (distal) form: T_PB = Rot_z(theta) "
        "Trans_z(d) Trans_x(a) Rot_x(alpha), angles [rad], lengths [m]; the variable adds to theta "
        "or d.");
  const char* modified =
      "def modified_dh(theta: float = 0.0, d: float = 0.0, a: float = 0.0, "
      "alpha: float = 0.0, type: typing.Literal['revolute', 'prismatic'] = "
      "'revolute') -> PlacedJoint";
  m.def("modified_dh", row_of(modified_dh), nb::arg("theta") = 0.0, nb::arg("d") = 0.0,
        nb::arg("a") = 0.0, nb::arg("alpha") = 0.0, nb::arg("type") = "revolute", nb::sig(modified),
        "A row in the modified (proximal) form: T_PB = Rot_x(alpha) Trans_x(a) Rot_z(theta) "
        "Trans_z(d), a and alpha those of the link before.");
}

}  // namespace

void bind_geometry(nb::module_& m) {
  bind_classes(m);
  bind_reading_back(m);  // before the placements, whose first argument is of any type
  bind_placements(m);
}

}  // namespace axode::python
