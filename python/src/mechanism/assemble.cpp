/// Assembled configurations: from the reference or a guess, with coordinates held, at a time.
#include "axode/mechanism/analysis/assemble.hpp"

#include <nanobind/stl/optional.h>

#include "axode/core/error.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {
namespace {

std::vector<NamedValue> named_values(const Mechanism& mechanism,
                                     const std::optional<nb::dict>& numbers, const char* argument) {
  std::vector<NamedValue> named;
  if (!numbers) return named;
  for (const auto& [name, value] : *numbers) {
    const int c = coordinate_argument(mechanism, name, argument);
    named.push_back({mechanism.coordinates[c].name, nb::cast<double>(value)});
  }
  return named;
}

nb::object assemble_at(PySystem& py, double t, nb::handle guess,
                       const std::optional<nb::dict>& values, const std::optional<nb::dict>& rates,
                       bool hold_start) {
  AssembleOptions options{.t = time(t), .hold_start = hold_start};
  if (!guess.is_none()) options.guess = state(guess, "q", py.nq(), coordinates_text);
  options.values = named_values(py.mechanism(), values, "values");
  options.rates = named_values(py.mechanism(), rates, "rates");
  const Assembly found = py.use([&](MechanismSystem& system) { return assemble(system, options); });
  return result("MechanismState", found.is_assembled(), t, array(found.q), array(found.v),
                array(found.a), message_of(found), name(found.outcome));
}

}  // namespace

std::string message_of(const Assembly& found) {
  if (found.is_assembled()) return found.warning;
  return found.remedy.empty() ? found.message : found.message + "; " + found.remedy;
}

std::vector<double> configuration(PySystem& py, double t, nb::handle q) {
  if (!q.is_none()) return state(q, "q", py.nq(), coordinates_text);
  Assembly found = py.use([&](MechanismSystem& system) { return assemble(system, {.t = t}); });
  if (!found.is_closed())
    throw Error("it cannot be assembled: " + message_of(found), "q",
                "solve_position tells more; or give q");
  return std::move(found.q);
}

void bind_mechanism_assemble(MechanismClasses& c) {
  using nb::arg;
  c.both(
      {"assemble",
       "t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, values: dict[str, float] | "
       "None = None, rates: dict[str, float] | None = None, hold_start: bool = False",
       "axode._results.MechanismState",
       "The configuration at t [s] with velocities and accelerations: closed at t = 0 from the "
       "reference and starting values, then followed along the drivers to t; or from the guess "
       "q, with the drivers led to their values at t. Other functions do the first where no q is "
       "given. values, rates: numbers that coordinates without a driver have exactly. "
       "hold_start: the starting values and rates of the mechanism are such numbers, too, as at "
       "the start of a simulation."},
      &assemble_at, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
      arg("values") = nb::none(), arg("rates") = nb::none(), arg("hold_start") = false);
}

}  // namespace axode::python::mechanisms
