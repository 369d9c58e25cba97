/// axode.FlexibleBuilder: axode/flexible/tree/builder.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "src/flexible/flexible.hpp"

namespace axode::python {
namespace {

using Builder = FlexibleBuilder;

SE3<> mount_argument(nb::handle mount) { return mount.is_none() ? SE3<>{} : pose(mount, "mount"); }

PyFlexibleTree* built(const Builder& builder) {
  FlexibleSetup setup;
  setup.description = builder.description();
  setup.tree = build(setup.description);
  setup.q.assign(setup.tree.size, 0);
  setup.v = setup.q;
  return new PyFlexibleTree(std::move(setup));
}

void bind_links(nb::class_<Builder>& builder) {
  constexpr auto same = nb::rv_policy::reference;
  builder
      .def(
          "rigid",
          [](Builder& b, std::string name, std::string parent, nb::handle mount,
             nb::handle inertia) -> Builder& {
            return b.rigid(std::move(name), std::move(parent), mount_argument(mount),
                           inertia_argument(inertia, "inertia"));
          },
          same, nb::arg("name"), nb::arg("parent") = "world", nb::arg("mount") = nb::none(),
          nb::arg("inertia") = 0.,
          nb::sig("def rigid(self, name: str, parent: str = 'world', "
                  "mount: axode.typing.PoseLike | None = None, "
                  "inertia: Inertia | float = 0.0) -> FlexibleBuilder"),
          "Adds a rigid link. `mount` is its joint frame at q = 0 in the frame of the parent, or "
          "in "
          "the section of a beam that carries it; `inertia` an Inertia in its frame, or a mass "
          "[kg] "
          "at the origin.")
      .def(
          "beam",
          [](Builder& b, std::string name, std::string parent, nb::handle mount, const Beam& beam,
             const ModeRequest& modes) -> Builder& {
            return b.beam(std::move(name), std::move(parent), mount_argument(mount), beam, modes);
          },
          same, nb::arg("name"), nb::arg("parent"), nb::arg("mount").none(), nb::arg("beam"),
          nb::arg("modes") = ModeRequest{},
          nb::sig("def beam(self, name: str, parent: str, "
                  "mount: axode.typing.PoseLike | None, beam: Beam, "
                  "modes: ModeRequest = ...) -> FlexibleBuilder"),
          "Adds an elastic link; two modes of torsion and of bending in both planes if no others "
          "are asked for.")
      .def(
          "payload",
          [](Builder& b, std::string link, nb::handle inertia,
             std::optional<double> station) -> Builder& {
            return b.payload(std::move(link), inertia_argument(inertia, "inertia"), station);
          },
          same, nb::arg("link"), nb::arg("inertia"), nb::arg("station") = nb::none(),
          nb::sig("def payload(self, link: str, inertia: Inertia | float, "
                  "station: float | None = None) -> FlexibleBuilder"),
          "A rigid link fixed to another: at `station` [m] of a beam, its tip if not told.");
}

void bind_joints(nb::class_<Builder>& builder) {
  constexpr auto same = nb::rv_policy::reference;
  builder
      .def(
          "revolute",
          [](Builder& b, nb::handle axis) -> Builder& { return b.revolute(vec3(axis, "axis")); },
          same, nb::arg("axis"),
          nb::sig("def revolute(self, axis: axode.typing.ArrayLike) -> FlexibleBuilder"),
          "The link added last turns about the axis, in its frame.")
      .def(
          "prismatic",
          [](Builder& b, nb::handle axis) -> Builder& { return b.prismatic(vec3(axis, "axis")); },
          same, nb::arg("axis"),
          nb::sig("def prismatic(self, axis: axode.typing.ArrayLike) -> FlexibleBuilder"),
          "It slides along the axis.")
      .def(
          "helical",
          [](Builder& b, nb::handle axis, double pitch) -> Builder& {
            return b.helical(vec3(axis, "axis"), pitch);
          },
          same, nb::arg("axis"), nb::arg("pitch"),
          nb::sig("def helical(self, axis: axode.typing.ArrayLike, pitch: float) -> "
                  "FlexibleBuilder"),
          "It turns about and slides along the axis; pitch [m/rad].")
      .def("fixed", &Builder::fixed, same, nb::sig("def fixed(self) -> FlexibleBuilder"),
           "It is fixed to its parent.")
      .def("station", &Builder::station, same, nb::arg("x"),
           nb::sig("def station(self, x: float) -> FlexibleBuilder"),
           "It sits at x [m] of the beam of its parent, instead of the tip.")
      .def("damping", &Builder::damping, same, nb::arg("ratio"), nb::arg("mass") = 0.,
           nb::arg("stiffness") = 0.,
           nb::sig("def damping(self, ratio: float, mass: float = 0.0, stiffness: float = 0.0) -> "
                   "FlexibleBuilder"),
           "Damping of its beam: modal ratio, and Rayleigh's alpha [1/s] and beta [s].")
      .def(
          "hub",
          [](Builder& b, nb::handle inertia) -> Builder& {
            return b.hub(inertia_argument(inertia, "inertia"));
          },
          same, nb::arg("inertia"),
          nb::sig("def hub(self, inertia: Inertia | float) -> FlexibleBuilder"),
          "Rigid masses on a beam, in the frame of the link: a hub at its root.");
}

}  // namespace

void bind_flexible_builder(nb::module_& m) {
  constexpr auto same = nb::rv_policy::reference;
  auto builder = nb::class_<Builder>(
      m, "FlexibleBuilder",
      "Makes flexible trees link by link; parents first. Joint, damping, hub and station are of "
      "the "
      "link added last, whose joint turns about z if nothing else is said. All methods return the "
      "builder.");
  builder.def(nb::init<std::string>(), nb::arg("name"))
      .def(
          "gravity",
          [](Builder& b, nb::handle a) -> Builder& { return b.gravity(vec3(a, "acceleration")); },
          same, nb::arg("acceleration"),
          nb::sig("def gravity(self, acceleration: axode.typing.ArrayLike) -> FlexibleBuilder"),
          "[m/s^2] in the world frame; (0, 0, -9.81) if not told.")
      .def(
          "rotation",
          [](Builder& b, std::string_view order) -> Builder& {
            return b.rotation(rotation_named(order));
          },
          same, nb::arg("order"),
          nb::sig("def rotation(self, order: axode.typing.SectionRotation) -> FlexibleBuilder"),
          "The order of the small rotations of sections; \"zyx\" if not told.")
      .def("stiffening", &Builder::stiffening, same, nb::arg("kept") = true,
           nb::sig("def stiffening(self, kept: bool = True) -> FlexibleBuilder"),
           "Keeps the shortening by bending: geometric stiffening.")
      .def("reference", &Builder::reference, same, nb::arg("joint"), nb::arg("q"),
           nb::sig("def reference(self, joint: str, q: float) -> FlexibleBuilder"),
           "Where a joint is [rad, m] in the pose in which outboard masses are taken.");
  bind_links(builder);
  bind_joints(builder);
  builder
      .def("build", &built, nb::sig("def build(self) -> FlexibleTree"),
           "The tree. Raises Error, naming the link, on what cannot be.")
      .def("__repr__", [](const Builder& b) {
        return "<axode.FlexibleBuilder '" + b.description().name +
               "': " + std::to_string(b.description().links.size()) + " links>";
      });
}

}  // namespace axode::python
