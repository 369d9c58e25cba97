#include "axode/mechanism/analysis/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/mechanism/analysis/detail/assemble_parts.hpp"

namespace axode {

using detail::HeldNumbers;

namespace {

constexpr const char* where = "assemble";

/// Numbers by name and, with `hold_start`, those told; coordinates with drivers have none.
HeldNumbers held_numbers(const Mechanism& m, const std::vector<NamedValue>& named,
                         std::span<const double> told, bool hold_start, const char* what) {
  HeldNumbers held(m.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  if (hold_start) std::ranges::copy(told, held.begin());
  std::vector<char> is_driven(held.size(), 0), is_named(held.size(), 0);
  for (const MechanismDriver& driver : m.drivers) {
    is_driven[driver.coordinate] = 1;
    held[driver.coordinate] = std::numeric_limits<double>::quiet_NaN();
  }
  for (const NamedValue& number : named) {
    const int c = coordinate_index(m, number.name);
    const std::string place = fmt::format("{}: {} of '{}'", where, what, number.name);
    if (!std::isfinite(number.value)) throw Error("it is not finite", place);
    if (is_driven[c])
      throw Error("the coordinate has a driver", place, "leave it out, or the driver");
    if (is_named[c]) throw Error("it is given twice", place, "give it once");
    is_named[c] = 1;
    held[c] = number.value;
  }
  return held;
}

bool holds(const HeldNumbers& held) {
  return std::ranges::any_of(held, [](double x) { return std::isfinite(x); });
}

void check(const MechanismSystem& system, const AssembleOptions& options) {
  if (!std::isfinite(options.t)) throw Error("the time is not finite", where, "give seconds");
  const int n = system.equations().numbers();
  if (!options.guess.empty() && std::ssize(options.guess) != n)
    throw Error(fmt::format("the guess has {} numbers, the system {}", options.guess.size(), n),
                where);
  if (!all_finite(options.guess)) throw Error("the guess is not finite", where);
}

}  // namespace

std::string_view name(Assembly::Outcome outcome) noexcept {
  constexpr std::array<std::string_view, 6> names{"assembled",   "bad_driver", "geometry",
                                                  "over_driven", "dead_point", "no_motion"};
  return names[std::size_t(outcome)];
}

Assembly assemble(MechanismSystem& system, const AssembleOptions& options) {
  check(system, options);
  const Mechanism& m = system.mechanism();
  const HeldNumbers values =
      held_numbers(m, options.values, m.initial, options.hold_start, "value");
  const HeldNumbers rates =
      held_numbers(m, options.rates, m.initial_rate, options.hold_start, "rate");
  if (holds(values) || holds(rates))
    return detail::assemble_holding(system, options, values, rates);
  Assembly found =
      detail::close_loops(system, options.t, detail::assembly_start(system, m, options));
  if (found.is_closed()) detail::find_motion(system, found);
  return found;
}

Assembly assemble_with_driver(MechanismSystem& system, int driver, double value, double t) {
  MechanismEquations equations = system.equations();
  std::vector<MechanismDriver>& drivers = equations.mechanism.drivers;
  if (driver < 0 || driver >= std::ssize(drivers))
    throw Error(fmt::format("{} is not the number of a driver", driver), "assemble_with_driver",
                fmt::format("the mechanism has {}", drivers.size()));
  for (MechanismDriver& d : drivers) d.motion = constant_in_time(d.motion(t).value);
  drivers[driver].motion = constant_in_time(value);
  MechanismSystem held(std::move(equations));
  Assembly found = detail::close_loops(held, 0, detail::assembly_start(held, held.mechanism(), {}));
  found.t = t;
  if (!found.q.empty()) found.q = system.from_poses(detail::poses_of(held, found.q));
  return found;
}

std::string driver_problem(const Mechanism& mechanism, double t) {
  for (const MechanismDriver& driver : mechanism.drivers) {
    const auto [value, rate, acceleration] = driver.motion(t);
    const auto has = [&](const char* what, double x, const char* why) {
      return fmt::format("driver '{}' has the {} {:.6g} at t = {:.6g} s, {}", driver.name, what, x,
                         t, why);
    };
    for (const auto& [what, x] :
         {std::pair{"value", value}, {"rate", rate}, {"acceleration", acceleration}})
      if (!std::isfinite(x)) return has(what, x, "which is not finite");
    if (std::abs(value) > 1e12) return has("value", value, "too large to compute with");
    if (mechanism.coordinates[driver.coordinate].kind == MechanismCoordinate::Kind::distance &&
        value < 0)
      return has("value", value, "and a distance between points is never negative");
  }
  return {};
}

}  // namespace axode
