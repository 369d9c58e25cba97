#include "axode/dynamics/contact_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/dynamics/errors.hpp"

namespace axode {

namespace {

constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

/// Writes what J a shall be, desired - velocity_gain J v - dJ/dt v, and returns the sum of squares of
/// these terms.
double write_wanted(const Tree& tree, const Poses<double>& poses, In<double> v,
                    std::span<const Contact> contacts, const ContactInputs& inputs,
                    ContactWork& work) noexcept {
  const Motion<Rep::body>& motion = work.recursion.motion;
  double squares = 0;
  int r = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec6<double> bias = contact_bias<double>(tree, poses, motion, v, contacts[c]);
    const Vec6<double> slip = contact_twist(poses, motion, contacts[c]) * inputs.velocity_gain;
    for (int i = 0; i < 6; ++i) {
      if (!contacts[c].directions[i]) continue;
      const double desired = inputs.desired.empty() ? 0 : inputs.desired[c][i];
      work.wanted[at(r++)] = desired - slip[i] - bias[i];
      squares += desired * desired + slip[i] * slip[i] + bias[i] * bias[i];
    }
  }
  return squares;
}

void check_sizes(const Tree& tree, std::span<const Contact> contacts, const ContactInputs& inputs) {
  if (!inputs.external.empty() && inputs.external.size() != tree.links.size())
    throw Error(std::to_string(inputs.external.size()) + " external wrenches for " +
                    std::to_string(tree.size()) + " bodies",
                "contact_dynamics", "give one for each body, or none at all");
  if (!inputs.desired.empty() && inputs.desired.size() != contacts.size())
    throw Error(std::to_string(inputs.desired.size()) + " desired accelerations for " +
                    std::to_string(contacts.size()) + " contacts",
                "contact_dynamics", "give one for each contact, or none at all");
}

}  // namespace

ContactWork::ContactWork(const Tree& tree, int max_contacts)
    : delassus(tree, max_contacts),
      composite(tree),
      factors(tree),
      recursion(tree),
      force(at(tree.nv)),
      zero(at(tree.nv)),
      wanted(6 * at(max_contacts)),
      velocities(wanted.size()),
      multipliers(wanted.size()) {}

namespace detail {

bool factorize_mass_matrix(const Tree& tree, const Poses<double>& poses, const Effects& effects,
                           ContactWork& work, ContactSolution& solution) noexcept {
  composite_inertias(tree, poses, work.composite);
  mass_matrix(tree, work.composite, work.factors, effects);
  solution.singular_velocity = factorize(work.factors);
  return solution.singular_velocity < 0;
}

void add_response(ContactWork& work, Out<double> x) noexcept {
  std::fill(work.force.begin(), work.force.end(), 0.);
  add_transpose_times(work.delassus, work.factors, work.multipliers, work.force);
  solve<double>(work.factors, work.force);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += work.force[k];
}

void write_wrenches(const ContactWork& work, Out<Vec6<double>> wrenches) noexcept {
  std::fill(wrenches.begin(), wrenches.end(), Vec6<double>{});
  for (int r = 0; r < work.delassus.constraints; ++r) {
    const Delassus::Row row = work.delassus.rows[at(r)];
    wrenches[at(row.contact)][row.direction] = work.multipliers[at(r)];
  }
}

void check_contacts(const Tree& tree, In<double> v, std::span<const Contact> contacts) {
  check_velocity(tree, v);
  for (const Contact& contact : contacts) check_contact(tree, contact);
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
  // Without contacts: a = M^-1 (tau - c).
  inverse_dynamics<Rep::body, double>(tree, poses, v, work.zero, work.recursion, work.force,
                                      inputs.external, inputs.effects);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = tau[k] - work.force[k];
  solve<double>(work.factors, a);

  Delassus& d = work.delassus;
  delassus(tree, poses, work.factors, contacts, d, inputs.rank_tolerance);
  double squares = write_wanted(tree, poses, v, contacts, inputs, work);
  for (int r = 0; r < d.constraints; ++r) {
    const double free = row_times(d, work.factors, r, a);
    work.multipliers[at(r)] = work.wanted[at(r)] - free;
    squares += free * free;
  }
  solve(d, work.multipliers);
  detail::add_response(work, a);
  detail::write_wrenches(work, wrenches);

  double left = 0;
  for (int r = 0; r < d.constraints; ++r) {
    const double e = row_times(d, work.factors, r, a) - work.wanted[at(r)];
    left += e * e;
  }
  solution.constraints = d.constraints;
  solution.rank = d.rank;
  solution.redundant = d.redundant();
  solution.residual = std::sqrt(left);
  solution.consistent = solution.residual <= inputs.rank_tolerance * std::sqrt(squares);
  return solution;
}

ContactDynamics contact_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                 std::span<const Contact> contacts, const ContactInputs& inputs) {
  const Poses<double> at_q = poses(tree, q);
  detail::check_contacts(tree, v, contacts);
  check_velocity(tree, tau, "tau");
  check_sizes(tree, contacts, inputs);
  ContactWork work(tree, static_cast<int>(contacts.size()));
  ContactDynamics result{{}, std::vector<double>(v.size()), {}};
  result.wrenches.resize(contacts.size());
  result.solution =
      contact_dynamics(tree, at_q, v, tau, contacts, work, result.a, result.wrenches, inputs);
  detail::check_regular(tree, result.solution, "contact_dynamics");
  return result;
}

}  // namespace axode
