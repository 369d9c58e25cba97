/// The system Jacobian in factors: axode/kinematics/system_jacobian.hpp.
#include <variant>

#include "axode/kinematics/system_jacobian.hpp"
#include "src/kinematics/frames.hpp"

namespace axode::python {
namespace {

/// With the poses it refers to; does not move.
struct PySystemJacobian {
  PySystemJacobian(const PyTree& py, nb::handle q, std::string_view rep_name,
                   std::string_view factors_name)
      : tree(&py.tree),
        poses(axode::poses(py.tree, single_state(py.tree, q))),
        rep(representation(rep_name)),
        factors(static_cast<SpatialFactors>(
            choice(factors_name, "factors", {"body_screws", "hybrid_screws", "zero_reference"}))),
        J(made()) {}
  PySystemJacobian(const PySystemJacobian&) = delete;
  PySystemJacobian& operator=(const PySystemJacobian&) = delete;

  using Any = std::variant<SystemJacobian<Rep::body>, SystemJacobian<Rep::spatial>,
                           SystemJacobian<Rep::hybrid>, SystemJacobian<Rep::mixed>>;
  Any made() const {
    return with_representation(
        rep, [this]<Rep r>() { return Any(SystemJacobian<r>(*tree, poses, factors)); });
  }

  const Tree* tree;
  const Poses<double> poses;
  Rep rep;
  SpatialFactors factors;
  Any J;
};

/// Six numbers for each body in and out: f(J, sixes).
template <class F>
nb::object sweep(const PySystemJacobian& self, nb::handle value, const char* argument, F&& f) {
  const States given =
      blocks(value, argument, bodies_of(*self.tree), 6, "six numbers for each body");
  const Batching batching{&given};
  const Output result(batching, {bodies_of(*self.tree), 6});
  std::vector<Vec6<double>> sixes;
  for_states(batching, [&](std::size_t i) {
    check_numbers(given[i], argument);
    read_sixes(given[i], sixes);
    std::visit([&](const auto& J) { f(J, sixes); }, self.J);
    write_sixes(std::span(std::as_const(sixes)), result[i].data());
  });
  return finished(batching, result);
}
/// From velocities to six numbers for each body: f(J, v, sixes).
template <class F>
nb::object outwards(const PySystemJacobian& self, nb::handle value, F&& f) {
  const States v = velocities(*self.tree, value);
  const Batching batching{&v};
  const Output result(batching, {bodies_of(*self.tree), 6});
  std::vector<Vec6<double>> sixes(bodies_of(*self.tree));
  for_states(batching, [&](std::size_t i) {
    check_velocity(*self.tree, v[i]);
    std::visit([&](const auto& J) { f(J, v[i], sixes); }, self.J);
    write_sixes(std::span(std::as_const(sixes)), result[i].data());
  });
  return finished(batching, result);
}
/// From six numbers for each body to velocities: f(J, sixes, forces).
template <class F>
nb::object inwards(const PySystemJacobian& self, nb::handle value, const char* argument, F&& f) {
  const States given =
      blocks(value, argument, bodies_of(*self.tree), 6, "six numbers for each body");
  const Batching batching{&given};
  const Output result(batching, {velocities_of(*self.tree)});
  std::vector<Vec6<double>> sixes;
  for_states(batching, [&](std::size_t i) {
    check_numbers(given[i], argument);
    read_sixes(given[i], sixes);
    std::visit([&](const auto& J) { f(J, sixes, result[i]); }, self.J);
  });
  return finished(batching, result);
}

nb::object dense(const DenseMatrix<double>& m) { return matrix(m.values, m.rows, m.columns); }

void bind_sweeps(FunctionsAndMethods<PySystemJacobian>& both) {
  const std::string x = "x: axode.typing.ArrayLike) -> axode.typing.Array",
                    y = "y: axode.typing.ArrayLike) -> axode.typing.Array",
                    v = "v: axode.typing.ArrayLike) -> axode.typing.Array",
                    wrenches = "wrenches: axode.typing.ArrayLike) -> axode.typing.Array";
  const auto define = [&both](const char* name, const std::string& rest, const char* argument,
                              auto f, const char* text) {
    both.def(
        name,
        [argument, f](const PySystemJacobian& J, nb::handle value) {
          return sweep(J, value, argument, f);
        },
        rest, text, nb::arg(argument));
  };
  define(
      "apply_A", x, "x", [](const auto& J, auto& s) { apply_A(J, s); },
      "A x: from twists of bodies in their parents, as X gives them, to twists, (bodies, 6).");
  define(
      "solve_A", x, "x", [](const auto& J, auto& s) { solve_A(J, s); }, "A^-1 x, (bodies, 6).");
  define(
      "apply_A_transpose", y, "y", [](const auto& J, auto& s) { apply_A_transpose(J, s); },
      "A^T y: from wrenches on the bodies to those the joints transmit, (bodies, 6).");
  define(
      "solve_A_transpose", y, "y", [](const auto& J, auto& s) { solve_A_transpose(J, s); },
      "A^-T y, (bodies, 6).");
  both.def(
      "apply_X",
      [](const PySystemJacobian& self, nb::handle value) {
        return outwards(self, value,
                        [](const auto& J, auto at, auto& sixes) { apply_X(J, at, sixes); });
      },
      v, "X v: the twists of bodies in their parents, (bodies, 6).", nb::arg("v"));
  both.def(
      "apply_X_transpose",
      [](const PySystemJacobian& self, nb::handle value) {
        return inwards(self, value, "y", [](const auto& J, auto& sixes, auto forces) {
          apply_X_transpose(J, sixes, forces);
        });
      },
      y, "X^T y: the forces of wrenches along the degrees of freedom [N m, N], (nv,).",
      nb::arg("y"));
  both.def(
      "apply",
      [](const PySystemJacobian& self, nb::handle value) {
        return outwards(self, value,
                        [](const auto& J, auto at, auto& sixes) { axode::apply(J, at, sixes); });
      },
      v, "J v: the twists of all bodies in the representation [rad/s, m/s], (bodies, 6).",
      nb::arg("v"));
  both.def(
      "apply_transpose",
      [](const PySystemJacobian& self, nb::handle value) {
        return inwards(self, value, "wrenches", [](const auto& J, auto& sixes, auto forces) {
          apply_transpose(J, sixes, forces);
        });
      },
      wrenches, "J^T W: the joint forces [N m, N] that do the work of the wrenches W, (nv,).",
      nb::arg("wrenches"));
}

}  // namespace

void bind_system_jacobian(nb::module_& m) {
  nb::class_<PySystemJacobian>(
      m, "SystemJacobian",
      "The twists of all bodies at once, V = J v with J = A X, at one configuration: X holds the "
      "joint screws, A propagates twists outwards. Each product is one sweep over the tree; the "
      "dense matrices are for looking at.")
      .def(nb::init<const PyTree&, nb::handle, std::string_view, std::string_view>(),
           nb::keep_alive<1, 2>(), nb::arg("tree"), nb::arg("q"), nb::arg("rep") = "hybrid",
           nb::arg("factors") = "body_screws",
           nb::sig("def __init__(self, tree: Tree, q: axode.typing.ArrayLike, "
                   "rep: axode.typing.Rep = 'hybrid', "
                   "factors: typing.Literal['body_screws', 'hybrid_screws', 'zero_reference'] "
                   "= 'body_screws') -> None"),
           "At the configuration q, in a representation; `factors` chooses those of 'spatial'.")
      .def("__repr__", [](const PySystemJacobian& J) {
        constexpr const char* names[] = {"body", "spatial", "hybrid", "mixed"};
        return "SystemJacobian(" + std::to_string(J.tree->size()) + " bodies, " +
               std::to_string(J.tree->nv) + " velocities, " + names[static_cast<int>(J.rep)] + ")";
      });
  FunctionsAndMethods<PySystemJacobian> both(m, "SystemJacobian", "J");
  bind_sweeps(both);
  const auto define = [&both](const char* name, auto f, const char* text) {
    both.def(
        name,
        [f](const PySystemJacobian& self) {
          return dense(std::visit([&](const auto& J) { return f(J); }, self.J));
        },
        ") -> axode.typing.Array", text);
  };
  define(
      "dense_A", [](const auto& J) { return dense_A(J); }, "The factor A, (6 bodies, 6 bodies).");
  define(
      "dense_A_inverse", [](const auto& J) { return dense_A_inverse(J); },
      "A^-1, (6 bodies, 6 bodies): two blocks in a row.");
  define(
      "dense_X", [](const auto& J) { return dense_X(J); }, "The factor X, (6 bodies, nv).");
}

}  // namespace axode::python
