/// A tree of rigid bodies: constant data, made by TreeBuilder or a file reader.
///
/// Body i hangs on body parent(i) < i, or on the world (-1), by its joint i; bodies are numbered in
/// the order of declaration, but parents before children. Coordinates q and velocities v of all
/// joints stand one after the other in that order. What evaluation reads is in `links` and `screws`,
/// compact; the rest is for people, files and the viewer. Do not change a tree once it is built.
/// Tests: tests/model/tree_test.cpp
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "axode/model/description.hpp"

namespace axode {

/// How a joint's coordinates make its displacement D, T_PB = B D.
enum class JointMap : std::uint8_t {
  fixed,        ///< D = 1
  translation,  ///< exp(X q) of a screw of infinite pitch
  screw,        ///< exp(X q) of a screw of finite pitch
  product,      ///< second kind, two or more screws
  exponential,  ///< first kind, two or more screws
  quaternion,   ///< spherical joint
  free          ///< free joint with quaternion
};

/// What evaluation needs of a body and its joint.
struct Link {
  int parent = -1;   ///< -1: the world
  int q = 0, v = 0;  ///< first coordinate, first velocity
  std::uint8_t nq = 0, nv = 0;
  JointMap map = JointMap::fixed;
  Rep velocity = Rep::body;  ///< of a free joint
  SE3<double> B{};           ///< T_PB at q = 0
};

/// What people and algorithms outside the recursions need of a body and its joint.
struct Body {
  std::string name;
  Inertia<double> inertia;    ///< in the body frame
  bool inertia_given = true;  ///< false: nobody gave one, it is taken as zero
  std::string joint_name;
  JointType joint_type = JointType::fixed;
  Coordinates coordinates = Coordinates::second_kind;
  GeometryForm form = GeometryForm::zero_reference;  ///< in which the geometry was given
  SE3<double> T_BJ{};                                ///< joint frame on the body, S_body
  std::vector<Shape> shapes;
};

struct NamedFrame {
  std::string name;
  int body = -1;  ///< -1: the world
  SE3<double> T_BF{};
};

/// Joint `follower` has q = ratio * q_leader + offset; the leader itself follows none.
struct Coupling {
  int follower = 0, leader = 0;  ///< bodies (= joints)
  double ratio = 1, offset = 0;
  std::string named_leader;  ///< the joint the user named, itself a follower in a chain
  double named_ratio = 1, named_offset = 0;
};

namespace detail {
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const noexcept {
    return std::hash<std::string_view>{}(s);
  }
};
using NameIndex = std::unordered_map<std::string, int, NameHash, std::equal_to<>>;
/// What to say about a name that is in none of the tables: the most similar one, if any is.
std::string remedy_for_name(std::string_view name, std::initializer_list<const NameIndex*> tables);
}  // namespace detail

struct Tree {
  std::string name, source;
  Vec3<double> gravity{0, 0, -9.81};  ///< free-fall acceleration in the world [m/s^2]
  std::vector<Link> links;            ///< by body
  std::vector<Vec6<double>> screws;   ///< by velocity: joint screws X in the body frame
  std::vector<Body> bodies;           ///< by body
  std::vector<Dof> dofs;              ///< by velocity
  std::vector<NamedFrame> frames;     ///< the bodies' own frames are not listed
  std::vector<Coupling> couplings;    ///< by follower
  std::vector<Warning> warnings;
  int nq = 0, nv = 0;  ///< number of coordinates and of velocities
  detail::NameIndex body_names, joint_names, frame_names;
  std::optional<std::uint32_t>
      source_crc32;  ///< of the file `source` as it was read, if it was one

  int size() const noexcept { return static_cast<int>(links.size()); }
};

/// The number of a body, of the body a joint carries, of a named frame. Throws Error on an unknown
/// name, proposing the most similar one.
int body_index(const Tree& tree, std::string_view name);
int joint_index(const Tree& tree, std::string_view name);
int frame_index(const Tree& tree, std::string_view name);

/// Children of each body: those of body i are children[first[i + 1]] .. (first[i + 2] excluded),
/// i = -1 for the world.
struct Children {
  std::vector<int> first, children;
};
Children children(const Tree& tree);

}  // namespace axode
