/// Mass matrix, Coriolis matrix and Christoffel symbols.
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/matrices/christoffel.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {

void spread(const PathMatrix<double>& pattern, const double* along_paths, std::span<double> all) {
  const std::size_t n = pattern.size();
  std::fill(all.begin(), all.end(), 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double* row = along_paths + pattern.first[k];
    for (int j = static_cast<int>(k); j >= 0; j = pattern.parent[j]) {
      const std::size_t column = j;
      all[k * n + column] = all[column * n + k] = *row++;
    }
  }
}

namespace {

void mass_matrix_batch(const Tree& tree, Workspace& work, Motions& at, const Effects& effects,
                       const Output& M) {
  constexpr std::size_t chunk = 1024;  // rows along paths and all entries of it stay in the cache
  const std::size_t count = at.batching().count, n = M.each;
  const std::size_t nq = tree.nq;
  RunErrors errors;
  const GilRelease release;
  at.check_quaternions();
  const PathMatrix<double>& pattern = work.get<PathMatrix<double>>();
  std::vector<double> along_paths(mass_matrix_size(work.batch()) * std::min(chunk, count));
  for (std::size_t first = 0; first < count; first += chunk) {
    errors.throw_if_interrupted();
    const std::size_t states = std::min(chunk, count - first);
    const std::span<double> some(along_paths.data(), states * pattern.values.size());
    const auto q = at.states(0).all().subspan(first * nq, states * nq);
    mass_matrix(work.batch(), q, some, {.effects = effects});
    for (std::size_t i = 0; i < states; ++i)
      spread(pattern, some.data() + i * pattern.values.size(), M[first + i]);
    if (!all_finite(work.batch(), {q, some})) at.explain(n, M.all());
  }
}

nb::object mass_matrix_of(PyTree& py, nb::handle q, bool gravity, bool armature, bool damping,
                          bool friction, nb::handle out) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Motions at(tree, q);
  const Output M(at.batching(), {velocities_of(tree), velocities_of(tree)}, out,
                 {at.states(0).all()});
  if (M.size == 0) return M.array;
  const Borrowed work(py);
  if (at.batching().batched) {
    mass_matrix_batch(tree, *work, at, effects, M);
    return M.array;
  }
  at.check(0);
  PathMatrix<double>& rows = work->get<PathMatrix<double>>();
  mass_matrix(work->engine(), at.q(0), rows, effects);
  spread(rows, rows.values.data(), M.all());
  return at.finished(M);
}

nb::object inverse_mass_matrix_of(PyTree& py, nb::handle q, bool gravity, bool armature,
                                  bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const Motions at(tree, q);
  const Output inverse(at.batching(), {velocities_of(tree), velocities_of(tree)});
  const Borrowed work(py);
  DenseMatrix<double> dense{tree.nv, tree.nv, std::vector<double>(inverse.each)};
  at.each([&](std::size_t i) {
    if (inverse.each == 0) return;
    const MassOutcome found = inverse_mass_matrix(work->engine(), at.q(i), dense, effects);
    if (!found.ok())
      detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                             "inverse mass matrix");
    write(dense, inverse[i]);
  });
  return at.finished(inverse);
}

nb::object coriolis_matrix_of(PyTree& py, nb::handle q, nb::handle v, std::string_view name) {
  const Tree& tree = py.tree;
  const auto kind =
      static_cast<CoriolisChoice>(choice(name, "choice", {"skew", "uncorrected", "christoffel"}));
  const Motions at(tree, q, {{"v", v}});
  const Output C(at.batching(), {velocities_of(tree), velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    DenseMatrix<double>& matrix = work->get<InverseDynamicsDerivatives<double>>().by_v;
    coriolis_matrix(work->engine(), at.q(i), at(0, i), matrix, kind);
    write(matrix, C[i]);
  });
  return at.finished(C);
}

nb::object christoffel_of(PyTree& py, nb::handle q) {
  const Tree& tree = py.tree;
  if (tree.nv > 1000)
    throw LimitError("there would be " + std::to_string(tree.nv) + "^3 symbols", "christoffel");
  const Motions at(tree, q);
  const std::size_t n = velocities_of(tree);
  const Output symbols(at.batching(), {n, n, n});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& prepared = work->get<Christoffel<double>>();
    work->poses(at.q(i));
    prepare_christoffel(tree, work->poses(), prepared);
    christoffel_symbols(tree, prepared, symbols[i]);
  });
  return at.finished(symbols);
}

}  // namespace

void bind_dynamics_matrices(nb::module_& m) {
  m.def("mass_matrix", &mass_matrix_of, nb::arg("tree"), nb::arg("q"), nb::kw_only(),
        nb::arg("gravity") = true, nb::arg("armature") = true, nb::arg("damping") = true,
        nb::arg("friction") = true, nb::arg("out") = nb::none(),
        nb::sig(signature("mass_matrix", {"q"},
                          effects_signature + ", out: axode.typing.Array | None = None")
                    .c_str()),
        "The mass matrix M(q) [kg m^2, kg m, kg], (nv, nv), all entries, with armature unless left "
        "out (no other effect matters). `out` is an array to write to.");
  def_with_effects(
      m, "inverse_mass_matrix", signature("inverse_mass_matrix", {"q"}, effects_signature),
      "The inverse of the mass matrix, (nv, nv). Raises SingularError, naming the joint.",
      &inverse_mass_matrix_of, nb::arg("q"));
  m.def("coriolis_matrix", &coriolis_matrix_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("choice") = "christoffel",
        nb::sig(signature("coriolis_matrix", {"q", "v"},
                          "choice: axode.typing.CoriolisChoice = 'christoffel'")
                    .c_str()),
        "A matrix C(q, v), (nv, nv), with C v the Coriolis forces: 'skew' and 'christoffel' have a "
        "skew-symmetric dM/dt - 2 C, 'uncorrected' is J^T d/dt(M J).");
  m.def("christoffel_symbols", &christoffel_of, nb::arg("tree"), nb::arg("q"),
        nb::sig(signature("christoffel_symbols", {"q"}).c_str()),
        "Christoffel symbols, (nv, nv, nv): the Coriolis forces are c_i = sum_jk [i, j, k] v_j "
        "v_k. "
        "Raises LimitError above 1000 velocities.");
}

}  // namespace axode::python
