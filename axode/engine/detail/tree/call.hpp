/// What the compiled algorithms are given: plain pointers, so that code for wide registers holds no
/// functions of plain types that a linker could take for others.
/// Tests: tests/engine/detail/tree/call_test.cpp
#pragma once
#include "axode/engine/detail/tree/coupled_groups.hpp"

namespace axode::engine {

/// A joint that is neither revolute nor sliding, at its coordinates.
template <class S>
struct alignas(alignof(S) > 32 ? alignof(S) : 32) General {
  S column[3][4];  ///< axes of E in the parent's frame
  S position[4];   ///< of E in the parent's frame
  S screw[6][8];   ///< moving screws in E, angular and linear part
  S bias[8];       ///< what their motion adds to the acceleration
};

/// As EngineAngles.
struct Angles {
  const double *turn = nullptr, *angle = nullptr;
  const int* q = nullptr;
};
inline Angles angles_of(const EngineAngles& a) noexcept {
  return {a.turn.data(), a.angle.data(), a.q.data()};
}

/// One evaluation: constants, arguments and memory. Numbers S are doubles or packs.
template <class S>
struct Call {
  /// Member by member: as a constant expression g++ clears it by a string instruction, which takes
  /// longer than a joint.
  Call() noexcept {}  // NOLINT(modernize-use-equals-default)

  const EngineBody* bodies = nullptr;
  const EngineForm* forms = nullptr;  ///< for one state only
  const EngineCentre* centres = nullptr;
  Angles angles;
  int n = 0, nv = 0;
  int path = 0;  ///< the most velocities on a path
  const S* q = nullptr;
  const S* v = nullptr;
  const S* a = nullptr;  ///< accelerations, or joint forces
  const S* cosine = nullptr;
  const S* sine = nullptr;  ///< by body, of q + angle
  const General<S>* generals = nullptr;
  const S* external = nullptr;       ///< by body: torque and force on it in E, each with a zero
  const double* armature = nullptr;  ///< by velocity, or none
  const double* scale = nullptr;     ///< by velocity: numbers that M(k, k) is the sum of
  double world[4]{};                 ///< acceleration of the world that stands for gravity
  void* scratch = nullptr;
  const GroupView* coupled = nullptr;  ///< groups of coupled joints, for forward dynamics, or none
  void* group_memory = nullptr;
};

/// The bodies of the tree.
struct EngineSteps {
  const EngineStep* of = nullptr;
  int count = 0;
  const double* screws = nullptr;  ///< by velocity: six numbers, in the body's frame
};

/// A matrix along paths (path_matrix.hpp) that is written.
template <class S>
struct Rows {
  S* values = nullptr;
  const std::size_t* first = nullptr;  ///< by velocity: where its row starts
  S* scale = nullptr;                  ///< by velocity: size of the numbers the diagonal stems from
};

}  // namespace axode::engine
