/// Free velocities of a search over configurations: axode/kinematics/inverse/joint_variables.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "axode/kinematics/inverse/joint_variables.hpp"
#include "src/kinematics/kinematics.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

/// With the tree it belongs to.
struct PyJointVariables {
  const Tree* tree;
  JointVariables variables;
};

std::vector<char> moving(const Tree& tree, const std::optional<std::vector<bool>>& moves) {
  if (!moves) return {};
  if (moves->size() != bodies_of(tree))
    throw Error("has " + std::to_string(moves->size()) + " truth values", "moves",
                "give one for each of the " + std::to_string(tree.size()) + " bodies");
  return {moves->begin(), moves->end()};
}

nb::object variable_result(const JointVariable& v) {
  return result("JointVariable", v.velocity, v.coordinate, v.lower, v.upper, v.lower_of, v.upper_of,
                v.rotates);
}
nb::object variable_results(const std::vector<JointVariable>& all) {
  nb::list results;
  for (const JointVariable& v : all) results.append(variable_result(v));
  return results;
}

/// The tree, which must be the one the variables were made for.
const Tree& same_tree(const PyTree& py, const PyJointVariables& variables) {
  if (&py.tree != variables.tree)
    throw Error("belong to another tree", "variables", "make them for this one");
  return py.tree;
}
std::vector<double> step_of(const JointVariables& variables, nb::handle x) {
  std::vector<double> step = vector(x, "x");
  if (step.size() != static_cast<std::size_t>(variables.size()))
    throw Error("has " + std::to_string(step.size()) + " numbers", "x",
                "give one for each of the " + std::to_string(variables.size()) + " variables");
  check_numbers(step, "x");
  return step;
}

void bind_variable_functions(nb::module_& m) {
  const std::string first = "(tree: Tree, variables: JointVariables, ";
  m.def(
      "enforce",
      [](const PyTree& py, const PyJointVariables& variables, nb::handle q_argument) {
        const Tree& tree = same_tree(py, variables);
        std::vector<double> q = single_state(tree, q_argument);
        enforce(tree, variables.variables, q);
        return array(q);
      },
      nb::arg("tree"), nb::arg("variables"), nb::arg("q"),
      nb::sig(("def enforce" + first + "q: axode.typing.ArrayLike) -> axode.typing.Array").c_str()),
      "q with followers where their leaders want them and all variables in their intervals.");
  m.def(
      "check_held",
      [](const PyTree& py, const PyJointVariables& variables, nb::handle q) {
        check_held(same_tree(py, variables), variables.variables, single_state(py.tree, q));
      },
      nb::arg("tree"), nb::arg("variables"), nb::arg("q"),
      nb::sig(("def check_held" + first + "q: axode.typing.ArrayLike) -> None").c_str()),
      "Raises Error if a held joint is outside its limits, which no choice can mend.");
  m.def(
      "move",
      [](const PyTree& py, PyJointVariables& variables, nb::handle q_argument, nb::handle x) {
        const Tree& tree = same_tree(py, variables);
        std::vector<double> q = single_state(tree, q_argument);
        const std::vector<double> step = step_of(variables.variables, x);
        move(tree, variables.variables, q, step, q);
        return array(q);
      },
      nb::arg("tree"), nb::arg("variables"), nb::arg("q"), nb::arg("x"),
      nb::sig(("def move" + first +
               "q: axode.typing.ArrayLike, x: axode.typing.ArrayLike) -> axode.typing.Array")
                  .c_str()),
      "q moved by the step x of the variables, within their intervals, (nq,).");
  m.def(
      "room",
      [](const PyJointVariables& variables, nb::handle q_argument) {
        const std::vector<double> q = single_state(*variables.tree, q_argument);
        const std::size_t n = variables.variables.size();
        const Output lower({n}), upper({n});
        room(variables.variables, q, lower.all(), upper.all());
        return nb::make_tuple(lower.array, upper.array);
      },
      nb::arg("variables"), nb::arg("q"),
      nb::sig("def room(variables: JointVariables, q: axode.typing.ArrayLike) "
              "-> tuple[axode.typing.Array, axode.typing.Array]"),
      "The room between q and the bounds, lower <= x <= upper, one number for each variable.");
  m.def(
      "random_start",
      [](const PyTree& py, const PyJointVariables& variables, nb::handle about,
         std::uint64_t seed) {
        const Tree& tree = same_tree(py, variables);
        const std::vector<double> from = single_state(tree, about, "about");
        std::mt19937_64 random(seed);
        const Output q({from.size()});
        random_start(tree, variables.variables, from, random, q.all());
        return q.array;
      },
      nb::arg("tree"), nb::arg("variables"), nb::arg("about"), nb::arg("seed"),
      nb::sig(("def random_start" + first +
               "about: axode.typing.ArrayLike, seed: int) -> axode.typing.Array")
                  .c_str()),
      "A random configuration within the limits, (nq,); without limits pi rad or 1 m about the one "
      "given, which also lends held and free joints. The same for the same seed.");
}

}  // namespace

void bind_joint_variables(nb::module_& m) {
  nb::class_<PyJointVariables>(
      m, "JointVariables",
      "The velocities that are free to choose: those of joints that are not held and follow no "
      "other joint, each with the interval its own limits and those of its followers leave.")
      .def(
          "__init__",
          [](PyJointVariables* self, const PyTree& py, const std::vector<std::string>& hold,
             bool hold_base, const std::optional<std::vector<bool>>& moves) {
            new (self) PyJointVariables{
                &py.tree, JointVariables(py.tree, {hold, hold_base}, moving(py.tree, moves))};
          },
          nb::keep_alive<1, 2>(), nb::arg("tree"), nb::kw_only(),
          nb::arg("hold") = nb::make_tuple(), nb::arg("hold_base") = false,
          nb::arg("moves") = nb::none(),
          nb::sig("def __init__(self, tree: Tree, *, hold: collections.abc.Sequence[str] = (), "
                  "hold_base: bool = False, "
                  "moves: collections.abc.Sequence[bool] | None = None) -> None"),
          "`hold` names joints that keep their coordinates, `hold_base` also those of free joints "
          "on the world; `moves` tells by body which joints may matter (None: all).")
      .def("__len__", [](const PyJointVariables& v) { return v.variables.size(); })
      .def("__repr__",
           [](const PyJointVariables& v) {
             return "JointVariables(" + std::to_string(v.variables.size()) + " of " +
                    std::to_string(v.tree->nv) + " velocities)";
           })
      .def_prop_ro(
          "variables",
          [](const PyJointVariables& v) { return variable_results(v.variables.variables); },
          nb::sig("def variables(self) -> list[axode._results.JointVariable]"),
          "The free velocities, in the order of x.")
      .def_prop_ro(
          "idle", [](const PyJointVariables& v) { return variable_results(v.variables.idle); },
          nb::sig("def idle(self) -> list[axode._results.JointVariable]"),
          "Degrees of freedom that do not matter, for their limits.")
      .def_prop_ro(
          "variable_of", [](const PyJointVariables& v) { return v.variables.variable_of; },
          "By velocity of the tree its variable; -1: held or idle.")
      .def_prop_ro(
          "ratio", [](const PyJointVariables& v) { return array(v.variables.ratio); },
          nb::sig("def ratio(self) -> axode.typing.Array"),
          "By velocity of the tree: dv/dx of its variable, (nv,).");
  bind_variable_functions(m);
}

}  // namespace axode::python
