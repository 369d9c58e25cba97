// The functions of engine.hpp that are recursions of dynamics/ on the poses of the engine.
#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/forward/prescribed_dynamics.hpp"
#include "axode/engine/detail/start.hpp"

namespace axode {

namespace engine {

const Poses<double>& all_poses(Engine& e, In<double> q) {
  auto& at = e.recursions.get<Poses<double>>(*e.tree);
  poses(e, q, at);
  return at;
}

void general_coriolis_matrix(Engine& e, In<double> q, In<double> v, CoriolisChoice choice,
                             DenseMatrix<double>& C) {
  auto& general = e.recursions.get<Coriolis<double>>(*e.tree);
  coriolis_matrix(*e.tree, all_poses(e, q), v, general, choice);
  for (int k = 0; k < general.rows.size(); ++k) {
    const double *row = general.rows.row(k), *column = general.columns.row(k);
    for (int i = k; i >= 0; i = general.rows.parent[i]) {
      C(i, k) = *column++;
      C(k, i) = *row++;
    }
  }
}

void general_derivatives(Engine& e, In<double> q, In<double> v, In<double> a,
                         InverseDynamicsDerivatives<double>& result, const EngineOptions& options) {
  auto& at = e.recursions.get<Poses<double>>(*e.tree);
  poses<double>(*e.tree, q, at);  // as in a Batch, for the same bits
  auto& work = e.recursions.get<InverseDerivativesWork<double>>(*e.tree);
  inverse_dynamics_derivatives<double>(*e.tree, at, v, a, work, result, options.external,
                                       options.effects);
  result.by_a.scale = e.constants.scale;
}

}  // namespace engine

template <Rep rep>
void joint_forces(Engine& e, In<double> q, In<double> v, In<double> a, Out<double> tau,
                  Out<Wrench<rep>> joint_wrenches, const EngineOptions& options) {
  auto& work = e.recursions.get<InverseDynamics<rep>>(*e.tree);
  inverse_dynamics<rep, double>(*e.tree, engine::all_poses(e, q), v, a, work, tau, options.external,
                                options.effects);
  std::copy(work.joint_wrenches.begin(), work.joint_wrenches.end(), joint_wrenches.begin());
}

ForwardOutcome prescribed_dynamics(Engine& e, In<double> q, In<double> v, In<Given> given,
                                   Out<double> a, Out<double> tau, const EngineOptions& options) {
  auto& work = e.recursions.get<ForwardDynamics<Rep::body>>(*e.tree);
  return prescribed_dynamics<double>(*e.tree, engine::all_poses(e, q), v, given, work, a, tau,
                                     options.external, options.effects);
}

template void joint_forces<Rep::body>(Engine&, In<double>, In<double>, In<double>, Out<double>,
                                      Out<Wrench<Rep::body>>, const EngineOptions&);
template void joint_forces<Rep::spatial>(Engine&, In<double>, In<double>, In<double>, Out<double>,
                                         Out<Wrench<Rep::spatial>>, const EngineOptions&);
template void joint_forces<Rep::hybrid>(Engine&, In<double>, In<double>, In<double>, Out<double>,
                                        Out<Wrench<Rep::hybrid>>, const EngineOptions&);
template void joint_forces<Rep::mixed>(Engine&, In<double>, In<double>, In<double>, Out<double>,
                                       Out<Wrench<Rep::mixed>>, const EngineOptions&);

}  // namespace axode
