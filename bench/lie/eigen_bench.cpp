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
  if (t2 < 1e-2)  // where 1 - cos t would lose digits
    return {1 - t2 / 6 * (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72))),
            0.5 - t2 / 24 * (1 - t2 / 30 * (1 - t2 / 56 * (1 - t2 / 90))),
            1. / 6 - t2 / 120 * (1 - t2 / 42 * (1 - t2 / 72 * (1 - t2 / 110)))};
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
  const double k = t < 1e-4        ? 1. / 12
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

void set_blocks(Matrix6d& out, const Matrix3d& J, const Matrix3d& Q) {
  out.topLeftCorner<3, 3>() = J;
  out.topRightCorner<3, 3>().setZero();
  out.bottomLeftCorner<3, 3>() = Q;
  out.bottomRightCorner<3, 3>() = J;
}
/// [T. D. Barfoot, State Estimation for Robotics (2017), (7.86)]
void left_jacobian_barfoot(Matrix6d& out, const Vector6d& x) {
  const Vector3d w = x.head<3>();
  const double t2 = w.squaredNorm();
  const Coefficients k = coefficients(t2);
  const bool small = t2 < 1e-2;
  const double d = small ? 1. / 24 - t2 * (1. / 720 - t2 / 40320) : (0.5 - k.b) / t2;
  const double e = small ? 1. / 120 - t2 * (1. / 2520 - t2 / 120960) : 0.5 * (3 * k.c - k.b) / t2;
  const Matrix3d W = hat(w), V = hat(x.tail<3>());
  const Matrix3d W2 = W * W, WV = W * V, VW = V * W, WVW = WV * W;
  const Matrix3d J = Matrix3d::Identity() + k.b * W + k.c * W2;
  const Matrix3d Q =
      0.5 * V + k.c * (WV + VW + WVW) + d * (W * WV + VW * W - 3 * WVW) + e * (WVW * W + W * WVW);
  set_blocks(out, J, Q);
}
/// As the derivative of the Jacobian of SO(3) along the linear part.
void left_jacobian_derivative(Matrix6d& out, const Vector6d& x) {
  const Vector3d w = x.head<3>(), v = x.tail<3>();
  const double t2 = w.squaredNorm(), wv = w.dot(v);
  const Coefficients k = coefficients(t2);
  const bool small = t2 < 1e-2;
  const double g = small ? -1. / 12 + t2 * (1. / 180 - t2 / 6720) : (k.a - 2 * k.b) / t2;
  const double h = small ? -1. / 60 + t2 * (1. / 1260 - t2 / 60480) : (k.b - 3 * k.c) / t2;
  const Matrix3d ww = w * w.transpose(), wvT = w * v.transpose();
  Matrix3d J = k.c * ww + hat(k.b * w);
  J.diagonal().array() += 1 - k.c * t2;
  Matrix3d Q = hat(k.b * v + (wv * g) * w) + k.c * (wvT + wvT.transpose()) + (wv * h) * ww;
  Q.diagonal().array() -= wv * (2 * k.c + h * t2);
  set_blocks(out, J, Q);
}

struct Numbers {
  template <class Derived>
  void operator()(const Eigen::MatrixBase<Derived>& m, int, std::vector<double>& list) const {
    for (const double number : m.reshaped()) list.push_back(number);
  }
  void operator()(const Matrix6d& m, int, std::vector<double>& list) const {
    for (const int i : {0, 3})
      for (const int j : {0, 3}) (*this)(m.block<3, 3>(i, j), 0, list);
  }
  void operator()(const Pose& T, int, std::vector<double>& list) const {
    (*this)(T.R, 0, list);
    (*this)(T.p, 0, list);
  }
  void operator()(const Isometry3d& T, int, std::vector<double>& list) const {
    (*this)(T.linear(), 0, list);
    (*this)(T.translation(), 0, list);
  }
};

template <class Out, class F, class... In>
Kernel kernel(const char* operation, const char* writing, F f, const std::vector<In>&... in) {
  return bench::kernel<Out>(operation, writing, Numbers{}, f, in...);
}

Matrix3d matrix(const PoseNumbers& from) { return Matrix3d(from.R.data()); }
Pose pose(const PoseNumbers& from) { return {matrix(from), Vector3d(from.p.data())}; }
Isometry3d isometry(const PoseNumbers& from) {
  Isometry3d T = Isometry3d::Identity();
  T.linear() = matrix(from);
  T.translation() = Vector3d(from.p.data());
  return T;
}
Vector6d vector6(const Six& from) { return Vector6d(from.data()); }
Vector3d angular(const Six& from) { return Vector3d(from.data()); }
Vector3d linear(const Six& from) { return Vector3d(from.data() + 3); }

template <class From, class F>
auto each(const std::vector<From>& from, F f) {
  std::vector<decltype(f(from[0]))> all;
  for (const From& x : from) all.push_back(f(x));
  return all;
}

std::vector<Kernel> arithmetic() {
  const Inputs l1 = inputs(few);
  const auto a = each(l1.a, pose), b = each(l1.b, pose);
  const auto A = each(l1.a, isometry), B = each(l1.b, isometry);
  const auto point = each(l1.x, linear);
  const auto twist = each(l1.x, vector6);
  const auto Ad = each(a, adjoint);
  return {
      kernel<Isometry3d>(
          "SE3 * SE3", "Isometry3d",
          [](Isometry3d& out, const Isometry3d& s, const Isometry3d& t) { out = s * t; }, A, B),
      kernel<Pose>(
          "SE3 * SE3", "R, p",
          [](Pose& out, const Pose& s, const Pose& t) {
            out = {s.R * t.R, s.R * t.p + s.p};
          },
          a, b),
      kernel<Pose>(
          "SE3 * SE3", "R, p noalias",
          [](Pose& out, const Pose& s, const Pose& t) {
            out.R.noalias() = s.R * t.R;
            out.p.noalias() = s.R * t.p;
            out.p += s.p;
          },
          a, b),
      kernel<Isometry3d>(
          "SE3 chain", "Isometry3d",
          [chain = Isometry3d(Isometry3d::Identity())](
              Isometry3d& out, const Isometry3d& t) mutable { out = chain = chain * t; },
          B),
      kernel<Pose>(
          "SE3 chain", "R, p",
          [chain = Pose{Matrix3d::Identity(), Vector3d::Zero()}](Pose& out, const Pose& t) mutable {
            chain.p += chain.R * t.p;
            chain.R = chain.R * t.R;
            out = chain;
          },
          b),
      kernel<Vector3d>(
          "SE3 * point", "Isometry3d",
          [](Vector3d& out, const Isometry3d& t, const Vector3d& p) { out = t * p; }, A, point),
      kernel<Vector3d>(
          "SE3 * point", "R, p",
          [](Vector3d& out, const Pose& t, const Vector3d& p) { out = t.R * p + t.p; }, a, point),
      kernel<Vector3d>(
          "SE3 * point", "R, p noalias",
          [](Vector3d& out, const Pose& t, const Vector3d& p) {
            out.noalias() = t.R * p;
            out += t.p;
          },
          a, point),
      kernel<Isometry3d>(
          "SE3 inverse", "Isometry3d",
          [](Isometry3d& out, const Isometry3d& t) { out = t.inverse(); }, A),
      kernel<Pose>(
          "SE3 inverse", "R, p",
          [](Pose& out, const Pose& t) {
            out = {t.R.transpose(), -(t.R.transpose() * t.p)};
          },
          a),
      kernel<Pose>(
          "SE3 inverse", "R, p noalias",
          [](Pose& out, const Pose& t) {
            out.R = t.R.transpose();
            out.p.noalias() = -(t.R.transpose() * t.p);
          },
          a),
      kernel<Isometry3d>(
          "SE3 inverse * SE3", "Isometry3d",
          [](Isometry3d& out, const Isometry3d& s, const Isometry3d& t) { out = s.inverse() * t; },
          A, B),
      kernel<Pose>(
          "SE3 inverse * SE3", "R, p",
          [](Pose& out, const Pose& s, const Pose& t) {
            out = {s.R.transpose() * t.R, s.R.transpose() * (t.p - s.p)};
          },
          a, b),
      kernel<Pose>(
          "SE3 inverse * SE3", "R, p noalias",
          [](Pose& out, const Pose& s, const Pose& t) {
            out.R.noalias() = s.R.transpose() * t.R;
            out.p.noalias() = s.R.transpose() * (t.p - s.p);
          },
          a, b),
      kernel<Vector6d>(
          "Ad * twist", "blocks",
          [](Vector6d& out, const Pose& t, const Vector6d& x) {
            const Vector3d w = t.R * x.head<3>();
            out << w, t.p.cross(w) + t.R * x.tail<3>();
          },
          a, twist),
      kernel<Vector6d>(
          "Ad * twist", "blocks noalias",
          [](Vector6d& out, const Pose& t, const Vector6d& x) {
            const Vector3d w = t.R * x.head<3>();
            out.head<3>() = w;
            out.tail<3>() = t.p.cross(w);
            out.tail<3>().noalias() += t.R * x.tail<3>();
          },
          a, twist),
      kernel<Vector6d>(
          "Ad * twist", "6x6 formed",
          [](Vector6d& out, const Pose& t, const Vector6d& x) { out = adjoint(t) * x; }, a, twist),
      kernel<Vector6d>(
          "Ad * twist, 6x6 ready", "",
          [](Vector6d& out, const Matrix6d& m, const Vector6d& x) { out.noalias() = m * x; }, Ad,
          twist),
  };
}

std::vector<Kernel> transcendental() {
  const Inputs l2 = inputs(many);
  const auto R = each(l2.a, matrix);
  const auto T = each(l2.a, pose);
  const auto w = each(l2.x, angular);
  const auto x = each(l2.x, vector6);
  const auto exp_by = [&](const char* writing, auto rotation) {
    return kernel<Pose>(
        "SE3 exp", writing,
        [rotation](Pose& out, const Vector6d& y) {
          const Vector3d xi = y.head<3>(), eta = y.tail<3>();
          const double t2 = xi.squaredNorm();
          const Coefficients k = coefficients(t2);
          const Vector3d turned = xi.cross(eta);
          out.R = rotation(k, xi, t2);
          out.p = eta + k.b * turned + k.c * xi.cross(turned);
        },
        x);
  };
  return {
      kernel<Matrix3d>(
          "SO3 exp", "matrices", [](Matrix3d& out, const Vector3d& y) { out = exp_matrices(y); },
          w),
      kernel<Matrix3d>(
          "SO3 exp", "outer product", [](Matrix3d& out, const Vector3d& y) { out = exp_outer(y); },
          w),
      kernel<Matrix3d>(
          "SO3 exp", "AngleAxisd",
          [](Matrix3d& out, const Vector3d& y) { out = exp_angle_axis(y); }, w),
      kernel<Vector3d>(
          "SO3 log", "Quaterniond",
          [](Vector3d& out, const Matrix3d& r) { out = log_quaternion(r).w; }, R),
      kernel<Vector3d>(
          "SO3 log", "AngleAxisd",
          [](Vector3d& out, const Matrix3d& r) { out = log_angle_axis(r); }, R),
      kernel<Vector3d>(
          "SO3 log", "trace", [](Vector3d& out, const Matrix3d& r) { out = log_trace(r).w; }, R),
      kernel<Pose>(
          "SE3 exp", "matrices",
          [](Pose& out, const Vector6d& y) {
            const Coefficients k = coefficients(y.head<3>().squaredNorm());
            const Matrix3d W = hat(y.head<3>()), W2 = W * W;
            out.R = Matrix3d::Identity() + k.a * W + k.b * W2;
            out.p.noalias() = (Matrix3d::Identity() + k.b * W + k.c * W2) * y.tail<3>();
          },
          x),
      exp_by("matrices, cross", [](const Coefficients& k, const Vector3d& xi,
                                   double) { return by_matrices(k.a, k.b, xi); }),
      exp_by("outer product, cross", [](const Coefficients& k, const Vector3d& xi,
                                        double t2) { return by_outer_product(k.a, k.b, xi, t2); }),
      exp_by("AngleAxisd, cross",
             [](const Coefficients&, const Vector3d& xi, double) { return exp_angle_axis(xi); }),
      kernel<Vector6d>(
          "SE3 log", "Quaterniond", [](Vector6d& out, const Pose& t) { log_quaternion(out, t); },
          T),
      kernel<Vector6d>(
          "SE3 log", "AngleAxisd", [](Vector6d& out, const Pose& t) { log_angle_axis(out, t); }, T),
      kernel<Vector6d>(
          "SE3 log", "trace", [](Vector6d& out, const Pose& t) { log_trace(out, t); }, T),
      kernel<Matrix3d>(
          "SO3 left_jacobian", "matrices",
          [](Matrix3d& out, const Vector3d& y) {
            const Coefficients k = coefficients(y.squaredNorm());
            out = by_matrices(k.b, k.c, y);
          },
          w),
      kernel<Matrix3d>(
          "SO3 left_jacobian", "outer product",
          [](Matrix3d& out, const Vector3d& y) {
            const double t2 = y.squaredNorm();
            const Coefficients k = coefficients(t2);
            out = by_outer_product(k.b, k.c, y, t2);
          },
          w),
      kernel<Matrix6d>(
          "SE3 left_jacobian", "matrices",
          [](Matrix6d& out, const Vector6d& y) { left_jacobian_barfoot(out, y); }, x),
      kernel<Matrix6d>(
          "SE3 left_jacobian", "derivative",
          [](Matrix6d& out, const Vector6d& y) { left_jacobian_derivative(out, y); }, x),
  };
}

/// The writings with Isometry3d, or the others.
std::vector<Kernel> selected(bool isometry) {
  std::vector<Kernel> all = arithmetic();
  for (Kernel& k : transcendental()) all.push_back(std::move(k));
  std::erase_if(all, [&](const Kernel& k) {
    return (k.writing.find("Isometry3d") != std::string::npos) != isometry;
  });
  return all;
}
const Registered eigen{"Eigen", [] { return selected(false); }};
const Registered isometry3d{"Isometry", [] { return selected(true); }};

}  // namespace
}  // namespace axode::bench
