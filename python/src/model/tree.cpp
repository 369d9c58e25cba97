/// What a tree says of itself: axode/model/tree.hpp.
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/model/merge_fixed.hpp"
#include "axode/model/state.hpp"
#include "src/kinematics/frame_names.hpp"
#include "src/model/model.hpp"
#include "src/screw/screw.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/results.hpp"

namespace axode::python {

std::uint64_t whole_number(nb::handle value, const char* argument, std::uint64_t largest) {
  PyObject* number = PyNumber_Index(value.ptr());
  if (number == nullptr) {
    PyErr_Clear();
    throw nb::type_error((std::string(argument) + ": not a whole number").c_str());
  }
  const nb::object kept = nb::steal(number);
  const std::uint64_t n = PyLong_AsUnsignedLongLong(number);
  const bool failed = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (failed || n > largest) throw Error("is not from 0 to " + std::to_string(largest), argument);
  return n;
}

int body_argument(const Tree& tree, nb::handle value, const char* argument) {
  std::string name;
  if (nb::try_cast(value, name, false)) return body_index(tree, name);
  if (tree.size() == 0) throw Error("the tree has no bodies", argument);
  return static_cast<int>(
      whole_number(value, argument, static_cast<std::uint64_t>(tree.size() - 1)));
}

namespace {

nb::object slice_of(int first, int count) {
  PyObject* slice = PySlice_New(nb::int_(first).ptr(), nb::int_(first + count).ptr(), nullptr);
  if (slice == nullptr) throw nb::python_error();
  return nb::steal(slice);
}

/// A tuple of f(i), i < n.
template <class F>
nb::tuple tuple_of(std::size_t n, F&& f) {
  nb::list all;
  for (std::size_t i = 0; i < n; ++i) all.append(f(i));
  return nb::tuple(all);
}

nb::object dof_of(const Dof& d) {
  return result("Dof", d.lower, d.upper, d.max_velocity, d.max_effort, d.damping, d.friction,
                d.armature);
}

nb::object body_of(const Tree& tree, const Children& family, int i) {
  const Body& body = tree.bodies[i];
  const Link& link = tree.links[i];
  const int first = family.first[i + 1], last = family.first[i + 2];
  return result(
      "Body", i, body.name, link.parent,
      link.parent < 0 ? std::string(world_name) : tree.bodies[link.parent].name,
      tuple_of(last - first, [&](std::size_t k) { return family.children[first + k]; }),
      body.inertia, body.inertia_given, body.joint_name, name(body.joint_type),
      name(body.coordinates), name(link.velocity), slice_of(link.q, link.nq),
      slice_of(link.v, link.nv),
      tuple_of(link.nv, [&](std::size_t k) { return dof_of(tree.dofs[link.v + k]); }),
      name(body.form), link.B, body.T_BJ,
      tuple_of(body.shapes.size(), [&](std::size_t k) { return nb::cast(body.shapes[k]); }));
}

nb::object frame_tuple(const std::string& name, int body, const SE3<double>& T_BF) {
  return result("NamedFrame", name, body, T_BF);
}
nb::object choice_of(const Tree& tree, nb::handle frame) {
  const FrameNames names = frame_names(tree, frame);
  const FrameChoice f = axode::frame(tree, names.name());
  return result("FrameChoice", frame_tuple(names.origin, f.origin.body, f.origin.T_BF),
                frame_tuple(names.axes, f.axes.body, f.axes.T_BF));
}

std::string repr(const Tree& tree) {
  const auto some = [](std::size_t n, const char* what) {
    return n == 0 ? "" : ", " + std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return "Tree" + (tree.name.empty() ? "" : " '" + tree.name + "'") + ": " +
         std::to_string(tree.size()) + (tree.size() == 1 ? " body" : " bodies") + ", nq " +
         std::to_string(tree.nq) + ", nv " + std::to_string(tree.nv) +
         some(tree.frames.size(), "frame") + some(tree.couplings.size(), "coupling") +
         some(tree.warnings.size(), "warning");
}

template <class F>
auto names_of(F&& name) {
  return [name](const PyTree& t) { return name(t.tree); };
}

void bind_names(nb::class_<PyTree>& type) {
  type.def_prop_ro(
          "name", [](const PyTree& t) { return t.tree.name; }, "May be empty.")
      .def_prop_ro(
          "source", [](const PyTree& t) { return t.tree.source; },
          "The file it came from; may be empty.")
      .def_prop_ro(
          "nq", [](const PyTree& t) { return t.tree.nq; }, "Number of coordinates q.")
      .def_prop_ro(
          "nv", [](const PyTree& t) { return t.tree.nv; }, "Number of velocities v.")
      .def(
          "__len__", [](const PyTree& t) { return t.tree.size(); }, "Number of bodies.")
      .def("__bool__", [](const PyTree&) { return true; })
      .def("__repr__", [](const PyTree& t) { return repr(t.tree); })
      .def(
          "_repr_html_",
          [](nb::handle self) {
            return nb::module_::import_("axode._view").attr("tree_html")(self);
          },
          nb::sig("def _repr_html_(self) -> str"), "The bodies and joints as a table.")
      .def_prop_ro(
          "gravity", [](const PyTree& t) { return array(t.tree.gravity); },
          nb::sig("def gravity(self) -> axode.typing.Array"),
          "Free-fall acceleration in the world [m/s^2], (3,).")
      .def_prop_ro("body_names", names_of([](const Tree& tree) {
                     std::vector<std::string> names;
                     for (const Body& b : tree.bodies) names.push_back(b.name);
                     return names;
                   }),
                   "By body.")
      .def_prop_ro("joint_names", names_of([](const Tree& tree) {
                     std::vector<std::string> names;
                     for (const Body& b : tree.bodies) names.push_back(b.joint_name);
                     return names;
                   }),
                   "By body, whose joint to its parent it is.")
      .def_prop_ro("coordinate_names", names_of(coordinate_names),
                   "By coordinate, of q: the name of the joint, or joint[k] for number k of one "
                   "that has several.")
      .def_prop_ro("velocity_names", names_of(velocity_names),
                   "By velocity, of v, in the same way.")
      .def_prop_ro("frame_names", names_of([](const Tree& tree) {
                     std::vector<std::string> names;
                     for (const NamedFrame& f : tree.frames) names.push_back(f.name);
                     return names;
                   }),
                   "Named frames; those of the bodies are not listed.");
}

void bind_parts(nb::class_<PyTree>& type) {
  type.def_prop_ro(
          "bodies",
          [](const PyTree& t) {
            const Children family = children(t.tree);
            return tuple_of(t.tree.size(), [&](std::size_t i) {
              return body_of(t.tree, family, static_cast<int>(i));
            });
          },
          nb::sig("def bodies(self) -> tuple[axode.model.Body, ...]"),
          "All bodies with their joints, made anew at each call.")
      .def(
          "body",
          [](const PyTree& t, nb::handle body) {
            return body_of(t.tree, children(t.tree), body_argument(t.tree, body));
          },
          nb::arg("body"),
          nb::sig("def body(self, body: typing.SupportsIndex | str) -> axode.model.Body"),
          "One body by name or number.")
      .def_prop_ro(
          "frames",
          [](const PyTree& t) {
            return tuple_of(t.tree.frames.size(), [&](std::size_t i) {
              const NamedFrame& f = t.tree.frames[i];
              return frame_tuple(f.name, f.body, f.T_BF);
            });
          },
          nb::sig("def frames(self) -> tuple[axode.model.NamedFrame, ...]"), "The named frames.")
      .def_prop_ro(
          "couplings",
          [](const PyTree& t) {
            return tuple_of(t.tree.couplings.size(), [&](std::size_t i) {
              const Coupling& c = t.tree.couplings[i];
              return result("Coupling", c.follower, c.leader, c.ratio, c.offset, c.named_leader,
                            c.named_ratio, c.named_offset);
            });
          },
          nb::sig("def couplings(self) -> tuple[axode.model.Coupling, ...]"),
          "Joints that follow others, by follower.")
      .def_prop_ro(
          "warnings",
          [](const PyTree& t) {
            return tuple_of(t.tree.warnings.size(), [&](std::size_t i) {
              const Warning& w = t.tree.warnings[i];
              return result("ModelWarning", w.text, w.impossible);
            });
          },
          nb::sig("def warnings(self) -> tuple[axode.model.ModelWarning, ...]"),
          "Remarks on a model that loads all the same.")
      .def_prop_ro(
          "dofs",
          [](const PyTree& t) {
            return tuple_of(t.tree.dofs.size(),
                            [&](std::size_t k) { return dof_of(t.tree.dofs[k]); });
          },
          nb::sig("def dofs(self) -> tuple[axode.model.Dof, ...]"),
          "Limits, damping, friction and armature, by velocity.")
      .def_prop_ro(
          "screws",
          [](const PyTree& t) {
            const Output all({t.tree.screws.size(), 6});
            for (std::size_t k = 0; k < t.tree.screws.size(); ++k)
              write_six(t.tree.screws[k], all.data + 6 * k);
            return all.array;
          },
          nb::sig("def screws(self) -> axode.typing.Array"),
          "Joint screws X in the body frames at q = 0, angular part first, by velocity, (nv, 6).");
}

/// A property of all degrees of freedom as array (nv,).
void bind_dofs(nb::class_<PyTree>& type) {
  const auto by_velocity = [&type](const char* name, const char* signature, double Dof::*value,
                                   const char* text) {
    type.def_prop_ro(
        name,
        [value](const PyTree& t) {
          const Output all({t.tree.dofs.size()});
          for (std::size_t k = 0; k < t.tree.dofs.size(); ++k) all.data[k] = t.tree.dofs[k].*value;
          return all.array;
        },
        nb::sig(signature), text);
  };
  by_velocity("lower", "def lower(self) -> axode.typing.Array", &Dof::lower,
              "Lower limits of the degrees of freedom [rad, m], -inf where there is none, (nv,).");
  by_velocity("upper", "def upper(self) -> axode.typing.Array", &Dof::upper,
              "Upper limits of the degrees of freedom [rad, m], inf where there is none, (nv,).");
  by_velocity("max_velocity", "def max_velocity(self) -> axode.typing.Array", &Dof::max_velocity,
              "Limits of the velocities [rad/s, m/s], inf where there is none, (nv,).");
  by_velocity("max_effort", "def max_effort(self) -> axode.typing.Array", &Dof::max_effort,
              "Limits of the joint forces [N m, N], inf where there is none, (nv,).");
  by_velocity("damping", "def damping(self) -> axode.typing.Array", &Dof::damping,
              "Viscous damping [N m s/rad, N s/m], (nv,).");
  by_velocity("friction", "def friction(self) -> axode.typing.Array", &Dof::friction,
              "Coulomb friction [N m, N], (nv,).");
  by_velocity("armature", "def armature(self) -> axode.typing.Array", &Dof::armature,
              "Reflected inertia of the drives [kg m^2, kg], (nv,).");
}

using Index = int (*)(const Tree&, std::string_view);
auto index_by(Index index) {
  return [index](const PyTree& t, std::string_view name) { return index(t.tree, name); };
}

void bind_lookup(nb::module_& m, nb::class_<PyTree>& type) {
  const auto both = [&](const char* name, Index index, const char* text) {
    type.def(name, index_by(index), nb::arg("name"), text);
    m.def(name, index_by(index), nb::arg("tree"), nb::arg("name"), text);
  };
  both("body_index", body_index,
       "The number of a body. Raises Error on an unknown name, proposing the most similar one.");
  both("joint_index", joint_index,
       "The number of the body that a joint carries. Raises Error on an unknown name.");
  both("frame_index", frame_index, "The number of a named frame. Raises Error on an unknown name.");
  m.def(
      "frame", [](const PyTree& t, nb::handle frame) { return choice_of(t.tree, frame); },
      nb::arg("tree"), nb::arg("frame"),
      nb::sig("def frame(tree: Tree, frame: axode.typing.FrameLike) -> axode.model.FrameChoice"),
      "The bodies and poses that a frame stands for: \"tool\", \"tool[world]\" or a Frame; names "
      "are those of bodies, named frames or \"world\".");
  m.def(
      "merge_fixed_joints", [](const PyTree& t) { return new PyTree(merge_fixed_joints(t.tree)); },
      nb::arg("tree"),
      "The same mechanism with fewer bodies: a body on a fixed joint becomes part of its parent; "
      "its inertia and shapes move over, its frame stays as a named frame. Coordinates keep order "
      "and meaning; bodies fixed to the world itself stay.");
}

}  // namespace

void bind_tree(nb::module_& m, nb::class_<PyTree>& type) {
  bind_names(type);
  bind_parts(type);
  bind_dofs(type);
  bind_lookup(m, type);
}

}  // namespace axode::python
