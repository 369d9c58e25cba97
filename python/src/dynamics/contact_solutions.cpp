/// Accelerations, wrenches and impulses of contacts, and the Delassus matrix.
#include "axode/dynamics/contact/contact_dynamics.hpp"
#include "axode/dynamics/contact/contact_impulse.hpp"
#include "axode/dynamics/errors.hpp"
#include "src/dynamics/contacts.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

nb::object solution_tuple(const ContactSolution& s) {
  return result("ContactSolution", s.constraints, s.rank, s.redundant, s.consistent, s.residual);
}
nb::object solution_tuple(const ImpulseSolution& s) {
  return result("ImpulseSolution", s.constraints, s.rank, s.redundant, s.consistent, s.residual,
                s.energy_change);
}
/// One tuple, or a list of them for a batch.
template <class Solution>
nb::object solutions(const Batching& batching, const std::vector<Solution>& found) {
  if (!batching.batched) return solution_tuple(found[0]);
  nb::list all;
  for (const Solution& s : found) all.append(solution_tuple(s));
  return all;
}

nb::object contact_dynamics_of(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                               nb::handle contacts_value, nb::handle wrenches_argument,
                               nb::handle desired_value, double velocity_gain,
                               double rank_tolerance, bool gravity, bool armature, bool damping,
                               bool friction) {
  const Tree& tree = py.tree;
  const std::vector<Contact> contacts = contacts_argument(tree, contacts_value);
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  ContactInputs inputs{.velocity_gain = velocity_gain,
                       .effects = {gravity, armature, damping, friction},
                       .rank_tolerance = rank_tolerance};
  std::vector<Vec6<double>> desired;
  if (!desired_value.is_none()) {
    const Numbers numbers(desired_value, "desired");
    const auto shape = numbers.shape();
    if (shape.size() != 2 || shape[0] != contacts.size() || shape[1] != 6)
      throw Error("has another shape than (contacts, 6)", "desired");
    for (std::size_t k = 0; k < contacts.size(); ++k)
      desired.push_back(read_six(numbers.all().data() + 6 * k));
    inputs.desired = desired;
  }
  const Output a(at.batching(), {velocities_of(tree)}), forces(at.batching(), {contacts.size(), 6});
  std::vector<ContactSolution> found(at.batching().count);
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    inputs.body_wrenches = wrenches(i, work->poses());
    const ContactDynamics d = contact_dynamics(tree, at.q(i), at(0, i), at(1, i), contacts, inputs);
    found[i] = d.solution;
    write(d.a, a[i]);
    for (std::size_t k = 0; k < contacts.size(); ++k)
      write_six(d.wrenches[k], forces[i].data() + 6 * k);
  });
  return result("ContactDynamics", solutions(at.batching(), found), at.finished(a),
                at.finished(forces));
}

nb::object contact_impulse_of(PyTree& py, nb::handle q, nb::handle v, nb::handle contacts_value,
                              nb::handle restitution_value, bool armature, double rank_tolerance) {
  const Tree& tree = py.tree;
  const std::vector<Contact> contacts = contacts_argument(tree, contacts_value);
  const Motions at(tree, q, {{"v", v}});
  std::vector<double> restitution;
  if (!restitution_value.is_none()) restitution = vector(restitution_value, "restitution");
  const ImpulseInputs inputs{.restitution = restitution,
                             .effects = {.armature = armature},
                             .rank_tolerance = rank_tolerance};
  const Output after(at.batching(), {velocities_of(tree)}),
      impulses(at.batching(), {contacts.size(), 6});
  std::vector<ImpulseSolution> found(at.batching().count);
  at.each([&](std::size_t i) {
    const ContactImpulse d = contact_impulse(tree, at.q(i), at(0, i), contacts, inputs);
    found[i] = d.solution;
    write(d.v_after, after[i]);
    for (std::size_t k = 0; k < contacts.size(); ++k)
      write_six(d.impulses[k], impulses[i].data() + 6 * k);
  });
  return result("ContactImpulse", solutions(at.batching(), found), at.finished(after),
                at.finished(impulses));
}

nb::object delassus_of(PyTree& py, nb::handle q, nb::handle contacts_value, bool armature,
                       double rank_tolerance) {
  const Tree& tree = py.tree;
  if (!(rank_tolerance >= 0 && rank_tolerance < 1))
    throw Error("is " + std::to_string(rank_tolerance), "rank_tolerance",
                "give a number from 0 to less than 1");
  const std::vector<Contact> contacts = contacts_argument(tree, contacts_value);
  const Motions at(tree, q);
  if (at.batching().batched) throw Error("is a batch", "q", "give one state");
  at.check(0);
  const Borrowed work(py);
  auto& factors = work->get<PathMatrix<double>>();
  mass_matrix(work->engine(), at.q(0), factors, {.armature = armature});
  if (const MassOutcome found = factorize(factors); !found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                           "delassus");
  work->poses(at.q(0));
  Delassus d(tree, static_cast<int>(contacts.size()));
  delassus(tree, work->poses(), factors, contacts, d, rank_tolerance);
  nb::list rows;
  for (int r = 0; r < d.constraints; ++r) {
    const Delassus::Row& row = d.rows[r];
    rows.append(nb::make_tuple(row.contact, row.direction));
  }
  return result("Delassus", matrix(dense(d)), d.constraints, d.rank, d.redundant(), rows);
}

}  // namespace

void bind_dynamics_contact_solutions(nb::module_& m) {
  const std::string contacts = "contacts: collections.abc.Sequence[axode._results.Contact]";
  def_with_effects(
      m, "contact_dynamics",
      signature("contact_dynamics", {"q", "v", "tau"},
                contacts + ", " + wrenches_signature +
                    ", desired: axode.typing.ArrayLike | None = None, velocity_gain: float = 0.0, "
                    "rank_tolerance: float = 1e-07, " +
                    effects_signature,
                "axode._results.ContactDynamics"),
      "Accelerations of a tree with closed rigid contacts under the joint forces tau, and the "
      "wrench "
      "of each contact on its link, in the contact frame.\n\n"
      "Contacts pull as well as push. `desired` is what the rate of each contact's twist shall be, "
      "(contacts, 6); `velocity_gain` [1/s] lets twists that ought to be zero decay. Couplings of "
      "joints are kept. Redundant directions give the shortest wrenches, and the solution says so. "
      "Raises SingularError if the mass matrix is singular.",
      &contact_dynamics_of, nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("contacts"),
      nb::arg("wrenches") = nb::none(), nb::arg("desired") = nb::none(),
      nb::arg("velocity_gain") = 0.0, nb::arg("rank_tolerance") = 1e-7);
  m.def("contact_impulse", &contact_impulse_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("contacts"), nb::arg("restitution") = nb::none(), nb::kw_only(),
        nb::arg("armature") = true, nb::arg("rank_tolerance") = 1e-7,
        nb::sig(signature("contact_impulse", {"q", "v"},
                          contacts + ", restitution: axode.typing.ArrayLike | None = None, *, "
                                     "armature: bool = True, rank_tolerance: float = 1e-07",
                          "axode._results.ContactImpulse")
                    .c_str()),
        "Velocities after contacts have closed at once, and the impulse of each on its link "
        "[N m s, N s], in the contact frame. `restitution` is the coefficient of each contact, "
        "from 0 "
        "to 1; None: all zero.");
  m.def(
      "delassus", &delassus_of, nb::arg("tree"), nb::arg("q"), nb::arg("contacts"), nb::kw_only(),
      nb::arg("armature") = true, nb::arg("rank_tolerance") = 1e-7,
      nb::sig(signature("delassus", {"q"},
                        contacts + ", *, armature: bool = True, rank_tolerance: float = 1e-07",
                        "axode._results.Delassus")
                  .c_str()),
      "The matrix J M^-1 J^T of the directions that contacts hold, its rank, and which contact and "
      "direction each row is. One state.");
}

}  // namespace axode::python
