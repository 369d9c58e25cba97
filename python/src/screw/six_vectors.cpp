/// The classes Twist, Acceleration, Wrench and Momentum: what C++ refuses to compile is an Error here.
#include "axode/core/error.hpp"
#include "src/screw/screw.hpp"

namespace axode::python {

std::string name(Rep rep) {
  constexpr const char* names[] = {"body", "spatial", "hybrid", "mixed"};
  return names[static_cast<int>(rep)];
}

void want(Rep wanted, Rep given, const char* argument) {
  if (wanted != given)
    throw Error("is in " + name(given) + " representation where " + name(wanted) + " is wanted",
                argument, "convert it by convert_with_pose");
}

namespace {

constexpr const char* name(Quantity quantity) {
  constexpr const char* names[] = {"Twist", "Acceleration", "Wrench", "Momentum"};
  return names[static_cast<int>(quantity)];
}

template <Quantity quantity>
Typed<quantity> made(Rep rep, const Vec6<double>& six) {
  if (!is_finite(six)) throw Error("has a number that is not finite", name(quantity));
  return {rep, six};
}

/// Which of the four kinds an object is, if any.
const char* kind_of(nb::handle value) {
  if (nb::isinstance<PyTwist>(value)) return name(Quantity::twist);
  if (nb::isinstance<PyAcceleration>(value)) return name(Quantity::acceleration);
  if (nb::isinstance<PyWrench>(value)) return name(Quantity::wrench);
  if (nb::isinstance<PyMomentum>(value)) return name(Quantity::momentum);
  return nullptr;
}

/// `a + b` or `a - b` of the same kind and representation.
template <Quantity quantity, class Operation>
void bind_sum(nb::class_<Typed<quantity>>& type, const char* method, Operation operation) {
  type.def(
      method,
      [=](const Typed<quantity>& a, nb::handle other) {
        Typed<quantity> b;
        if (!nb::try_cast(other, b)) {
          const char* kind = kind_of(other);
          if (kind == nullptr) throw nb::next_overload();
          throw Error(std::string("does not mix with a ") + kind, name(quantity));
        }
        if (a.rep != b.rep)
          throw Error("the one is in " + python::name(a.rep) + ", the other in " +
                          python::name(b.rep) + " representation",
                      name(quantity),
                      quantity == Quantity::acceleration
                          ? "convert one of them by convert_with_pose_and_twist"
                          : "convert one of them by convert_with_pose");
        return made<quantity>(a.rep, operation(a.six, b.six));
      },
      nb::is_operator(),
      nb::sig((std::string("def ") + method + "(self, other: " + name(quantity) + ", /) -> " +
               name(quantity))
                  .c_str()));
}

template <Quantity quantity>
void bind_parts(nb::class_<Typed<quantity>>& type) {
  using T = Typed<quantity>;
  type.def(
          "__init__",
          [](T* self, nb::handle six, std::string_view rep) {
            new (self) T{representation(rep), vec6(six, "six")};
          },
          nb::arg("six"), nb::arg("rep"),
          nb::sig("def __init__(self, six: axode.typing.ArrayLike, rep: axode.typing.Rep) -> None"),
          "From six numbers, angular part first, and the representation they are in.")
      .def_static(
          "from_linear_first",
          [](nb::handle numbers, std::string_view rep) {
            const Vec6<double> a = vec6(numbers, "numbers");
            return T{representation(rep), {a.linear, a.angular}};
          },
          nb::arg("numbers"), nb::arg("rep"),
          nb::sig((std::string("def from_linear_first(numbers: axode.typing.ArrayLike, rep: "
                               "axode.typing.Rep) -> ") +
                   name(quantity))
                      .c_str()),
          "From six numbers, linear part first, as other tools order them.")
      .def(
          "linear_first",
          [](const T& a) {
            return array(Vec6<double>{a.six.linear, a.six.angular});
          },
          nb::sig("def linear_first(self) -> axode.typing.Array"),
          "The six numbers linear part first, (6,).")
      .def(
          "six", [](const T& a) { return array(a.six); },
          nb::sig("def six(self) -> axode.typing.Array"), "The bare numbers, angular first, (6,).")
      .def_prop_ro(
          "angular", [](const T& a) { return array(a.six.angular); },
          nb::sig("def angular(self) -> axode.typing.Array"), "The angular part, (3,).")
      .def_prop_ro(
          "linear", [](const T& a) { return array(a.six.linear); },
          nb::sig("def linear(self) -> axode.typing.Array"), "The linear part, (3,).")
      .def_prop_ro(
          "rep", [](const T& a) { return python::name(a.rep); },
          nb::sig("def rep(self) -> axode.typing.Rep"), "The representation.")
      .def("__repr__", [](const T& a) {
        return std::string(name(quantity)) + "(" + text(a.six) + ", rep='" + python::name(a.rep) +
               "')";
      });
}

template <Quantity quantity>
void bind_six_vector(nb::module_& m, const char* doc) {
  using T = Typed<quantity>;
  nb::class_<T> type(m, name(quantity), doc);
  bind_parts<quantity>(type);
  bind_sum<quantity>(type, "__add__", [](const auto& a, const auto& b) { return a + b; });
  bind_sum<quantity>(type, "__sub__", [](const auto& a, const auto& b) { return a - b; });
  type.def("__neg__", [](const T& a) { return T{a.rep, -a.six}; });
  for (const char* method : {"__mul__", "__rmul__"})
    type.def(
        method, [](const T& a, double s) { return made<quantity>(a.rep, a.six * s); },
        nb::is_operator());
  type.def(
      "__truediv__", [](const T& a, double s) { return made<quantity>(a.rep, a.six / s); },
      nb::is_operator());
  type.def(
      "__rmatmul__",
      [](const T& a, nb::handle matrix) {
        return nb::object(nb::module_::import_("numpy").attr("matmul")(matrix, array(a.six)));
      },
      nb::is_operator(),
      nb::sig("def __rmatmul__(self, matrix: axode.typing.ArrayLike, /) -> axode.typing.Array"),
      "matrix @ self, with the bare numbers.");
  type.def(
          "__getstate__",
          [](const T& a) {
            return nb::make_tuple(python::name(a.rep), std::bit_cast<std::array<double, 6>>(a.six));
          },
          nb::sig("def __getstate__(self) -> tuple[str, list[float]]"))
      .def(
          "__setstate__",
          [](T& self, const nb::tuple& state) {
            if (state.size() != 2) throw Error("is not what __getstate__ gave", "state");
            const nb::object rep = state[0], six = state[1];
            nb::str rep_text(nb::handle(rep.ptr()));
            new (&self) T{representation(rep_text.c_str()), vec6(six, "state")};
          },
          nb::sig("def __setstate__(self, state: tuple[str, list[float]], /) -> None"));
  converts_to_array(type, [](const T& a) { return array(a.six); });
  compares(type);
}

}  // namespace

void bind_six_vectors(nb::module_& m) {
  bind_six_vector<Quantity::twist>(
      m,
      "Velocity of a body [rad/s, m/s], angular part first, in a representation: 'body' (omega in "
      "body axes, R^T r'), 'spatial' (omega in world axes, r' + r x omega), 'hybrid' (omega in "
      "world "
      "axes, r') or 'mixed' (omega in body axes, r'). Quantities of different kind or "
      "representation "
      "do not mix: axode.Error. NumPy takes it as six numbers.");
  bind_six_vector<Quantity::acceleration>(
      m,
      "Time derivative of the components of a Twist in the same representation [rad/s^2, m/s^2], "
      "angular part first.");
  bind_six_vector<Quantity::wrench>(
      m,
      "Torque and force [N m, N] in a representation, dual to the Twist of that name: torque and "
      "force refer to the same axes and point, so that pairing(W, V) is the power.");
  bind_six_vector<Quantity::momentum>(
      m, "Angular and linear momentum [kg m^2/s, kg m/s] in a representation, dual to the Twist.");
}

}  // namespace axode::python
