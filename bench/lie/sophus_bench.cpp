// The operations of Sophus, if scripts/setup_peers has found it. It keeps rotations as quaternions
// and puts the linear part first; it has no left Jacobian.
#if __has_include(<sophus/se3.hpp>)
#include <sophus/se3.hpp>

#include "bench/lie/inputs.hpp"
#include "bench/support/kernel.hpp"

namespace axode::bench {
namespace {

using Sophus::SE3d, Sophus::SO3d;
using Vector3d = Eigen::Vector3d;
using Vector6d = SE3d::Tangent;  // linear part first

struct Numbers {
  template <class Derived>
  void operator()(const Eigen::MatrixBase<Derived>& m, int, std::vector<double>& list) const {
    for (const double number : m.reshaped()) list.push_back(number);
  }
  void operator()(const Vector6d& x, int, std::vector<double>& list) const {
    (*this)(x.tail<3>(), 0, list);
    (*this)(x.head<3>(), 0, list);
  }
  void operator()(const SO3d& R, int, std::vector<double>& list) const {
    (*this)(R.matrix(), 0, list);
  }
  void operator()(const SE3d& T, int, std::vector<double>& list) const {
    (*this)(T.so3(), 0, list);
    (*this)(T.translation(), 0, list);
  }
};

template <class Out, class F, class... In>
Kernel kernel(const char* operation, F f, const std::vector<In>&... in) {
  return bench::kernel<Out>(operation, "", Numbers{}, f, in...);
}

SO3d rotation(const PoseNumbers& from) { return SO3d(Eigen::Matrix3d(from.R.data())); }
SE3d pose(const PoseNumbers& from) { return {rotation(from), Vector3d(from.p.data())}; }
Vector3d angular(const Six& from) { return Vector3d(from.data()); }
Vector3d linear(const Six& from) { return Vector3d(from.data() + 3); }
Vector6d twist(const Six& from) {
  Vector6d x;
  x << linear(from), angular(from);
  return x;
}

template <class From, class F>
auto each(const std::vector<From>& from, F f) {
  std::vector<decltype(f(from[0]))> all;
  for (const From& x : from) all.push_back(f(x));
  return all;
}

std::vector<Kernel> all() {
  const Inputs l1 = inputs(few), l2 = inputs(many);
  const auto a = each(l1.a, pose), b = each(l1.b, pose), T = each(l2.a, pose);
  const auto point = each(l1.x, linear), w = each(l2.x, angular);
  const auto y = each(l1.x, twist), x = each(l2.x, twist);
  const auto R = each(l2.a, rotation);
  return {
      kernel<SE3d>(
          "SE3 * SE3", [](SE3d& out, const SE3d& s, const SE3d& t) { out = s * t; }, a, b),
      kernel<SE3d>(
          "SE3 chain",
          [chain = SE3d()](SE3d& out, const SE3d& t) mutable { out = chain = chain * t; }, b),
      kernel<Vector3d>(
          "SE3 * point", [](Vector3d& out, const SE3d& t, const Vector3d& p) { out = t * p; }, a,
          point),
      kernel<SE3d>(
          "SE3 inverse", [](SE3d& out, const SE3d& t) { out = t.inverse(); }, a),
      kernel<SE3d>(
          "SE3 inverse * SE3",
          [](SE3d& out, const SE3d& s, const SE3d& t) { out = s.inverse() * t; }, a, b),
      kernel<Vector6d>(
          "Ad * twist",
          [](Vector6d& out, const SE3d& t, const Vector6d& s) { out.noalias() = t.Adj() * s; }, a,
          y),
      kernel<SO3d>(
          "SO3 exp", [](SO3d& out, const Vector3d& s) { out = SO3d::exp(s); }, w),
      kernel<Vector3d>(
          "SO3 log", [](Vector3d& out, const SO3d& r) { out = r.log(); }, R),
      kernel<SE3d>(
          "SE3 exp", [](SE3d& out, const Vector6d& s) { out = SE3d::exp(s); }, x),
      kernel<Vector6d>(
          "SE3 log", [](Vector6d& out, const SE3d& t) { out = t.log(); }, T),
  };
}

const Registered registered{"Sophus", all};

}  // namespace
}  // namespace axode::bench
#endif
