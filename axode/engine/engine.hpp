/// The fastest evaluation of one state: all quantities of a tree from its coordinates.
///
///   Engine engine(tree);                          // once per tree and thread
///   inverse_dynamics(engine, q, v, a, tau);       // as often as you like
///
/// The same results as the functions of kinematics/ and dynamics/, in the user's frames and
/// coordinates, but worked out in frames the engine chose (engine_tree.hpp) and in the widest
/// registers of this CPU. Inverse dynamics is evaluated in the frames of the bodies; forward dynamics
/// in world axes, each body about its own origin; matrices about the first body of its tree: sums over
/// bodies then need no change of frames. Results differ from those of other instruction sets by
/// rounding. Energies, momenta and centres of mass: energy.hpp; single frames: frames.hpp; many states:
/// batch.hpp. Use the templates of dynamics/ for other scalars than double, for a chosen representation,
/// and to choose what stays of the intermediate results.
///
/// Functions on an Engine check neither lengths nor finiteness; they allocate on first use only.
/// Units as everywhere: rad, m, N m, N, SI.
/// Tests: tests/engine/engine_test.cpp
#pragma once
#include <optional>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/prescribed_dynamics.hpp"
#include "axode/engine/detail/tree/engine_tree.hpp"
#include "axode/engine/detail/tree/path_memory.hpp"
#include "axode/engine/detail/tree/recursion_memory.hpp"
#include "axode/engine/detail/tree/reduced_mass.hpp"

namespace axode {

/// By designated initialisers: {.effects = {.friction = false}}.
struct EngineOptions {
  Effects effects = {};
  /// Wrenches that act on the bodies, one for each in its own frame, or none.
  In<Wrench<Rep::body, double>> external = {};
};

/// Constants of a tree and memory to work in. The tree must outlive it, unchanged.
struct Engine {
  explicit Engine(const Tree& of);

  const Tree* tree;
  EngineTree constants;
  const engine::Kernels* kernels;  ///< those for this CPU
  std::vector<double> armature;    ///< by velocity
  bool has_armature = false, has_losses = false;
  engine::CoupledGroups groups;  ///< of coupled joints
  engine::Scratch scratch, group_memory;
  std::vector<double> cosine, sine, forces, external;
  std::vector<engine::General<double>> generals;
  PathMatrix<double> mass;  ///< made on first use by functions that need it, as the next
  engine::FactorMemory factors;
  engine::ReducedMass reduced;             ///< of coupled joints
  std::optional<engine::PathMemory> path;  ///< of frames.hpp
  engine::RecursionMemory recursions;      ///< of those of kinematics/ and dynamics/
};

/// Writes the poses T_WB of all bodies.
void poses(Engine& engine, In<double> q, Out<SE3<double>> T_WB) noexcept;
/// Writes all that poses(tree, q, result) of kinematics/poses.hpp does: also poses in the parents' frames
/// and the joint screws, for the functions of kinematics/ and dynamics/ that begin with them.
void poses(Engine& engine, In<double> q, Poses<double>& result) noexcept;
/// Writes the poses, and by velocity the joint screws in world axes about the world's origin: the
/// spatial Jacobian of body i has those of the velocities on its path as columns, and zeros.
void poses_and_screws(Engine& engine, In<double> q, Out<SE3<double>> T_WB,
                      Out<Vec6<double>> screws) noexcept;

/// Writes the joint forces.
void inverse_dynamics(Engine& engine, In<double> q, In<double> v, In<double> a, Out<double> tau,
                      const EngineOptions& options = {}) noexcept;

/// Writes the joint forces, and by body the wrench that its joint transmits on it, from its parent
/// (inverse_dynamics.hpp), by the recursion in that representation.
template <Rep rep>
void joint_forces(Engine& engine, In<double> q, In<double> v, In<double> a, Out<double> tau,
                  Out<Wrench<rep>> joint_wrenches, const EngineOptions& options = {});

/// Writes the accelerations. Couplings of the tree are kept, as by forward_dynamics(tree, q, v, tau) in
/// calls.hpp; q and v must keep them. A joint with a degree of freedom without inertia is taken as locked
/// and its body named by the outcome, of coupled joints the leader's. Where an inertia is so small that
/// this is in doubt, the algorithm of dynamics/ decides, which takes longer and allocates. a may be the
/// memory of tau.
ForwardOutcome forward_dynamics(Engine& engine, In<double> q, In<double> v, In<double> tau,
                                Out<double> a, const EngineOptions& options = {});

/// Completes a and tau where of each velocity one is given (prescribed_dynamics.hpp). Couplings of the
/// tree are not seen.
ForwardOutcome prescribed_dynamics(Engine& engine, In<double> q, In<double> v, In<Given> given,
                                   Out<double> a, Out<double> tau,
                                   const EngineOptions& options = {});

/// Writes the mass matrix, with armature unless left out.
void mass_matrix(Engine& engine, In<double> q, PathMatrix<double>& M,
                 const Effects& effects = {}) noexcept;
/// Writes its inverse, all entries, couplings of the tree left out. Where M is found singular
/// the result is NaN. Allocates on first use; throws LimitError for more than 2^31 entries.
MassOutcome inverse_mass_matrix(Engine& engine, In<double> q, DenseMatrix<double>& result,
                                const Effects& effects = {});

/// Writes a Coriolis matrix, C(q, v) v = c(q, v) (coriolis.hpp); entries of velocities not on one path,
/// zero, are not written. Other choices, and joints whose screws move, are by the recursion there.
void coriolis_matrix(Engine& engine, In<double> q, In<double> v, DenseMatrix<double>& C,
                     CoriolisChoice choice = CoriolisChoice::christoffel);

/// Writes the joint forces and their derivatives, as in inverse_derivatives.hpp: along the tangent of q,
/// friction constant, external wrenches held.
void inverse_dynamics_derivatives(Engine& engine, In<double> q, In<double> v, In<double> a,
                                  InverseDynamicsDerivatives<double>& result,
                                  const EngineOptions& options = {});

/// Writes the accelerations and their derivatives. Couplings of the tree are kept. Where M is found
/// singular the derivatives are NaN, the accelerations those of forward_dynamics.
MassOutcome forward_dynamics_derivatives(Engine& engine, In<double> q, In<double> v, In<double> tau,
                                         ForwardDynamicsDerivatives<double>& result,
                                         const EngineOptions& options = {});

}  // namespace axode
