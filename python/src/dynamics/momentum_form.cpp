/// The equations of motion in momenta, and those of coupled joints.
#include "axode/dynamics/matrices/momentum_form.hpp"

#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/matrices/coupled_mass.hpp"
#include "axode/dynamics/matrices/expansion.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

nb::object generalized_momenta_of(PyTree& py, nb::handle q, nb::handle v, bool armature) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Output p(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& composite = work->get<Composite<double>>();
    work->poses(at.q(i));
    composite_momenta<double>(tree, work->poses(), at(0, i), composite);
    generalized_momenta<double>(tree, composite, at(0, i), p[i], {.armature = armature});
  });
  return at.finished(p);
}

nb::object velocities_from_momenta_of(PyTree& py, nb::handle q, nb::handle p, bool armature) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"p", p}});
  const Output v(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    if (const MassOutcome found = velocities_from_momenta<double>(tree, work->poses(), at(0, i),
                                                                  work->get<MomentumForm<double>>(),
                                                                  v[i], {.armature = armature});
        !found.ok())
      detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                             "velocities from momenta");
  });
  return at.finished(v);
}

nb::object momentum_rates_of(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                             nb::handle wrenches_argument, bool gravity, bool armature,
                             bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  const Output rates(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    momentum_rates<double>(tree, work->poses(), at(0, i), at(1, i),
                           work->get<MomentumForm<double>>(), rates[i], wrenches(i, work->poses()),
                           effects);
  });
  return at.finished(rates);
}

nb::object momentum_form_of(PyTree& py, nb::handle q, nb::handle p, nb::handle tau, bool gravity,
                            bool armature, bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const Motions at(tree, q, {{"p", p}, {"tau", tau}});
  const Output v(at.batching(), {velocities_of(tree)}), rates(at.batching(), {velocities_of(tree)});
  at.each([&](std::size_t i) {
    const HamiltonRates both = momentum_form(tree, at.q(i), at(0, i), at(1, i), effects);
    write(both.v, v[i]);
    write(both.momentum_rates, rates[i]);
  });
  return result("HamiltonRates", at.finished(v), at.finished(rates));
}

nb::object hamiltonian_of(PyTree& py, nb::handle q, nb::handle p, nb::handle v, bool gravity) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"p", p}, {"v", v}});
  const Output H(at.batching(), {});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    H.data[i] = hamiltonian<double>(tree, work->poses(), at(0, i), at(1, i), {.gravity = gravity});
  });
  return at.number(H);
}

nb::object coupled_solve_of(PyTree& py, nb::handle q, nb::handle force, bool armature) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"force", force}});
  const Output x(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& factors = work->get<PathMatrix<double>>();
    auto& coupled = work->get<CoupledMass>();
    auto& composite = work->get<Composite<double>>();
    work->poses(at.q(i));
    composite_inertias(tree, work->poses(), composite);
    mass_matrix(tree, composite, factors, {.armature = armature});
    if (const MassOutcome found = factorize(factors); !found.ok())
      detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                             "coupled mass");
    eliminate_couplings(factors, coupled);
    write(at(0, i), x[i]);
    solve(coupled, factors, x[i]);
  });
  return at.finished(x);
}

}  // namespace

void bind_dynamics_momentum_form(nb::module_& m) {
  m.def("generalized_momenta", &generalized_momenta_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::kw_only(), nb::arg("armature") = true,
        nb::sig(signature("generalized_momenta", {"q", "v"}, "*, armature: bool = True").c_str()),
        "Momenta p = M(q) v [kg m^2/s, kg m/s], (nv,).");
  m.def(
      "velocities_from_momenta", &velocities_from_momenta_of, nb::arg("tree"), nb::arg("q"),
      nb::arg("p"), nb::kw_only(), nb::arg("armature") = true,
      nb::sig(signature("velocities_from_momenta", {"q", "p"}, "*, armature: bool = True").c_str()),
      "Velocities v = M(q)^-1 p, (nv,). Raises SingularError, naming the joint.");
  def_with_effects(
      m, "momentum_rates",
      signature("momentum_rates", {"q", "v", "tau"}, wrenches_signature + ", " + effects_signature),
      "Rates of the momenta p under the joint forces tau [N m, N], (nv,).", &momentum_rates_of,
      nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("wrenches") = nb::none());
  def_with_effects(
      m, "momentum_form",
      signature("momentum_form", {"q", "p", "tau"}, effects_signature,
                "axode._results.HamiltonRates"),
      "Velocities and rates of the momenta from coordinates, momenta and joint forces. "
      "Raises SingularError, naming a body, and Error if joints are coupled.",
      &momentum_form_of, nb::arg("q"), nb::arg("p"), nb::arg("tau"));
  m.def("hamiltonian", &hamiltonian_of, nb::arg("tree"), nb::arg("q"), nb::arg("p"), nb::arg("v"),
        nb::kw_only(), nb::arg("gravity") = true,
        nb::sig(signature("hamiltonian", {"q", "p", "v"}, "*, gravity: bool = True",
                          "axode.typing.NumberOrArray")
                    .c_str()),
        "H = 1/2 p^T v + U of gravity [J]; a batch gives (batch,).");
  m.def(
      "solve_coupled_mass", &coupled_solve_of, nb::arg("tree"), nb::arg("q"), nb::arg("force"),
      nb::kw_only(), nb::arg("armature") = true,
      nb::sig(signature("solve_coupled_mass", {"q", "force"}, "*, armature: bool = True").c_str()),
      "Accelerations that generalized forces cause if the couplings of joints hold, (nv,): M^-1 "
      "force without couplings.");
  m.def(
      "expansion",
      [](PyTree& py) {
        const Expansion E(py.tree);
        const Output dense({velocities_of(py.tree), std::size_t(E.size())});
        std::ranges::fill(dense.all(), 0.0);
        for (std::size_t k = 0; k < velocities_of(py.tree); ++k)
          dense.data[k * std::size_t(E.size()) + E.column[k]] = E.ratio[k];
        return dense.array;
      },
      nb::arg("tree"), nb::sig("def expansion(tree: Tree) -> axode.typing.Array"),
      "The matrix E, (nv, independent), that gives all velocities from the independent ones, v = E "
      "y; "
      "forces on these are E^T f, their mass matrix is E^T M E.");
}

}  // namespace axode::python
