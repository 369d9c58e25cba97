/// axode.LieGroup: the space in which an integrator moves.
#include "axode/error.hpp"
#include "axode/integrate/lie_group.hpp"
#include "axode/simulate/tree_system.hpp"
#include "src/integrate.hpp"
#include "src/simulate.hpp"

namespace axode::python {
namespace {

constexpr const char* names[] = {"real", "so3", "so3_left", "se3", "se3_left"};

nb::list factors_of(const LieGroup& group) {
  nb::list result;
  for (const LieGroup::Factor& f : group.factors)
    result.append(nb::make_tuple(names[static_cast<std::size_t>(f.kind)], f.count));
  return result;
}

std::string text_of(const LieGroup& group) {
  std::string text;
  for (const LieGroup::Factor& f : group.factors) {
    text += (text.empty() ? "" : " x ") + std::string(names[static_cast<std::size_t>(f.kind)]);
    if (f.kind == LieGroup::Kind::real) text += "(" + std::to_string(f.count) + ")";
  }
  return "<axode.LieGroup: " + (text.empty() ? "empty" : text) + ">";
}

void add_real(LieGroup& group, int n) {
  if (n < 0 || n > 1'000'000) throw Error("is " + std::to_string(n), "n", "give 0 to 1e6 numbers");
  group.real(n);
}

/// A function of two arguments of given lengths, for one state or many.
template <class F>
nb::object pairwise(nb::handle a_argument, const char* a_name, int na, nb::handle b_argument,
                    const char* b_name, int nb_, int n, F&& f) {
  const States a(a_argument, a_name, na, "a state or velocity of the group"),
      b(b_argument, b_name, nb_, "a state or velocity of the group");
  const Batching batching{&a, &b};
  const Output result(batching, {static_cast<std::size_t>(n)});
  for (std::size_t i = 0; i < batching.count; ++i) f(a[i], b[i], result[i]);
  return result.array;
}

}  // namespace

void bind_lie_group(nb::module_& m) {
  using Self = nb::object;
  const auto group = [](const Self& self) -> LieGroup& { return *nb::inst_ptr<LieGroup>(self); };
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
          "real",
          [group](Self self, int n) {
            add_real(group(self), n);
            return self;
          },
          nb::arg("n"), nb::sig("def real(self, n: int) -> LieGroup"), "n more numbers.")
      .def(
          "so3", [group](Self self) { return group(self).so3(), self; },
          nb::sig("def so3(self) -> LieGroup"), "A rotation, angular velocity in the body's axes.")
      .def(
          "so3_left", [group](Self self) { return group(self).so3_left(), self; },
          nb::sig("def so3_left(self) -> LieGroup"),
          "A rotation, angular velocity in the axes of the world.")
      .def(
          "se3", [group](Self self) { return group(self).se3(), self; },
          nb::sig("def se3(self) -> LieGroup"), "A displacement, body twist.")
      .def(
          "se3_left", [group](Self self) { return group(self).se3_left(), self; },
          nb::sig("def se3_left(self) -> LieGroup"), "A displacement, spatial twist.")
      .def(
          "times",
          [group](Self self, const LieGroup& other) {
            group(self).times(LieGroup(other));  // a copy: it may be the group itself
            return self;
          },
          nb::arg("other"), nb::sig("def times(self, other: LieGroup) -> LieGroup"),
          "All factors of another group.")
      .def_ro("nx", &LieGroup::nx, "Numbers of a state.")
      .def_ro("nv", &LieGroup::nv, "Numbers of a velocity.")
      .def_prop_ro("factors", &factors_of, nb::sig("def factors(self) -> list[tuple[str, int]]"),
                   "Kinds of the factors, with their counts of numbers (1 but for real ones).")
      .def(
          "plus",
          [](const LieGroup& g, nb::handle x, nb::handle d) {
            return pairwise(x, "x", g.nx, d, "d", g.nv, g.nx,
                            [&](auto a, auto b, auto r) { plus(g, a, b, r); });
          },
          nb::arg("x"), nb::arg("d"),
          nb::sig("def plus(self, x: axode.typing.ArrayLike, d: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "x moved for unit time with the constant velocity d.")
      .def(
          "difference",
          [](const LieGroup& g, nb::handle from, nb::handle to) {
            return pairwise(from, "start", g.nx, to, "end", g.nx, g.nv,
                            [&](auto a, auto b, auto r) { difference(g, a, b, r); });
          },
          nb::arg("start"), nb::arg("end"),
          nb::sig("def difference(self, start: axode.typing.ArrayLike, "
                  "end: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The velocity d with plus(start, d) = end; rotations take the shorter way.")
      .def(
          "inverse_dexp",
          [](const LieGroup& g, nb::handle theta, nb::handle v) {
            return pairwise(theta, "theta", g.nv, v, "v", g.nv, g.nv,
                            [&](auto a, auto b, auto r) { inverse_dexp(g, a, b, r); });
          },
          nb::arg("theta"), nb::arg("v"),
          nb::sig("def inverse_dexp(self, theta: axode.typing.ArrayLike, "
                  "v: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The rate of theta with which plus(x, theta(t)) moves with velocity v.")
      .def(
          "dexp_transpose",
          [](const LieGroup& g, nb::handle theta, nb::handle p) {
            return pairwise(theta, "theta", g.nv, p, "p", g.nv, g.nv,
                            [&](auto a, auto b, auto r) { dexp_transpose(g, a, b, r); });
          },
          nb::arg("theta"), nb::arg("p"),
          nb::sig("def dexp_transpose(self, theta: axode.typing.ArrayLike, "
                  "p: axode.typing.ArrayLike) -> axode.typing.Array"),
          "The momentum that has on rates of theta the power p has on the velocity of "
          "plus(x, theta(t)).")
      .def(
          "coadjoint",
          [](const LieGroup& g, nb::handle d, nb::handle p) {
            return pairwise(d, "d", g.nv, p, "p", g.nv, g.nv,
                            [&](auto a, auto b, auto r) { coadjoint(g, a, b, r); });
          },
          nb::arg("d"), nb::arg("p"),
          nb::sig("def coadjoint(self, d: axode.typing.ArrayLike, p: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "The momentum p at x as seen at plus(x, d).")
      .def("__repr__", &text_of)
      .def("__getstate__", [](const LieGroup& g) { return nb::make_tuple(factors_of(g)); })
      .def("__setstate__", [](LieGroup& g, const nb::tuple& state) {
        new (&g) LieGroup();
        const nb::object factors = state[0];
        for (nb::handle factor : factors) {
          const auto pair = nb::cast<nb::tuple>(factor);
          const nb::object kind = pair[0], count = pair[1];
          switch (choice(nb::cast<std::string>(kind), "factor",
                         {"real", "so3", "so3_left", "se3", "se3_left"})) {
            case 0:
              add_real(g, nb::cast<int>(count));
              break;
            case 1:
              g.so3();
              break;
            case 2:
              g.so3_left();
              break;
            case 3:
              g.se3();
              break;
            default:
              g.se3_left();
          }
        }
      });
  m.def(
      "configuration_group", [](nb::handle tree) { return configuration_group(tree_of(tree)); },
      nb::arg("tree"), nb::sig("def configuration_group(tree: Tree) -> LieGroup"),
      "The group of a tree's coordinates, those of joints that follow others left out.");
}

}  // namespace axode::python
