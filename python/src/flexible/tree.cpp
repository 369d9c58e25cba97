/// axode.FlexibleTree: axode/flexible/tree/flexible_tree.hpp and axode/io/flexible/flexible_file.hpp.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "axode/core/error.hpp"
#include "axode/flexible/tree/tree_facts.hpp"
#include "axode/io/text/text_file.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

using Names = std::vector<std::string>;

nb::object link_of(const FlexibleTree& tree, std::size_t i) {
  constexpr std::array<const char*, 4> joint_names{"fixed", "revolute", "prismatic", "helical"};
  const FlexibleLink& link = tree.links[i];
  const Output mount({4, 4});
  write_homogeneous(link.mount, mount.data);
  const std::string parent = link.parent < 0 ? "world" : tree.links[link.parent].name;
  nb::object beam = nb::none();
  if (link.beam) beam = nb::cast(*link.beam);
  return result("FlexibleLink", link.name, parent, mount.array, link.station,
                joint_names[std::size_t(link.joint)], array(link.axis), link.pitch, link.coordinate,
                inertia_from_parameters(link.rigid), beam, link.modes, link.first_mode,
                link.boundary_x, link.boundary_y, link.boundary_z, link.damping_ratio,
                link.damping_mass, link.damping_stiffness);
}

nb::object square(const FlexibleTree& tree, const std::vector<double>& rows) {
  const std::size_t n = tree.size;
  return matrix(rows, n, n);
}

nb::object control_of(const PyFlexibleTree& t) {
  const FlexibleControl& c = t.setup.forces.control;
  if (c.targets.empty()) return nb::none();
  const Output targets({c.targets.size(), std::size_t(t.tree().joints)});
  double* to = targets.data;
  for (const std::vector<double>& target : c.targets) to = std::ranges::copy(target, to).out;
  const nb::object type = nb::module_::import_("axode._flexible").attr("FlexibleControl");
  return type(array(c.kp), array(c.kd), targets.array, array(c.times));
}

/// Modes are made anew.
PyFlexibleTree* replaced(const PyFlexibleTree& t, nb::handle gravity,
                         std::optional<std::string_view> rotation, std::optional<bool> stiffening,
                         std::optional<std::string> name) {
  FlexibleSetup setup = t.setup;
  if (!gravity.is_none()) setup.description.gravity = vec3(gravity, "gravity");
  if (rotation) setup.description.rotation = rotation_named(*rotation);
  if (stiffening) setup.description.stiffening = *stiffening;
  if (name) setup.description.name = *name;
  setup.tree = build(setup.description);
  return new PyFlexibleTree(std::move(setup));
}

void bind_files(nb::class_<PyFlexibleTree>& tree) {
  tree.def_static(
          "from_file",
          [](const std::filesystem::path& path) { return new PyFlexibleTree(load_flexible(path)); },
          nb::arg("path"), nb::call_guard<GilRelease>(),
          nb::sig("def from_file(path: str | os.PathLike[str]) -> FlexibleTree"),
          "Reads a file of the flexible format, with what acts on the tree and its initial state.")
      .def_static(
          "from_text",
          [](std::string_view text, const std::string& source) {
            return new PyFlexibleTree(parse_flexible(text, source));
          },
          nb::arg("text"), nb::arg("source") = "text", nb::call_guard<GilRelease>(),
          "Reads the text of such a file; `source` names it in messages.")
      .def(
          "text", [](const PyFlexibleTree& t) { return flexible_text(t.setup); },
          "The text of a file that reads back as the same. Raises Error where shapes of modes are "
          "those of the program, neither polynomials nor samples.")
      .def(
          "save",
          [](const PyFlexibleTree& t, const std::filesystem::path& path, bool overwrite) {
            write_text_file(path, flexible_text(t.setup), overwrite);
          },
          nb::arg("path"), nb::kw_only(), nb::arg("overwrite") = false,
          nb::sig("def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> "
                  "None"),
          "Writes that file. Raises IoError if it exists, unless `overwrite`.")
      .def("__getstate__", [](const PyFlexibleTree& t) { return flexible_text(t.setup); })
      .def("__setstate__",
           [](PyFlexibleTree& t, const std::string& text) {
             new (&t) PyFlexibleTree(parse_flexible(text, "pickle"));
           })
      // Constant once made: a copy is the same.
      .def(
          "__copy__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __copy__(self) -> FlexibleTree"))
      .def(
          "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); },
          nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: dict[int, typing.Any]) -> FlexibleTree"));
}

void bind_properties(nb::class_<PyFlexibleTree>& tree) {
  tree.def_prop_ro("name", [](const PyFlexibleTree& t) { return t.tree().name; })
      .def_prop_ro(
          "gravity", [](const PyFlexibleTree& t) { return array(t.tree().gravity); },
          nb::sig("def gravity(self) -> axode.typing.Array"), "[m/s^2] in the world frame, (3,).")
      .def_prop_ro(
          "rotation", [](const PyFlexibleTree& t) { return std::string(name(t.tree().rotation)); },
          "The order in which the small rotations of a section are taken: \"zyx\", \"xyz\", "
          "\"exp\".")
      .def_prop_ro(
          "stiffening", [](const PyFlexibleTree& t) { return t.tree().stiffening; },
          "Whether shortening by bending is kept: geometric stiffening.")
      .def_prop_ro(
          "joints", [](const PyFlexibleTree& t) { return t.tree().joints; },
          "Number of joint coordinates.")
      .def_prop_ro(
          "size", [](const PyFlexibleTree& t) { return t.tree().size; },
          "Number of all coordinates: joints, then modes.")
      .def_prop_ro(
          "coordinate_names", [](const PyFlexibleTree& t) { return t.tree().coordinate_names; },
          "\"elbow\", \"forearm.torsion1\", \"forearm.bend_y1\", ...")
      .def_prop_ro(
          "coordinate_units",
          [](const PyFlexibleTree& t) {
            Names units;
            for (int c = 0; c < t.tree().size; ++c) units.emplace_back(unit_of(t.tree(), c));
            return units;
          },
          "\"rad\" or \"m\" for each.")
      .def_prop_ro(
          "joint_names",
          [](const PyFlexibleTree& t) {
            const Names& all = t.tree().coordinate_names;
            return Names(all.begin(), all.begin() + t.tree().joints);
          },
          "Names of the joint coordinates: those of their links.")
      .def_prop_ro(
          "link_names",
          [](const PyFlexibleTree& t) {
            Names names;
            for (const FlexibleLink& link : t.tree().links) names.push_back(link.name);
            return names;
          },
          "Names of all links, parents first.")
      .def_prop_ro(
          "links",
          [](const PyFlexibleTree& t) {
            nb::list links;
            for (std::size_t i = 0; i < t.tree().links.size(); ++i)
              links.append(link_of(t.tree(), i));
            return links;
          },
          nb::sig("def links(self) -> list[axode._results.flexible.FlexibleLink]"),
          "All links, parents first.")
      .def_prop_ro(
          "stiffness", [](const PyFlexibleTree& t) { return square(t.tree(), t.tree().stiffness); },
          nb::sig("def stiffness(self) -> axode.typing.Array"),
          "K of all coordinates, (size, size).")
      .def_prop_ro(
          "damping", [](const PyFlexibleTree& t) { return square(t.tree(), t.tree().damping); },
          nb::sig("def damping(self) -> axode.typing.Array"),
          "D: damping forces are -D v, (size, size).")
      .def_prop_ro(
          "initial",
          [](const PyFlexibleTree& t) {
            return result("FlexibleState", array(t.setup.q), array(t.setup.v));
          },
          nb::sig("def initial(self) -> axode._results.flexible.FlexibleState"),
          "The initial state of the file; zeros if it says none.")
      .def_prop_ro("control", &control_of,
                   nb::sig("def control(self) -> axode._flexible.FlexibleControl | None"),
                   "The PD control of the file; None if there is none.")
      .def_prop_ro(
          "duration", [](const PyFlexibleTree& t) { return t.setup.duration; },
          "Of a simulation, as the file says [s]; 0: not told.");
}

}  // namespace

nb::class_<PyFlexibleTree> bind_flexible_tree(nb::module_& m) {
  auto tree = nb::class_<PyFlexibleTree>(
      m, "FlexibleTree",
      "A tree of rigid and elastic links, made by FlexibleBuilder or from a file. Coordinates: all "
      "joints in the order of the links, then the modes of each elastic link. Constant once made.");
  made_by(tree, "FlexibleTree: is made by FlexibleTree.from_file(path) or axode.FlexibleBuilder");
  bind_files(tree);
  bind_properties(tree);
  tree.def("__repr__",
           [](const PyFlexibleTree& t) {
             const FlexibleTree& f = t.tree();
             return "<axode.FlexibleTree '" + f.name + "': " + std::to_string(f.links.size()) +
                    " links, " + std::to_string(f.joints) + " joints, " +
                    std::to_string(f.size - f.joints) + " modes>";
           })
      .def("__len__", [](const PyFlexibleTree& t) { return t.tree().links.size(); })
      .def(
          "neutral", [](const PyFlexibleTree& t) { return array(std::vector<double>(t.size())); },
          nb::sig("def neutral(self) -> axode.typing.Array"),
          "All coordinates zero: joints at their origins, beams straight, (size,).")
      .def(
          "link",
          [](const PyFlexibleTree& t, nb::handle link) {
            return link_of(t.tree(), link_argument(t.tree(), link));
          },
          nb::arg("link"),
          nb::sig("def link(self, link: str | int) -> axode._results.flexible.FlexibleLink"),
          "The link of that name or number.")
      .def("replace", &replaced, nb::kw_only(), nb::arg("gravity") = nb::none(),
           nb::arg("rotation") = nb::none(), nb::arg("stiffening") = nb::none(),
           nb::arg("name") = nb::none(),
           nb::sig("def replace(self, *, gravity: axode.typing.ArrayLike | None = None, "
                   "rotation: axode.typing.SectionRotation | None = None, "
                   "stiffening: bool | None = None, name: str | None = None) -> FlexibleTree"),
           "The same tree with another gravity [m/s^2], order of rotations, stiffening or name.");
  m.def(
      "link_named",
      [](const PyFlexibleTree& t, std::string_view wanted) { return link_named(t.tree(), wanted); },
      nb::arg("tree"), nb::arg("wanted"), "Number of the link of that name.");
  m.def(
      "outboard_inertia",
      [](const PyFlexibleTree& t, nb::handle link, nb::handle q_argument) {
        const FlexibleTree& f = t.tree();
        const int chosen = link_argument(f, link);
        const std::vector<double> q =
            one_state(f, q_argument, "q", std::vector<double>(t.size(), 0));
        std::vector<double> by_link;
        for (const FlexibleLink& l : f.links)
          by_link.push_back(l.coordinate < 0 ? 0 : q[l.coordinate]);
        return outboard_inertia(f, chosen, by_link);
      },
      nb::arg("tree"), nb::arg("link"), nb::arg("q") = nb::none(),
      nb::sig("def outboard_inertia(tree: FlexibleTree, link: str | int, "
              "q: axode.typing.ArrayLike | None = None) -> Inertia"),
      "The inertia of all that hangs "
      "at the tip of a link's beam, rigid and undeformed, the joints at q: at the tip, in the axes "
      "of the beam.");
  return tree;
}

}  // namespace axode::python
