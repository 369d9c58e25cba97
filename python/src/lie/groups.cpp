/// The classes SO3, SE3 and Quaternion.
#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/lie/se3.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {
namespace {

/// R * x for vectors (..., 3).
nb::object turned(const SO3<double>& R, nb::handle x) {
  return each_of(Stack(x, "vectors", {3}), {3}, "vectors", [&](const double* in, double* out) {
    const Vec3<double> v = R * read_three(in);
    for (int i = 0; i < 3; ++i) out[i] = v[i];
  });
}

/// T * x for points (..., 3) or poses (..., 4, 4).
nb::object displaced(const SE3<double>& T, nb::handle x) {
  Numbers numbers(x, "points");
  const auto shape = numbers.shape();
  if (shape.size() >= 2 && shape.back() == 4)
    return each_of(Stack(std::move(numbers), "poses", {4, 4}), {4, 4}, "poses",
                   [&](const double* in, double* out) {
                     write_homogeneous(T * checked_pose(in, "poses"), out);
                   });
  return each_of(Stack(std::move(numbers), "points", {3}), {3}, "points",
                 [&](const double* in, double* out) {
                   const Vec3<double> p = T * read_three(in);
                   for (int i = 0; i < 3; ++i) out[i] = p[i];
                 });
}

SE3<double> made_pose(nb::handle matrix, nb::handle R, nb::handle p) {
  if (matrix.is_none())
    return {R.is_none() ? SO3<double>{} : rotation(R, "R"),
            p.is_none() ? Vec3<double>{} : vec3(p, "p")};
  if (!R.is_none() || !p.is_none())
    throw Error("is given beside R or p", "matrix", "give either the matrix, or R and p");
  return pose(matrix, "matrix");
}

void bind_so3(nb::module_& m) {
  nb::class_<SO3<double>> type(
      m, "SO3",
      "A rotation R_AB: takes coordinates in frame B to coordinates in frame A. Its columns are "
      "the "
      "axes of B seen in A. `R * S` composes, `R * v` turns a vector or an array of them (..., 3); "
      "`@` does the same.");
  type.def(
          "__init__",
          [](SO3<double>* self, nb::handle matrix) {
            new (self) SO3<double>(matrix.is_none() ? SO3<double>{} : rotation(matrix, "matrix"));
          },
          nb::arg("matrix") = nb::none(),
          nb::sig("def __init__(self, matrix: SO3 | Quaternion | axode.typing.ArrayLike | None = "
                  "None) -> None"),
          "The identity, or the rotation of a 3x3 matrix or quaternion. A matrix that is "
          "orthonormal "
          "within 1e-6 but not within rounding is replaced by the nearest rotation; others are "
          "refused.")
      .def_static(
          "identity", [] { return SO3<double>{}; }, "The rotation that leaves all as it is.")
      .def_prop_ro(
          "matrix", [](const SO3<double>& R) { return matrix(R.matrix); },
          nb::sig("def matrix(self) -> axode.typing.Array"), "The rotation matrix, (3, 3).")
      .def(
          "inverse", [](const SO3<double>& R) { return inverse(R); }, "The inverse rotation R_BA.")
      .def("__repr__", [](const SO3<double>& R) { return "SO3(" + text(R.matrix) + ")"; });
  for (const char* name : {"__mul__", "__matmul__"}) {
    type.def(
        name, [](const SO3<double>& a, const SO3<double>& b) { return a * b; }, nb::is_operator());
    type.def(name, &turned, nb::is_operator(),
             name == std::string_view("__mul__")
                 ? nb::sig("def __mul__(self, vectors: axode.typing.ArrayLike, /) -> "
                           "axode.typing.Array")
                 : nb::sig("def __matmul__(self, vectors: axode.typing.ArrayLike, /) -> "
                           "axode.typing.Array"));
  }
  converts_to_array(type, [](const SO3<double>& R) { return matrix(R.matrix); });
  compares(type);
  pickles(type);
}

void bind_se3(nb::module_& m) {
  nb::class_<SE3<double>> type(
      m, "SE3",
      "A pose T_AB: rotation R_AB and position p_AB [m] of frame B in A. `T_AB * T_BC` composes, "
      "`T * x` takes points of B to A, one (3,) or many (..., 3), and poses (..., 4, 4); `@` does "
      "the same.");
  type.def(
          "__init__",
          [](SE3<double>* self, nb::handle matrix, nb::handle R, nb::handle p) {
            new (self) SE3<double>(made_pose(matrix, R, p));
          },
          nb::arg("matrix") = nb::none(), nb::kw_only(), nb::arg("R") = nb::none(),
          nb::arg("p") = nb::none(),
          nb::sig("def __init__(self, matrix: SE3 | axode.typing.ArrayLike | None = None, *, "
                  "R: SO3 | Quaternion | axode.typing.ArrayLike | None = None, "
                  "p: axode.typing.ArrayLike | None = None) -> None"),
          "The identity, the pose of a 4x4 homogeneous matrix, or of a rotation R and a position p "
          "[m]. A rotation that is orthonormal within 1e-6 but not within rounding is replaced by "
          "the nearest one; others are refused.")
      .def_static(
          "identity", [] { return SE3<double>{}; }, "The pose of the frame itself.")
      .def_prop_ro("matrix", &homogeneous, nb::sig("def matrix(self) -> axode.typing.Array"),
                   "The 4x4 homogeneous matrix.")
      .def_prop_ro(
          "R", [](const SE3<double>& T) { return matrix(T.R.matrix); },
          nb::sig("def R(self) -> axode.typing.Array"), "The rotation matrix R_AB, (3, 3).")
      .def_prop_ro(
          "p", [](const SE3<double>& T) { return array(T.p); },
          nb::sig("def p(self) -> axode.typing.Array"), "The position p_AB [m], (3,).")
      .def(
          "inverse", [](const SE3<double>& T) { return all_finite(inverse(T), "inverse"); },
          "The inverse pose T_BA.")
      .def("__repr__", [](const SE3<double>& T) {
        return "SE3(R=" + text(T.R.matrix) + ", p=" + text(T.p) + ")";
      });
  for (const char* name : {"__mul__", "__matmul__"}) {
    type.def(
        name,
        [](const SE3<double>& a, const SE3<double>& b) { return all_finite(a * b, "product"); },
        nb::is_operator());
    type.def(name, &displaced, nb::is_operator(),
             name == std::string_view("__mul__")
                 ? nb::sig("def __mul__(self, points: axode.typing.ArrayLike, /) -> "
                           "axode.typing.Array")
                 : nb::sig("def __matmul__(self, points: axode.typing.ArrayLike, /) -> "
                           "axode.typing.Array"));
  }
  converts_to_array(type, &homogeneous);
  compares(type);
  pickles(type);
}

void bind_quaternion(nb::module_& m) {
  nb::class_<Quaternion<double>> type(
      m, "Quaternion",
      "A quaternion w + v_x i + v_y j + v_z k. Of unit length it is the rotation by 2 acos w about "
      "v; q and -q are the same one. As array (w, x, y, z). `p * q` composes.");
  type.def(
          "__init__",
          [](Quaternion<double>* self, double w, nb::handle v) {
            new (self)
                Quaternion<double>{finite(w, "w"), v.is_none() ? Vec3<double>{} : vec3(v, "v")};
          },
          nb::arg("w") = 1.0, nb::arg("v") = nb::none(),
          nb::sig("def __init__(self, w: float = 1.0, v: axode.typing.ArrayLike | None = None) -> "
                  "None"),
          "From the real part w and the vector part v, (3,) or zero if not given.")
      .def_static(
          "identity", [] { return Quaternion<double>{}; }, "No rotation.")
      .def_prop_ro(
          "w", [](const Quaternion<double>& q) { return q.w; }, "The real part.")
      .def_prop_ro(
          "v", [](const Quaternion<double>& q) { return array(q.v); },
          nb::sig("def v(self) -> axode.typing.Array"), "The vector part, (3,).")
      .def(
          "__mul__",
          [](const Quaternion<double>& a, const Quaternion<double>& b) {
            return all_finite(a * b, "product");
          },
          nb::is_operator())
      .def("__neg__", [](const Quaternion<double>& a) { return -a; })
      .def("__repr__", [](const Quaternion<double>& q) {
        return "Quaternion(w=" + text(q.w) + ", v=" + text(q.v) + ")";
      });
  converts_to_array(type, [](const Quaternion<double>& q) { return array(q); });
  compares(type);
  pickles(type);
}

}  // namespace

void bind_groups(nb::module_& m) {
  bind_quaternion(m);
  bind_so3(m);
  bind_se3(m);
}

}  // namespace axode::python
