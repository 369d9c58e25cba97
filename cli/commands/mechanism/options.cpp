/// `axode mechanism`: the mechanism with what options say of it.
#include <algorithm>
#include <cmath>
#include <set>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/states.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

int coordinate_option(const Mechanism& mechanism, const std::string& name, const char* option) {
  try {
    return coordinate_index(mechanism, name);
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}; {}", option, e.problem(), e.remedy()));
  }
}

namespace {

/// A number ("30deg" for angles), or an expression in t.
TextFunction function_option(const MechanismCoordinate& coordinate, const std::string& text,
                             const char* option) {
  try {
    const Number number = parse_value(text, option);
    if (number.degrees && !coordinate.is_angle)
      throw UsageError(
          fmt::format("{}: {} is not an angle; give metres", option, printable(coordinate.name)));
    return {constant_in_time(number.value), shortest(number.value)};
  } catch (const Error&) {
    try {
      return time_function_from_text(text, option);
    } catch (const Error& e) {
      throw UsageError(e.what());
    }
  }
}

void set_driver(Mechanism& mechanism, const std::string& text) {
  const auto [name, value] = assignment(text, "--set");
  const int c = coordinate_option(mechanism, name, "--set");
  TextFunction f = function_option(mechanism.coordinates[c], value, "--set");
  auto driver = std::find_if(mechanism.drivers.begin(), mechanism.drivers.end(),
                             [&](const MechanismDriver& d) { return d.coordinate == c; });
  if (driver == mechanism.drivers.end())
    driver = mechanism.drivers.insert(driver, MechanismDriver{name, c, {}, {}});
  driver->motion = std::move(f.function);
  driver->text = std::move(f.text);
}

/// Each coordinate once.
void check_once(const std::vector<std::string>& texts, const char* option) {
  std::set<std::string> known;
  for (const std::string& text : texts)
    if (const std::string name = assignment(text, option).first; !known.insert(name).second)
      throw UsageError(
          fmt::format("{}: '{}' is given twice; give it once", option, printable(name)));
}

/// A value or rate at the start; none if a driver has it.
struct StartNumber {
  int coordinate;
  double number;
  bool is_driven;
};
StartNumber start_number(const Mechanism& mechanism, const std::string& text, bool rate) {
  const char* option = rate ? "--v" : "--q";
  const auto [c, number] = coordinate_value(mechanism, text, option);
  const std::string& name = mechanism.coordinates[c].name;
  for (const MechanismDriver& driver : mechanism.drivers) {
    if (driver.coordinate != c) continue;
    const TimeValue told = driver.motion(0);
    double apart = number - (rate ? told.rate : told.value);
    if (mechanism.coordinates[c].is_angle && !rate) apart = std::remainder(apart, 2 * pi<double>);
    if (!(std::abs(apart) <= 1e-9 * (1 + std::abs(number))))
      throw UsageError(
          fmt::format("{}: '{}' is driven, and its driver says {} at the start; leave it out, or "
                      "the drivers by --no-drivers",
                      option, printable(name), rounded(rate ? told.rate : told.value)));
    return {c, number, true};
  }
  return {c, number, false};
}
void set_start(Mechanism& mechanism, const std::string& text, bool rate) {
  const StartNumber start = start_number(mechanism, text, rate);
  (rate ? mechanism.initial_rate : mechanism.initial)[start.coordinate] = start.number;
}

}  // namespace

std::pair<int, double> coordinate_value(const Mechanism& mechanism, const std::string& text,
                                        const char* option) {
  const auto [name, value] = assignment(text, option);
  const int c = coordinate_option(mechanism, name, option);
  const double number = function_option(mechanism.coordinates[c], value, option).function(0).value;
  if (!std::isfinite(number))
    throw UsageError(fmt::format("{}: '{}' is not finite", option, printable(text)));
  return {c, number};
}

std::pair<std::string, std::string> assignment(const std::string& text, const char* option) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw UsageError(
        fmt::format("{}: '{}' is not an assignment; write name=value", option, printable(text)));
  return {text.substr(0, equal), text.substr(equal + 1)};
}

std::vector<std::string> formulations() {
  std::vector<std::string> names;
  for (const std::string_view name : formulation_names())
    std::ranges::replace(names.emplace_back(name), '_', '-');
  return names;
}

FormulationOptions formulation_named(const Mechanism& mechanism, const std::string& name,
                                     const std::vector<std::string>& added) {
  FormulationOptions how;
  try {
    how = axode::formulation_named(mechanism, name);
  } catch (const Error&) {  // of `axode simulate`, where trees have others
    throw UsageError(fmt::format("--formulation: there is no '{}'; choose {}", printable(name),
                                 alternatives(formulations())));
  }
  for (const std::string& coordinate : added) {
    const int c = coordinate_option(mechanism, coordinate, "--add");
    if (std::find(how.mixed.begin(), how.mixed.end(), c) == how.mixed.end()) how.mixed.push_back(c);
  }
  return how;
}

FormulationOptions formulation_of(const MechanismOptions& options, const Mechanism& mechanism) {
  return formulation_named(mechanism, options.coordinates, options.added);
}

namespace {

/// As models have them: what no body can have is told, and computed with.
void warn_of_inertias(const MechanismOptions& options, const Mechanism& mechanism) {
  if (mechanism.is_planar) return;
  for (const MechanismBody& body : mechanism.bodies) {
    const Inertia<double>& I = body.inertia;
    if (!(I.mass > 0) || max_abs(I.about_com.matrix()) < 1e-12 * I.mass) continue;
    if (const std::string violation = physical_violation(I, 1e-9); !violation.empty())
      warn(fmt::format("{}: body '{}': {}", options.file, printable(body.name), violation));
  }
}

}  // namespace

Mechanism mechanism_of(const MechanismOptions& options) {
  check_once(options.set, "--set");
  check_once(options.q, "--q");
  check_once(options.v, "--v");
  ModelOptions model;
  model.file = options.file;
  model.loops = options.loops;
  Mechanism mechanism = mechanism_of(model);
  if (options.no_drivers) mechanism.drivers.clear();
  if (options.no_gravity) mechanism.gravity = {};
  for (const std::string& text : options.set) set_driver(mechanism, text);
  for (const std::string& text : options.q) set_start(mechanism, text, false);
  for (const std::string& text : options.v) set_start(mechanism, text, true);
  check_outputs(options, mechanism);
  warn_of_inertias(options, mechanism);
  return mechanism;
}

AssembleOptions state_of(const MechanismOptions& options, const Mechanism& mechanism, double t) {
  AssembleOptions state{.t = t};
  const auto add = [&](const std::vector<std::string>& texts, bool rate,
                       std::vector<NamedValue>& to) {
    for (const std::string& text : texts)
      if (const StartNumber start = start_number(mechanism, text, rate); !start.is_driven)
        to.push_back({mechanism.coordinates[start.coordinate].name, start.number});
  };
  add(options.q, false, state.values);
  add(options.v, true, state.rates);
  return state;
}

void check_drivers(const Mechanism& mechanism, double t, const std::string& file) {
  if (const std::string problem = driver_problem(mechanism, t); !problem.empty())
    throw Error(problem, file, "correct the driver, or choose another time");
}

Assembly assembled(MechanismSystem& system, const AssembleOptions& options,
                   const std::string& file) {
  Assembly found = assemble(system, options);
  if (found.outcome == Assembly::Outcome::bad_driver)
    throw Error(found.message, file, found.remedy);
  if (!found.is_assembled()) throw NumericalError(found.message, file, found.remedy);
  return found;
}

}  // namespace axode::cli
