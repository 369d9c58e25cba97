/// The constraint equations of a mechanism as data: what every formulation is written in.
///
/// Nodes are points and directions in the world: constants, coordinates themselves (natural), fixed
/// in a body (reference point, relative), or linear combinations of others. Arrows are nodes or
/// differences of two. An equation is a sum of few kinds of terms in arrows and scalars,
///
///   c,  A_k,  A . B,  (A . B)^2,  (A x B)_k,  A x B . C,  |A|,  s,  s^2,  sin s,  cos s,  A_k sin s
///
/// which covers all conditions of rigid bodies, joints and mixed coordinates [GarciaBayo (2.1)-(2.75)]:
/// evaluating, differentiating, counting and printing are written once, for all of them (system.hpp).
/// Tests: tests/mechanism/equations/equations_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axode/integrate/lie_group.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// A point or direction in the world.
struct Node {
  enum class Kind : std::uint8_t { fixed, coordinates, on_body, combination };
  Kind kind = Kind::fixed;
  bool is_point = true;
  int x = -1, v = -1;  ///< coordinates: first number and first velocity
  int size = 3;        ///< coordinates: 2 in the plane
  int body = 0;        ///< on_body; coordinates: a body that has it (every one that shares it may)
  Vec3<double> local{};  ///< fixed: its value; on_body, coordinates: in the body frame
  struct Part {
    int node = 0;
    Mat3<double> factor = Mat3<double>::identity();
  };
  std::vector<Part> parts{};  ///< combination: sum factor node; parts are not combinations
  std::string name{};
};

/// head - tail, or head alone.
struct Arrow {
  int head = -1, tail = -1;
  friend bool operator==(const Arrow&, const Arrow&) = default;
};

/// A number linear in the coordinates: sum factor q_x (+ constant); only of real coordinates.
struct Scalar {
  struct Part {
    int x = 0, v = 0;
    double factor = 1;
  };
  std::vector<Part> parts;
  double constant = 0;
  std::string name;
};

struct Term {
  enum class Kind : std::uint8_t {
    component,       ///< A_axis
    dot,             ///< A . B
    squared_dot,     ///< (A . B)^2
    cross,           ///< (A x B)_axis
    triple,          ///< A x B . C
    scalar,          ///< s
    square,          ///< s^2
    sine,            ///< sin s
    cosine,          ///< cos s
    component_sine,  ///< A_axis sin s
  };
  Kind kind = Kind::component;
  double factor = 1;
  Arrow a{}, b{}, c{};
  int axis = 0;
  int scalar = -1;
};

/// One row: the sum of the terms of the form in use + constant - driver(t) = 0.
struct Equation {
  /// Equivalent ways to write it, each singular somewhere.
  struct Form {
    std::vector<Term> terms;
    double constant = 0;
  };
  /// Which form is used where.
  enum class Choice : std::uint8_t {
    first,      ///< there is one
    component,  ///< one of two rows of A x B = 0: forms are the components x, y, z; the one along
                ///< the largest component of `by` is left out
    angle,      ///< forms 0: with the cosine, 1: with the sine of the angle between `by` and `by2`
  };
  enum class Origin : std::uint8_t { body, joint, coordinate, coupling, driver, normalization };
  std::string name;
  Origin origin = Origin::joint;
  int index = 0;  ///< of the body, joint, coordinate, coupling or driver
  std::vector<Form> forms;
  int form = 0;  ///< in use
  Choice choice = Choice::first;
  int row = 0;  ///< Choice::component: first or second of the two rows
  Arrow by{}, by2{};
  int angle = -1;  ///< Choice::angle: the scalar, if there is one; else the angle between arrows
  int driver = -1;
};

/// How the coordinates place one body.
struct BodyCoordinates {
  enum class Kind : std::uint8_t {
    fixed,
    planar,            ///< x, y, psi
    euler_parameters,  ///< r, p = (e0, e1, e2, e3)
    euler_angles,      ///< r, (psi, theta, phi): Rz Rx Rz, of a frame `seat` in the body
    quasi_velocities,  ///< r, quaternion on SO(3); velocities r', omega in the body's axes
    tree,              ///< by the joint coordinates of a tree
    natural,           ///< by points and vectors: frame [b1 b2 b3] inverse
  };
  Kind kind = Kind::fixed;
  int x = -1, v = -1;
  Vec3<double> reference{};  ///< the reference point in the body frame: the centre of mass
  SO3<double> seat{};        ///< Euler angles: R_WB = Rz Rx Rz seat^T
  double start_angle = 0;    ///< planar: psi is known but for turns, which are counted from here
  int tree_body = -1;
  /// Natural: origin node and its place in the body, and up to three independent arrows b_k (in the
  /// plane one). R_WB = [b1 b2 b3] inverse, inverse = [b1 b2 b3 in the body]^-1; of two, b3 = b1 x b2;
  /// of one (rods), the shortest rotation from base_local, which is b1 in the body.
  int origin = -1;
  Vec3<double> origin_local{};
  std::array<Arrow, 3> base{};
  Vec3<double> base_local{1, 0, 0};
  int base_count = 0;
  Mat3<double> inverse = Mat3<double>::identity();
};

/// A body that may spin about a line through its points, which changes nothing (rod_spin.hpp).
struct IdleSpin {
  int body = 0;
  Vec3<double> line{};  ///< unit vector in the body
  double inertia = 0;   ///< that gives the spin an acceleration: zero; 0: none, as it is no rod
};
/// Constant entries of the mass matrix, by velocities.
struct MassEntry {
  int row = 0, column = 0;
  double value = 0;
};
/// Forces by nodes and scalars, in the order of the mechanism.
struct LoadNodes {
  std::vector<int> weight;                  ///< by body: node of the centre of mass, -1: none
  std::vector<std::array<int, 2>> springs;  ///< nodes of both ends
  std::vector<int> loads;                   ///< node of the point
  std::vector<int> coordinate_forces;       ///< scalar
};

/// Which coordinates.
enum class CoordinateFamily : std::uint8_t { relative, reference_point, natural };
/// How reference-point coordinates of spatial mechanisms say attitudes.
enum class AttitudeForm : std::uint8_t { euler_parameters, euler_angles, quasi_velocities };
std::string_view name(CoordinateFamily family) noexcept;

/// In which coordinates the equations of a mechanism are written.
struct FormulationOptions {
  CoordinateFamily family = CoordinateFamily::natural;
  AttitudeForm attitude = AttitudeForm::euler_parameters;  ///< spatial reference-point coordinates
  /// Coordinates of the mechanism to be added as mixed ones; those that joints, drivers and forces
  /// need are added without being told.
  std::vector<int> mixed{};
  /// Relative: the joints to cut, if not chosen by graph theory.
  std::vector<int> cut{};
  /// Relative: keep the coordinates of cut joints and close the loop as a whole: six equations.
  bool close_whole = false;
  /// Natural, planar: elements of three points by three distances, as in the book, instead of one
  /// distance and linear combinations, which know left from right.
  bool distances_only = false;
  bool with_drivers = true;  ///< false: those of the mechanism without its drivers
  /// Coordinates on which forces will act that are not in the mechanism (MechanismSystem::set_control).
  std::vector<int> controlled{};
};

struct MechanismEquations {
  Mechanism mechanism;
  FormulationOptions how{};  ///< what make_equations was given
  LieGroup
      group;  ///< of the coordinates; all real unless quasi-velocities or spherical tree joints
  std::vector<std::string> coordinate_names;  ///< by number of q
  std::vector<std::string> velocity_names;    ///< by velocity
  std::vector<Node> nodes;
  std::vector<Scalar> scalars;
  std::vector<Equation> equations;
  std::vector<BodyCoordinates> bodies;
  std::vector<MassEntry> mass;       ///< of natural coordinates
  std::vector<bool> mass_by_motion;  ///< by body: inertia acts through its twist
  std::vector<IdleSpin> idle_spins;  ///< that the coordinates know
  LoadNodes loads;
  std::optional<Tree> tree;          ///< relative coordinates
  std::vector<int> tree_joints;      ///< by body of the tree: joint of the mechanism
  std::vector<int> cut_joints;       ///< those not in the tree
  std::vector<int> mixed;            ///< by mechanism coordinate: its scalar, -1: none
  std::vector<std::string> remarks;  ///< decisions a user may want to know

  int rows() const noexcept { return static_cast<int>(equations.size()); }
  int numbers() const noexcept { return group.nx; }
  int velocities() const noexcept { return group.nv; }
};

/// The equation as text, such as "|r_2 - r_1|^2 - 12.25 = 0".
std::string equation_text(const MechanismEquations& equations, int row);

}  // namespace axode
