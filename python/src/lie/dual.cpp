/// Dual numbers a + eps b with eps^2 = 0.
#include "axode/lie/dual.hpp"

#include <cmath>

#include "axode/core/error.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {
namespace {

using Number = Dual<double>;

Number quotient(const Number& a, const Number& b) {
  if (b.real == 0) throw Error("the real part of the divisor is zero", "Dual");
  return a / b;
}

/// `a op b` with dual numbers and floats on either side.
template <class Operation>
void bind_operator(nb::class_<Number>& type, const char* name, const char* reflected,
                   Operation operation) {
  type.def(
      name, [=](const Number& a, const Number& b) { return operation(a, b); }, nb::is_operator());
  type.def(
      name, [=](const Number& a, double b) { return operation(a, Number(b)); }, nb::is_operator());
  type.def(
      reflected, [=](const Number& a, double b) { return operation(Number(b), a); },
      nb::is_operator());
}
/// Comparisons look at the real part only, so a branch is taken as without derivatives.
template <class Comparison>
void bind_comparison(nb::class_<Number>& type, const char* name, Comparison compare) {
  type.def(
      name, [=](const Number& a, const Number& b) { return compare(a.real, b.real); },
      nb::is_operator());
  type.def(
      name, [=](const Number& a, double b) { return compare(a.real, b); }, nb::is_operator());
}

void bind_functions(nb::class_<Number>& type) {
  type.def(
          "sqrt",
          [](const Number& a) {
            if (!(a.real > 0))
              throw Error("the root has a derivative only above zero", "Dual.sqrt");
            return sqrt(a);
          },
          "The square root; the real part must be positive.")
      .def(
          "sin", [](const Number& a) { return sincos(a).sin; }, "Of an angle in rad.")
      .def(
          "cos", [](const Number& a) { return sincos(a).cos; }, "Of an angle in rad.")
      .def(
          "arctan2",
          [](const Number& y, const Number& x) {
            if (x.real == 0 && y.real == 0)
              throw Error("both numbers have real part zero", "Dual.arctan2");
            return atan2(y, x);
          },
          nb::arg("x"), "The angle [rad] of the point (x, self).")
      .def(
          "__abs__", [](const Number& a) { return abs(a); }, "At 0 the right-hand derivative.");
}

}  // namespace

void bind_dual(nb::module_& m) {
  nb::class_<Number> type(
      m, "Dual",
      "A dual number real + eps dual, eps^2 = 0. Carried through arithmetic, `dual` is the exact "
      "derivative of the result along the direction put into the arguments. Comparisons look at "
      "the "
      "real part only. NumPy's sqrt, sin, cos, arctan2 and arithmetic work on object arrays of "
      "them.");
  type.def(
          "__init__",
          [](Number* self, double real, double dual) {
            new (self) Number(finite(real, "real"), finite(dual, "dual"));
          },
          nb::arg("real"), nb::arg("dual") = 0.0, "A number; a constant without dual part.")
      .def_prop_ro(
          "real", [](const Number& a) { return a.real; }, "The value.")
      .def_prop_ro(
          "dual", [](const Number& a) { return a.dual; }, "The derivative.")
      .def("__neg__", [](const Number& a) { return -a; })
      .def("__pos__", [](const Number& a) { return a; })
      .def("__repr__",
           [](const Number& a) { return "Dual(" + text(a.real) + ", " + text(a.dual) + ")"; });
  bind_operator(type, "__add__", "__radd__",
                [](const Number& a, const Number& b) { return a + b; });
  bind_operator(type, "__sub__", "__rsub__",
                [](const Number& a, const Number& b) { return a - b; });
  bind_operator(type, "__mul__", "__rmul__",
                [](const Number& a, const Number& b) { return a * b; });
  bind_operator(type, "__truediv__", "__rtruediv__", &quotient);
  bind_comparison(type, "__lt__", std::less<>());
  bind_comparison(type, "__le__", std::less_equal<>());
  bind_comparison(type, "__gt__", std::greater<>());
  bind_comparison(type, "__ge__", std::greater_equal<>());
  type.def(
      "__eq__",
      [](const Number& a, nb::handle other) {
        double real = 0;
        if (Number b; nb::try_cast(other, b))
          real = b.real;
        else if (!nb::try_cast(other, real))
          throw nb::next_overload();
        return a.real == real;
      },
      nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
  type.attr("__hash__") = nb::none();
  bind_functions(type);
  pickles(type);
}

}  // namespace axode::python
