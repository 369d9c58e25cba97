/// Kinematics of a tree in one call: checked arguments, frames by name, results as new objects.
///
///   auto J = jacobian(tree, q, {.of = "tool", .relative_to = "world", .expressed_in = "tool"});
///
/// Each call makes an Engine and evaluates it: the results are the same to the last bit. In loops keep an
/// Engine of your own (frames.hpp, energy.hpp). What the queries mean: frame_kinematics.hpp.
///
/// All functions throw Error on arguments of the wrong length or not finite, naming the joint, and on
/// unknown frames. Units: rad, m, s.
/// Tests: tests/engine/kinematics_calls_test.cpp
#pragma once
#include "axode/engine/frames.hpp"
#include "axode/kinematics/manipulability.hpp"

namespace axode {

SE3<double> transform(const Tree& tree, In<double> q, const PoseQuery& query);
Vec6<double> twist(const Tree& tree, In<double> q, In<double> v, const TwistQuery& query);
Vec6<double> acceleration(const Tree& tree, In<double> q, In<double> v, In<double> a,
                          const AccelerationQuery& query);
/// Throws Error if a base velocity is requested on a tree whose first joint is not free.
Columns jacobian(const Tree& tree, In<double> q, const JacobianQuery& query);
Vec6<double> jacobian_rate_times_velocity(const Tree& tree, In<double> q, In<double> v,
                                          const JacobianQuery& query);
/// Of the frame in the world, in its origin with the axes of the world (hybrid).
Manipulability manipulability(const Tree& tree, In<double> q, const FrameName& frame,
                              const ManipulabilityOptions& options = {});

/// Of the tree, or of a body and all it carries. They throw Error if that has no mass.
Vec3<double> centre_of_mass(const Tree& tree, In<double> q, int body = -1);
Vec3<double> centre_of_mass_velocity(const Tree& tree, In<double> q, In<double> v, int body = -1);
Vec3<double> centre_of_mass_acceleration(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                         int body = -1);
std::vector<Vec3<double>> centre_of_mass_jacobian(const Tree& tree, In<double> q, int body = -1);

}  // namespace axode
