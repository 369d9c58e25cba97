/// Rotations in every usual parametrisation, and matrices checked or mended into rotations.
#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "src/lie/lie.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

void bind_angles(nb::module_& m) {
  m.def(
      "rotation_about",
      [](int axis, double angle) {
        if (axis < 0 || axis > 2) throw Error("is none of 0, 1, 2", "axis");
        return all_finite(rotation_about<double>(axis, finite(angle, "angle")), "angle");
      },
      nb::arg("axis"), nb::arg("angle"),
      "The rotation by `angle` [rad] about coordinate axis 0, 1 or 2 (x, y, z).");
  m.def(
      "to_axis_angle",
      [](nb::handle R) {
        const AxisAngle<double> a = to_axis_angle(rotation(R, "R"));
        return result("AxisAngle", array(a.axis), a.angle);
      },
      nb::arg("R"),
      nb::sig("def to_axis_angle(R: SO3 | Quaternion | axode.typing.ArrayLike) -> "
              "axode._results.lie.AxisAngle"),
      "A unit axis and an angle in [0, pi] rad; for the identity (0, 0, 1) and 0.");
  m.def(
      "rotation_from_axis_angle",
      [](nb::handle axis, double angle) {
        const Vec3<double> e = vec3(axis, "axis");
        if (max_abs(e) == 0) throw Error("is zero", "axis", "give a direction of any length");
        return all_finite(rotation_from_axis_angle(e, finite(angle, "angle")), "angle");
      },
      nb::arg("axis"), nb::arg("angle"),
      nb::sig("def rotation_from_axis_angle(axis: axode.typing.ArrayLike, angle: float) -> SO3"),
      "The rotation by `angle` [rad] about `axis`, which may have any length but zero.");
  m.def(
      "rotation_from_roll_pitch_yaw",
      [](double roll, double pitch, double yaw) {
        return all_finite(rotation_from_roll_pitch_yaw<double>(
                              finite(roll, "roll"), finite(pitch, "pitch"), finite(yaw, "yaw")),
                          "angles");
      },
      nb::arg("roll"), nb::arg("pitch"), nb::arg("yaw"),
      "R = Rz(yaw) Ry(pitch) Rx(roll) as in URDF, angles in rad.");
  m.def(
      "to_roll_pitch_yaw", [](nb::handle R) { return array(to_roll_pitch_yaw(rotation(R, "R"))); },
      nb::arg("R"),
      nb::sig("def to_roll_pitch_yaw(R: SO3 | Quaternion | axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "(roll, pitch, yaw) [rad] with R = Rz(yaw) Ry(pitch) Rx(roll); at pitch = +-pi/2 roll is 0.");
  m.def(
      "rotation_from_euler_angles",
      [](std::string_view order, nb::handle angles) {
        return all_finite(rotation_from_euler_angles(euler_order(order), vec3(angles, "angles")),
                          "angles");
      },
      nb::arg("order"), nb::arg("angles"),
      nb::sig("def rotation_from_euler_angles(order: axode.typing.EulerOrder, angles: "
              "axode.typing.ArrayLike) -> SO3"),
      "R = R_first(a) R_second(b) R_third(c) of intrinsic angles (3,) [rad]: order 'zyx' means "
      "Rz(a) Ry(b) Rx(c). The extrinsic order 'xyz' is the intrinsic 'zyx' read backwards.");
  m.def(
      "to_euler_angles",
      [](nb::handle R, std::string_view order) {
        const EulerAngles<double> e = to_euler_angles(rotation(R, "R"), euler_order(order));
        return result("EulerAngles", array(e.angles), e.singular);
      },
      nb::arg("R"), nb::arg("order"),
      nb::sig("def to_euler_angles(R: SO3 | Quaternion | axode.typing.ArrayLike, order: "
              "axode.typing.EulerOrder) -> axode._results.lie.EulerAngles"),
      "Intrinsic Euler angles: the outer ones in (-pi, pi] rad, the middle one in [0, pi] if first "
      "and third axis are the same, else in [-pi/2, pi/2].");
}

void bind_quaternions(nb::module_& m) {
  m.def(
      "rotation_from_quaternion",
      [](nb::handle q) { return rotation_from_quaternion(quaternion_of(q, "q")); }, nb::arg("q"),
      nb::sig("def rotation_from_quaternion(q: Quaternion | axode.typing.ArrayLike) -> SO3"),
      "The rotation of a quaternion (w, x, y, z) of any length but zero.");
  m.def(
      "to_quaternion", [](nb::handle R) { return to_quaternion(rotation(R, "R")); }, nb::arg("R"),
      nb::sig("def to_quaternion(R: SO3 | axode.typing.ArrayLike) -> Quaternion"),
      "The unit quaternion of R; its largest component is positive.");
  m.def(
      "rotation_from_euler_parameters",
      [](nb::handle e) { return rotation_from_quaternion(quaternion_of(e, "e")); }, nb::arg("e"),
      nb::sig("def rotation_from_euler_parameters(e: axode.typing.ArrayLike) -> SO3"),
      "From four Euler parameters (e0, e1, e2, e3), normalised first.");
  m.def(
      "to_euler_parameters",
      [](nb::handle R) {
        return array(std::span<const double>(to_euler_parameters(rotation(R, "R"))));
      },
      nb::arg("R"),
      nb::sig("def to_euler_parameters(R: SO3 | Quaternion | axode.typing.ArrayLike) -> "
              "axode.typing.Array"),
      "Euler parameters (e0, e1, e2, e3) = (cos, axis sin) of half the angle, e0 >= 0, (4,).");
  m.def(
      "normalized", [](nb::handle q) { return normalized(quaternion_of(q, "q")); }, nb::arg("q"),
      nb::sig("def normalized(q: Quaternion | axode.typing.ArrayLike) -> Quaternion"),
      "The unit quaternion along q, which is not zero.");
  m.def(
      "conjugate", [](const Quaternion<double>& q) { return conjugate(q); }, nb::arg("q"),
      "The inverse of a unit quaternion.");
  m.def(
      "squared_norm", [](const Quaternion<double>& q) { return squared_norm(q); }, nb::arg("q"),
      "w^2 + |v|^2.");
  m.def(
      "quaternion_exp",
      [](nb::handle xi) {
        const Quaternion<double> q = quaternion_exp(vec3(xi, "xi"));
        finite(q.w + q.v.x + q.v.y + q.v.z, "xi");
        return q;
      },
      nb::arg("xi"), nb::sig("def quaternion_exp(xi: axode.typing.ArrayLike) -> Quaternion"),
      "The unit quaternion of the rotation by |xi| rad about the axis xi.");
}

}  // namespace

void bind_rotations(nb::module_& m) {
  bind_angles(m);
  bind_quaternions(m);
  m.def(
      "orthogonality_error", [](nb::handle M) { return orthogonality_error(mat3(M, "M")); },
      nb::arg("M"), nb::sig("def orthogonality_error(M: axode.typing.ArrayLike) -> float"),
      "Largest entry of |M^T M - I|: how far the columns are from orthonormal.");
  m.def(
      "rotation_from_matrix",
      [](nb::handle M, double tolerance) {
        return rotation_from_matrix(mat3(M, "M"), finite(tolerance, "tolerance"));
      },
      nb::arg("M"), nb::arg("tolerance") = 1e6 * epsilon<double>,
      nb::sig("def rotation_from_matrix(M: axode.typing.ArrayLike, tolerance: float = "
              "2.220446049250313e-10) -> SO3"),
      "The 3x3 matrix as a rotation, unchanged, if it is one within `tolerance`; otherwise raises "
      "Error that says by how much it is not.");
  m.def(
      "nearest_rotation",
      [](nb::handle M) {
        const NearestRotation<double> n = nearest_rotation(mat3(M, "M"));
        return result("NearestRotation", n.rotation, n.distance, n.unique);
      },
      nb::arg("M"),
      nb::sig("def nearest_rotation(M: axode.typing.ArrayLike) -> "
              "axode._results.lie.NearestRotation"),
      "The rotation nearest to a 3x3 matrix in the Frobenius norm; works for every finite matrix.");
}

}  // namespace axode::python
