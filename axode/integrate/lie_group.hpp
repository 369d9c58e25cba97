/// The state space of an integrator: a product of real numbers, rotations and rigid displacements.
///
///   plus(x, d) = x exp(d)   (velocity in the body)    or   exp(d) x   (velocity in space)
///
/// With x(t) = plus(x0, Theta(t)) the velocity is V = dexp_{-Theta} Theta' for right factors and
/// dexp_Theta Theta' for left ones [MuellerDyn (88)-(89), the increments as in docs/errata.md].
/// Six-vectors are angular first. Cost: a real number is one addition; a rotation about 30 ns.
/// Tests: tests/integrate/lie_group_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace axode {

/// A product of factors, in the order in which they were added. The layouts are those of the joints
/// of a Tree: so3 a spherical joint, se3 a free joint with body velocity, se3_left with spatial
/// velocity, so3_left x real(3) with hybrid velocity.
struct LieGroup {
  enum class Kind : std::uint8_t {
    real,      ///< numbers that may be added
    so3,       ///< quaternion w, x, y, z; angular velocity in the body's axes: x exp(d)
    so3_left,  ///< quaternion; angular velocity in the axes of the world: exp(d) x
    se3,       ///< quaternion, position; body twist: x exp(d)
    se3_left,  ///< quaternion, position; spatial twist: exp(d) x
  };
  /// `x`, `v`: the first number of the state and of the velocity; `count`: numbers of a real
  /// factor, else 1.
  struct Factor {
    Kind kind;
    int x, v, count;
  };
  std::vector<Factor> factors;
  int nx = 0, nv = 0;  ///< numbers of a state, of a velocity

  /// n more numbers; they join a real factor that stands last.
  LieGroup& real(int n);
  LieGroup& so3();
  LieGroup& so3_left();
  LieGroup& se3();
  LieGroup& se3_left();
  /// All factors of another group.
  LieGroup& times(const LieGroup& other);
};

/// Whether states may simply be added: no rotations.
bool is_real(const LieGroup& group) noexcept;

/// Throws Error if x has the wrong length, a number that is not finite or a quaternion whose length differs
/// from 1 by more than 1e-6. `what` names the argument.
void check_state(const LieGroup& group, std::span<const double> x, const char* what);

/// x moved for unit time with the constant velocity d; quaternions come out with unit length.
/// `result` may be x.
void plus(const LieGroup& group, std::span<const double> x, std::span<const double> d,
          std::span<double> result) noexcept;
/// The velocity d with plus(from, d) = to; rotations take the shorter way.
void difference(const LieGroup& group, std::span<const double> from, std::span<const double> to,
                std::span<double> d) noexcept;
/// The rate of theta(t) with which plus(x, theta(t)) moves with velocity v; rotations in theta
/// below 2 pi. `rate` may be v.
void inverse_dexp(const LieGroup& group, std::span<const double> theta, std::span<const double> v,
                  std::span<double> rate) noexcept;

// Momenta: elements of the dual space of velocities, with dot(p, v) as pairing.

/// The momentum that has on rates of theta the power p has on the velocity of plus(x, theta(t)):
/// dexp_{-theta}^T p for right factors, dexp_theta^T p for left ones. `result` may be p.
void dexp_transpose(const LieGroup& group, std::span<const double> theta, std::span<const double> p,
                    std::span<double> result) noexcept;
/// The momentum p at x as seen at plus(x, d), the same in the frame that d does not move:
/// Ad_{exp(d)}^T p for right factors, Ad_{exp(-d)}^T p for left ones. `result` may be p.
void coadjoint(const LieGroup& group, std::span<const double> d, std::span<const double> p,
               std::span<double> result) noexcept;

}  // namespace axode
