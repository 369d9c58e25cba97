/// The tree as the fast algorithms see it: in frames of their own, whatever frames the user chose.
///
/// Each moving body gets an engine frame E. A joint of one screw has it on its axis, z along the
/// axis, x along the common normal to the axis of one of its children, so that the joint is
///
///   T_PE = K Rz(q + angle) Tz(slide q),   K = Rx(alpha), p constant     for that child
///
/// (K a full rotation for other children): the joint screw is a unit vector, and a vector changes
/// frames by two planar rotations. Bodies on fixed joints are merged with those they are fixed on.
/// Bodies stand depth-first, constants of one body in one block, padded for vector registers. The
/// efficiency for which [MuellerDyn sec. 4] asks the user to place frames so comes without asking.
/// Coordinates and velocities keep their meaning; poses and wrenches of the user's bodies are found
/// by the constant `T_EB`.
/// Tests: tests/engine/detail/tree/engine_tree_test.cpp
#pragma once
#include <cstdint>
#include <vector>

#include "axode/model/tree.hpp"

namespace axode {

/// What the engine knows of a joint, by cost.
enum class EngineJoint : std::uint8_t {
  revolute,  ///< about z
  sliding,   ///< along z, turning about it or not
  ball,      ///< quaternion; velocity in the axes of E
  free,      ///< quaternion and position; velocity the twist in E
  moving     ///< any other: pose and screws are computed by joint_map.hpp first
};

/// A moving body and its joint: what all algorithms in world axes and those for packs need, compact,
/// since of long chains this comes from far memory.
struct alignas(64) EngineBody {
  double column[3][3]{};   ///< K by columns
  double position[3]{};    ///< of E in the parent's frame [m], at q = 0
  double moment[3]{};      ///< mass times centre of mass [kg m]
  double inertia[3][3]{};  ///< about the origin of E [kg m^2]
  double mass = 0;
  double turn = 0;   ///< rotation about z per q: 1 or 0
  double slide = 0;  ///< displacement along z per q
  int parent = -1;
  int q = 0, v = 0;  ///< first coordinate, first velocity: those of the tree
  int body = 0;      ///< of the tree
  int depth = 0;     ///< velocities before the first of this joint on its path
  int general = -1;  ///< which of the joints that are neither revolute nor sliding, else -1
  EngineJoint joint = EngineJoint::revolute;
  std::uint8_t nv = 1;
  bool planar = false;    ///< K turns about x only
  bool straight = false;  ///< K = 1
  bool branches = false;  ///< carries another body than the next one
};
static_assert(sizeof(EngineBody) == 256);

/// The same for recursions of one state in the bodies' frames: vectors to be loaded as they are, three
/// numbers and a zero, or x y z x y z 0 0.
struct alignas(32) EngineForm {
  double column[3][4]{};   ///< K by columns
  double row[3][4]{};      ///< K by rows
  double turned[3][4]{};   ///< rows of K with x, y exchanged, z zero
  double inertia[3][4]{};  ///< about the origin of E, by columns
  double position[8]{};
  double moment[8]{};
};

/// The inertia of a body about its centre of mass, in E: middle 1 + more more^T - less less^T, by
/// the principal axes of the largest and the smallest moment, as long as the square roots of what
/// these differ by from the middle one: quicker to turn than a matrix.
struct EngineCentre {
  double middle = 0;
  double more[3]{}, less[3]{};
  double centre[3]{};  ///< [m]
};

/// The angles of the joints, q turn + angle: each apart, to be loaded into registers as they are.
struct EngineAngles {
  std::vector<double> turn, angle;
  std::vector<int> q;
};

/// Where a body of the tree is: fixed on an engine body, or on the world (-1).
struct EnginePlace {
  int engine_body = -1;
  double T_EB[12]{};  ///< axes x, y, z and origin of the body's own frame in E
};

/// The pose of a body of the tree in its parent's frame, in the user's frames, twelve numbers as in
/// T_EB: fixed + by_cos cos + by_sin sin, by the angle of an engine body. All that poses need.
struct alignas(32) EngineStep {
  double fixed[12]{};   ///< for a general joint T_EB
  double by_cos[12]{};  ///< for a general joint the pose of the frame that E moves in
  double by_sin[12]{};
  double by_q[3]{};  ///< displacement per q
  int parent = -1;   ///< of the tree
  int turn = -1;     ///< the engine body, if it turns with it
  int general = -1;  ///< as in EngineBody
  int q = 0, v = 0;
  std::uint8_t nv = 0;
  bool slides = false;
  bool moving = false;   ///< joint screws depend on q
  bool centred = false;  ///< joint screws are axes through the body's origin
};

struct EngineTree {
  EngineTree() = default;
  explicit EngineTree(const Tree& tree);

  std::vector<EngineBody> bodies;     ///< depth-first
  std::vector<EngineForm> forms;      ///< by engine body, once add_forms has made them
  std::vector<EngineCentre> centres;  ///< by engine body
  EngineAngles angles;                ///< by engine body, and some more zeros
  std::vector<EnginePlace> places;    ///< by body of the tree
  std::vector<EngineStep> steps;      ///< by body of the tree
  /// By velocity: how large the numbers are that sum up to its entry on the diagonal of the mass
  /// matrix, about the origin of the first body, if all is stretched and sliding joints stand at zero.
  std::vector<double> scale;
  Vec3<double> gravity{};
  int nq = 0, nv = 0;
  int path = 0;             ///< the most velocities on a path
  int generals = 0;         ///< joints neither revolute nor sliding
  bool has_moving = false;  ///< joints whose screws depend on q
};

/// Makes `forms`, if they are not there.
void add_forms(EngineTree& tree);

}  // namespace axode
