/// Forces, accelerations, matrices and their derivatives: axode/dynamics, axode/engine, axode/batch.
#include "src/dynamics/dynamics.hpp"

namespace axode::python {

void bind_dynamics(nb::module_& m) {
  bind_dynamics_inverse(m);
  bind_dynamics_newton_euler(m);
  bind_dynamics_forward(m);
  bind_dynamics_matrices(m);
  bind_dynamics_derivatives(m);
  bind_dynamics_tensors(m);
  bind_dynamics_energy(m);
  bind_dynamics_momenta(m);
  bind_dynamics_momentum_form(m);
  bind_dynamics_rates(m);
  bind_dynamics_forms(m);
  bind_dynamics_moving_base(m);
  bind_dynamics_contacts(m);
  bind_dynamics_parameters(m);
  bind_dynamics_geometry(m);
}

}  // namespace axode::python
