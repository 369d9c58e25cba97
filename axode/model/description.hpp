/// A tree as a user or a file describes it: plain data, unchecked. `build` (builder.hpp) checks it
/// and makes the Tree.
///
/// Items may carry the line of the file they came from; errors and warnings then name file and line.
/// Tests: tests/model/description_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axode/model/geometry.hpp"
#include "axode/model/joint.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// The name of the inertial frame, in all places where a body or frame is named.
inline constexpr const char* world_name = "world";

/// Geometry of a body for drawing or collision; kept, not used by kinematics and dynamics.
struct Shape {
  enum class Kind { box, cylinder, sphere, capsule, mesh };
  Kind kind = Kind::box;
  bool collision = false;  ///< else visual
  std::string name{};
  SE3<double> pose{};  ///< T_BS in the body frame
  /// box: the three sides; cylinder and capsule: radius and length along z; sphere: radius [m].
  Vec3<double> size{};
  std::string mesh{};           ///< file as written, such as "package://arm/link1.stl"
  std::string mesh_path{};      ///< where that file was found; empty if it was not
  Vec3<double> scale{1, 1, 1};  ///< of the mesh
  std::string material{};       ///< name, may be empty
  std::optional<std::array<double, 4>> rgba{};
  std::string texture{};
};

struct BodyDescription {
  std::string name{};
  Inertia<double> inertia{};  ///< in the body frame
  bool inertia_given = true;  ///< false: the file had none, which leaves a warning
  std::vector<Shape> shapes{};
  int line = 0;
};

/// A joint coordinate that follows another: q = ratio * q_leader + offset.
struct Mimic {
  std::string leader{};  ///< name of a joint of one degree of freedom
  double ratio = 1;
  double offset = 0;
};

struct JointDescription {
  std::string name{};
  std::string parent = world_name;  ///< body, or world
  std::string child{};              ///< body
  Joint joint{};
  Placement placement{};
  std::vector<Dof> dofs{};  ///< one per degree of freedom, or empty for the default
  std::optional<Mimic> mimic{};
  int line = 0;
};

struct FrameDescription {
  std::string name{};
  std::string on = world_name;  ///< body, or world
  SE3<double> at{};             ///< T_BF on that body
  int line = 0;
};

/// A remark on a model that loads all the same.
struct Warning {
  std::string text{};       ///< with file and line if there is one, and the name
  bool impossible = false;  ///< no physical body or mechanism is like this
};

struct TreeDescription {
  std::string name{};
  std::string source{};               ///< file name for messages, may be empty
  Vec3<double> gravity{0, 0, -9.81};  ///< free-fall acceleration in the world [m/s^2]
  std::vector<BodyDescription> bodies{};
  std::vector<JointDescription> joints{};
  std::vector<FrameDescription> frames{};
  std::vector<Warning> warnings{};  ///< of the reader; build adds its own
  /// CRC-32 of the file as it was read; none where the description is not of a file.
  std::optional<std::uint32_t> source_crc32{};
};

}  // namespace axode
