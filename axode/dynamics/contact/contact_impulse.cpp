#include "axode/dynamics/contact/contact_impulse.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/dynamics/errors.hpp"

namespace axode {

namespace {

constexpr int normal = 5;  // vz

void check_restitution(std::span<const Contact> contacts, In<double> e) {
  if (!e.empty() && e.size() != contacts.size())
    throw Error(std::to_string(e.size()) + " coefficients of restitution for " +
                    std::to_string(contacts.size()) + " contacts",
                "contact_impulse", "give one for each contact, or none at all");
  for (const double x : e)
    if (!(x >= 0 && x <= 1))
      throw Error("coefficient of restitution " + std::to_string(x), "contact_impulse",
                  "it is 0 for contacts that stay closed, up to 1 for those that bounce fully");
}

}  // namespace

ImpulseSolution contact_impulse(const Tree& tree, const Poses<double>& poses, In<double> v,
                                std::span<const Contact> contacts, ContactWork& work,
                                Out<double> v_after, Out<Vec6<double>> impulses,
                                const ImpulseInputs& inputs) {
  ImpulseSolution solution;
  if (!detail::factorize_mass_matrix(tree, poses, inputs.effects, work, solution)) return solution;
  Delassus& d = work.delassus;
  delassus(tree, poses, work.factors, contacts, d, inputs.rank_tolerance);
  double squares = 0, left = 0, twice_energy = 0;
  for (int r = 0; r < d.constraints; ++r) {
    const Delassus::Row row = d.rows[r];
    const double before = row_times(d, work.factors, r, v);
    const double e =
        row.direction != normal || inputs.restitution.empty() ? 0 : inputs.restitution[row.contact];
    // J v+ = -e J v-, so that (J M^-1 J^T) p = -(1 + e) J v-
    work.wanted[r] = -e * before;
    work.multipliers[r] = -(1 + e) * before;
    work.velocities[r] = before;
    const Magnitudes all = magnitudes(d, work.factors, row.contact, v);
    squares += row.direction < 3 ? all.angular * all.angular : all.linear * all.linear;
  }
  solve(d, work.multipliers);
  if (v_after.data() != v.data()) std::copy(v.begin(), v.end(), v_after.begin());
  detail::add_response(work, v_after);
  detail::write_wrenches(work, impulses);

  for (int r = 0; r < d.constraints; ++r) {
    const double after = row_times(d, work.factors, r, v_after);
    const double e = after - work.wanted[r];
    left += e * e;
    // change of energy 1/2 p . (J v- + J v+), from M (v+ - v-) = J^T p
    twice_energy += work.multipliers[r] * (work.velocities[r] + after);
  }
  detail::set_outcome(d, left, squares, inputs.rank_tolerance, solution);
  solution.energy_change = twice_energy / 2;
  return solution;
}

ContactImpulse contact_impulse(const Tree& tree, In<double> q, In<double> v,
                               std::span<const Contact> contacts, const ImpulseInputs& inputs) {
  const Poses<double> at_q = poses(tree, q);
  detail::check_contacts(tree, v, contacts, inputs.rank_tolerance, "contact_impulse");
  check_restitution(contacts, inputs.restitution);
  detail::check_couplings(tree, q, v, "contact_impulse");
  ContactWork work(tree, static_cast<int>(contacts.size()));
  ContactImpulse result{{}, std::vector<double>(v.size()), {}};
  result.impulses.resize(contacts.size());
  result.solution =
      contact_impulse(tree, at_q, v, contacts, work, result.v_after, result.impulses, inputs);
  detail::check_regular(tree, result.solution, "contact_impulse");
  return result;
}

}  // namespace axode
