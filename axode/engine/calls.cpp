#include "axode/engine/calls.hpp"

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/errors.hpp"

namespace axode {

namespace {

/// Checked arguments of a call, wrenches looked up, and the engine that answers it.
struct Call {
  Call(const Tree& tree, In<double> q, const Effects& effects) : engine(checked(tree, q)) {
    options.effects = effects;
  }
  Call(const Tree& tree, In<double> q, In<double> v, In<double> third, const char* name,
       const DynamicsOptions& given, const char* where)
      : Call(tree, q, given.effects) {
    check_velocity(tree, v);
    check_velocity(tree, third, name);
    if (given.external.empty() && given.body_wrenches.empty()) return;
    external = external_wrenches(tree, poses(tree, q), given.external, given.body_wrenches, where);
    options.external = external;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  static const Tree& checked(const Tree& tree, In<double> q) {
    check_configuration(tree, q);
    return tree;
  }

  Engine engine;
  std::vector<Wrench<Rep::body>> external;
  EngineOptions options;
};

void require_regular(const Tree& tree, const MassOutcome& found, const char* where) {
  if (!found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity), where);
}

}  // namespace

std::vector<double> inverse_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                     const DynamicsOptions& options) {
  Call call(tree, q, v, a, "a", options, "inverse dynamics");
  std::vector<double> tau(v.size());
  inverse_dynamics(call.engine, q, v, a, tau, call.options);
  return tau;
}

std::vector<double> forward_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                     const DynamicsOptions& options) {
  constexpr const char* here = "forward dynamics";
  Call call(tree, q, v, tau, "tau", options, here);
  detail::check_couplings(tree, q, v, here);
  std::vector<double> a(v.size());
  if (const ForwardOutcome found = forward_dynamics(call.engine, q, v, tau, a, call.options);
      !found.ok())
    detail::throw_singular(tree, found.singular_body, here);
  return a;
}

DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  Call call(tree, q, effects);
  PathMatrix<double> M(tree);
  mass_matrix(call.engine, q, M, effects);
  return dense(M);
}

DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  Call call(tree, q, effects);
  DenseMatrix<double> result{tree.nv, tree.nv, std::vector<double>(detail::dense_entries(tree))};
  require_regular(tree, inverse_mass_matrix(call.engine, q, result, effects),
                  "inverse_mass_matrix");
  return result;
}

EngineDerivatives inverse_dynamics_derivatives(const Tree& tree, In<double> q, In<double> v,
                                               In<double> a, const DynamicsOptions& options) {
  Call call(tree, q, v, a, "a", options, "derivatives of inverse dynamics");
  EngineDerivatives result(tree);
  inverse_dynamics_derivatives(call.engine, q, v, a, result, call.options);
  return result;
}

EngineForwardDerivatives forward_dynamics_derivatives(const Tree& tree, In<double> q, In<double> v,
                                                      In<double> tau,
                                                      const DynamicsOptions& options) {
  constexpr const char* here = "derivatives of forward dynamics";
  Call call(tree, q, v, tau, "tau", options, here);
  detail::check_couplings(tree, q, v, here);
  EngineForwardDerivatives result(tree);
  require_regular(tree, forward_dynamics_derivatives(call.engine, q, v, tau, result, call.options),
                  here);
  return result;
}

}  // namespace axode
