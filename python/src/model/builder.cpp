/// axode.TreeBuilder: axode/model/builder.hpp.
#include "axode/model/builder.hpp"

#include "axode/core/error.hpp"
#include "src/lie/lie.hpp"
#include "src/model/model.hpp"

namespace axode::python {
namespace {

/// An Inertia, or one of these numbers.
Inertia<double> inertia_of(nb::handle inertia, nb::handle mass, nb::handle com,
                           nb::handle about_com) {
  const bool numbers = !mass.is_none() || !com.is_none() || !about_com.is_none();
  if (!inertia.is_none()) {
    if (numbers)
      throw Error("is given beside mass, com or about_com", "inertia", "give one or the other");
    if (!nb::isinstance<Inertia<double>>(inertia))
      throw nb::type_error("inertia: give an axode.screw.Inertia, or mass=, com=, about_com=");
    return nb::cast<Inertia<double>>(inertia);
  }
  Inertia<double> made;
  if (!mass.is_none()) {
    if (!nb::try_cast(mass, made.mass)) throw nb::type_error("mass: not a number");
    finite(made.mass, "mass");
  }
  if (!com.is_none()) made.com = vec3(com, "com");
  if (!about_com.is_none()) made.about_com = sym3(about_com, "about_com");
  return made;
}

using Chain = TreeBuilder&;
/// Each call returns the builder itself, never a copy.
constexpr auto itself = nb::rv_policy::none;

void bind_bodies(nb::class_<TreeBuilder>& type) {
  type.def(
          "gravity", [](Chain b, nb::handle g) -> Chain { return b.gravity(vec3(g, "g")); }, itself,
          nb::arg("g"), nb::sig("def gravity(self, g: axode.typing.ArrayLike) -> TreeBuilder"),
          "Free-fall acceleration in the world [m/s^2], (3,); 0, 0, -9.81 if not said.")
      .def(
          "body",
          [](Chain b, std::string name, nb::handle inertia, nb::handle mass, nb::handle com,
             nb::handle about_com) -> Chain {
            return b.body(std::move(name), inertia_of(inertia, mass, com, about_com));
          },
          itself, nb::arg("name"), nb::arg("inertia") = nb::none(), nb::kw_only(),
          nb::arg("mass") = nb::none(), nb::arg("com") = nb::none(),
          nb::arg("about_com") = nb::none(),
          nb::sig("def body(self, name: str, inertia: Inertia | None = None, *, "
                  "mass: float | None = None, com: axode.typing.ArrayLike | None = None, "
                  "about_com: axode.typing.ArrayLike | None = None) -> TreeBuilder"),
          "Begins a body; what follows up to the next belongs to it. Its inertia in the body "
          "frame, or mass [kg], com [m] (3,) and about_com [kg m^2], (3, 3) or the diagonal (3,).")
      .def(
          "on", [](Chain b, std::string parent) -> Chain { return b.on(std::move(parent)); },
          itself, nb::arg("parent"),
          "The parent: a body, also one declared later. Without this the world.")
      .def(
          "shape", [](Chain b, const Shape& shape) -> Chain { return b.shape(shape); }, itself,
          nb::arg("shape"), "A shape of the body, for drawing or collision.")
      .def(
          "frame",
          [](Chain b, std::string name, std::string on, nb::handle at) -> Chain {
            return b.frame(std::move(name), {std::move(on), pose_or_identity(at, "at")});
          },
          itself, nb::arg("name"), nb::arg("on") = world_name, nb::arg("at") = nb::none(),
          nb::sig("def frame(self, name: str, on: str = 'world', "
                  "at: axode.typing.PoseLike | None = None) -> TreeBuilder"),
          "A named frame on a body or the world, at the pose T_BF in the body frame.");
}

void bind_joint(nb::class_<TreeBuilder>& type) {
  type.def(
          "joint",
          [](Chain b, std::string name, const Joint& joint, const Placement* placement) -> Chain {
            return b.joint(std::move(name), joint, placement == nullptr ? Placement{} : *placement);
          },
          itself, nb::arg("name"), nb::arg("joint"), nb::arg("placement").none() = nb::none(),
          nb::sig("def joint(self, name: str, joint: Joint, placement: Placement | None = None) "
                  "-> TreeBuilder"),
          "The joint to the parent. Its screws are in the frame of the placement's form, by "
          "default the world at q = 0 with the body frame there, too.")
      .def(
          "joint",
          [](Chain b, std::string name, const PlacedJoint& placed) -> Chain {
            return b.joint(std::move(name), placed);
          },
          itself, nb::arg("name"), nb::arg("joint"),
          nb::sig("def joint(self, name: str, joint: PlacedJoint) -> TreeBuilder"),
          "The joint with its place, of classic_dh() or modified_dh().")
      .def(
          "mimic",
          [](Chain b, std::string leader, double ratio, double offset) -> Chain {
            return b.mimic(std::move(leader), ratio, offset);
          },
          itself, nb::arg("leader"), nb::arg("ratio") = 1.0, nb::arg("offset") = 0.0,
          "The joint follows the one named: q = ratio * q_leader + offset.")
      .def(
          "limits",
          [](Chain b, double lower, double upper, int k) -> Chain {
            return b.limits(lower, upper, k);
          },
          itself, nb::arg("lower"), nb::arg("upper"), nb::arg("k") = 0,
          "Limits of degree of freedom k of the joint [rad, m].");
  const auto number = [&type](const char* name, TreeBuilder& (TreeBuilder::*set)(double, int),
                              const char* text) {
    type.def(
        name, [set](Chain b, double value, int k) -> Chain { return (b.*set)(value, k); }, itself,
        nb::arg("value"), nb::arg("k") = 0, text);
  };
  number("max_velocity", &TreeBuilder::max_velocity,
         "Limit of the velocity of degree of freedom k of the joint [rad/s, m/s].");
  number("max_effort", &TreeBuilder::max_effort,
         "Limit of the force on degree of freedom k of the joint [N m, N].");
  number("damping", &TreeBuilder::damping,
         "Viscous damping of degree of freedom k of the joint [N m s/rad, N s/m].");
  number("friction", &TreeBuilder::friction,
         "Coulomb friction of degree of freedom k of the joint [N m, N].");
  number("armature", &TreeBuilder::armature,
         "Reflected inertia of the drive of degree of freedom k of the joint [kg m^2, kg].");
}

}  // namespace

void bind_builder(nb::module_& m) {
  nb::class_<TreeBuilder> type(
      m, "TreeBuilder",
      "Builds a tree: each body with its inertia and joint, in the order and geometry form at "
      "hand.\n\n"
      "    tree = (\n"
      "        axode.TreeBuilder(\"arm\")\n"
      "        .body(\"upper\", mass=2.1, com=[0, 0, 0.2])\n"
      "        .joint(\"shoulder\", axode.revolute(axis=[0, 1, 0], point=[0, 0, 0.3]))\n"
      "        .body(\"lower\", mass=1.2).on(\"upper\")\n"
      "        .joint(\"elbow\", axode.revolute(axis=[0, 1, 0]), axode.model.body_screws(T_PB))\n"
      "        .limits(-2, 2).damping(0.1)\n"
      "        .frame(\"tool\", on=\"lower\", at=T_BF)\n"
      "        .build()\n"
      "    )\n\n"
      "Each call changes the builder and returns it. All checks are made by build().");
  type.def(nb::init<std::string>(), nb::arg("name") = "");
  bind_bodies(type);
  bind_joint(type);
  type.def(
          "build", [](const TreeBuilder& b, bool merge) { return new PyTree(b.build({merge})); },
          nb::kw_only(), nb::arg("merge_fixed_joints") = false,
          "Checks what was said and makes the tree. merge_fixed_joints: bodies on fixed joints "
          "become part of the body they are on; their frames stay as named frames. Raises Error "
          "that names the body or joint.")
      .def("__repr__",
           [](const TreeBuilder& b) {
             const TreeDescription& d = b.description();
             return "TreeBuilder" + (d.name.empty() ? "" : " '" + d.name + "'") + ": " +
                    std::to_string(d.bodies.size()) + (d.bodies.size() == 1 ? " body" : " bodies");
           })
      .def("__copy__", [](const TreeBuilder& b) { return TreeBuilder(b); })
      .def(
          "__deepcopy__", [](const TreeBuilder& b, nb::handle) { return TreeBuilder(b); },
          nb::arg("memo"), nb::sig("def __deepcopy__(self, memo: object) -> TreeBuilder"));
}

}  // namespace axode::python
