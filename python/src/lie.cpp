/// SO(3) and SE(3): axode/lie.
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include "axode/lie/se3.hpp"
#include "src/arrays.hpp"

namespace axode::python {

void bind_lie(nb::module_& m) {
  nb::class_<SE3<double>>(m, "SE3",
                          "A pose T_AB: rotation R_AB and position p_AB [m] of frame B in A.")
      .def(
          "__init__",
          [](SE3<double>* self, nb::handle matrix) {
            new (self) SE3<double>(matrix.is_none() ? SE3<double>{} : pose(matrix, "matrix"));
          },
          nb::arg("matrix") = nb::none(),
          nb::sig("def __init__(self, matrix: SE3 | axode.typing.ArrayLike | None = None) -> None"),
          "The identity, or the pose of a 4x4 homogeneous matrix.")
      .def_prop_ro(
          "matrix",
          [](const SE3<double>& T) {
            const Output result({4, 4});
            write_homogeneous(T, result.data);
            return result.array;
          },
          nb::sig("def matrix(self) -> axode.typing.Array"), "The 4x4 homogeneous matrix.")
      .def_prop_ro(
          "R", [](const SE3<double>& T) { return matrix(T.R.matrix); },
          nb::sig("def R(self) -> axode.typing.Array"), "The rotation matrix R_AB, (3, 3).")
      .def_prop_ro(
          "p", [](const SE3<double>& T) { return array(T.p); },
          nb::sig("def p(self) -> axode.typing.Array"), "The position p_AB [m], (3,).");
}

}  // namespace axode::python
