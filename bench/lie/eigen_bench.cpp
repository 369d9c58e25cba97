// The operations as one writes them with plain Eigen, in each of the ways that come to mind; the
// fastest counts. Mat6 results are stored as four blocks column by column, as Axode's, when compared.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "bench/lie/inputs.hpp"
#include "bench/support/kernel.hpp"

namespace axode::bench {
namespace {

using Eigen::AngleAxisd, Eigen::Isometry3d, Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
using Vector6d = Eigen::Matrix<double, 6, 1>;  // angular part first
using Matrix6d = Eigen::Matrix<double, 6, 6>;

struct Pose {
  Matrix3d R;
  Vector3d p;
};

Matrix3d hat(const Vector3d& w) {
  Matrix3d m;
  m << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return m;
}

/// sin t/t, (1 - cos t)/t^2, (t - sin t)/t^3
struct Coefficients {
  double a, b, c;
};
Coefficients coefficients(double t2) {
  if (t2 < 1e-8) return {1 - t2 / 6, 0.5 - t2 / 24, 1. / 6 - t2 / 120};
  const double t = std::sqrt(t2), s = std::sin(t), c = std::cos(t);
  return {s / t, (1 - c) / t2, (t - s) / (t2 * t)};
}

/// I + p w~ + q w~^2 in matrices, and by w~^2 = w w^T - |w|^2 I.
Matrix3d by_matrices(double p, double q, const Vector3d& w) {
  const Matrix3d W = hat(w);
  return Matrix3d::Identity() + p * W + q * W * W;
}
Matrix3d by_outer_product(double p, double q, const Vector3d& w, double t2) {
  Matrix3d m = (q * w) * w.transpose();
  m.diagonal().array() += 1 - q * t2;
  return m + hat(p * w);
}

Matrix3d exp_matrices(const Vector3d& w) {
  const Coefficients k = coefficients(w.squaredNorm());
  return by_matrices(k.a, k.b, w);
}
Matrix3d exp_outer(const Vector3d& w) {
  const double t2 = w.squaredNorm();
  const Coefficients k = coefficients(t2);
  return by_outer_product(k.a, k.b, w, t2);
}
Matrix3d exp_angle_axis(const Vector3d& w) {
  const double t = w.norm();
  if (t < 1e-10) return Matrix3d::Identity() + hat(w);
  return AngleAxisd(t, w / t).toRotationMatrix();
}

/// The rotation vector, and sine and cosine of half of its angle.
struct Log {
  Vector3d w;
  double angle, sine, cosine;
};
Log log_quaternion(const Matrix3d& R) {
  Quaterniond q(R);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double n = q.vec().norm();
  if (n < 1e-8) return {2 * q.vec(), 2 * n, n, q.w()};
  const double angle = 2 * std::atan2(n, q.w());
  return {(angle / n) * q.vec(), angle, n, q.w()};
}
Vector3d log_angle_axis(const Matrix3d& R) {
  const AngleAxisd a(R);
  return a.angle() * a.axis();
}
/// By the trace and the skew part; near pi, where that is zero, by the quaternion.
struct TraceLog {
  Vector3d w;
  double angle, sine, cosine;
};
TraceLog log_trace(const Matrix3d& R) {
  const Vector3d v = 0.5 * Vector3d(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  const double s = v.norm(), c = 0.5 * (R.trace() - 1);
  if (s < 1e-4) {
    if (c > 0) return {v, s, s, c};
    const Log l = log_quaternion(R);
    return {l.w, l.angle, s, c};
  }
  const double angle = std::atan2(s, c);
  return {(angle / s) * v, angle, s, c};
}

/// The linear part of log, given (1 - (t/2) cot(t/2)) / t^2.
Vector3d linear_log(const Vector3d& w, const Vector3d& p, double k) {
  const Vector3d wp = w.cross(p);
  return p - 0.5 * wp + k * w.cross(wp);
}
Vector6d six(const Vector3d& w, const Vector3d& v) {
  Vector6d x;
  x << w, v;
  return x;
}
void log_quaternion(Vector6d& out, const Pose& T) {
  const Log l = log_quaternion(T.R);
  const double t = l.angle;
  const double k = t < 1e-4 ? 1. / 12 : (1 - 0.5 * t * l.cosine / l.sine) / (t * t);
  out = six(l.w, linear_log(l.w, T.p, k));
}
void log_trace(Vector6d& out, const Pose& T) {
  const TraceLog l = log_trace(T.R);
  const double t = l.angle, t2 = t * t;
  const double k = t < 1e-4     ? 1. / 12
                   : l.sine < 1e-4 ? 1 / t2
                                   : (1 - 0.5 * t * (1 + l.cosine) / l.sine) / t2;
  out = six(l.w, linear_log(l.w, T.p, k));
}
void log_angle_axis(Vector6d& out, const Pose& T) {
  const AngleAxisd a(T.R);
  const double t = a.angle();
  const Vector3d w = t * a.axis();
  const double k = t < 1e-4 ? 1. / 12 : (1 - 0.5 * t / std::tan(0.5 * t)) / (t * t);
  out = six(w, linear_log(w, T.p, k));
}

Matrix6d adjoint(const Pose& T) {
  Matrix6d m;
  m << T.R, Matrix3d::Zero(), hat(T.p) * T.R, T.R;
  return m;
}

/// [T. D. Barfoot, State Estimation for Robotics (2017), (7.86)]
void left_jacobian_barfoot(Matrix6d& out, const Vector6d& x) {
  const Vector3d w = x.head<3>();
  const double t2 = w.squaredNorm();
  const Coefficients k = coefficients(t2);
  const double d = t2 < 1e-4 ? 1. / 24 - t2 / 720 : (0.5 - k.b) / t2;
  const double e = t2 < 1e-4 ? 1. / 120 - t2 / 2520 : 0.5 * (d - 3 * (1. / 6 - k.c) / t2);
  const Matrix3d W = hat(w), V = hat(x.tail<3>()), WV = W * V, VW = V * W, WVW = WV * W;
  const Matrix3d J = Matrix3d::Identity() + k.b * W + k.c * W * W;
  const Matrix3d Q = 0.5 * V + k.c * (WV + VW + WVW) + d * (W * WV + VW * W - 3 * WVW) +
                     (0.5 * (d - 3 * (1. / 6 - k.c) / (t2 < 1e-4 ? 1. : t2)) * 0 + e) *
                         (WVW * W + W * WVW);
  out << J, Matrix3d::Zero(), Q, J;
}
