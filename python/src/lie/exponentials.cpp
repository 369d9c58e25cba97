/// Inverses, exponentials, logarithms and their derivatives, interpolation of SO(3) and SE(3).
#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/lie/se3.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {
namespace {

/// Calls `three` with a stack of vectors (..., 3) or `six` with one of (..., 6).
template <class Three, class Six>
nb::object by_size(nb::handle value, const char* argument, Three&& three, Six&& six) {
  Numbers numbers(value, argument);
  const auto shape = numbers.shape();
  if (shape.empty() || (shape.back() != 3 && shape.back() != 6))
    throw Error("is neither rotation vectors (..., 3) nor twists (..., 6)", argument);
  return shape.back() == 3 ? three(Stack(std::move(numbers), argument, {3}))
                           : six(Stack(std::move(numbers), argument, {6}));
}

nb::object exp_of(nb::handle X) {
  return by_size(
      X, "X",
      [](const Stack& xi) {
        nb::object all = each_of(xi, {3, 3}, "X", [](const double* in, double* out) {
          write(exp(read_three(in)).matrix, out);
        });
        return xi.single() ? nb::cast(exp(read_three(xi[0]))) : all;
      },
      [](const Stack& twists) {
        nb::object all = each_of(twists, {4, 4}, "X", [](const double* in, double* out) {
          write_homogeneous(exp(read_six(in)), out);
        });
        return twists.single() ? nb::cast(exp(read_six(twists[0]))) : all;
      });
}

nb::object log_of(nb::handle T) {
  if (SE3<double> known; nb::try_cast(T, known)) return array(all_finite(log(known), "T"));
  if (SO3<double> known; nb::try_cast(T, known)) return array(log(known));
  if (nb::isinstance<Quaternion<double>>(T)) return array(log(normalized(quaternion_of(T, "T"))));
  Numbers numbers(T, "T");
  const auto shape = numbers.shape();
  if (shape.size() >= 2 && shape.back() == 3)
    return each_of(Stack(std::move(numbers), "T", {3, 3}), {3}, "T",
                   [](const double* in, double* out) {
                     const Vec3<double> xi = log(checked_rotation(read_mat3(in, 3), "T"));
                     for (int i = 0; i < 3; ++i) out[i] = xi[i];
                   });
  return each_of(Stack(std::move(numbers), "T", {4, 4}), {6}, "T",
                 [](const double* in, double* out) { write_six(log(checked_pose(in, "T")), out); });
}

/// A Jacobian of exp for vectors and twists.
template <class J>
nb::object jacobian_of(nb::handle X, J&& jacobian) {
  return by_size(
      X, "X",
      [&](const Stack& xi) {
        return each_of(xi, {3, 3}, "X", [&](const double* in, double* out) {
          write(jacobian(read_three(in)), out);
        });
      },
      [&](const Stack& twists) {
        return each_of(twists, {6, 6}, "X",
                       [&](const double* in, double* out) { write(jacobian(read_six(in)), out); });
      });
}
const Vec3<double>& angular_of(const Vec3<double>& xi) { return xi; }
const Vec3<double>& angular_of(const Vec6<double>& X) { return X.angular; }
/// The inverse Jacobians have poles at a full turn.
void check_below_full_turn(const Vec3<double>& xi) {
  if (!(norm(xi) < 2 * pi<double>))
    throw Error("has a rotation angle of " + text(norm(xi)) + " rad, not below 2 pi", "X",
                "take the logarithm of the rotation");
}

template <class G>
nb::object interpolated(const G& a, const G& b, nb::handle t,
                        std::initializer_list<std::size_t> shape,
                        void (*write_to)(const G&, double*)) {
  return each_of(Stack(t, "t", {}), shape, "t",
                 [&](const double* in, double* out) { write_to(interpolate(a, b, *in), out); });
}

void bind_group_functions(nb::module_& m) {
  m.def(
      "translation", [](nb::handle p) { return translation(vec3(p, "p")); }, nb::arg("p"),
      nb::sig("def translation(p: axode.typing.ArrayLike) -> SE3"),
      "The pose of a frame with the same axes and its origin at p [m].");
  m.def(
      "inverse", [](const SO3<double>& R) { return inverse(R); }, nb::arg("R"),
      "The inverse rotation.");
  m.def(
      "inverse", [](const SE3<double>& T) { return all_finite(inverse(T), "inverse"); },
      nb::arg("T"), "The inverse pose.");
  m.def(
      "inverse_times",
      [](const SO3<double>& a, const SO3<double>& b) { return inverse_times(a, b); }, nb::arg("a"),
      nb::arg("b"), "inverse(a) * b.");
  m.def(
      "inverse_times",
      [](const SE3<double>& a, const SE3<double>& b) {
        return all_finite(inverse_times(a, b), "inverse_times");
      },
      nb::arg("a"), nb::arg("b"), "inverse(a) * b.");
  m.def(
      "interpolate",
      [](const SO3<double>& a, const SO3<double>& b, double t) {
        return all_finite(interpolate(a, b, finite(t, "t")), "t");
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"),
      "The rotation a fraction t of the way from a to b, turning about one axis.");
  m.def(
      "interpolate",
      [](const SE3<double>& a, const SE3<double>& b, double t) {
        return all_finite(interpolate(a, b, finite(t, "t")), "t");
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"),
      "The pose a fraction t of the way from a to b along the one screw motion that joins them.");
  m.def(
      "interpolate",
      [](const SO3<double>& a, const SO3<double>& b, nb::handle t) {
        return interpolated<SO3<double>>(
            a, b, t, {3, 3}, [](const SO3<double>& R, double* out) { write(R.matrix, out); });
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"),
      nb::sig("def interpolate(a: SO3, b: SO3, t: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The rotations at all fractions t of shape (...), (..., 3, 3).");
  m.def(
      "interpolate",
      [](const SE3<double>& a, const SE3<double>& b, nb::handle t) {
        return interpolated<SE3<double>>(
            a, b, t, {4, 4}, [](const SE3<double>& T, double* out) { write_homogeneous(T, out); });
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"),
      nb::sig("def interpolate(a: SE3, b: SE3, t: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The poses at all fractions t of shape (...), (..., 4, 4).");
  m.def(
      "distance", [](const SO3<double>& a, const SO3<double>& b) { return distance(a, b); },
      nb::arg("a"), nb::arg("b"), "The angle in [0, pi] rad of the rotation that takes a to b.");
  m.def(
      "distance",
      [](const SE3<double>& a, const SE3<double>& b, double length) {
        return finite(distance(a, b, finite(length, "length")), "length");
      },
      nb::arg("a"), nb::arg("b"), nb::arg("length"),
      "Size [m] of the screw motion from a to b: the norm of its logarithm, one radian counted as "
      "`length` metres.");
}

}  // namespace

void bind_exponentials(nb::module_& m) {
  bind_group_functions(m);
  m.def("exp", &exp_of, nb::arg("X"), nb::sig("def exp(X: axode.typing.ArrayLike) -> typing.Any"),
        "The exponential: of a rotation vector (3,) [rad] the SO3 that turns by |X| about X, of a "
        "twist (6,) the SE3 reached after unit time, angular part first [rad, m]. Stacks of them, "
        "(..., 3) and (..., 6), give arrays of matrices (..., 3, 3) and (..., 4, 4).");
  m.def("log", &log_of, nb::arg("T"),
        nb::sig("def log(T: SE3 | SO3 | Quaternion | axode.typing.ArrayLike) -> "
                "axode.typing.Array"),
        "The logarithm, inverse of exp, with a rotation angle in [0, pi] rad: of an SE3 the twist "
        "(6,), of an SO3 or Quaternion the rotation vector (3,); of matrices (..., 4, 4) and "
        "(..., 3, 3) arrays (..., 6) and (..., 3). At pi the component of the axis of largest "
        "magnitude is positive.");
  m.def(
      "left_jacobian",
      [](nb::handle X) { return jacobian_of(X, [](const auto& x) { return left_jacobian(x); }); },
      nb::arg("X"), nb::sig("def left_jacobian(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Left Jacobian dexp_X of exp: exp(X + d) = exp(dexp_X d) exp(X) to first order in d. Vectors "
      "(..., 3) give (..., 3, 3), twists (..., 6) give (..., 6, 6).");
  m.def(
      "right_jacobian",
      [](nb::handle X) { return jacobian_of(X, [](const auto& x) { return right_jacobian(x); }); },
      nb::arg("X"), nb::sig("def right_jacobian(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Right Jacobian dexp_{-X} of exp: exp(X + d) = exp(X) exp(dexp_{-X} d) to first order in d. "
      "Shapes as for left_jacobian.");
  m.def(
      "left_jacobian_inverse",
      [](nb::handle X) {
        return jacobian_of(X, [](const auto& x) {
          check_below_full_turn(angular_of(x));
          return left_jacobian_inverse(x);
        });
      },
      nb::arg("X"),
      nb::sig("def left_jacobian_inverse(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Inverse of left_jacobian, for rotation angles below 2 pi. Shapes as there.");
  m.def(
      "right_jacobian_inverse",
      [](nb::handle X) {
        return jacobian_of(X, [](const auto& x) {
          check_below_full_turn(angular_of(x));
          return right_jacobian_inverse(x);
        });
      },
      nb::arg("X"),
      nb::sig("def right_jacobian_inverse(X: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Inverse of right_jacobian, for rotation angles below 2 pi. Shapes as there.");
}

}  // namespace axode::python
