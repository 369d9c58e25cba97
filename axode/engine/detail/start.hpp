/// What evaluations of one state begin with, and those by the recursions of dynamics/.
#pragma once
#include "axode/engine/engine.hpp"

namespace axode::engine {

/// Constants and arguments; trigonometry and general joints done. v and a may be none.
Call<double> start(Engine& e, In<double> q, In<double> v, In<double> a) noexcept;
/// The tree's bodies, for their poses.
EngineSteps steps_of(const Engine& e) noexcept;
/// All poses and joint screws, in the engine's memory, for the recursions.
const Poses<double>& all_poses(Engine& e, In<double> q);

/// For joints whose screws move in the body, and other choices than that of Christoffel's symbols.
void general_coriolis_matrix(Engine& e, In<double> q, In<double> v, CoriolisChoice choice,
                             DenseMatrix<double>& C);
/// For joints whose screws move in the body.
void general_derivatives(Engine& e, In<double> q, In<double> v, In<double> a,
                         InverseDynamicsDerivatives<double>& result, const EngineOptions& options);

}  // namespace axode::engine
