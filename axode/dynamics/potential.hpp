/// Forces that have a potential: gravity, springs on joints, springs between points.
///
///   gravity       U = -sum m_i g . r_i                g(q)_k = -J_k^T (h x g, m g)
///                 with mass m and first moment h of all that joint k carries (composite.hpp)
///   joint spring  U = 1/2 stiffness (q - rest)^2      force -stiffness (q - rest)
///   line spring   U = 1/2 stiffness (|d| - length)^2  force stiffness (1 - length / |d|) d
///                 d from the origin of frame a to that of frame b; the force acts on a, its
///                 opposite on b
///
/// In the equations of motion, M a + c + g(q) = tau + spring forces. O(n) for gravity, O(depth) a
/// line spring. Units: J, N m, N; stiffness N m/rad or N/m.
/// Tests: tests/dynamics/potential_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/detail/composite.hpp"
#include "axode/model/frames.hpp"

namespace axode {

/// On one degree of freedom of the joint of a body, which must have a coordinate of its own: not in joints
/// with a quaternion.
struct JointSpring {
  int body = 0, dof = 0;
  double stiffness = 0;  ///< [N m/rad, N/m]
  double rest = 0;       ///< coordinate at which it has no force [rad, m]
};
/// Between the origins of two frames, which may be on the world. At |d| = 0 a spring with a length
/// has no direction, and is given no force.
struct LineSpring {
  Frame a = {}, b = {};
  double stiffness = 0;  ///< [N/m]
  double length = 0;     ///< without force [m]
};
struct Springs {
  std::vector<JointSpring> joints = {};
  std::vector<LineSpring> lines = {};
};
/// Throws Error on bodies and degrees of freedom that do not exist, joints without such coordinates, negative
/// stiffness or length, and numbers that are not finite.
void check_springs(const Tree& tree, const Springs& springs);

/// Potential energy of gravity, zero at the world's origin.
template <class S>
S potential_energy(const Tree& tree, const Poses<S>& poses) noexcept;
/// Writes the forces g(q) that the joints must bear. `composite` holds screws and inertias. None of
/// these allocates.
template <class S>
void gravity_forces(const Tree& tree, const Composite<S>& composite, Out<S> forces) noexcept;

/// Potential energy of the springs.
template <class S>
S potential_energy(const Tree& tree, const Poses<S>& poses, const Springs& springs) noexcept;
/// Adds the forces of the springs along the degrees of freedom.
template <class S>
void add_spring_forces(const Tree& tree, const Poses<S>& poses, const Springs& springs,
                       Out<S> forces) noexcept;

}  // namespace axode
