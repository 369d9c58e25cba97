/// Linearized equations of motion of mechanisms.
#include "axode/mechanism/dynamics/linearize.hpp"

#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/assemble.hpp"
#include "src/mechanism/mechanism.hpp"
#include "src/shared/linearization.hpp"

namespace axode::python::mechanisms {
namespace {

/// Without q about the assembled motion at t.
nb::object linearize_of(PySystem& py, double t, nb::handle q_argument, nb::handle v_argument,
                        const nb::list& independent, nb::handle tau) {
  const Mechanism& m = py.mechanism();
  MechanismLinearizeOptions options{.t = time(t)};
  for (const nb::handle coordinate : independent)
    options.independent.push_back(coordinate_argument(m, coordinate, "independent"));
  std::vector<double> q, v(py.nv());
  if (q_argument.is_none()) {
    const Assembly at = py.use([&](MechanismSystem& system) { return assemble(system, {.t = t}); });
    if (!at.is_assembled())
      throw Error("it cannot be assembled: " + message_of(at), "q", "give q and v");
    q = at.q;
    v = at.v;
  } else {
    q = state(q_argument, "q", py.nq(), coordinates_text);
  }
  if (!v_argument.is_none()) v = state(v_argument, "v", py.nv(), velocities_text);
  if (!tau.is_none()) options.tau = nb::cast<std::vector<double>>(tau);
  const MechanismLinearization found =
      py.use([&](MechanismSystem& system) { return linearize(system, q, v, options); });
  if (!found.solved) throw SingularError(found.message, "linearize", found.remedy);
  nb::list names;
  for (const int c : found.independent) names.append(m.coordinates[c].name);
  return linearization(found, names);
}

}  // namespace

void bind_mechanism_linearize(MechanismClasses& c) {
  using nb::arg;
  c.both(
      {"linearize",
       "t: float = 0.0, q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | "
       "None = None, *, independent: collections.abc.Sequence[str | int] = (), tau: "
       "axode.typing.ArrayLike | None = None",
       "axode._results.Linearization",
       "Equations of motion linearized about the motion through (q, v) at time t, in independent "
       "coordinates z: x' = A x + B dtau, x = (dz, dz'), M dz'' + D dz' + K dz = dtau. Without q "
       "about the assembled motion. `independent` names the coordinates of the mechanism that "
       "are z, by default chosen; drivers stay as they are. `tau` are forces on them [N m, N], by "
       "default those that make z'' = 0. Raises SingularError where no degree of freedom is left, "
       "or one has no coordinate or no inertia."},
      &linearize_of, arg("t") = 0.0, arg("q") = nb::none(), arg("v") = nb::none(), nb::kw_only(),
      arg("independent") = nb::list(), arg("tau") = nb::none());
}

}  // namespace axode::python::mechanisms
