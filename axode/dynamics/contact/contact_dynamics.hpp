/// Accelerations and contact wrenches of a tree with closed rigid contacts.
///
///   M a + c = tau + J^T f,        J a + dJ/dt v = desired - velocity_gain J v
///
/// for a set of contacts on the world or between bodies (loops), each holding some directions
/// (contact.hpp), by the Delassus matrix J M^-1 J^T (delassus.hpp). c holds gravity, Coriolis forces,
/// losses and external wrenches. Contacts are two-sided: they pull as well as push; whether a wrench
/// is one a surface can exert is for the caller to see.
///
/// If the directions held depend on each other, motion and J^T f are still unique; of the wrenches
/// the shortest is given and the result says so. If no motion satisfies all of them, as near as
/// possible is the motion of least |J a + dJ/dt v - desired|, and the residual tells.
/// Couplings of joints are kept: forces C^T l of the couplings, which do no work, join J^T f, and
/// motion is sought only among that which keeps them (coupled_mass.hpp). They are not counted among
/// the directions held. The tree's mass matrix must be regular without contacts and couplings.
/// Velocities are the tree's own; moving_base.hpp changes them to others. Units: rad/s^2 and m/s^2,
/// N m and N. Cost O(sum of depth^2 + m depth^2 + m^2 d) for m directions held and d velocities on
/// their paths, and what coupled_mass.hpp says for couplings.
/// Tests: tests/dynamics/contact/contact_dynamics_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/contact/detail/delassus.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

/// Scratch. Make one per tree and thread for the largest number of contacts, then reuse it.
struct ContactWork {
  ContactWork(const Tree& tree, int max_contacts);
  Delassus delassus;  ///< of the last call
  Composite<double> composite;
  PathMatrix<double> factors;
  InverseDynamics<Rep::body> recursion;
  std::vector<double> force, zero;                      ///< by velocity
  std::vector<double> wanted, velocities, multipliers;  ///< by direction held
};

/// What was found beside the numbers asked for.
struct [[nodiscard]] ContactSolution {
  int constraints = 0;     ///< directions held by contacts
  int rank = 0;            ///< how many of them are independent, of each other and of couplings
  bool redundant = false;  ///< rank < constraints: other wrenches would do as well
  /// The residual is no more than rounding, or what rank_tolerance allows beside the magnitudes of
  /// the terms it is a sum of.
  bool consistent = false;
  /// Root of the sum of squares of what is left of the conditions, over all directions held
  /// [rad/s^2 and m/s^2, for impulses rad/s and m/s].
  double residual = 0;
  /// The velocity at which the mass matrix is not positive definite: nothing else is valid then. -1
  /// if there is none.
  int singular_velocity = -1;
};

struct ContactInputs {
  In<Wrench<Rep::body>> body_wrenches = {};  ///< one for each body, acting on it, or none
  /// By contact: what the derivative of its twist J v shall be, in its frame, or none. To hold
  /// positions, too: - position_gain contact_error(...).
  In<Vec6<double>> desired = {};
  double velocity_gain = 0;  ///< [1/s]: velocities J v that ought to be zero decay
  Effects effects = {};
  double rank_tolerance = 1e-7;  ///< see delassus
};

/// Writes the accelerations a = dv/dt at the velocity v under the joint forces tau, and the wrench of
/// each contact on its link, in the contact's frame. Throws Error if there are more contacts than the
/// work was made for. Does not allocate.
ContactSolution contact_dynamics(const Tree& tree, const Poses<double>& poses, In<double> v,
                                 In<double> tau, std::span<const Contact> contacts,
                                 ContactWork& work, Out<double> a, Out<Vec6<double>> wrenches,
                                 const ContactInputs& inputs = {});

struct ContactDynamics {
  ContactSolution solution;
  std::vector<double> a;
  std::vector<Vec6<double>> wrenches;  ///< by contact
};
/// The same from coordinates, checked, as a new object. Throws SingularError if the mass matrix is
/// singular, and Error if numbers are missing or not finite, a frame is no rotation,
/// rank_tolerance is not in [0, 1), or q or v break couplings.
ContactDynamics contact_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                 std::span<const Contact> contacts,
                                 const ContactInputs& inputs = {});

namespace detail {
/// Factorizes the mass matrix. Returns whether it is regular; else says where it is not.
bool factorize_mass_matrix(const Tree& tree, const Poses<double>& poses, const Effects& effects,
                           ContactWork& work, ContactSolution& solution) noexcept;
/// x += M_c^-1 J^T f of the multipliers f.
void add_response(ContactWork& work, Out<double> x) noexcept;
/// The multipliers as six-vectors, by contact.
void write_wrenches(const ContactWork& work, Out<Vec6<double>> wrenches) noexcept;
/// Constraints, rank and residual of the last call; `left` and `squares` are the sums of squares of
/// what is left of the conditions and of the magnitudes of their terms.
void set_outcome(const Delassus& delassus, double left, double squares, double rank_tolerance,
                 ContactSolution& solution) noexcept;
/// Checks velocities, contacts and the tolerance.
void check_contacts(const Tree& tree, In<double> v, std::span<const Contact> contacts,
                    double rank_tolerance, const char* where);
/// Throws Error if a mass matrix was found singular, naming the body.
void check_regular(const Tree& tree, const ContactSolution& solution, const char* where);
}  // namespace detail

}  // namespace axode
