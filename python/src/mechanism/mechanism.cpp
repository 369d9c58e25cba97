/// Mechanisms: axode/mechanism and the readers of mechanism files.
#include "src/mechanism/mechanism.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/io/model_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/description/from_tree.hpp"
#include "src/model/py_tree.hpp"

namespace axode::python::mechanisms {
namespace {

using Path = std::filesystem::path;

/// The tree and a list of loops as files have them: a dictionary or the text of one.
PyMechanism from_tree(const Tree& tree, nb::handle loops, nb::handle q) {
  std::vector<double> start;
  if (!q.is_none()) start = state(q, "q", tree.nq, "the tree's coordinates");
  MechanismDescription description = describe_tree(tree, start);
  if (loops.is_none()) return {build(description)};
  std::string text;
  if (nb::isinstance<nb::str>(loops)) {
    text = nb::cast<std::string>(loops);
  } else {
    nb::dict file;
    file["axode_mechanism"] = mechanism_version;
    if (nb::isinstance<nb::dict>(loops))
      file.update(nb::borrow<nb::dict>(loops));
    else
      file["joints"] = loops;
    const nb::object dumps = nb::module_::import_("json").attr("dumps");
    const nb::object written = dumps(file);
    text = nb::cast<std::string>(written);
  }
  detail::describe_mechanism(text, "loops", false, description);
  return {build(description)};
}

PyMechanism from_urdf(const Path& model, nb::handle loops) {
  if (nb::isinstance<nb::dict>(loops) || nb::isinstance<nb::list>(loops))
    return from_tree(load_tree(model), loops, nb::none());
  Path file;
  if (!nb::try_cast(loops, file))
    throw nb::type_error("loops: give a file, a dictionary or a list of joints");
  return {load_mechanism(model, file)};
}

void set_driver(Mechanism& m, nb::handle key, nb::handle value) {
  const int c = coordinate_argument(m, key, "drivers");
  const std::string& name = m.coordinates[c].name;
  const auto found = std::ranges::find(m.drivers, c, &MechanismDriver::coordinate);
  if (value.is_none()) {
    if (found == m.drivers.end()) throw Error("'" + name + "' is not driven", "drivers");
    m.drivers.erase(found);
    return;
  }
  PyTimeFunction f = time_function(value, "driver '" + name + "'");
  MechanismDriver& driver =
      found != m.drivers.end() ? *found : m.drivers.emplace_back(MechanismDriver{name, c, {}, {}});
  driver.motion = std::move(f.function);
  driver.text = std::move(f.text);
  RunErrors errors;
  const TimeValue start = driver.motion(0);
  errors.rethrow();
  for (const double x : {start.value, start.rate, start.acceleration})
    if (!std::isfinite(x)) throw Error("is not finite at t = 0", "driver '" + name + "'");
}

void set_start(const Mechanism& m, const nb::dict& values, const char* argument,
               std::vector<double>& numbers) {
  for (const auto& [key, value] : values) {
    const int c = coordinate_argument(m, key, argument);
    if (value.is_none()) {
      numbers[c] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const double x = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!std::isfinite(x)) throw Error("is not finite", argument);
    numbers[c] = x;
  }
}

PyMechanism replaced(const PyMechanism& self, const std::optional<nb::dict>& drivers,
                     const std::optional<nb::dict>& initial,
                     const std::optional<nb::dict>& initial_rate, nb::handle gravity,
                     bool keep_drivers) {
  PyMechanism copy = self;
  Mechanism& m = copy.mechanism;
  if (!keep_drivers) m.drivers.clear();
  if (drivers)
    for (const auto& [key, value] : *drivers) set_driver(m, key, value);
  if (initial) set_start(m, *initial, "initial", m.initial);
  if (initial_rate) set_start(m, *initial_rate, "initial_rate", m.initial_rate);
  if (!gravity.is_none()) m.gravity = vec3(gravity, "gravity");
  return copy;
}

std::string described(const Mechanism& m) {
  const auto count = [](std::size_t n, const char* what) {
    return ", " + std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string bodies = count(m.bodies.size() - 1, "body").substr(2);
  if (m.bodies.size() != 2) bodies.replace(bodies.size() - 2, 2, "ies");
  return "Mechanism('" + m.name + "', " + (m.is_planar ? "planar, " : "spatial, ") + bodies +
         count(m.joints.size(), "joint") + count(m.drivers.size(), "driver") + ")";
}

}  // namespace

void bind_mechanism_class(nb::module_&, MechanismClass& c) {
  c.def_static(
       "from_file", [](const Path& path) { return PyMechanism{load_mechanism(path)}; },
       nb::arg("path"), nb::sig("def from_file(path: str | os.PathLike[str]) -> Mechanism"),
       "Reads a file of the mechanism format.")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& source) {
            return PyMechanism{parse_mechanism(text, source)};
          },
          nb::arg("text"), nb::arg("source") = "text",
          nb::sig("def from_text(text: str, source: str = 'text') -> Mechanism"),
          "Reads the text of such a file; `source` names it in messages.")
      .def_static(
          "from_urdf", &from_urdf, nb::arg("path"), nb::arg("loops"),
          nb::sig("def from_urdf(path: str | os.PathLike[str], loops: str | "
                  "os.PathLike[str] | dict[str, object] | Sequence[dict[str, object]]) -> "
                  "Mechanism"),
          "The tree of a model file (URDF or Axode's own) with joints that close its loops: "
          "a file of the mechanism format without bodies, which are the links at q = 0, or "
          "its contents as a dictionary; a list is one of joints.")
      .def_static(
          "from_tree",
          [](const PyTree& tree, nb::handle loops, nb::handle q) {
            return from_tree(tree.tree, loops, q);
          },
          nb::arg("tree"), nb::arg("loops") = nb::none(), nb::arg("q") = nb::none(),
          nb::sig("def from_tree(tree: Tree, loops: str | dict[str, object] | "
                  "Sequence[dict[str, object]] | None = None, "
                  "q: axode.typing.ArrayLike | None = None) -> Mechanism"),
          "A mechanism of the bodies and joints of a tree, its reference at q (0 without "
          "it), and of `loops`: joints, drivers and forces as the mechanism format has "
          "them, without bodies; a list is one of joints.")
      .def(
          "save",
          [](const PyMechanism& m, const Path& path, bool force) {
            write_text_file(path, mechanism_text(m.mechanism), force);
          },
          nb::arg("path"), nb::kw_only(), nb::arg("force") = false,
          nb::sig("def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None"),
          "Writes a file that reads back as the same mechanism; one that exists only by force. "
          "Python functions cannot be written: Error.")
      .def(
          "to_text", [](const PyMechanism& m) { return mechanism_text(m.mechanism); },
          "The text of such a file.")
      .def("replace", &replaced, nb::kw_only(), nb::arg("drivers") = nb::none(),
           nb::arg("initial") = nb::none(), nb::arg("initial_rate") = nb::none(),
           nb::arg("gravity") = nb::none(), nb::arg("keep_drivers") = true,
           nb::sig(
               "def replace(self, *, drivers: collections.abc.Mapping[str, "
               "axode.typing.TimeFunctionLike | "
               "None] | None = None, initial: collections.abc.Mapping[str, float | None] | None = "
               "None, "
               "initial_rate: collections.abc.Mapping[str, float | None] | None = None, gravity: "
               "axode.typing.ArrayLike | None = None, keep_drivers: bool = True) -> Mechanism"),
           "A copy with other drivers, starting values and rates by name of the coordinate (None "
           "removes one), and gravity [m/s^2].")
      .def(
          "start_poses", [](const PyMechanism& m) { return poses_array(start_poses(m.mechanism)); },
          nb::sig("def start_poses(self) -> axode.typing.Array"),
          "Poses (bodies, 4, 4) from which a search for an assembled configuration begins.")
      .def_prop_ro(
          "model_size", [](const PyMechanism& m) { return model_size(m.mechanism); },
          "A length that tells how large the mechanism is [m].")
      .def("__repr__", [](const PyMechanism& m) { return described(m.mechanism); })
      .def("__copy__", [](const PyMechanism& m) { return m; })
      .def(
          "__deepcopy__", [](const PyMechanism& m, nb::handle) { return m; }, nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> Mechanism"))
      .def("__getstate__", [](const PyMechanism& m) { return mechanism_text(m.mechanism); })
      .def("__setstate__", [](PyMechanism& m, const std::string& text) {
        new (&m) PyMechanism{parse_mechanism(text, "pickled mechanism")};
      });
}

}  // namespace axode::python::mechanisms

namespace axode::python {

void bind_mechanism(nb::module_& m) {
  using namespace mechanisms;
  bind_time_functions(m);
  MechanismClasses classes{
      SystemClass(m, "MechanismSystem",
                  "The equations of a mechanism in the coordinates of one formulation, evaluated "
                  "and solved. Arguments: t [s], coordinates q (nq,), velocities v and "
                  "accelerations a (nv,). Angles of Euler refer to seats that solving may change; "
                  "a q found before means the same only with the seats it was found with."),
      MechanismClass(m, "Mechanism",
                     "Bodies, joints between any two of them, couplings, drivers and forces. Does "
                     "not change. Methods that compute take the coordinates to do so in as "
                     "`formulation`; `formulate` keeps such a system for many calls.")};
  made_by(classes.mechanisms,
          "Mechanism: is made by Mechanism.from_file(path) or axode.MechanismBuilder");
  bind_mechanism_class(m, classes.mechanisms);
  bind_mechanism_parts(classes.mechanisms);
  bind_mechanism_builder(m);
  bind_mechanism_system(classes);
  bind_mechanism_written(classes);
  bind_mechanism_evaluation(classes);
  bind_mechanism_motion(classes);
  bind_mechanism_assemble(classes);
  bind_mechanism_solve(classes);
  bind_mechanism_paths(classes);
  bind_mechanism_forces(m, classes);
  bind_mechanism_linearize(classes);
  bind_mechanism_dynamics(m);
  bind_mechanism_simulate(m, classes);
  m.attr("Formulation") = classes.systems;
}

}  // namespace axode::python
