/// What formulations have in common when they write their equations: joints, mixed coordinates,
/// couplings, drivers and loads, in terms of nodes that each formulation places in its own way.
///
/// A joint equation between nodes that are one and the same (shared by natural coordinates) is not
/// written: sharing replaces it [GarciaBayo 2.1.3, 2.2.3].
/// Tests: tests/mechanism/detail/equation_maker_test.cpp
#pragma once
#include <functional>
#include <map>
#include <tuple>

#include "axode/mechanism/equations/equations.hpp"

namespace axode {

struct EquationMaker {
  MechanismEquations eq;
  /// Where bodies stand at the start; planar angles are counted from there. May be empty.
  std::vector<SE3<double>> start{};
  /// What equations are being made for: names nodes that have no name of their own.
  std::string naming{};
  /// Nodes fixed in bodies, by body, kind and place.
  std::map<std::tuple<int, bool, double, double, double>, int> known{};
  /// The node of a point or direction of a body, in the body frame; may make a new one.
  std::function<int(int body, const Vec3<double>& local, bool is_point)> node;
  /// The scalar that a coordinate of the mechanism is without any equation (a joint coordinate of
  /// the tree, a difference of planar angles), or -1: it is then added as mixed coordinate.
  std::function<int(int coordinate)> own_scalar;
  /// Planar: the scalar that is the angle of body j against body i, or -1; may be empty.
  std::function<int(int i, int j)> planar_angle{};
};

// Coordinates and nodes.

/// n more real coordinates with these names; returns the first (number and velocity).
struct NewCoordinates {
  int x = 0, v = 0;
};
NewCoordinates add_coordinates(MechanismEquations& eq, const std::vector<std::string>& names);
/// A node that is a constant.
int fixed_node(MechanismEquations& eq, const Vec3<double>& at, bool is_point, std::string name);

/// The scalar of a coordinate of the mechanism: the formulation's own, or a mixed coordinate, added
/// with its definition at the first call [GarciaBayo 2.1.4, 2.2.4, Ex. 2.9, (2.61)-(2.65)].
int scalar_of(EquationMaker& maker, int coordinate);
/// The same, but always as coordinate of its own, as the user asked for it.
int mixed_coordinate(EquationMaker& maker, int coordinate);
/// The equation that makes a scalar the coordinate.
void add_coordinate_definition(EquationMaker& maker, const Equation& origin, int coordinate,
                               int scalar);

// Equations.

/// Appends A - B = 0, componentwise (two in the plane); nothing if the nodes are the same.
void add_coincidence(EquationMaker& maker, const Equation& origin, int a, int b);
/// Appends the two independent rows of A x B = 0 (in the plane one), chosen by the components of A.
void add_parallel(EquationMaker& maker, const Equation& origin, const Arrow& a, const Arrow& b,
                  const std::string& text);
/// Appends A . B - value = 0.
void add_dot(EquationMaker& maker, const Equation& origin, const Arrow& a, const Arrow& b,
             double value, const std::string& text);
/// All equations of a joint; all of the couplings, drivers and loads.
void add_joint_equations(EquationMaker& maker, int joint);
void add_couplings(EquationMaker& maker);
void add_drivers(EquationMaker& maker);
void add_loads(EquationMaker& maker);

namespace detail {
/// Planar coordinates that are angles between two bodies, as differences that maker.planar_angle
/// knows; -1 for all others.
int planar_own_scalar(EquationMaker& maker, int coordinate);
/// What to call a point or direction of a body: by its own name, or by what it is made for.
std::string node_name(const EquationMaker& maker, int body, const Vec3<double>& local,
                      bool is_point);
/// The node fixed in a body, a constant on the world; made at the first call.
int on_body_node(EquationMaker& maker, int body, const Vec3<double>& local, bool is_point);
}  // namespace detail

}  // namespace axode
