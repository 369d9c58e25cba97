#include "axode/mechanism/equations/formulate.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"

namespace axode {

namespace {

/// Not only their equations are left out: nothing is held, pays work or counts as driven.
Mechanism undriven(Mechanism mechanism) {
  mechanism.drivers.clear();
  return mechanism;
}

/// A force of zero on each, as if the control were one of the mechanism.
Mechanism controllable(Mechanism mechanism, std::span<const int> coordinates) {
  const int n = static_cast<int>(mechanism.coordinates.size());
  for (const int c : coordinates) {
    if (c < 0 || c >= n)
      throw Error(std::to_string(c) + " is not the number of a coordinate", "formulation",
                  "the mechanism has " + std::to_string(n));
    if (std::ranges::find(mechanism.coordinate_forces, c, &CoordinateForce::coordinate) ==
        mechanism.coordinate_forces.end())
      mechanism.coordinate_forces.push_back({.name = "control", .coordinate = c});
  }
  return mechanism;
}

}  // namespace

MechanismEquations make_equations(const Mechanism& mechanism, const FormulationOptions& options) {
  if (!options.with_drivers && !mechanism.drivers.empty())
    return make_equations(undriven(mechanism), options);
  if (!options.controlled.empty()) {
    FormulationOptions others = options;
    others.controlled.clear();
    return make_equations(controllable(mechanism, options.controlled), others);
  }
  switch (options.family) {
    case CoordinateFamily::relative:
      return detail::relative_equations(mechanism, options);
    case CoordinateFamily::reference_point:
      return detail::reference_point_equations(mechanism, options);
    case CoordinateFamily::natural:
      break;
  }
  return detail::natural_equations(mechanism, options);
}

namespace {

struct Named {
  std::string_view name;
  CoordinateFamily family;
  AttitudeForm attitude = AttitudeForm::euler_parameters;
};
constexpr std::array<Named, 6> named_formulations{
    {{"relative", CoordinateFamily::relative},
     {"reference_point", CoordinateFamily::reference_point},
     {"euler_angles", CoordinateFamily::reference_point, AttitudeForm::euler_angles},
     {"quasi_velocities", CoordinateFamily::reference_point, AttitudeForm::quasi_velocities},
     {"natural", CoordinateFamily::natural},
     {"mixed", CoordinateFamily::natural}}};

}  // namespace

std::span<const std::string_view> formulation_names() noexcept {
  static constexpr auto names = [] {
    std::array<std::string_view, named_formulations.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = named_formulations[i].name;
    return all;
  }();
  return names;
}

FormulationOptions formulation_named(const Mechanism& mechanism, std::string_view wanted) {
  std::string known;
  for (const Named& named : named_formulations) {
    known += (known.empty() ? "" : ", ") + std::string(named.name);
    if (!is_same_name(named.name, wanted)) continue;
    FormulationOptions how{.family = named.family, .attitude = named.attitude};
    if (named.name == "mixed") {
      how.mixed.resize(mechanism.coordinates.size());
      std::iota(how.mixed.begin(), how.mixed.end(), 0);
    }
    return how;
  }
  throw Error("'" + std::string(wanted) + "' is none of the formulations", "formulation",
              "choose among " + known);
}

}  // namespace axode
