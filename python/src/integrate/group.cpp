/// axode.integrate.LieGroup: the space in which an integrator moves.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/integrate/lie_group.hpp"
#include "axode/simulate/systems/tree_system.hpp"
#include "src/integrate/integrate.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

constexpr const char* factor_names[] = {"real", "so3", "so3_left", "se3", "se3_left"};

using GroupState = std::tuple<std::vector<std::pair<std::string, int>>>;  ///< kinds and counts

nb::list factors_of(const LieGroup& group) {
  nb::list result;
  for (const LieGroup::Factor& f : group.factors)
    result.append(nb::make_tuple(factor_names[std::size_t(f.kind)], f.count));
  return result;
}

std::string group_text(const LieGroup& group) {
  std::string text;
  for (const LieGroup::Factor& f : group.factors) {
    text += (text.empty() ? "" : " x ") + std::string(factor_names[std::size_t(f.kind)]);
    if (f.kind == LieGroup::Kind::real) text += "(" + std::to_string(f.count) + ")";
  }
  return "<axode.integrate.LieGroup: " + (text.empty() ? "empty" : text) + ">";
}

void extend(LieGroup& group, const LieGroup& by) {
  constexpr int most = 1'000'000;
  if (by.nx > most - group.nx)
    throw LimitError("a state of more than 1e6 numbers is asked for", "LieGroup");
  group.times(by);
}
/// The group itself, with the factors of another one behind its own.
nb::object extended(nb::object self, const LieGroup& by) {
  LieGroup* group = nullptr;
  if (!nb::try_cast<LieGroup*>(self, group) || group == nullptr)
    throw nb::type_error("self: not a LieGroup; begin with axode.integrate.LieGroup()");
  extend(*group, by);
  return self;
}

LieGroup real_group(int n) {
  if (n < 0) throw Error("is " + std::to_string(n), "n", "give 0 or more numbers");
  return LieGroup().real(n);
}

/// An argument of a function of groups: a state, or a velocity or momentum.
struct Argument {
  nb::handle value;
  const char* name;
  bool is_state = false;
  int size(const LieGroup& group) const { return is_state ? group.nx : group.nv; }
  void check(const LieGroup& group, std::span<const double> numbers) const {
    if (is_state)
      check_state(group, numbers, name);
    else
      check_finite(numbers, name);
  }
};

using GroupFunction = void (*)(const LieGroup&, std::span<const double>, std::span<const double>,
                               std::span<double>) noexcept;

/// A function of two arguments, for one state or many.
nb::object evaluated(GroupFunction f, const LieGroup& of, const Argument& a, const Argument& b,
                     bool gives_state = false) {
  const LieGroup group = of;  // another thread may add to the original
  constexpr const char* what = "a state or velocity of the group";
  const States first(a.value, a.name, a.size(group), what),
      second(b.value, b.name, b.size(group), what);
  const Batching batching{&first, &second};
  const Output result(batching, {std::size_t(gives_state ? group.nx : group.nv)});
  {
    const GilRelease release;
    for (std::size_t i = 0; i < batching.count; ++i) {
      a.check(group, first[i]);
      b.check(group, second[i]);
      f(group, first[i], second[i], result[i]);
      check_finite(result[i], "result");
    }
  }
  return result.array;
}

LieGroup factor_named(const std::string& kind, int count) {
  switch (choice(kind, "factor", {"real", "so3", "so3_left", "se3", "se3_left"})) {
    case 0:
      return real_group(count);
    case 1:
      return LieGroup().so3();
    case 2:
      return LieGroup().so3_left();
    case 3:
      return LieGroup().se3();
    default:
      return LieGroup().se3_left();
  }
}

}  // namespace

void bind_lie_group(nb::module_& m) {
  using Self = nb::object;
  nb::class_<LieGroup>(
      m, "LieGroup",
      "A product of real numbers, rotations and rigid displacements, in the order in which they "
      "are "
      "added: LieGroup().so3().real(3). States of rotations are quaternions w, x, y, z, of "
      "displacements a quaternion and a position; velocities are in the body's axes, or in those "
      "of "
      "space for the _left ones, angular part first.")
      .def(nb::init<>())
      .def(
          "real", [](Self self, int n) { return extended(std::move(self), real_group(n)); },
          nb::arg("n"), nb::sig("def real(self, n: int) -> LieGroup"), "n more numbers.")
      .def(
          "so3", [](Self self) { return extended(std::move(self), LieGroup().so3()); },
          nb::sig("def so3(self) -> LieGroup"), "A rotation, angular velocity in the body's axes.")
      .def(
          "so3_left", [](Self self) { return extended(std::move(self), LieGroup().so3_left()); },
          nb::sig("def so3_left(self) -> LieGroup"),
          "A rotation, angular velocity in the axes of the world.")
      .def(
          "se3", [](Self self) { return extended(std::move(self), LieGroup().se3()); },
          nb::sig("def se3(self) -> LieGroup"), "A displacement, body twist.")
      .def(
          "se3_left", [](Self self) { return extended(std::move(self), LieGroup().se3_left()); },
          nb::sig("def se3_left(self) -> LieGroup"), "A displacement, spatial twist.")
      .def(
          "times",
          [](Self self, const LieGroup& other) { return extended(std::move(self), other); },
          nb::arg("other"), nb::sig("def times(self, other: LieGroup) -> LieGroup"),
          "All factors of another group.")
      .def_ro("nx", &LieGroup::nx, "Numbers of a state.")
      .def_ro("nv", &LieGroup::nv, "Numbers of a velocity.")
      .def_prop_ro("factors", &factors_of, nb::sig("def factors(self) -> list[tuple[str, int]]"),
                   "Kinds of the factors, with their counts of numbers (1 but for real ones).")
      .def(
          "plus",
          [](const LieGroup& g, nb::handle x, nb::handle d) {
            return evaluated(&axode::plus, g, {x, "x", true}, {d, "d"}, true);
          },
          nb::arg("x"), nb::arg("d"),
          nb::sig("def plus(self, x: axode.typing.ArrayLike, d: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "x moved for unit time with the constant velocity d.")
      .def(
          "difference",
          [](const LieGroup& g, nb::handle from, nb::handle to) {
            return evaluated(&axode::difference, g, {from, "start", true}, {to, "end", true});
          },
          nb::arg("start"), nb::arg("end"),
          nb::sig("def difference(self, start: axode.typing.ArrayLike, "
                  "end: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The velocity d with plus(start, d) = end; rotations take the shorter way.")
      .def(
          "inverse_dexp",
          [](const LieGroup& g, nb::handle theta, nb::handle v) {
            return evaluated(&axode::inverse_dexp, g, {theta, "theta"}, {v, "v"});
          },
          nb::arg("theta"), nb::arg("v"),
          nb::sig("def inverse_dexp(self, theta: axode.typing.ArrayLike, "
                  "v: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The rate of theta with which plus(x, theta(t)) moves with velocity v.")
      .def(
          "dexp_transpose",
          [](const LieGroup& g, nb::handle theta, nb::handle p) {
            return evaluated(&axode::dexp_transpose, g, {theta, "theta"}, {p, "p"});
          },
          nb::arg("theta"), nb::arg("p"),
          nb::sig("def dexp_transpose(self, theta: axode.typing.ArrayLike, "
                  "p: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The momentum that has on rates of theta the power p has on the velocity of "
          "plus(x, theta(t)).")
      .def(
          "coadjoint",
          [](const LieGroup& g, nb::handle d, nb::handle p) {
            return evaluated(&axode::coadjoint, g, {d, "d"}, {p, "p"});
          },
          nb::arg("d"), nb::arg("p"),
          nb::sig("def coadjoint(self, d: axode.typing.ArrayLike, p: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "The momentum p at x as seen at plus(x, d).")
      .def("__repr__", &group_text)
      .def("__getstate__", [](const LieGroup& g) { return nb::make_tuple(factors_of(g)); })
      .def("__setstate__", [](LieGroup& g, const GroupState& state) {
        LieGroup all;
        for (const auto& [kind, count] : std::get<0>(state)) extend(all, factor_named(kind, count));
        new (&g) LieGroup(std::move(all));
      });
  m.def(
      "configuration_group", [](nb::handle tree) { return configuration_group(tree_of(tree)); },
      nb::arg("tree"), nb::sig("def configuration_group(tree: Tree) -> LieGroup"),
      "The group of a tree's coordinates, those of joints that follow others left out.");
}

}  // namespace axode::python
