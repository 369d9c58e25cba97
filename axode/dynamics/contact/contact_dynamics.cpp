#include "axode/dynamics/contact/contact_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/dynamics/errors.hpp"

namespace axode {

namespace {

/// Magnitudes of the twist of a body about the point p.
Magnitudes twist_magnitudes(const Poses<double>& poses, const Motion<Rep::body>& motion, int body,
                            const Vec3<double>& p) noexcept {
  if (body < 0) return {};
  const Twist<Rep::body>& V = motion.twists[body];
  const double angular = norm(V.angular);
  return {angular, norm(V.linear) + angular * norm(poses.T_WB[body].p - p)};
}
Magnitudes operator+(const Magnitudes& a, const Magnitudes& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}

/// The sum of squares, over the directions held, of the magnitudes from which the conditions on J a
/// come: zero motion may come by cancellation of large numbers.
double squared_magnitudes(const Poses<double>& poses, const Contact& contact, int c, In<double> v,
                          In<double> a, const ContactInputs& inputs,
                          const ContactWork& work) noexcept {
  const Vec3<double> p = contact_pose(poses, contact).p;
  const auto twist = [&](int body) {
    return twist_magnitudes(poses, work.recursion.motion, body, p);
  };
  const Magnitudes V =
      magnitudes(work.delassus, work.factors, c, v) + twist(contact.link) + twist(contact.against);
  const Magnitudes frame{norm(contact.V_FC.angular) + twist(contact.frame.axes.body).angular,
                         norm(contact.V_FC.linear) + twist(contact.frame.origin.body).linear};
  const double turning = V.angular + frame.angular;
  const Vec6<double> desired = inputs.desired.empty() ? Vec6<double>{} : inputs.desired[c];
  const double gain = std::abs(inputs.velocity_gain);
  Magnitudes all = magnitudes(work.delassus, work.factors, c, a);
  all.angular += norm(desired.angular) + (gain + turning) * V.angular;
  all.linear +=
      norm(desired.linear) + (gain + turning) * V.linear + (V.linear + frame.linear) * V.angular;
  double sum = 0;
  for (int i = 0; i < 6; ++i)
    if (contact.directions[i]) sum += i < 3 ? all.angular * all.angular : all.linear * all.linear;
  return sum;
}

/// Writes what J a shall be, desired - velocity_gain J v - dJ/dt v.
void write_wanted(const Tree& tree, const Poses<double>& poses, In<double> v,
                  std::span<const Contact> contacts, const ContactInputs& inputs,
                  ContactWork& work) noexcept {
  const Motion<Rep::body>& motion = work.recursion.motion;
  int r = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec6<double> bias = contact_bias<double>(tree, poses, motion, v, contacts[c]);
    const Vec6<double> slip = contact_twist(poses, motion, contacts[c]) * inputs.velocity_gain;
    for (int i = 0; i < 6; ++i) {
      if (!contacts[c].directions[i]) continue;
      const double desired = inputs.desired.empty() ? 0 : inputs.desired[c][i];
      work.wanted[r++] = desired - slip[i] - bias[i];
    }
  }
}

void check_inputs(const Tree& tree, std::span<const Contact> contacts,
                  const ContactInputs& inputs) {
  detail::check_external(tree, inputs.body_wrenches, "contact_dynamics");
  if (!inputs.desired.empty() && inputs.desired.size() != contacts.size())
    throw Error(std::to_string(inputs.desired.size()) + " desired accelerations for " +
                    std::to_string(contacts.size()) + " contacts",
                "contact_dynamics", "give one for each contact, or none at all");
  for (std::size_t c = 0; c < inputs.desired.size(); ++c)
    if (!is_finite(inputs.desired[c]))
      throw Error("the desired acceleration of contact " + std::to_string(c) + " is not finite",
                  "contact_dynamics", "give finite numbers");
  if (!std::isfinite(inputs.velocity_gain))
    throw Error("velocity_gain is not finite", "contact_dynamics",
                "give a finite number, 0 for none");
}

}  // namespace

ContactWork::ContactWork(const Tree& tree, int max_contacts)
    : delassus(tree, max_contacts),
      composite(tree),
      factors(tree),
      recursion(tree),
      force(tree.nv),
      zero(tree.nv),
      wanted(6 * std::size_t(max_contacts)),
      velocities(wanted.size()),
      multipliers(wanted.size()) {}

namespace detail {

bool factorize_mass_matrix(const Tree& tree, const Poses<double>& poses, const Effects& effects,
                           ContactWork& work, ContactSolution& solution) noexcept {
  composite_inertias(tree, poses, work.composite);
  mass_matrix(tree, work.composite, work.factors, effects);
  solution.singular_velocity = factorize(work.factors).singular_velocity;
  return solution.singular_velocity < 0;
}

void add_response(ContactWork& work, Out<double> x) noexcept {
  std::fill(work.force.begin(), work.force.end(), 0.);
  add_transpose_times(work.delassus, work.factors, work.multipliers, work.force);
  solve(work.delassus.mass, work.factors, work.force);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += work.force[k];
}

void write_wrenches(const ContactWork& work, Out<Vec6<double>> wrenches) noexcept {
  std::fill(wrenches.begin(), wrenches.end(), Vec6<double>{});
  for (int r = 0; r < work.delassus.constraints; ++r) {
    const Delassus::Row row = work.delassus.rows[r];
    wrenches[row.contact][row.direction] = work.multipliers[r];
  }
}

void set_outcome(const Delassus& delassus, double left, double squares, double rank_tolerance,
                 ContactSolution& solution) noexcept {
  solution.constraints = delassus.constraints;
  solution.rank = delassus.rank;
  solution.redundant = delassus.redundant();
  solution.residual = std::sqrt(left);
  solution.consistent = solution.residual <= rank_tolerance * std::sqrt(squares);
}

void check_contacts(const Tree& tree, In<double> v, std::span<const Contact> contacts,
                    double rank_tolerance, const char* where) {
  check_velocity(tree, v);
  for (const Contact& contact : contacts) check_contact(tree, contact);
  if (!(rank_tolerance >= 0 && rank_tolerance < 1))
    throw Error("rank_tolerance " + std::to_string(rank_tolerance), where,
                "give the part of a direction that counts as none, 0 or more and less than 1");
}

void check_regular(const Tree& tree, const ContactSolution& solution, const char* where) {
  if (solution.singular_velocity >= 0)
    throw_singular(tree, body_of_velocity(tree, solution.singular_velocity), where);
}

}  // namespace detail

ContactSolution contact_dynamics(const Tree& tree, const Poses<double>& poses, In<double> v,
                                 In<double> tau, std::span<const Contact> contacts,
                                 ContactWork& work, Out<double> a, Out<Vec6<double>> wrenches,
                                 const ContactInputs& inputs) {
  ContactSolution solution;
  if (!detail::factorize_mass_matrix(tree, poses, inputs.effects, work, solution)) return solution;
  Delassus& d = work.delassus;
  delassus(tree, poses, work.factors, contacts, d, inputs.rank_tolerance);
  // Without contacts: a = M_c^-1 (tau - c).
  inverse_dynamics<Rep::body, double>(tree, poses, v, work.zero, work.recursion, work.force,
                                      inputs.body_wrenches, inputs.effects);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - work.force[k];
  solve(d.mass, work.factors, a);

  write_wanted(tree, poses, v, contacts, inputs, work);
  double squares = 0, left = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    squares += squared_magnitudes(poses, contacts[c], static_cast<int>(c), v, a, inputs, work);
  for (int r = 0; r < d.constraints; ++r)
    // (J M^-1 J^T) f = b - J' v - J M^-1 (tau - c), then a += M^-1 J^T f
    work.multipliers[r] = work.wanted[r] - row_times(d, work.factors, r, a);
  solve(d, work.multipliers);
  detail::add_response(work, a);
  detail::write_wrenches(work, wrenches);
  for (int r = 0; r < d.constraints; ++r) {
    const double e = row_times(d, work.factors, r, a) - work.wanted[r];
    left += e * e;
  }
  detail::set_outcome(d, left, squares, inputs.rank_tolerance, solution);
  return solution;
}

ContactDynamics contact_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                 std::span<const Contact> contacts, const ContactInputs& inputs) {
  const Poses<double> at_q = poses(tree, q);
  detail::check_contacts(tree, v, contacts, inputs.rank_tolerance, "contact_dynamics");
  check_velocity(tree, tau, "tau");
  check_inputs(tree, contacts, inputs);
  detail::check_couplings(tree, q, v, "contact_dynamics");
  ContactWork work(tree, static_cast<int>(contacts.size()));
  ContactDynamics result{{}, std::vector<double>(v.size()), {}};
  result.wrenches.resize(contacts.size());
  result.solution =
      contact_dynamics(tree, at_q, v, tau, contacts, work, result.a, result.wrenches, inputs);
  detail::check_regular(tree, result.solution, "contact_dynamics");
  return result;
}

}  // namespace axode
