/// Single states of a job, by the functions of dynamics/: derivatives of trees whose joint screws move,
/// and states with an inertia so small that it may be no more than rounding.
/// Tests: tests/engine/detail/batch/state_by_state_test.cpp
#pragma once
#include <optional>
#include <vector>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/engine/detail/batch/batch_kernels.hpp"

namespace axode::batch {

/// Memory for one state. Make it once per tree and thread; derivatives where they are asked for.
struct StateByState {
  explicit StateByState(const Tree& tree);
  std::vector<double> q, v, a;
  std::vector<Wrench<Rep::body>> external;
  Poses<double> poses;
  ForwardDynamics<Rep::body> forward;
  std::optional<ForwardDynamicsDerivatives<double>> derivatives;
  std::optional<ForwardDerivativesWork<double>> derivatives_work;
};

/// Writes the accelerations of state k of a job whose a holds joint forces, nv numbers. True if a degree of freedom
/// has no inertia: it is taken as locked. Allocates if joints are coupled.
bool accelerations_of(const Job& job, std::ptrdiff_t k, StateByState& work, double* a) noexcept;
/// Writes all results of state k of a job of inverse_dynamics_derivatives.
void inverse_derivatives_of(const Job& job, std::ptrdiff_t k, StateByState& work) noexcept;
/// Writes the matrices of state k of a job of forward_dynamics_derivatives, not the accelerations. If
/// the mass matrix is found singular, true, and all their entries are NaN. Allocates if joints are
/// coupled.
bool forward_derivatives_of(const Job& job, std::ptrdiff_t k, StateByState& work) noexcept;

}  // namespace axode::batch
