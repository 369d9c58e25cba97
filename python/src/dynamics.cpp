/// Forces, accelerations, matrices and their derivatives: axode/dynamics, axode/engine, axode/batch.
#include "src/dynamics.hpp"

namespace axode::python {

void bind_dynamics(nb::module_& m) {
  bind_dynamics_inverse(m);
  bind_dynamics_forward(m);
  bind_dynamics_matrices(m);
  bind_dynamics_derivatives(m);
  bind_dynamics_energy(m);
}

}  // namespace axode::python
