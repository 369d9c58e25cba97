/// Second derivatives, and derivatives of the matrices.
#include "axode/dynamics/derivatives/coriolis_derivatives.hpp"
#include "axode/dynamics/derivatives/mass_matrix_derivatives.hpp"
#include "axode/dynamics/derivatives/second_derivatives.hpp"
#include "axode/dynamics/matrices/christoffel.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

/// Above 1000 velocities nv^3 numbers are refused before memory is asked for.
std::size_t cube_side(const Tree& tree, const char* where) {
  if (tree.nv > 1000)
    throw LimitError("it would have " + std::to_string(tree.nv) + "^3 entries", where,
                     "take one direction at a time");
  return velocities_of(tree);
}
int direction(const Tree& tree, int m) {
  if (m < 0 || m >= tree.nv)
    throw Error(
        "is " + std::to_string(m) + ", the tree has velocities 0 to " + std::to_string(tree.nv - 1),
        "m");
  return m;
}
CoriolisChoice coriolis_choice(std::string_view name) {
  return static_cast<CoriolisChoice>(
      choice(name, "choice", {"skew", "uncorrected", "christoffel"}));
}

/// One tensor from q alone: `function(tree, q)`.
template <class F>
nb::object tensor_of(PyTree& py, nb::handle q, const char* where, F&& function) {
  const Tree& tree = py.tree;
  const std::size_t n = cube_side(tree, where);
  const Motions at(tree, q);
  const Output tensor(at.batching(), {n, n, n});
  at.each([&](std::size_t i) { write(function(tree, at.q(i)).values, tensor[i]); });
  return at.finished(tensor);
}

nb::object coriolis_derivatives_of(PyTree& py, nb::handle q, nb::handle v, std::string_view name) {
  const Tree& tree = py.tree;
  const CoriolisChoice kind = coriolis_choice(name);
  const std::size_t n = cube_side(tree, "coriolis derivatives");
  const Motions at(tree, q, {{"v", v}});
  const Output tensor(at.batching(), {n, n, n});
  at.each([&](std::size_t i) {
    write(coriolis_derivatives(tree, at.q(i), at(0, i), kind).values, tensor[i]);
  });
  return at.finished(tensor);
}

nb::object mass_matrix_derivative_of(PyTree& py, nb::handle q, int m) {
  const Tree& tree = py.tree;
  const Motions at(tree, q);
  const Output matrix(at.batching(), {velocities_of(tree), velocities_of(tree)});
  direction(tree, m);
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& prepared = work->get<MassMatrixDerivatives<double>>();
    auto& rows = work->get<PathMatrix<double>>();
    work->poses(at.q(i));
    prepare_mass_matrix_derivatives(tree, work->poses(), prepared);
    mass_matrix_derivative(tree, prepared, m, rows);
    spread(rows, rows.values.data(), matrix[i]);
  });
  return at.finished(matrix);
}

nb::object coriolis_derivative_of(PyTree& py, nb::handle q, nb::handle v, int m,
                                  std::string_view name) {
  const Tree& tree = py.tree;
  const CoriolisChoice kind = coriolis_choice(name);
  const Motions at(tree, q, {{"v", v}});
  const Output matrix(at.batching(), {velocities_of(tree), velocities_of(tree)});
  direction(tree, m);
  const Borrowed work(py);
  DenseMatrix<double> dense{tree.nv, tree.nv, std::vector<double>(matrix.each)};
  at.each([&](std::size_t i) {
    auto& prepared = work->get<CoriolisDerivatives<double>>();
    work->poses(at.q(i));
    prepare_coriolis_derivatives<double>(tree, work->poses(), at(0, i), prepared, kind);
    coriolis_derivative(tree, prepared, m, dense);
    write(dense, matrix[i]);
  });
  return at.finished(matrix);
}

nb::object second_derivatives_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                                 nb::handle wrenches_argument, bool gravity, bool armature,
                                 bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const std::size_t n = cube_side(tree, "second derivatives");
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"a", a}}, &wrenches);
  const Batching& b = at.batching();
  const Output by_qq(b, {n, n, n}), by_qv(b, {n, n, n}), by_vv(b, {n, n, n}), by_aq(b, {n, n, n});
  const Output tau(b, {n}), by_q(b, {n, n}), by_v(b, {n, n}), by_a(b, {n, n});
  const Borrowed work(py);
  InverseDynamicsSecondDerivatives<double> d(tree);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    inverse_dynamics_second_derivatives<double>(tree, work->poses(), at(0, i), at(1, i), d,
                                                wrenches(i, work->poses()), effects);
    write(d.by_qq.values, by_qq[i]), write(d.by_qv.values, by_qv[i]);
    write(d.by_vv.values, by_vv[i]), write(d.by_aq.values, by_aq[i]);
    write(d.first.tau, tau[i]), write(d.first.by_q, by_q[i]), write(d.first.by_v, by_v[i]);
    spread(d.first.by_a, d.first.by_a.values.data(), by_a[i]);
  });
  return result("InverseDynamicsSecondDerivatives", at.finished(by_qq), at.finished(by_qv),
                at.finished(by_vv), at.finished(by_aq),
                result("InverseDynamicsDerivatives", at.finished(tau), at.finished(by_q),
                       at.finished(by_v), at.finished(by_a)));
}

nb::object christoffel_symbol_of(PyTree& py, nb::handle q, int i, int j, int k) {
  const Tree& tree = py.tree;
  for (const int index : {i, j, k}) direction(tree, index);
  const Motions at(tree, q);
  const Output symbol(at.batching(), {});
  const Borrowed work(py);
  at.each([&](std::size_t s) {
    auto& prepared = work->get<Christoffel<double>>();
    work->poses(at.q(s));
    prepare_christoffel(tree, work->poses(), prepared);
    symbol.data[s] = christoffel_symbol(tree, prepared, i, j, k);
  });
  return at.number(symbol);
}

}  // namespace

void bind_dynamics_tensors(nb::module_& m) {
  def_with_effects(
      m, "inverse_dynamics_second_derivatives",
      signature("inverse_dynamics_second_derivatives", {"q", "v", "a"},
                wrenches_signature + ", " + effects_signature,
                "axode._results.InverseDynamicsSecondDerivatives"),
      "Analytic second derivatives of the joint forces by q, v and a, (nv, nv, nv) each, and the "
      "first. Raises LimitError above 1000 velocities.",
      &second_derivatives_of, nb::arg("q"), nb::arg("v"), nb::arg("a"),
      nb::arg("wrenches") = nb::none());
  m.def(
      "mass_matrix_derivatives",
      [](PyTree& py, nb::handle q) {
        return tensor_of(py, q, "mass matrix derivatives",
                         [](const Tree& t, In<double> x) { return mass_matrix_derivatives(t, x); });
      },
      nb::arg("tree"), nb::arg("q"), nb::sig(signature("mass_matrix_derivatives", {"q"}).c_str()),
      "Derivatives of the mass matrix by coordinates along the tangent, (nv, nv, nv): entry "
      "[i, j, m] is dM_ij/dq_m.");
  def_with_effects(
      m, "inverse_mass_matrix_derivatives",
      signature("inverse_mass_matrix_derivatives", {"q"}, effects_signature),
      "Derivatives of the inverse mass matrix, (nv, nv, nv): entry [i, j, m] is dM^-1_ij/dq_m. "
      "Raises SingularError, naming a body.",
      [](PyTree& py, nb::handle q, bool gravity, bool armature, bool damping, bool friction) {
        const Effects effects{gravity, armature, damping, friction};
        return tensor_of(py, q, "inverse mass matrix derivatives",
                         [effects](const Tree& t, In<double> x) {
                           return inverse_mass_matrix_derivatives(t, x, effects);
                         });
      },
      nb::arg("q"));
  m.def("mass_matrix_derivative", &mass_matrix_derivative_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("m"), nb::sig(signature("mass_matrix_derivative", {"q"}, "m: int").c_str()),
        "Derivative of the mass matrix along velocity m, (nv, nv).");
  const std::string choice_text = "choice: axode.typing.CoriolisChoice = 'christoffel'";
  m.def("coriolis_derivatives", &coriolis_derivatives_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("v"), nb::arg("choice") = "christoffel",
        nb::sig(signature("coriolis_derivatives", {"q", "v"}, choice_text).c_str()),
        "Derivatives of the Coriolis matrix by coordinates along the tangent, (nv, nv, nv): entry "
        "[j, k, m] is dC_jk/dq_m.");
  m.def("coriolis_derivative", &coriolis_derivative_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("m"), nb::arg("choice") = "christoffel",
        nb::sig(signature("coriolis_derivative", {"q", "v"}, "m: int, " + choice_text).c_str()),
        "Derivative of the Coriolis matrix along velocity m, (nv, nv).");
  m.def("christoffel_symbol", &christoffel_symbol_of, nb::arg("tree"), nb::arg("q"), nb::arg("i"),
        nb::arg("j"), nb::arg("k"),
        nb::sig(signature("christoffel_symbol", {"q"}, "i: int, j: int, k: int",
                          "axode.typing.NumberOrArray")
                    .c_str()),
        "One Christoffel symbol; a batch gives (batch,).");
}

}  // namespace axode::python
