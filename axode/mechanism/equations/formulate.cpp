#include "axode/mechanism/equations/formulate.hpp"

namespace axode {

namespace {

/// Not only their equations are left out: nothing is held, pays work or counts as driven.
Mechanism undriven(Mechanism mechanism) {
  mechanism.drivers.clear();
  return mechanism;
}

}  // namespace

MechanismEquations make_equations(const Mechanism& mechanism, const FormulationOptions& options) {
  if (!options.with_drivers && !mechanism.drivers.empty())
    return make_equations(undriven(mechanism), options);
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

}  // namespace axode
