#include "axode/mechanism/formulate.hpp"

namespace axode {

MechanismEquations make_equations(const Mechanism& mechanism, const FormulationOptions& options) {
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
