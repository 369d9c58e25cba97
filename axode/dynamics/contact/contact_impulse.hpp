/// Velocities after contacts have closed at once: impulses of a rigid impact.
///
///   M (v+ - v-) = J^T p,        J v+ = - e J v-  along the normal (z) of each contact, 0 in the other
///                               directions it holds
///
/// with the coefficient of restitution e of each contact (Newton's rule), positions unchanged during
/// the impact and all other forces negligible in it. The impulses p are (N m s, N s) in the contact
/// frames; redundant contacts give the shortest, as in contact_dynamics.hpp. The contacts are
/// two-sided: say only those that close.
///
/// Kinetic energy never grows if all e = 0, nor if all directions held have the same 0 <= e <= 1
/// (points that slide): it changes by -(1 - e^2)/2 (J v-)^T (J M^-1 J^T)^+ (J v-). With different e,
/// or e > 0 on contacts that also hold tangential directions, Newton's rule itself can create energy;
/// the result tells the change.
/// Couplings of joints, which v- must keep, are kept, as in contact_dynamics.hpp; cost as there.
/// Tests: tests/dynamics/contact/contact_impulse_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/contact/contact_dynamics.hpp"

namespace axode {

struct [[nodiscard]] ImpulseSolution : ContactSolution {
  double energy_change = 0;  ///< of the kinetic energy [J]
};
struct ImpulseInputs {
  In<double> restitution = {};  ///< e by contact, or none: all zero
  /// Only the armature counts: it takes part in the impact as the bodies do.
  Effects effects = {};
  double rank_tolerance = 1e-7;  ///< see delassus
};

/// Writes the velocities after the impact and the impulse of each contact on its link, in the
/// contact's frame. v_after may be v itself. Throws Error if there are more contacts than the work was
/// made for. Does not allocate.
ImpulseSolution contact_impulse(const Tree& tree, const Poses<double>& poses, In<double> v,
                                std::span<const Contact> contacts, ContactWork& work,
                                Out<double> v_after, Out<Vec6<double>> impulses,
                                const ImpulseInputs& inputs = {});

struct ContactImpulse {
  ImpulseSolution solution;
  std::vector<double> v_after;
  std::vector<Vec6<double>> impulses;  ///< by contact
};
/// The same from coordinates, checked, as a new object. Throws SingularError if the mass matrix is
/// singular, and Error as contact_dynamics does and if a coefficient of restitution is not in
/// [0, 1].
ContactImpulse contact_impulse(const Tree& tree, In<double> q, In<double> v,
                               std::span<const Contact> contacts, const ImpulseInputs& inputs = {});

}  // namespace axode
