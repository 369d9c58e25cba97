/// Checks of the parts of a description, each with a message that names the place and the remedy.
/// Tests: tests/model/checks_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/model/bounds.hpp"
#include "axode/model/description.hpp"

namespace axode::detail {

/// A number for a message, and a name: names in files may be anything.
std::string number(double value);
std::string printable(const std::string& name);

/// Throws Error on empty names, control characters, and the world's name for all but joints.
void check_name(const std::string& name, const char* kind, const std::string& where);
/// The pose, its rotation mended where digits are missing. Throws Error if it is none.
SE3<double> checked(const SE3<double>& T, const std::string& where);
/// Throws Error unless the joint has the screws of its type, unit ones, and fitting coordinates.
void check_joint(const Joint& joint, const std::string& where);
/// Throws Error on limits in the wrong order, negative or infinite properties.
void check_dof(const Dof& dof, const std::string& where);
/// Throws Error on what no measurement can mean; warns of what publishers' rounding makes.
void check_inertia(const BodyDescription& body, const std::string& where,
                   std::vector<Warning>& warnings);
/// Throws Error on sizes that are negative or not finite, and on a pose that is none.
void check_shape(const Shape& shape, const std::string& where);

/// The frame of quaternion coordinates: its axes are the three rotation screws, its origin their
/// common point.
SE3<double> frame_of_rotations(const Vec6<double>* X);

}  // namespace axode::detail
