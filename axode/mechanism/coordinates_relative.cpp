#include "axode/error.hpp"
#include "axode/mechanism/formulate.hpp"

namespace axode::detail {

MechanismEquations relative_equations(const Mechanism&, const FormulationOptions&) {
  throw Error("not there yet");
}

}  // namespace axode::detail
