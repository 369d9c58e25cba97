/// Many states of one tree at once: as many in one go as the CPU's vector registers have lanes, on as
/// many threads as wanted.
///
///   Batch batch(tree, 2);                           // once per tree; two threads
///   inverse_dynamics(batch, q, v, a, tau);          // q, v, a, tau of all states
///
/// The same results as those of the Engine, to rounding. Each array holds the numbers of all states in
/// one of two layouts; how many states there are is told by the length of q. A state's results depend
/// neither on the number of threads nor on the other states, to the last bit, but on the instruction
/// set of the CPU to rounding. (Joints in coordinates of the first kind depend on the other states, to
/// rounding: their series have as many terms as any of these needs.)
///
/// Units as everywhere: rad, m, N m, N, SI. Arguments and results must not overlap, but where said.
/// Lengths that do not fit throw Error; numbers are not looked at. The first call of a kind allocates,
/// later ones do not.
/// A Batch may be used by one thread at a time.
/// Tests: tests/engine/batch_test.cpp
#pragma once
#include <memory>
#include <vector>

#include "axode/dynamics/outcome.hpp"
#include "axode/engine/detail/batch/batch_kernels.hpp"
#include "axode/engine/detail/tree/strips.hpp"

namespace axode {

enum class Layout {
  by_state,  ///< number i of state k, of n numbers each, at k * n + i
  by_number  ///< at i * states + k: nothing needs to be turned, but all lies far apart
};

/// By designated initialisers: {.layout = Layout::by_number}.
struct BatchOptions {
  Layout layout = Layout::by_state;
  Effects effects = {};
  /// Wrenches that act on the bodies, or none: torque and force in the frame of the body, six numbers
  /// for each body of the tree.
  In<double> external = {};
};

namespace batch {
class Workers;
struct ThreadMemory;
}  // namespace batch

/// Constants of a tree, threads, and memory to work in. The tree must outlive it, unchanged.
struct Batch {
  /// `threads` 0: as many as the CPU runs. Throws Error for less, or if they cannot be started.
  explicit Batch(const Tree& of, int threads = 1);
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();
  int threads() const noexcept;

  const Tree* tree;
  EngineTree constants;
  engine::CoupledGroups groups;                     ///< of coupled joints
  std::vector<batch::BatchBody> batch_bodies;       ///< by engine body
  bool long_paths;                                  ///< as in batch_body.hpp
  const batch::BatchKernels* kernels;               ///< those for this CPU
  std::vector<double> armature, damping, friction;  ///< by velocity, or empty if there is none
  std::vector<int> parent;         ///< by velocity, made on first use as the next two
  std::vector<std::size_t> first;  ///< by velocity: where rows along paths start
  engine::Lists touching;
  engine::ReducedPattern reduced;  ///< made on first use
  std::unique_ptr<batch::Workers> workers;
  std::vector<batch::ThreadMemory> memory;  ///< by thread
};

/// Writes the poses T_WB of all bodies: axes x, y, z and origin, 12 numbers for each body.
void poses(Batch& batch, In<double> q, Out<double> T_WB, const BatchOptions& options = {});
/// Writes the poses, and the joint screws in world axes about the world's origin, 6 numbers (angular,
/// linear) for each velocity: the columns of the spatial Jacobians of the bodies beyond.
void poses_and_screws(Batch& batch, In<double> q, Out<double> T_WB, Out<double> screws,
                      const BatchOptions& options = {});

/// Writes the joint forces.
void inverse_dynamics(Batch& batch, In<double> q, In<double> v, In<double> a, Out<double> tau,
                      const BatchOptions& options = {});
/// Writes the accelerations. Couplings of the tree are kept; q and v must keep them. Degrees of
/// freedom without inertia are taken as locked; the outcome names the first state that has one. a may be
/// the memory of tau.
BatchOutcome forward_dynamics(Batch& batch, In<double> q, In<double> v, In<double> tau,
                              Out<double> a, const BatchOptions& options = {});

/// Numbers a mass matrix takes: its rows along the paths, as in PathMatrix.
std::size_t mass_matrix_size(Batch& batch);
/// Writes the mass matrices, rows along paths: row k of PathMatrix(tree) at its first[k].
void mass_matrix(Batch& batch, In<double> q, Out<double> M, const BatchOptions& options = {});

/// Writes the joint forces and their derivatives: by_q and by_v row by row, nv^2 numbers each, by_a (the
/// mass matrix) rows along paths. As in inverse_derivatives.hpp: along the tangent of q, friction constant,
/// external wrenches held.
void inverse_dynamics_derivatives(Batch& batch, In<double> q, In<double> v, In<double> a,
                                  Out<double> tau, Out<double> by_q, Out<double> by_v,
                                  Out<double> by_a, const BatchOptions& options = {});
/// Writes the accelerations and their derivatives, row by row, nv^2 numbers each, couplings kept as by the
/// Engine; by_tau is the inverse mass matrix. Where the mass matrix is found
/// singular, the derivatives are NaN, the accelerations those of forward_dynamics; the outcome names the first such state.
BatchOutcome forward_dynamics_derivatives(Batch& batch, In<double> q, In<double> v, In<double> tau,
                                          Out<double> a, Out<double> by_q, Out<double> by_v,
                                          Out<double> by_tau, const BatchOptions& options = {});

}  // namespace axode
