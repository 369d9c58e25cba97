/// Adjoint maps, the screw product, and the matrices of vectors and twists.
#include "axode/lie/adjoint.hpp"
#include "axode/lie/homogeneous.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {
namespace {

using SixMap = Vec6<double> (*)(const SE3<double>&, const Vec6<double>&);
template <SixMap map>
nb::object by_pose(nb::handle T_argument, nb::handle X, const char* argument) {
  const SE3<double> T = pose(T_argument, "T");
  return each_of(Stack(X, argument, {6}), {6}, argument,
                 [&](const double* in, double* out) { write_six(map(T, read_six(in)), out); });
}
using Product = Vec6<double> (*)(const Vec6<double>&, const Vec6<double>&);
template <Product product>
nb::object by_twist(nb::handle X_argument, nb::handle Y, const char* argument) {
  const Vec6<double> X = vec6(X_argument, "X");
  return each_of(Stack(Y, argument, {6}), {6}, argument,
                 [&](const double* in, double* out) { write_six(product(X, read_six(in)), out); });
}

void bind_maps(nb::module_& m) {
  m.def(
      "Ad", [](nb::handle T, nb::handle X) { return by_pose<&Ad<double>>(T, X, "X"); },
      nb::arg("T"), nb::arg("X"),
      nb::sig("def Ad(T: SE3 | axode.typing.ArrayLike, X: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "Ad_T X: the twists X of frame B in frame A, T = T_AB; X one (6,) or many (..., 6).");
  m.def(
      "Ad_inverse",
      [](nb::handle T, nb::handle X) { return by_pose<&Ad_inverse<double>>(T, X, "X"); },
      nb::arg("T"), nb::arg("X"),
      nb::sig("def Ad_inverse(T: SE3 | axode.typing.ArrayLike, X: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "Ad_T^-1 X: the twists X of frame A in frame B, T = T_AB; X one (6,) or many (..., 6).");
  m.def(
      "Ad_transpose",
      [](nb::handle T, nb::handle W) { return by_pose<&Ad_transpose<double>>(T, W, "W"); },
      nb::arg("T"), nb::arg("W"),
      nb::sig("def Ad_transpose(T: SE3 | axode.typing.ArrayLike, W: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "Ad_T^T W: the wrenches W of frame A in frame B, T = T_AB; W one (6,) or many (..., 6).");
  m.def(
      "Ad_inverse_transpose",
      [](nb::handle T, nb::handle W) { return by_pose<&Ad_inverse_transpose<double>>(T, W, "W"); },
      nb::arg("T"), nb::arg("W"),
      nb::sig("def Ad_inverse_transpose(T: SE3 | axode.typing.ArrayLike, W: "
              "axode.typing.ArrayLike) -> axode.typing.Array"),
      "Ad_T^-T W: the wrenches W of frame B in frame A, T = T_AB; W one (6,) or many (..., 6).");
  m.def(
      "Ad_matrix", [](nb::handle T) { return matrix(Ad_matrix(pose(T, "T"))); }, nb::arg("T"),
      nb::sig("def Ad_matrix(T: SE3 | axode.typing.ArrayLike) -> axode.typing.Array"),
      "The matrix [R 0; p~R R] of Ad_T, (6, 6).");
  m.def(
      "ad", [](nb::handle X, nb::handle Y) { return by_twist<&ad<double>>(X, Y, "Y"); },
      nb::arg("X"), nb::arg("Y"),
      nb::sig("def ad(X: axode.typing.ArrayLike, Y: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "The screw product [X, Y] of X (6,) with Y, one (6,) or many (..., 6).");
  m.def(
      "ad_transpose",
      [](nb::handle X, nb::handle W) { return by_twist<&ad_transpose<double>>(X, W, "W"); },
      nb::arg("X"), nb::arg("W"),
      nb::sig("def ad_transpose(X: axode.typing.ArrayLike, W: axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "ad_X^T W, so that ad_transpose(X, W) @ Y = W @ ad(X, Y); W one (6,) or many (..., 6).");
}

}  // namespace

void bind_adjoints(nb::module_& m) {
  bind_maps(m);
  m.def(
      "skew", [](nb::handle a) { return matrix(skew(vec3(a, "a"))); }, nb::arg("a"),
      nb::sig("def skew(a: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The matrix of the cross product, skew(a) @ b = a x b, (3, 3).");
  m.def(
      "unskew", [](nb::handle a) { return array(unskew(mat3(a, "a"))); }, nb::arg("a"),
      nb::sig("def unskew(a: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The vector of the skew-symmetric part of a 3x3 matrix, inverse of skew, (3,).");
  m.def(
      "hat", [](nb::handle X) { return matrix(hat(vec6(X, "X"))); }, nb::arg("X"),
      nb::sig("def hat(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The element [xi~ eta; 0 0] of se(3) of a six-vector X = (xi, eta), (4, 4).");
  m.def(
      "vee", [](nb::handle M) { return array(vee(mat4(M, "M"))); }, nb::arg("M"),
      nb::sig("def vee(M: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The six-vector of an element of se(3), inverse of hat, (6,). Only the entries below the "
      "diagonal and the last column are read.");
  m.def(
      "pose_from_matrix",
      [](nb::handle M, double tolerance) {
        return pose_from_matrix(mat4(M, "M"), finite(tolerance, "tolerance"));
      },
      nb::arg("M"), nb::arg("tolerance") = 1e6 * epsilon<double>,
      nb::sig("def pose_from_matrix(M: axode.typing.ArrayLike, tolerance: float = "
              "2.220446049250313e-10) -> SE3"),
      "The pose of [R p; 0 1], its numbers unchanged. Raises Error if the last row is not 0 0 0 1 "
      "or "
      "R is not a rotation within `tolerance`. SE3(M) takes less exact ones and mends them.");
}

}  // namespace axode::python
