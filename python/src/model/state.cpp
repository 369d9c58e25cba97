/// States of a tree: axode/model/state.hpp, for one state or a batch.
#include "axode/model/state.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "src/model/model.hpp"
#include "src/shared/results.hpp"
#include "src/shared/states.hpp"

namespace axode::python {
namespace {

/// check_configuration or check_velocity; in a batch the message says of which state.
using Check = void (*)(const Tree&, In<double>, const char*);
void check_all(Check check, const Tree& tree, const States& states, const char* argument) {
  for_states({&states}, [&](std::size_t i) { check(tree, states[i], argument); });
}
States configurations(const Tree& tree, nb::handle q, const char* argument = "q") {
  States states(q, argument, tree.nq, "the tree's coordinates");
  check_all(check_configuration, tree, states, argument);
  return states;
}
States velocities(const Tree& tree, nb::handle v, const char* argument = "v",
                  const char* what = "the joint velocities") {
  States states(v, argument, tree.nv, what);
  check_all(check_velocity, tree, states, argument);
  return states;
}

/// One result of n numbers for each state: f(i, numbers).
template <class F>
nb::object each(const Batching& batching, int n, F&& f) {
  const Output results(batching, {std::size_t(n)});
  for_states(batching, [&](std::size_t i) { f(i, results[i]); });
  return finished(batching, results);
}

nb::object plus_of(const PyTree& t, nb::handle q_argument, nb::handle d_argument) {
  const States q = configurations(t.tree, q_argument);
  const States d = velocities(t.tree, d_argument, "d", "a velocity times unit time");
  return each({&q, &d}, t.tree.nq, [&](std::size_t i, std::span<double> next) {
    plus(t.tree, q[i], d[i], next);
    check_configuration(t.tree, next, "q + d");
  });
}
nb::object difference_of(const PyTree& t, nb::handle from_argument, nb::handle to_argument) {
  const States from = configurations(t.tree, from_argument, "q0"),
               to = configurations(t.tree, to_argument, "q1");
  return each({&from, &to}, t.tree.nv,
              [&](std::size_t i, std::span<double> d) { difference(t.tree, from[i], to[i], d); });
}
nb::object rate_of(const PyTree& t, nb::handle q_argument, nb::handle v_argument) {
  const States q = configurations(t.tree, q_argument), v = velocities(t.tree, v_argument);
  return each({&q, &v}, t.tree.nq, [&](std::size_t i, std::span<double> rate) {
    coordinate_rate(t.tree, q[i], v[i], rate);
  });
}

/// Of joints by name: configuration(tree, joints) or velocity(tree, joints).
using ByName = std::vector<double> (*)(const Tree&, std::span<const JointNumbers>);
template <ByName make>
nb::object by_name(const PyTree& t, const nb::args& mapping, const nb::kwargs& keywords) {
  if (mapping.size() > 1) throw nb::type_error("give one mapping, or joints by keyword");
  nb::dict all;
  if (mapping.size() == 1) all.update(mapping[0]);
  all.update(keywords);
  std::vector<JointNumbers> joints;
  for (const auto& [name, value] : all) {
    if (!PyUnicode_Check(name.ptr())) throw nb::type_error("joints: give names as keys");
    const std::string_view joint = utf8_of(name);
    const Numbers numbers(value, PyUnicode_AsUTF8(name.ptr()));
    joints.push_back({joint, {numbers.all().begin(), numbers.all().end()}});
  }
  return array(make(t.tree, joints));
}

nb::object neutral_of(const PyTree& t) { return array(neutral(t.tree)); }

nb::object random_of(const PyTree& t, nb::handle seed, nb::handle count) {
  std::mt19937_64 engine(whole_number(seed, "seed"));
  if (count.is_none()) return array(random_configuration(t.tree, engine));
  const Output all({whole_number(count, "count", PTRDIFF_MAX), std::size_t(t.tree.nq)});
  const GilRelease release;
  for (double* q = all.data; q != all.data + all.size; q += t.tree.nq)
    std::ranges::copy(random_configuration(t.tree, engine), q);
  return all.array;
}

// Between all coordinates and the independent ones.

using Map = std::vector<double> (*)(const Tree&, In<double>);
nb::object mapped(const Tree& tree, const States& states, int n, Map map) {
  return each({&states}, n, [&](std::size_t i, std::span<double> numbers) {
    std::ranges::copy(map(tree, states[i]), numbers.data());
  });
}
nb::object expanded_configuration(const PyTree& t, nb::handle independent) {
  const States states(independent, "independent", independent_nq(t.tree),
                      "the independent coordinates");
  return each({&states}, t.tree.nq, [&](std::size_t i, std::span<double> q) {
    std::ranges::copy(expand_configuration(t.tree, states[i]), q.data());
    check_configuration(t.tree, q, "independent");
  });
}
nb::object expanded_velocity(const PyTree& t, nb::handle independent) {
  const States states(independent, "independent", independent_nv(t.tree),
                      "the independent velocities");
  return each({&states}, t.tree.nv, [&](std::size_t i, std::span<double> v) {
    std::ranges::copy(expand_velocity(t.tree, states[i]), v.data());
    check_velocity(t.tree, v, "independent");
  });
}

nb::object coupling_error_of(const PyTree& t, nb::handle q_argument) {
  const States q = configurations(t.tree, q_argument);
  if (!q.batched()) {
    const CouplingError worst = coupling_error(t.tree, q[0]);
    return result("CouplingError", worst.error, worst.body);
  }
  const Output errors({q.count()});
  nb::list bodies;
  for (std::size_t i = 0; i < q.count(); ++i) {
    const CouplingError worst = coupling_error(t.tree, q[i]);
    errors.data[i] = worst.error;
    bodies.append(worst.body);
  }
  nb::object as_array = nb::module_::import_("numpy").attr("array");
  return result("CouplingError", errors.array, as_array(bodies, "int64"));
}

void bind_moving(nb::module_& m, nb::class_<PyTree>& type) {
  const char* plus_text =
      "q moved for unit time with the constant velocity d: q + d, quaternions and free joints "
      "along "
      "their group; for these d is in the form the joint's velocity has.";
  const char* difference_text =
      "The velocity d (nv,) that moves q0 to q1 in unit time: q1 - q0, quaternions and free joints "
      "along their group, rotations the shorter way.";
  const char* rate_text =
      "dq/dt (nq,) of the velocity v: the numbers themselves, quaternions by their differential "
      "equation.";
  type.def("integrate", &plus_of, nb::arg("q"), nb::arg("d"),
           nb::sig("def integrate(self, q: axode.typing.ArrayLike, d: axode.typing.ArrayLike) -> "
                   "axode.typing.Array"),
           plus_text)
      .def("difference", &difference_of, nb::arg("q0"), nb::arg("q1"),
           nb::sig("def difference(self, q0: axode.typing.ArrayLike, q1: axode.typing.ArrayLike) "
                   "-> axode.typing.Array"),
           difference_text)
      .def("coordinate_rate", &rate_of, nb::arg("q"), nb::arg("v"),
           nb::sig("def coordinate_rate(self, q: axode.typing.ArrayLike, "
                   "v: axode.typing.ArrayLike) -> axode.typing.Array"),
           rate_text);
  m.def("plus", &plus_of, nb::arg("tree"), nb::arg("q"), nb::arg("d"),
        nb::sig("def plus(tree: Tree, q: axode.typing.ArrayLike, d: axode.typing.ArrayLike) -> "
                "axode.typing.Array"),
        plus_text);
  m.def("difference", &difference_of, nb::arg("tree"), nb::arg("q0"), nb::arg("q1"),
        nb::sig("def difference(tree: Tree, q0: axode.typing.ArrayLike, "
                "q1: axode.typing.ArrayLike) -> axode.typing.Array"),
        difference_text);
  m.def("coordinate_rate", &rate_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::sig("def coordinate_rate(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike) -> axode.typing.Array"),
        rate_text);
}

void bind_making(nb::module_& m, nb::class_<PyTree>& type) {
  const char* neutral_text =
      "The zero configuration (nq,): all numbers 0, quaternions 1, coupled joints where their "
      "leaders put them.";
  const char* random_text =
      "A random configuration (nq,), or count of them (count, nq): uniform within the limits "
      "(degrees of freedom without: [-pi, pi] rad, [-1, 1] m), rotations uniform, coupled joints "
      "follow. The "
      "same for the same seed, a whole number >= 0.";
  type.def("neutral", &neutral_of, nb::sig("def neutral(self) -> axode.typing.Array"), neutral_text)
      .def("random", &random_of, nb::arg("seed"), nb::arg("count") = nb::none(),
           nb::sig("def random(self, seed: typing.SupportsIndex, count: typing.SupportsIndex | "
                   "None = None) -> axode.typing.Array"),
           random_text);
  type.def(
          "configuration", &by_name<configuration>,
          nb::sig("def configuration(self, joints: collections.abc.Mapping[str, "
                  "axode.typing.ArrayLike] | None = None, /, **by_name: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "The neutral configuration (nq,) with some joints moved, named by keywords, "
          "tree.configuration(elbow=1.2), or in a mapping where names are no Python words: a "
          "number "
          "[rad, m], or an array for joints of several, quaternions (w, x, y, z). Joints that "
          "follow others follow.")
      .def(
          "velocity", &by_name<velocity>,
          nb::sig("def velocity(self, joints: collections.abc.Mapping[str, "
                  "axode.typing.ArrayLike] | None = None, /, **by_name: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "Velocities (nv,), zero but for the joints named [rad/s, m/s] and those that follow "
          "them; arguments as of configuration. Accelerations are made in the same way.");
  m.def("neutral", &neutral_of, nb::arg("tree"),
        nb::sig("def neutral(tree: Tree) -> axode.typing.Array"), neutral_text);
  m.def("random_configuration", &random_of, nb::arg("tree"), nb::arg("seed"),
        nb::arg("count") = nb::none(),
        nb::sig("def random_configuration(tree: Tree, seed: typing.SupportsIndex, count: "
                "typing.SupportsIndex | None = None) -> "
                "axode.typing.Array"),
        random_text);
  m.def(
      "check_configuration", [](const PyTree& t, nb::handle q) { configurations(t.tree, q); },
      nb::arg("tree"), nb::arg("q"),
      nb::sig("def check_configuration(tree: Tree, q: axode.typing.ArrayLike) -> None"),
      "Raises Error if q has the wrong shape, a number that is not finite or a quaternion whose "
      "length differs from 1 by more than 1e-6, naming the joint.");
  m.def(
      "check_velocity", [](const PyTree& t, nb::handle v) { velocities(t.tree, v); },
      nb::arg("tree"), nb::arg("v"),
      nb::sig("def check_velocity(tree: Tree, v: axode.typing.ArrayLike) -> None"),
      "Raises Error if v has the wrong shape or a number that is not finite, naming the joint.");
}

void bind_couplings(nb::module_& m) {
  m.def(
      "independent_nq", [](const PyTree& t) { return independent_nq(t.tree); }, nb::arg("tree"),
      "Number of coordinates that do not follow others.");
  m.def(
      "independent_nv", [](const PyTree& t) { return independent_nv(t.tree); }, nb::arg("tree"),
      "Number of velocities that do not follow others.");
  m.def("expand_configuration", &expanded_configuration, nb::arg("tree"), nb::arg("independent"),
        nb::sig("def expand_configuration(tree: Tree, independent: axode.typing.ArrayLike) -> "
                "axode.typing.Array"),
        "All coordinates (nq,) from the independent ones.");
  m.def("expand_velocity", &expanded_velocity, nb::arg("tree"), nb::arg("independent"),
        nb::sig("def expand_velocity(tree: Tree, independent: axode.typing.ArrayLike) -> "
                "axode.typing.Array"),
        "All velocities (nv,), accelerations or higher derivatives from the independent ones.");
  m.def(
      "independent_configuration",
      [](const PyTree& t, nb::handle q) {
        return mapped(t.tree, configurations(t.tree, q), independent_nq(t.tree),
                      independent_configuration);
      },
      nb::arg("tree"), nb::arg("q"),
      nb::sig("def independent_configuration(tree: Tree, q: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "The coordinates that do not follow others, in the same order.");
  m.def(
      "independent_velocity",
      [](const PyTree& t, nb::handle v) {
        return mapped(t.tree, velocities(t.tree, v), independent_nv(t.tree), independent_velocity);
      },
      nb::arg("tree"), nb::arg("v"),
      nb::sig("def independent_velocity(tree: Tree, v: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "The velocities that do not follow others, in the same order.");
  m.def(
      "reduce_force",
      [](const PyTree& t, nb::handle force) {
        return mapped(t.tree, velocities(t.tree, force, "force", "forces on all velocities"),
                      independent_nv(t.tree), reduce_force);
      },
      nb::arg("tree"), nb::arg("force"),
      nb::sig("def reduce_force(tree: Tree, force: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Forces on the independent velocities that do the same work [N m, N]; also takes rows of a "
      "Jacobian to those for independent velocities.");
  m.def("coupling_error", &coupling_error_of, nb::arg("tree"), nb::arg("q"),
        nb::sig("def coupling_error(tree: Tree, q: axode.typing.ArrayLike) -> "
                "axode.model.CouplingError"),
        "The largest violation of the couplings by q [rad or m], and the body of its follower (-1 "
        "if none).");
}

}  // namespace

void bind_tree_states(nb::module_& m, nb::class_<PyTree>& type) {
  bind_making(m, type);
  bind_moving(m, type);
  bind_couplings(m);
}

}  // namespace axode::python
