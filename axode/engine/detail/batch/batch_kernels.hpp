/// What the compiled code for many states is given and offers, a table for each instruction set.
/// Plain pointers, as in engine/detail/tree/call.hpp.
/// Tests: tests/engine/detail/batch/batch_kernels_test.cpp
#pragma once
#include "axode/core/instruction_set.hpp"
#include "axode/dynamics/effects.hpp"
#include "axode/engine/detail/batch/batch_body.hpp"
#include "axode/engine/detail/tree/call.hpp"
#include "axode/engine/detail/tree/reduced_mass.hpp"

namespace axode::batch {

enum class Task {
  poses,
  inverse_dynamics,
  forward_dynamics,
  mass_matrix,
  inverse_dynamics_derivatives,
  forward_dynamics_derivatives
};

/// A matrix along paths.
struct Paths {
  int n = 0;                           ///< rows
  const std::size_t* first = nullptr;  ///< by row: where it starts, one more for the end
  const int* parent = nullptr;         ///< by row: the one before it on its path, or -1
};

/// An evaluation of many states: constants, arguments and results. What a task does not need, or a
/// tree does not have, has no address.
struct Job {
  Task task = Task::poses;
  const Tree* tree = nullptr;
  const EngineBody* bodies = nullptr;
  const EngineCentre* centres = nullptr;
  const BatchBody* batch_bodies = nullptr;
  engine::Angles angles;
  const EnginePlace* places = nullptr;
  const EngineStep* steps = nullptr;
  const double* joint_screws = nullptr;  ///< as in engine/detail/tree/call.hpp
  int n = 0;                             ///< engine bodies
  int user_bodies = 0;                   ///< of the tree
  int nq = 0, nv = 0, path = 0, generals = 0;
  engine::GroupView coupled;  ///< of coupled joints
  bool long_paths = false;    ///< of so many bodies that momenta are not carried along them
  Effects effects{};
  double world[4]{};              ///< acceleration that stands for gravity
  const double* scale = nullptr;  ///< as in engine/detail/tree/call.hpp
  // By velocity.
  const double *armature = nullptr, *damping = nullptr, *friction = nullptr;
  // Of matrices along paths: where the rows start, and the velocity before each.
  const std::size_t* first = nullptr;
  const int* parent = nullptr;
  // Of the independent velocities, if joints are coupled, as in ReducedPattern.
  Paths reduced;
  const engine::ReducedEntry* reduced_entries = nullptr;
  const int* reduced_column = nullptr;
  const double* reduced_ratio = nullptr;
  const int *touching = nullptr,
            *touching_first = nullptr;  ///< as in engine/detail/kernels/kernels.hpp

  std::ptrdiff_t states = 0;
  bool by_number = false;
  const double *q = nullptr, *v = nullptr;
  const double* a = nullptr;         ///< accelerations, or joint forces
  const double* external = nullptr;  ///< by body of the tree: torque and force
  double *T_WB = nullptr, *screws = nullptr;
  double* result = nullptr;  ///< joint forces, or accelerations
  double *by_q = nullptr, *by_v = nullptr;
  double* matrix = nullptr;  ///< M along paths, or M^-1 dense

  // For states with an inertia so small that it may be rounding, one by one, with the memory that run()
  // was given for it. True if a degree of freedom has no inertia.
  /// Writes the nv accelerations of state k to a.
  bool (*accelerations)(const Job&, std::ptrdiff_t k, void* one_state,
                        double* a) noexcept = nullptr;
  /// Writes by_q, by_v and matrix of state k anew.
  bool (*matrices)(const Job&, std::ptrdiff_t k, void* one_state) noexcept = nullptr;
};

/// For packs of `lanes` states. Blocks are runs of so many states, the last one maybe shorter.
struct BatchKernels {
  int lanes;
  int strip_width;  ///< for the lists `touching`
  /// Bytes a thread needs, in memory that may hold anything and in memory that is zero at first and
  /// used for nothing else; both at a multiple of 64.
  std::size_t (*bytes)(const Job&) noexcept;
  std::size_t (*zero_bytes)(const Job&) noexcept;
  /// Evaluates the blocks first .. last - 1. Returns -1, or the first of their states with a degree of freedom
  /// that has no inertia.
  std::ptrdiff_t (*run)(const Job&, std::ptrdiff_t first, std::ptrdiff_t last, void* memory,
                        void* zero_memory, void* one_state) noexcept;
};

/// Those for this CPU.
const BatchKernels& batch_kernels() noexcept;

namespace detail {
template <int lanes>
const BatchKernels& batch_kernels_for() noexcept;
}

}  // namespace axode::batch
