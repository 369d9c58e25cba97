/// Inertial parameters: regressor and base parameters.
#include <nanobind/stl/vector.h>

#include "axode/dynamics/parameters/base_parameters.hpp"
#include "axode/dynamics/parameters/regressor.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

nb::object regressor_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a, bool gravity) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}, {"a", a}});
  const Output Y(at.batching(), {velocities_of(tree), 10 * bodies_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& rows = work->get<Regressor<double>>();
    work->poses(at.q(i));
    regressor<double>(tree, work->poses(), at(0, i), at(1, i), rows, {.gravity = gravity});
    write(dense(tree, rows), Y[i]);
  });
  return at.finished(Y);
}

nb::object base_parameters_of(PyTree& py, bool gravity, int states, std::uint64_t seed,
                              double tolerance) {
  BaseParameters base;
  {
    const GilRelease release;
    base = base_parameters(
        py.tree,
        {.effects = {.gravity = gravity}, .states = states, .seed = seed, .tolerance = tolerance});
  }
  return result("BaseParameters", base.rank, base.columns, matrix(base.combinations),
                base.smallest_pivot, base.largest_no_pivot);
}

/// What axode.dynamics.BaseParameters holds.
BaseParameters base_argument(nb::handle value) {
  const auto part = [value](const char* name) {
    return member(value, "base", name, "BaseParameters");
  };
  const nb::object rank = part("rank"), columns = part("columns"), matrix = part("combinations");
  BaseParameters base;
  base.rank = whole_number(rank, "base");
  if (!nb::try_cast(columns, base.columns))
    throw nb::type_error("base: columns are not a list of whole numbers");
  const Numbers numbers(matrix, "base");
  const auto shape = numbers.shape();
  if (base.rank < 0 || shape.size() != 2 || shape[0] != static_cast<std::size_t>(base.rank) ||
      base.columns.size() != shape[0])
    throw Error("rank, columns and combinations do not fit", "base", "give base_parameters(tree)");
  for (const int k : base.columns)
    if (k < 0 || static_cast<std::size_t>(k) >= shape[1])
      throw Error("there is no column " + std::to_string(k), "base");
  base.combinations = {
      base.rank, static_cast<int>(shape[1]), {numbers.all().begin(), numbers.all().end()}};
  return base;
}

nb::object base_values_of(nb::handle base_value, nb::handle p_value) {
  const BaseParameters base = base_argument(base_value);
  const std::vector<double> p = vector(p_value, "p");
  if (p.size() != static_cast<std::size_t>(base.combinations.columns))
    throw Error("has " + std::to_string(p.size()) + " numbers where " +
                    std::to_string(base.combinations.columns) + " are wanted",
                "p", "give ten for each body");
  return array(base_values(base, p));
}

nb::object base_regressor_of(nb::handle base_value, nb::handle Y_value) {
  const BaseParameters base = base_argument(base_value);
  const Numbers Y(Y_value, "Y");
  const auto shape = Y.shape();
  if (shape.size() != 2 || shape[1] != static_cast<std::size_t>(base.combinations.columns))
    throw Error("has another shape than (nv, " + std::to_string(base.combinations.columns) + ")",
                "Y");
  const DenseMatrix<double> all{
      static_cast<int>(shape[0]), static_cast<int>(shape[1]), {Y.all().begin(), Y.all().end()}};
  return matrix(base_regressor(base, all));
}

}  // namespace

void bind_dynamics_parameters(nb::module_& m) {
  m.def("regressor", &regressor_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("a"),
        nb::kw_only(), nb::arg("gravity") = true,
        nb::sig(signature("regressor", {"q", "v", "a"}, "*, gravity: bool = True").c_str()),
        "The matrix Y, (nv, 10 bodies), with joint forces tau = Y p of the inertial parameters p: "
        "for each body m, m c_x, m c_y, m c_z, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz about the origin "
        "of "
        "its frame.");
  m.def(
      "inertia_parameters",
      [](const PyTree& py) {
        return matrix(inertia_parameter_list(py.tree), bodies_of(py.tree), 10);
      },
      nb::arg("tree"), nb::sig("def inertia_parameters(tree: Tree) -> axode.typing.Array"),
      "The inertial parameters of all bodies, (bodies, 10), in the order of the regressor.");
  m.def(
      "inertia_parameter_list",
      [](const PyTree& py) { return array(inertia_parameter_list(py.tree)); }, nb::arg("tree"),
      nb::sig("def inertia_parameter_list(tree: Tree) -> axode.typing.Array"),
      "The same in one row, (10 bodies,).");
  m.def(
      "parameter_name",
      [](const PyTree& py, int column) {
        if (column < 0 || column >= 10 * py.tree.size())
          throw Error("is " + std::to_string(column), "column",
                      "give a number from 0 to " + std::to_string(10 * py.tree.size() - 1));
        return parameter_name(py.tree, column);
      },
      nb::arg("tree"), nb::arg("column"),
      "The name of a column of the regressor, such as \"m c_x of 'forearm'\".");
  m.def(
      "base_parameters", &base_parameters_of, nb::arg("tree"), nb::kw_only(),
      nb::arg("gravity") = true, nb::arg("states") = 0, nb::arg("seed") = 1,
      nb::arg("tolerance") = 1e-9,
      nb::sig("def base_parameters(tree: Tree, *, gravity: bool = True, states: int = 0, "
              "seed: int = 1, tolerance: float = 1e-09) -> axode._results.BaseParameters"),
      "The fewest combinations of inertial parameters that the joint forces depend on, found from "
      "regressors of random states (0: enough); pivots below `tolerance` of the largest count as "
      "zero. Raises LimitError above 200 bodies.");
  m.def(
      "base_values", &base_values_of, nb::arg("base"), nb::arg("p"),
      nb::sig("def base_values(base: axode._results.BaseParameters, p: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "Values b = combinations p of the base parameters, (rank,).");
  m.def("base_regressor", &base_regressor_of, nb::arg("base"), nb::arg("Y"),
        nb::sig("def base_regressor(base: axode._results.BaseParameters, "
                "Y: axode.typing.ArrayLike) -> axode.typing.Array"),
        "The columns of a regressor that belong to the base parameters, (nv, rank): tau = it b.");
}

}  // namespace axode::python
