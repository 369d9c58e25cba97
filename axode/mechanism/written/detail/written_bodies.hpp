/// Poses of the bodies of a mechanism as formulas in the coordinates.
///
///   r_P = r_A + R_WB (p_P - p_A)        A: a point of the body whose place is known
///
/// Reference-point coordinates: A is the centre of mass, R_WB by psi, Euler parameters or angles
/// [GarciaBayo (2.4)-(2.9)]. Relative: A is the joint towards the world, R_WB the product of rotations
/// on the way [GarciaBayo 2.1.1, 2.2.1]; in the plane the rotation by the sum of angles.
/// Tests: tests/mechanism/written/detail/written_bodies_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/mechanism/written/detail/symbol_table.hpp"

namespace axode::detail {

struct WrittenBody {
  std::string name{};
  Mat3<Formula> R = Mat3<Formula>::identity();
  Formula angle{};        ///< in the plane
  Vec3<Formula> at{};     ///< place of the point `anchor`
  Vec3<double> anchor{};  ///< in the body frame
  std::string anchor_name = "O";
};

/// By body of the equations; those of natural coordinates stay empty.
std::vector<WrittenBody> written_bodies(const MechanismEquations& equations, SymbolTable& table);

/// A point (named `name`) or a direction of a body in the world.
Vec3<Formula> written_place(const WrittenBody& body, const Vec3<double>& local, bool is_point,
                            const std::string& name, SymbolTable& table);

/// The whole number that x is but for rounding, or x. For sines, cosines and directions.
double snapped(double x) noexcept;
Vec3<Formula> constants(const Vec3<double>& v);
/// The rotation of unit Euler parameters [GarciaBayo (2.4)].
Mat3<Formula> rotation_of(const Formula& e0, const Vec3<Formula>& e);

}  // namespace axode::detail
