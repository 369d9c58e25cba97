/// The module axode._axode. Order matters: a type must be known before it is a default argument.
#include "axode/version.hpp"
#include "src/shared/bind.hpp"

NB_MODULE(_axode, m) {
  using namespace axode::python;
  m.attr("version") = axode::version;
  bind_errors(m);
  bind_lie(m);
  bind_screw(m);
  bind_model(m);
  bind_kinematics(m);
  bind_dynamics(m);
  bind_dynamics_oscillations(m);
  bind_simulate(m);
  bind_mechanism(m);
  bind_flexible(m);
  bind_view(m);
}
