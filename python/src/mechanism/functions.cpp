/// Functions of time that Python gives: texts, numbers, and Python functions.
#include <nanobind/stl/optional.h>

#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"
#include "src/mechanism/mechanism.hpp"
#include "src/shared/errors.hpp"

namespace axode::python::mechanisms {
namespace {

/// What the function returns at t; not finite where it has failed and the error is kept.
template <std::size_t n>
std::array<double, n> at(const PyFunction& f, double t) {
  std::array<double, n> numbers;
  numbers.fill(std::numeric_limits<double>::quiet_NaN());
  const auto call = [&] {
    constexpr std::size_t shape[] = {n};
    try {
      f.numbers(t, shape, numbers);
    } catch (const Error& error) {
      throw Error(error.problem(), error.where(),
                  n == 3   ? "return value, rate and acceleration"
                  : n == 6 ? "return torque and force, six numbers"
                           : "return a number");
    }
  };
  if (RunErrors* const errors = RunErrors::current())
    errors->guard(call);
  else
    call();
  return numbers;
}

/// A text, a number or a dictionary as files have them; empty for others.
std::optional<PyTimeFunction> said_function(nb::handle value, const std::string& what) {
  TextFunction f;
  if (nb::isinstance<PyTimeFunction>(value)) return nb::cast<PyTimeFunction>(value);
  if (nb::isinstance<nb::str>(value)) {
    f = time_function_from_text(text_from(value, what.c_str()), what);
  } else if (nb::isinstance<nb::dict>(value)) {
    const nb::object dumps = nb::module_::import_("json").attr("dumps");
    const nb::object text = dumps(value);
    const JsonDocument document(nb::cast<std::string>(text), what);
    f = time_function_from_json(document.root());
  } else if (is_number(value)) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    if (!std::isfinite(number)) throw Error("is not finite", what);
    f = {constant_in_time(number), shortest(number)};
  } else {
    return {};
  }
  return PyTimeFunction{std::move(f.function), std::move(f.text)};
}

void want_callable(nb::handle value, const std::string& what) {
  if (PyCallable_Check(value.ptr()) == 0)
    throw nb::type_error((what + ": give a number, an expression in t or a function of t").c_str());
}

PyTimeFunction polynomial(double value, double rate, double acceleration) {
  for (const double x : {value, rate, acceleration})
    if (!std::isfinite(x)) throw Error("a number is not finite", "polynomial_in_time");
  return {polynomial_in_time(value, rate, acceleration), "{\"polynomial\": [" + shortest(value) +
                                                             ", " + shortest(rate) + ", " +
                                                             shortest(acceleration / 2) + "]}"};
}

}  // namespace

bool is_number(nb::handle value) noexcept {
  PyObject* const x = value.ptr();
  return PyFloat_Check(x) || PyLong_Check(x) || (PyIndex_Check(x) && PySequence_Check(x) == 0);
}

PyTimeFunction time_function(nb::handle value, const std::string& what) {
  if (auto said = said_function(value, what)) return *std::move(said);
  want_callable(value, what);
  return {[f = PyFunction(value, what)](double t) {
            const auto [x, rate, acceleration] = at<3>(f, t);
            return TimeValue{x, rate, acceleration};
          },
          {}};
}

ForceFunction force_function(nb::handle value, const std::string& what) {
  if (value.is_none()) return {};
  if (auto said = said_function(value, what))
    return {[f = std::move(said->function)](double t) { return f(t).value; },
            std::move(said->text)};
  want_callable(value, what);
  return {[f = PyFunction(value, what)](double t) { return at<1>(f, t)[0]; }, {}};
}

std::function<Vec6<double>(double)> load_function(nb::handle value, const std::string& what) {
  if (value.is_none()) return {};
  want_callable(value, what);
  return [f = PyFunction(value, what)](double t) { return read_six(at<6>(f, t).data()); };
}

void bind_time_functions(nb::module_& m) {
  nb::class_<PyTimeFunction>(
      m, "TimeFunction",
      "A function of time with two derivatives, for drivers and forces: of a number, an expression "
      "in t, {'polynomial': [c0, c1, ...]}, {'times': [...], 'values': [...]} (cubic spline), or a "
      "Python function of t that returns value, rate and acceleration.")
      .def(
          "__init__",
          [](PyTimeFunction* self, nb::handle function) {
            new (self) PyTimeFunction(time_function(function, "function"));
          },
          nb::arg("function"),
          nb::sig("def __init__(self, function: axode.typing.TimeFunctionLike) -> None"))
      .def(
          "__call__",
          [](const PyTimeFunction& f, double t) {
            const OutsideRun outside;
            const TimeValue x = f.function(t);
            return result("TimeValue", x.value, x.rate, x.acceleration);
          },
          nb::arg("t"), nb::sig("def __call__(self, t: float) -> axode._results.TimeValue"),
          "Value, rate and acceleration at t [s].")
      .def_ro("text", &PyTimeFunction::text,
              "As files say it, in JSON; empty for functions of the program.")
      .def("__repr__",
           [](const PyTimeFunction& f) {
             return "TimeFunction(" + (f.text.empty() ? "<function>" : f.text) + ")";
           })
      .def(
          "__reduce__",
          [](const nb::object& self) {
            const auto& f = nb::cast<const PyTimeFunction&>(self);
            if (f.text.empty())
              throw Error("a function of the program cannot be pickled", "TimeFunction");
            const nb::object type = nb::borrow(self.type());
            const nb::object loads = nb::module_::import_("json").attr("loads");
            return nb::make_tuple(type, nb::make_tuple(loads(f.text)));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  m.def(
      "constant_in_time", [](double value) { return polynomial(value, 0, 0); }, nb::arg("value"),
      nb::sig("def constant_in_time(value: float) -> TimeFunction"),
      "The same value at all times.");
  m.def("polynomial_in_time", &polynomial, nb::arg("value"), nb::arg("rate"),
        nb::arg("acceleration") = 0.0,
        nb::sig("def polynomial_in_time(value: float, rate: float, acceleration: float = 0.0) -> "
                "TimeFunction"),
        "value + rate t + acceleration t^2 / 2.");
}

}  // namespace axode::python::mechanisms
