/// Signals: samples and expressions.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "src/shared/callbacks.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

constexpr const char* between_names[] = {"hold", "linear", "cubic"};

Samples make_samples(nb::handle times, nb::handle values, std::string_view between) {
  const auto kind = static_cast<Between>(choice(between, "between", {"hold", "linear", "cubic"}));
  return samples(vector(times, "times"), vector(values, "values"), kind);
}

/// A compiled expression with the sizes of the tree it is for.
struct PyExpression {
  Expression expression;
  int nq, nv;
};

nb::object values_of(const PyExpression& e, nb::handle t_argument, nb::handle q_argument,
                     nb::handle v_argument) {
  const States q(q_argument, "q", e.nq, "the tree's coordinates");
  const States v(v_argument, "v", e.nv, "the joint velocities");
  const Batching batching{&q, &v};
  const Numbers t(t_argument, "t");
  if (t.all().size() != 1 && !(batching.batched && t.all().size() == batching.count))
    throw Error("has not one time for all states, or one for each", "t");
  const Output result(batching, {});
  {
    const GilRelease release;
    for (std::size_t i = 0; i < batching.count; ++i)
      result.data[i] =
          value<double>(e.expression, t.all()[t.all().size() == 1 ? 0 : i], q[i], v[i]);
  }
  if (!batching.batched) return nb::float_(result.data[0]);
  return result.array;
}

/// Its number, clipped where huge; `none` if it has none. Throws what its __index__ raises.
Py_ssize_t index_of(nb::handle value, Py_ssize_t none) {
  if (PyIndex_Check(value.ptr()) == 0) return none;
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return number;
}

}  // namespace

const Tree& tree_of(nb::handle tree_object) {
  const PyTree* tree = instance<PyTree>(tree_object);
  if (tree == nullptr) throw nb::type_error("tree: not an axode.Tree");
  return tree->tree;
}

int dof_from(nb::handle value, const Tree& tree, const char* argument) {
  if (PyUnicode_Check(value.ptr())) return dof_index(tree, text_from(value, argument));
  const Py_ssize_t number = index_of(value, -1);
  if (number < 0 || number >= tree.nv)
    throw Error("is not a degree of freedom of the tree", argument,
                "give the name of a joint, or a number from 0 to " + std::to_string(tree.nv - 1));
  return static_cast<int>(number);
}

int body_from(nb::handle value, const Tree& tree, const char* argument, bool world) {
  if (world && value.is_none()) return -1;
  if (PyUnicode_Check(value.ptr())) {
    const std::string name = text_from(value, argument);
    return world && name == world_name ? -1 : body_index(tree, name);
  }
  const Py_ssize_t number = index_of(value, -2);
  if (number < (world ? -1 : 0) || number >= tree.size())
    throw Error(
        "is not a body of the tree", argument,
        "give the name of a body, or a number from 0 to " + std::to_string(tree.size() - 1));
  return static_cast<int>(number);
}

Signal signal_from(nb::handle value, const Tree& tree, const char* argument) {
  if (PyUnicode_Check(value.ptr()))
    return compile_expression(tree, text_from(value, argument), argument);
  if (const Samples* given = instance<Samples>(value)) return *given;
  if (const PyExpression* e = instance<PyExpression>(value)) {
    if (e->nq != tree.nq || e->nv != tree.nv)
      throw Error("the expression is compiled for another tree", argument);
    return e->expression;
  }
  if (PyCallable_Check(value.ptr()) != 0)
    return SignalFunction(PySignal{PyFunction(value, argument)});
  const double constant = PyFloat_AsDouble(value.ptr());
  if (constant == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::type_error((std::string(argument) +
                          ": not a number, text of an expression, axode.forces.samples or function")
                             .c_str());
  }
  return constant;
}

nb::object signal_object(const Signal& signal) {
  if (const double* constant = std::get_if<double>(&signal.form)) return nb::float_(*constant);
  if (const auto* form = std::get_if<Expression>(&signal.form)) return nb::cast(form->text);
  if (const auto* form = std::get_if<Samples>(&signal.form)) return nb::cast(*form);
  const auto* function = std::get_if<SignalFunction>(&signal.form)->target<PySignal>();
  return function != nullptr ? function->function.object() : nb::none();
}

void bind_signals(nb::module_& m) {
  const nb::object at_exit = nb::module_::import_("atexit").attr("register");
  at_exit(nb::cpp_function(&PyFunction::let_go));
  nb::class_<Samples>(m, "Samples",
                      "Values at increasing times, held before the first and after the last.")
      .def_prop_ro(
          "times", [](const Samples& s) { return array(s.times); },
          nb::sig("def times(self) -> axode.typing.Array"), "Times [s], (n,).")
      .def_prop_ro(
          "values", [](const Samples& s) { return array(s.values); },
          nb::sig("def values(self) -> axode.typing.Array"), "Values, (n,).")
      .def_prop_ro(
          "between", [](const Samples& s) { return between_names[std::size_t(s.between)]; },
          "\"hold\", \"linear\" or \"cubic\".")
      .def("__repr__",
           [](const Samples& s) {
             return "<axode.forces.Samples: " + std::to_string(s.times.size()) + ", " +
                    between_names[std::size_t(s.between)] + ">";
           })
      .def("__getstate__",
           [](const Samples& s) {
             return nb::make_tuple(array(s.times), array(s.values),
                                   between_names[std::size_t(s.between)]);
           })
      .def("__setstate__",
           [](Samples& s, const std::tuple<nb::object, nb::object, std::string>& state) {
             const auto& [times, values, between] = state;
             new (&s) Samples(make_samples(times, values, between));
           });
  m.def(
      "samples", &make_samples, nb::arg("times"), nb::arg("values"), nb::arg("between") = "linear",
      nb::sig("def samples(times: axode.typing.ArrayLike, values: axode.typing.ArrayLike, "
              "between: str = 'linear') -> Samples"),
      "A signal through values at increasing times [s]: held from each time on (\"hold\"), joined "
      "by lines (\"linear\") or by a natural spline (\"cubic\"). Integrators land on times where "
      "it or its slope jumps.");

  nb::class_<PyExpression>(m, "Expression", "A compiled expression; see compile_expression.")
      .def_prop_ro(
          "text", [](const PyExpression& e) { return e.expression.text; }, "As given.")
      .def_prop_ro(
          "switch_times", [](const PyExpression& e) { return array(e.expression.switch_times); },
          nb::sig("def switch_times(self) -> axode.typing.Array"),
          "Times [s] at which it is known to jump.")
      .def("__call__", &values_of, nb::arg("t"), nb::arg("q"), nb::arg("v"),
           nb::sig("def __call__(self, t: axode.typing.ArrayLike, q: axode.typing.ArrayLike, "
                   "v: axode.typing.ArrayLike) -> float | axode.typing.Array"),
           "The value at time t and state (q, v); NaN where there is none.")
      .def("__repr__", [](const PyExpression& e) {
        return "<axode.forces.Expression: " + e.expression.text + ">";
      });
  m.def(
      "compile_expression",
      [](nb::handle tree, std::string_view text, const std::string& where) {
        const Tree& of = tree_of(tree);
        return PyExpression{compile_expression(of, text, where), of.nq, of.nv};
      },
      nb::arg("tree"), nb::arg("text"), nb::arg("where") = "expression",
      nb::sig("def compile_expression(tree: Tree, text: str, where: str = 'expression') -> "
              "Expression"),
      "Compiles an expression such as \"20*sin(2*pi*t) - 3*v[elbow]\" of time t, coordinates "
      "q[joint] and velocities v[joint].");
  m.def(
      "dof_index",
      [](nb::handle tree, std::string_view name) { return dof_index(tree_of(tree), name); },
      nb::arg("tree"), nb::arg("name"), nb::sig("def dof_index(tree: Tree, name: str) -> int"),
      "The number in v of \"joint\" or, in a joint of several degrees of freedom, of \"joint.k\".");
}

}  // namespace axode::python
