/// The equations of motion in closed form.
#include "axode/dynamics/matrices/closed_form.hpp"
#include "axode/kinematics/motion.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

nb::object closed_form_of(PyTree& py, nb::handle q, nb::handle v) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Batching& b = at.batching();
  const std::size_t six = 6 * bodies_of(tree), n = velocities_of(tree);
  const Output A(b, {six, six}), X(b, {six, n}), X_rate(b, {six, n}), a(b, {six, six}),
      twists(b, {six, six}), inertia(b, {six, six}), J(b, {six, n}), J_rate(b, {six, n}),
      M(b, {n, n}), C_83(b, {n, n}), C_84(b, {n, n});
  at.each([&](std::size_t i) {
    const ClosedFormMatrices m = closed_form_matrices(tree, at.q(i), at(0, i));
    write(m.A, A[i]), write(m.X, X[i]), write(m.X_rate, X_rate[i]), write(m.a, a[i]);
    write(m.b, twists[i]), write(m.inertia, inertia[i]), write(m.J, J[i]);
    write(m.J_rate, J_rate[i]), write(m.M, M[i]), write(m.C_83, C_83[i]), write(m.C_84, C_84[i]);
  });
  return result("ClosedFormMatrices", at.finished(A), at.finished(X), at.finished(X_rate),
                at.finished(a), at.finished(twists), at.finished(inertia), at.finished(J),
                at.finished(J_rate), at.finished(M), at.finished(C_83), at.finished(C_84));
}

/// Writes nv numbers by f(J, work, state, result), with the system Jacobian at q of the state.
template <class F>
nb::object by_factors(PyTree& py, const Motions& at, F&& f) {
  const Tree& tree = py.tree;
  const Output numbers(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  const SystemJacobian<Rep::body> J(tree, work->poses());
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    f(J, work->get<ClosedForm<double>>(), i, numbers[i]);
  });
  return at.finished(numbers);
}

nb::object projection_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                         nb::handle wrenches_argument, bool gravity, bool armature, bool damping,
                         bool friction) {
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(py.tree, wrenches_argument);
  const Motions at(py.tree, q, {{"v", v}, {"a", a}}, &wrenches);
  return by_factors(py, at, [&](const auto& J, auto& work, std::size_t i, std::span<double> tau) {
    inverse_dynamics_by_projection<double>(J, at(0, i), at(1, i), work, tau, wrenches(i, *J.poses),
                                           effects);
  });
}

nb::object mass_product_of(PyTree& py, nb::handle q, nb::handle x, bool armature) {
  const Motions at(py.tree, q, {{"x", x}});
  return by_factors(py, at, [&](const auto& J, auto& work, std::size_t i, std::span<double> y) {
    multiply_mass_matrix<double>(J, at(0, i), work, y, {.armature = armature});
  });
}

nb::object coriolis_product_of(PyTree& py, nb::handle q, nb::handle v, nb::handle x,
                               std::string_view name) {
  const auto form = static_cast<CoriolisForm>(choice(name, "form", {"equation_83", "equation_84"}));
  const Motions at(py.tree, q, {{"v", v}, {"x", x}});
  return by_factors(py, at, [&](const auto& J, auto& work, std::size_t i, std::span<double> y) {
    multiply_coriolis_matrix<double>(J, at(0, i), at(1, i), work, y, form);
  });
}

}  // namespace

void bind_dynamics_forms(nb::module_& m) {
  m.def(
      "closed_form_matrices", &closed_form_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::sig(signature("closed_form_matrices", {"q", "v"}, "", "axode._results.ClosedFormMatrices")
                  .c_str()),
      "All factors of the equations of motion in body representation, M = X^T A^T M A X and so on, "
      "written out: 36 bodies^2 numbers each, to look at and to check.");
  def_with_effects(m, "inverse_dynamics_by_projection",
                   signature("inverse_dynamics_by_projection", {"q", "v", "a"},
                             wrenches_signature + ", " + effects_signature),
                   "Joint forces by projection of all Newton-Euler equations on the degrees of "
                   "freedom [N m, N], "
                   "(nv,).",
                   &projection_of, nb::arg("q"), nb::arg("v"), nb::arg("a"),
                   nb::arg("wrenches") = nb::none());
  m.def("multiply_mass_matrix", &mass_product_of, nb::arg("tree"), nb::arg("q"), nb::arg("x"),
        nb::kw_only(), nb::arg("armature") = true,
        nb::sig(signature("multiply_mass_matrix", {"q", "x"}, "*, armature: bool = True").c_str()),
        "M(q) x, (nv,), without the matrix.");
  m.def("multiply_coriolis_matrix", &coriolis_product_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("v"), nb::arg("x"), nb::arg("form") = "equation_84",
        nb::sig(signature("multiply_coriolis_matrix", {"q", "v", "x"},
                          "form: typing.Literal['equation_83', 'equation_84'] = 'equation_84'")
                    .c_str()),
        "C(q, v) x, (nv,), of the matrix C = J^T d/dt(M J), without it, in one of two forms.");
}

}  // namespace axode::python
