/// Equations, Jacobians, masses and forces of a mechanism at states, one or many.
#include <cmath>

#include "axode/core/error.hpp"
#include "src/mechanism/arguments.hpp"
#include "src/mechanism/options.hpp"

namespace axode::python::mechanisms {

namespace {

void write_dense(const SparseRows& A, std::span<double> numbers) {
  std::ranges::fill(numbers, 0.0);
  for (int row = 0; row < A.rows; ++row)
    for (int k = A.start[row]; k < A.start[row + 1]; ++k)
      numbers[std::size_t(row) * A.columns + A.column[k]] += A.value[k];
}

nb::object index_array(const std::vector<long long>& numbers) {
  nb::list list;
  for (const long long x : numbers) list.append(x);
  const nb::object asarray = nb::module_::import_("numpy").attr("asarray");
  const nb::object int64 = nb::module_::import_("numpy").attr("int64");
  return asarray(list, int64);
}

}  // namespace

nb::object sparse_result(const SparseRows& A) {
  std::vector<long long> rows, columns;
  for (int row = 0; row < A.rows; ++row)
    for (int k = A.start[row]; k < A.start[row + 1]; ++k) {
      rows.push_back(row);
      columns.push_back(A.column[k]);
    }
  return result("SparseMatrix", index_array(rows), index_array(columns), array(A.value),
                nb::make_tuple(A.rows, A.columns));
}

namespace {

nb::object position(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  return each(py, x, {std::size_t(py.rows())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.position(x.t(i), x.q(i), out);
              });
}
nb::object time_rate(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  return each(py, x, {std::size_t(py.rows())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.time_rate(x.t(i), x.q(i), out);
              });
}
nb::object velocity(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {std::size_t(py.rows())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.velocity(x.t(i), x.q(i), x.v(i), out);
              });
}
nb::object acceleration_right(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {std::size_t(py.rows())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.acceleration_right(x.t(i), x.q(i), x.v(i), out);
              });
}
nb::object forces(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {std::size_t(py.nv())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    std::ranges::fill(out, 0.0);
    system.forces(x.t(i), x.q(i), x.v(i), out);
  });
}

nb::object jacobian(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  SparseRows J;
  return each(py, x, {std::size_t(py.rows()), std::size_t(py.nv())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.jacobian(x.t(i), x.q(i), J);
                write_dense(J, out);
              });
}
nb::object mass(PySystem& py, nb::handle q) {
  const Arguments x(py, {}, q);
  SparseRows M;
  return each(py, x, {std::size_t(py.nv()), std::size_t(py.nv())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.mass(x.q(i), M);
                write_dense(M, out);
              });
}
nb::object jacobian_sparse(PySystem& py, double t, nb::handle q_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  SparseRows J;
  py.use([&, at = time(t)](MechanismSystem& system) { system.jacobian(at, q, J); });
  return sparse_result(J);
}
nb::object mass_sparse(PySystem& py, nb::handle q_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  SparseRows M;
  py.use([&](MechanismSystem& system) { system.mass(q, M); });
  return sparse_result(M);
}

}  // namespace

void bind_mechanism_evaluation(MechanismClasses& c) {
  using nb::arg;
  const char* const array_text = "axode.typing.Array";
  const char* const tq = "t: axode.typing.ArrayLike, q: axode.typing.ArrayLike";
  const char* const tqv =
      "t: axode.typing.ArrayLike, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike";
  c.system_only({"position", tq, array_text, "What the equations Phi(q, t) = 0 miss, (rows,)."},
                &position, arg("t"), arg("q"));
  c.system_only({"jacobian", tq, array_text, "Phi_q, (rows, nv)."}, &jacobian, arg("t"), arg("q"));
  c.system_only({"jacobian_sparse", "t: float, q: axode.typing.ArrayLike",
                 "axode._results.SparseMatrix", "The entries of Phi_q at one state."},
                &jacobian_sparse, arg("t"), arg("q"));
  c.system_only({"time_rate", tq, array_text, "Phi_t, (rows,)."}, &time_rate, arg("t"), arg("q"));
  c.system_only({"velocity", tqv, array_text, "Phi_q v + Phi_t, (rows,)."}, &velocity, arg("t"),
                arg("q"), arg("v"));
  c.system_only({"acceleration_right", tqv, array_text, "c of Phi_q a = c, (rows,)."},
                &acceleration_right, arg("t"), arg("q"), arg("v"));
  c.system_only({"mass", "q: axode.typing.ArrayLike", array_text, "The mass matrix M, (nv, nv)."},
                &mass, arg("q"));
  c.system_only({"mass_sparse", "q: axode.typing.ArrayLike", "axode._results.SparseMatrix",
                 "The entries of M at one state."},
                &mass_sparse, arg("q"));
  c.system_only({"forces", tqv, array_text,
                 "Applied and gyroscopic forces Q of M a + Phi_q^T lambda = Q, (nv,)."},
                &forces, arg("t"), arg("q"), arg("v"));
}

}  // namespace axode::python::mechanisms
