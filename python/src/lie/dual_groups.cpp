/// The groups G1 of dual rotations and G2 of dual displacements. Dual vectors are six numbers (real,
/// dual), dual twists twelve (w_r, w_d, v_r, v_d).
#include "axode/lie/g2.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {
namespace {

DualVector<double> read_dual(const double* numbers) {
  return make_dual(read_three(numbers), read_three(numbers + 3));
}
DualVector<double> dual_vector(nb::handle value, const char* argument) {
  return read_dual(shaped(value, argument, {6}).all().data());
}
DualTwist<double> dual_twist(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {12});
  return {read_dual(numbers.all().data()), read_dual(numbers.all().data() + 6)};
}
Vec6<double> six(const DualVector<double>& v) { return {real_part(v), dual_part(v)}; }
nb::object array_of(const DualVector<double>& v) { return array(six(v)); }
nb::object array_of(const DualTwist<double>& t) {
  double numbers[12];
  write_six(six(t.angular), numbers);
  write_six(six(t.linear), numbers + 6);
  return array(numbers);
}

void bind_g1(nb::module_& m) {
  nb::class_<G1<double>> type(m, "G1",
                              "A dual rotation: a rotation A followed by an infinitesimal one, eps "
                              "theta. `X * Y` composes, "
                              "`X * v` turns a dual vector (6,): real part, dual part.");
  type.def(
          "__init__",
          [](G1<double>* self, nb::handle A, nb::handle theta) {
            new (self) G1<double>{A.is_none() ? SO3<double>{} : rotation(A, "A"),
                                  theta.is_none() ? Vec3<double>{} : vec3(theta, "theta")};
          },
          nb::arg("A") = nb::none(), nb::arg("theta") = nb::none(),
          nb::sig("def __init__(self, A: SO3 | Quaternion | axode.typing.ArrayLike | None = None, "
                  "theta: axode.typing.ArrayLike | None = None) -> None"),
          "What is not given is the identity: A a rotation, theta (3,).")
      .def_static(
          "identity", [] { return G1<double>{}; }, "No rotation.")
      .def_prop_ro(
          "A", [](const G1<double>& X) { return X.A; }, "The rotation.")
      .def_prop_ro(
          "theta", [](const G1<double>& X) { return array(X.theta); },
          nb::sig("def theta(self) -> axode.typing.Array"), "The infinitesimal rotation, (3,).")
      .def_prop_ro(
          "matrix", [](const G1<double>& X) { return matrix(axode::matrix(X)); },
          nb::sig("def matrix(self) -> axode.typing.Array"),
          "The matrix [A 0; theta~ A  A], which is its own adjoint, (6, 6).")
      .def(
          "__mul__",
          [](const G1<double>& a, const G1<double>& b) { return all_finite(a * b, "product"); },
          nb::is_operator())
      .def(
          "__mul__",
          [](const G1<double>& X, nb::handle v) {
            return array_of(all_finite(X * dual_vector(v, "v"), "v"));
          },
          nb::is_operator(),
          nb::sig("def __mul__(self, v: axode.typing.ArrayLike, /) -> axode.typing.Array"))
      .def("__repr__", [](const G1<double>& X) {
        return "G1(A=" + text(X.A.matrix) + ", theta=" + text(X.theta) + ")";
      });
  type.attr("__array_ufunc__") = nb::none();
  compares(type);
  pickles(type);
}

void bind_g2(nb::module_& m) {
  nb::class_<G2<double>> type(m, "G2",
                              "A dual displacement: a dual rotation X of G1 and a dual position v, "
                              "(6,): real part, dual part. `Y * Z` composes.");
  type.def(
          "__init__",
          [](G2<double>* self, const G1<double>& X, nb::handle v) {
            new (self) G2<double>{X, v.is_none() ? DualVector<double>{} : dual_vector(v, "v")};
          },
          nb::arg("X") = G1<double>{}, nb::arg("v") = nb::none(),
          nb::sig("def __init__(self, X: G1 = ..., v: axode.typing.ArrayLike | None = None) -> "
                  "None"),
          "What is not given is the identity: v (6,), real part, dual part [m].")
      .def_static(
          "identity", [] { return G2<double>{}; }, "No displacement.")
      .def_prop_ro(
          "X", [](const G2<double>& Y) { return Y.X; }, "The dual rotation.")
      .def_prop_ro(
          "v", [](const G2<double>& Y) { return array_of(Y.v); },
          nb::sig("def v(self) -> axode.typing.Array"), "The dual position, (6,).")
      .def_prop_ro(
          "matrix", [](const G2<double>& Y) { return matrix(axode::matrix(Y)); },
          nb::sig("def matrix(self) -> axode.typing.Array"), "The matrix [X v; 0 1], (7, 7).")
      .def(
          "__mul__",
          [](const G2<double>& a, const G2<double>& b) { return all_finite(a * b, "product"); },
          nb::is_operator())
      .def("__repr__", [](const G2<double>& Y) {
        return "G2(X=G1(A=" + text(Y.X.A.matrix) + ", theta=" + text(Y.X.theta) +
               "), v=" + text(six(Y.v)) + ")";
      });
  // Dual numbers are compared by their real part, so the operator of the library is not enough.
  type.def(
      "__eq__",
      [](const G2<double>& a, const G2<double>& b) { return a.X == b.X && six(a.v) == six(b.v); },
      nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
  type.attr("__hash__") = nb::none();
  pickles(type);
}

}  // namespace

void bind_dual_groups(nb::module_& m) {
  bind_g1(m);
  bind_g2(m);
  m.def(
      "inverse", [](const G1<double>& X) { return inverse(X); }, nb::arg("X"),
      "The inverse dual rotation.");
  m.def(
      "inverse", [](const G2<double>& Y) { return inverse(Y); }, nb::arg("Y"),
      "The inverse dual displacement.");
  m.def(
      "exp_g1", [](nb::handle w) { return all_finite(exp_g1(dual_vector(w, "w")), "w"); },
      nb::arg("w"), nb::sig("def exp_g1(w: axode.typing.ArrayLike) -> G1"),
      "The exponential of a dual vector (6,): real part [rad], dual part.");
  m.def(
      "exp_g2", [](nb::handle t) { return all_finite(exp_g2(dual_twist(t, "t")), "t"); },
      nb::arg("t"), nb::sig("def exp_g2(t: axode.typing.ArrayLike) -> G2"),
      "The exponential of a dual twist (12,): (w_r, w_d, v_r, v_d).");
  m.def(
      "log", [](const G1<double>& X) { return array_of(log(X)); }, nb::arg("X"),
      nb::sig("def log(X: G1) -> axode.typing.Array"),
      "The inverse of exp_g1, (6,), with a rotation angle in [0, pi] rad.");
  m.def(
      "log", [](const G2<double>& Y) { return array_of(log(Y)); }, nb::arg("Y"),
      nb::sig("def log(Y: G2) -> axode.typing.Array"),
      "The inverse of exp_g2, (12,), with a rotation angle in [0, pi] rad.");
  m.def(
      "Ad",
      [](const G2<double>& Y, nb::handle t) {
        return array_of(all_finite(Ad(Y, dual_twist(t, "t")), "t"));
      },
      nb::arg("Y"), nb::arg("t"),
      nb::sig("def Ad(Y: G2, t: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Ad_Y t of a dual twist (12,).");
  m.def(
      "Ad_matrix", [](const G2<double>& Y) { return matrix(Ad_matrix(Y)); }, nb::arg("Y"),
      nb::sig("def Ad_matrix(Y: G2) -> axode.typing.Array"), "The matrix of Ad_Y, (12, 12).");
  m.def(
      "ad_matrix",
      [](nb::handle X) {
        const Numbers numbers(X, "X");
        const bool dual = numbers.shape().size() == 1 && numbers.shape()[0] == 12;
        return dual ? matrix(ad_matrix(dual_twist(X, "X"))) : matrix(ad_matrix(vec6(X, "X")));
      },
      nb::arg("X"), nb::sig("def ad_matrix(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The matrix of ad_X: of a twist (6,) [xi~ 0; eta~ xi~], (6, 6); of a dual twist (12,) the "
      "one "
      "(12, 12).");
}

}  // namespace axode::python
