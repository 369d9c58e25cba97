/// The equations of motion of flexible trees: axode/flexible/tree/dynamics.hpp and
/// recursive.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/flexible/tree/recursive.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

std::string state_name(const FlexibleTree& tree, const Batching& batching, std::size_t i) {
  return batching.batched ? tree.name + ", state " + std::to_string(i) : tree.name;
}

[[noreturn]] void overflows(const std::string& where) {
  throw SingularError("a result is not finite", where, "give smaller numbers");
}

nb::object equations(const PyFlexibleTree& t, nb::handle q_argument, nb::handle v_argument,
                     const FlexibleDynamicsOptions& options) {
  const FlexibleTree& tree = t.tree();
  const Coordinates q(tree, q_argument, "q"), v(tree, v_argument, "v");
  const Batching batching{&q.states(), &v.states()};
  const std::size_t n = t.size();
  const Output mass(batching, {n, n}), bias(batching, {n}), gravity(batching, {n});
  const BorrowedDynamics dynamics(t, options);
  for_each_state(batching, [&](std::size_t i) {
    dynamics->evaluate(q[i], v[i], Effect::velocity);
    std::ranges::copy(dynamics->forces(), bias[i].begin());
    dynamics->evaluate(q[i], v[i], Effect::gravity);
    std::ranges::transform(dynamics->forces(), gravity[i].begin(), std::negate<>{});
    std::ranges::copy(dynamics->mass(), mass[i].begin());
    for (const Output* output : {&mass, &bias, &gravity})
      if (!all_finite((*output)[i])) overflows(state_name(tree, batching, i));
  });
  return result("FlexibleEquations", mass.array, bias.array, gravity.array,
                matrix(tree.stiffness, n, n), matrix(tree.damping, n, n));
}

[[noreturn]] void not_definite(const FlexibleTree& tree, const MassLoss& loss, FlexibleModel model,
                               const std::string& where) {
  if (loss.coordinate < 0) overflows(where);
  char eigenvalue[32];
  std::snprintf(eigenvalue, sizeof eigenvalue, "%.3g", loss.smallest_eigenvalue);
  throw SingularError(
      "the " + std::string(name(model)) + " mass matrix is not positive definite at link '" +
          tree.links[loss.link].name + "' (coordinate '" + tree.coordinate_names[loss.coordinate] +
          "'), its smallest eigenvalue is " + eigenvalue,
      where,
      model == FlexibleModel::linear
          ? "take model=\"nonlinear\", fall_back=True, or keep the largest deflections exact"
          : "give the link a mass");
}
template <class P>
void recursive(const FlexibleTree& tree, const Batching& batching, const Coordinates& q,
               const Coordinates& v, const Coordinates& tau, const Output& rates) {
  RecursiveWork<P> work = make_recursive_work<P>(tree);
  for_each_state(batching, [&](std::size_t i) {
    const RecursiveOutcome outcome =
        recursive_acceleration<P>(tree, q[i], v[i], tau[i], work, rates[i]);
    if (!outcome.solved) throw SingularError(message(tree, outcome), state_name(tree, batching, i));
    if (!all_finite(rates[i])) overflows(state_name(tree, batching, i));
  });
}

nb::object accelerations(const PyFlexibleTree& t, nb::handle q_argument, nb::handle v_argument,
                         nb::handle tau_argument, std::string_view model,
                         std::string_view algorithm, nb::handle exact_coordinates, bool fall_back) {
  const FlexibleTree& tree = t.tree();
  const Coordinates q(tree, q_argument, "q"), v(tree, v_argument, "v"),
      tau(tree, tau_argument, "tau");
  const Batching batching{&q.states(), &v.states(), &tau.states()};
  const Output rates(batching, {t.size()});
  FlexibleDynamicsOptions options;
  options.model = model_named(model);
  options.exact_coordinates = coordinates_argument(tree, exact_coordinates, "exact_coordinates");
  options.fall_back = fall_back;
  if (choice(algorithm, "algorithm", {"dense", "recursive"}) == 1) {
    if (fall_back || !options.exact_coordinates.empty())
      throw Error("'recursive' neither falls back nor keeps coordinates exact", "algorithm",
                  "take 'dense'");
    if (options.model == FlexibleModel::linear)
      recursive<FirstOrder>(tree, batching, q, v, tau, rates);
    else
      recursive<Exact<double>>(tree, batching, q, v, tau, rates);
    return rates.array;
  }
  const BorrowedDynamics dynamics(t, options);
  for_each_state(batching, [&](std::size_t i) {
    if (!dynamics->acceleration(q[i], v[i], tau[i], rates[i]))
      not_definite(tree, dynamics->loss(), options.model, state_name(tree, batching, i));
  });
  return rates.array;
}

nb::object accelerations_with(const PyFlexibleTree& t, nb::handle prescribed, nb::handle q_argument,
                              nb::handle v_argument, nb::handle tau_argument,
                              nb::handle rates_argument, std::string_view model,
                              nb::handle exact_coordinates, bool fall_back) {
  const FlexibleTree& tree = t.tree();
  const std::vector<int> joints = coordinates_argument(tree, prescribed, "prescribed");
  const Coordinates q(tree, q_argument, "q"), v(tree, v_argument, "v"),
      tau(tree, tau_argument, "tau"), given(tree, rates_argument, "rates");
  const Batching batching{&q.states(), &v.states(), &tau.states(), &given.states()};
  const Output rates(batching, {t.size()}), forces(batching, {t.size()});
  FlexibleDynamicsOptions options;
  options.model = model_named(model);
  options.exact_coordinates = coordinates_argument(tree, exact_coordinates, "exact_coordinates");
  options.fall_back = fall_back;
  const BorrowedDynamics dynamics(t, options);
  for_each_state(batching, [&](std::size_t i) {
    std::ranges::copy(given[i], rates[i].begin());
    std::ranges::copy(tau[i], forces[i].begin());
    if (!dynamics->acceleration_with(joints, q[i], v[i], forces[i], rates[i]))
      not_definite(tree, dynamics->loss(), options.model, state_name(tree, batching, i));
  });
  return result("PrescribedAccelerations", rates.array, forces.array);
}

nb::object energies(const PyFlexibleTree& t, nb::handle q_argument, nb::handle v_argument,
                    std::string_view model) {
  const Coordinates q(t.tree(), q_argument, "q"), v(t.tree(), v_argument, "v");
  const Batching batching{&q.states(), &v.states()};
  const Output kinetic(batching, {}), gravity(batching, {}), elastic(batching, {});
  FlexibleDynamicsOptions options;
  options.model = model_named(model);
  const BorrowedDynamics dynamics(t, options);
  for_each_state(batching, [&](std::size_t i) {
    const FlexibleDynamics::Energies e = dynamics->energies(q[i], v[i]);
    kinetic.data[i] = e.kinetic;
    gravity.data[i] = e.gravity;
    elastic.data[i] = e.elastic;
    if (!std::isfinite(e.kinetic + e.gravity + e.elastic))
      overflows(state_name(t.tree(), batching, i));
  });
  return result("FlexibleEnergies", numbers_or_number(batching, kinetic),
                numbers_or_number(batching, gravity), numbers_or_number(batching, elastic));
}

}  // namespace

void bind_flexible_equations(nb::module_&, nb::class_<PyFlexibleTree>& tree) {
  tree.def(
          "linearized",
          [](const PyFlexibleTree& t, nb::handle q, nb::handle v, nb::handle exact) {
            return equations(t, q, v,
                             {FlexibleModel::linear,
                              coordinates_argument(t.tree(), exact, "exact_coordinates"), false});
          },
          nb::arg("q"), nb::arg("v") = nb::none(), nb::kw_only(),
          nb::arg("exact_coordinates") = nb::make_tuple(),
          nb::sig("def linearized(self, q: axode.typing.ArrayLike, "
                  "v: axode.typing.ArrayLike | None = None, *, "
                  "exact_coordinates: axode.typing.CoordinateNames = ()) -> "
                  "axode._results.flexible.FlexibleEquations"),
          "The equations to first order in elastic coordinates and rates, exact in the joints, at "
          "(q, v): M v' + bias + K q + D v = gravity + tau. Elastic coordinates named in "
          "`exact_coordinates` are kept exact.")
      .def(
          "nonlinear",
          [](const PyFlexibleTree& t, nb::handle q, nb::handle v) {
            return equations(t, q, v, {FlexibleModel::nonlinear, {}, false});
          },
          nb::arg("q"), nb::arg("v") = nb::none(),
          nb::sig("def nonlinear(self, q: axode.typing.ArrayLike, "
                  "v: axode.typing.ArrayLike | None = None) -> "
                  "axode._results.flexible.FlexibleEquations"),
          "The exact equations of the same kinematics at (q, v): M v' + bias + K q + D v = gravity "
          "+ tau.")
      .def("accelerations", &accelerations, nb::arg("q"), nb::arg("v") = nb::none(),
           nb::arg("tau") = nb::none(), nb::kw_only(), nb::arg("model") = "linear",
           nb::arg("algorithm") = "dense", nb::arg("exact_coordinates") = nb::make_tuple(),
           nb::arg("fall_back") = false,
           nb::sig("def accelerations(self, q: axode.typing.ArrayLike, "
                   "v: axode.typing.ArrayLike | None = None, "
                   "tau: axode.typing.ArrayLike | None = None, *, "
                   "model: axode.typing.FlexibleModel = 'linear', "
                   "algorithm: typing.Literal['dense', 'recursive'] = 'dense', "
                   "exact_coordinates: axode.typing.CoordinateNames = (), "
                   "fall_back: bool = False) -> axode.typing.Array"),
           "v' (size,) at (q, v) for the generalized forces tau [N m, N, ...] of all coordinates; "
           "what is not given is zero. \"dense\" factors the mass matrix, \"recursive\" is the "
           "articulated-body recursion with modes, O(links). Where the mass matrix is not positive "
           "definite SingularError names link and eigenvalue, or the exact equations are taken at "
           "that state (`fall_back`).")
      .def("accelerations_with", &accelerations_with, nb::arg("prescribed"), nb::arg("q"),
           nb::arg("v"), nb::arg("tau").none(), nb::arg("rates"), nb::kw_only(),
           nb::arg("model") = "linear", nb::arg("exact_coordinates") = nb::make_tuple(),
           nb::arg("fall_back") = false,
           nb::sig("def accelerations_with(self, prescribed: axode.typing.CoordinateNames, "
                   "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
                   "tau: axode.typing.ArrayLike | None, rates: axode.typing.ArrayLike, *, "
                   "model: axode.typing.FlexibleModel = 'linear', "
                   "exact_coordinates: axode.typing.CoordinateNames = (), "
                   "fall_back: bool = False) -> axode._results.flexible.PrescribedAccelerations"),
           "The same where some coordinates move as told: their v' are taken from `rates`, and the "
           "forces they need come out in `tau`.")
      .def("energies", &energies, nb::arg("q"), nb::arg("v") = nb::none(), nb::kw_only(),
           nb::arg("model") = "nonlinear",
           nb::sig("def energies(self, q: axode.typing.ArrayLike, "
                   "v: axode.typing.ArrayLike | None = None, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> "
                   "axode._results.flexible.FlexibleEnergies"),
           "Kinetic energy (with the mass matrix of the model), that of gravity and that of "
           "deformation [J].");
}

}  // namespace axode::python
