/// Contacts of the bodies of a tree with the world or with each other: frames, kinds and Jacobians.
///
///   twist     C_v_{A,L} = J v       of the link L relative to A (the world or another body), in C
///   Jacobian  J = C_J_{A,L}                                          [TraversaroSaccon (81), (82)]
///   power     f^T J v               of the contact wrench f on the link, in the same frame C
///
/// The contact frame C need not be fixed on the link: J is that of the link, only expressed where C
/// is at that instant. For dJ/dt v it does matter how C moves. C is given by a frame F that may have
/// its origin on one body and its axes on another (or the world), and its place T_FC in F, which may
/// move on its own with the twist V_FC:
///
///   a foot on the ground   F = origin_of("sole").axes_of("world") or "sole"
///   a rolling ball         F = origin_of("ball").axes_of("world"), T_FC = translation(0, 0, -radius)
///
/// A contact is closed and two-sided: it holds some of the six velocities J v at zero. In C, z is the
/// normal of the surfaces and x lies along the line of a line contact. Wrenches are (torque about the
/// origin of C, force) in N m and N. Cost O(nv).
/// Tests: tests/dynamics/contact/contact_test.cpp
#pragma once
#include <string_view>

#include "axode/kinematics/frames/frame_kinematics.hpp"

namespace axode {

/// Which velocities of the link relative to the other body are held at zero, by components in C; the
/// same of the wrench may then be different from zero.
struct Directions {
  bool wx = false, wy = false, wz = false, vx = false, vy = false, vz = false;
  constexpr bool operator[](int i) const noexcept {
    return i == 0 ? wx : i == 1 ? wy : i == 2 ? wz : i == 3 ? vx : i == 4 ? vy : vz;
  }
  constexpr int count() const noexcept { return wx + wy + wz + vx + vy + vz; }
  friend constexpr bool operator==(const Directions&, const Directions&) = default;
};
// With friction that holds: a point (as a ball joint), an edge that can only tilt (as a hinge about
// x), a face that cannot move at all.
inline constexpr Directions point_contact{.vx = true, .vy = true, .vz = true};
inline constexpr Directions line_contact{
    .wy = true, .wz = true, .vx = true, .vy = true, .vz = true};
inline constexpr Directions full_contact{
    .wx = true, .wy = true, .wz = true, .vx = true, .vy = true, .vz = true};
// Without friction: a point, an edge and a face that slide on a plane.
inline constexpr Directions sliding_point{.vz = true};
inline constexpr Directions sliding_line{.wy = true, .vz = true};
inline constexpr Directions plane_contact{.wx = true, .wy = true, .vz = true};

struct Contact {
  int link = -1;      ///< body the wrench acts on
  int against = -1;   ///< body it comes from, where the opposite acts; -1: the world
  FrameChoice frame;  ///< F
  Directions directions = full_contact;
  SE3<double> T_FC{};   ///< the contact frame in F
  Vec6<double> V_FC{};  ///< its twist relative to F, in C [rad/s, m/s]
};
/// A contact by names. The link is the body that carries the origin of the frame, if no other is
/// said.
struct ContactQuery {
  FrameName at = {};
  Directions directions = full_contact;
  std::string_view link = {};
  std::string_view against = world_name;
};
/// Looks the names up. Throws Error on unknown ones, a contact of the world or of a body with itself,
/// and one that holds nothing.
Contact contact(const Tree& tree, const ContactQuery& query);
/// Throws Error if the numbers of bodies are not those of the tree, on a contact of a body with
/// itself, on numbers that are not finite and on poses whose matrix is no rotation.
void check_contact(const Tree& tree, const Contact& contact);

// None of the following allocates. `motion` holds the body twists at the velocity v.

/// T_WC.
template <class S>
SE3<S> contact_pose(const Poses<S>& poses, const Contact& contact) noexcept;
/// Writes the nv columns of J, all six rows whatever the directions are.
template <class S>
void contact_jacobian(const Tree& tree, const Poses<S>& poses, const Contact& contact,
                      Out<Vec6<S>> columns) noexcept;
/// J v, O(1).
template <class S>
Vec6<S> contact_twist(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                      const Contact& contact) noexcept;
/// dJ/dt v: d/dt(J v) at dv/dt = 0.
template <class S>
Vec6<S> contact_bias(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                     In<S> v, const Contact& contact) noexcept;
/// Adds the contact wrench, given in C, to the wrench on the link, and the opposite to that on the
/// other body, as inverse_dynamics takes them.
template <class S>
void add_contact_wrench(const Poses<S>& poses, const Contact& contact, const Vec6<S>& wrench,
                        Out<Wrench<Rep::body, S>> external) noexcept;

/// How far the contact frame is from where it ought to be, `target` on the other body: displacement
/// and rotation in the axes of C, whose rates are J v where they are small. About a single rotation
/// that is free the frames may be turned at will. For positions that have drifted apart.
template <class S>
Vec6<S> contact_error(const Poses<S>& poses, const Contact& contact,
                      const FrameChoice& target) noexcept;

}  // namespace axode
