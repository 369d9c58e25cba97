/// Kinematics of single frames by the engine: only the bodies on the paths to them are evaluated,
/// O(depth) instead of O(bodies).
///
///   Engine engine(tree);
///   const FrameRoles tool{.of = frame(tree, "tool")};
///   Vec6<double> V = twist(engine, q, v, tool);
///
/// The same results as the functions of kinematics/ of these names, up to rounding. Twists and
/// accelerations are carried outwards in world axes, at the origin p of each body:
///
///   w_B = w_P + R S_w v                                            [MuellerKin (42)]
///   p'_B = p'_P + w_P x (p_B - p_P) + R S_v v
///   and their time derivatives                                     [MuellerDyn (72)]
///
/// Functions check neither lengths nor finiteness; they allocate on first use only. Units: rad, m, s.
/// Tests: tests/engine/frames_test.cpp
#pragma once
#include "axode/engine/engine.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// Pose of a frame in the world, or in another frame.
SE3<double> transform(Engine& engine, In<double> q, const FrameChoice& of,
                      const FrameChoice& relative_to = {});
/// Twist of a frame relative to another, expressed in a third, angular part first [rad/s, m/s].
Vec6<double> twist(Engine& engine, In<double> q, In<double> v, const FrameRoles& frames);
/// Acceleration of a frame relative to another, angular part first [rad/s^2, m/s^2].
Vec6<double> acceleration(Engine& engine, In<double> q, In<double> v, In<double> a,
                          const FrameRoles& frames,
                          AccelerationKind kind = AccelerationKind::apparent);
/// Writes the nv columns of the Jacobian of a frame on a body; all zero for a frame on the world.
template <Rep rep>
void jacobian(Engine& engine, In<double> q, const Frame& frame, Out<Twist<rep>> columns);
/// Writes the nv columns of the Jacobian between any frames, as frame_kinematics.hpp defines it.
void jacobian(Engine& engine, In<double> q, const FrameRoles& frames, Out<Vec6<double>> columns);
/// Writes the nv columns of dJ/dt along the velocity v, of a frame on a body (jacobian.hpp). All bodies
/// are evaluated, as by the next.
template <Rep rep>
void jacobian_rate(Engine& engine, In<double> q, In<double> v, const Frame& frame,
                   Out<Acceleration<rep>> columns);
/// dJ/dt times the velocity of the Jacobian between any frames.
Vec6<double> jacobian_rate_times_velocity(Engine& engine, In<double> q, In<double> v,
                                          const FrameRoles& frames);

}  // namespace axode
