/// The border to Eigen: views without copying where the memory allows, and conversions.
///
/// The only header of Axode that includes Eigen. A `view` refers to the object it was made from
/// and must not outlive it. Eigen takes no part in any struct of the library, so its alignment and
/// instruction-set flags cannot change the library's ABI.
/// Tests: tests/linalg/eigen_test.cpp
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "axode/lie/homogeneous.hpp"
#include "axode/lie/quaternion.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

template <class S>
using EigenVec3 = Eigen::Matrix<S, 3, 1>;
template <class S>
using EigenVec6 = Eigen::Matrix<S, 6, 1>;
template <class S>
using EigenMat3 = Eigen::Matrix<S, 3, 3>;
template <class S>
using EigenMat6 = Eigen::Matrix<S, 6, 6>;

/// An Eigen object on the memory of a vector or matrix of Axode, to read and to write.
template <class S>
inline Eigen::Map<EigenVec3<S>> view(Vec3<S>& a) noexcept {
  static_assert(sizeof(Vec3<S>) == 3 * sizeof(S) && std::is_standard_layout_v<Vec3<S>>);
  return Eigen::Map<EigenVec3<S>>(&a.x);
}
template <class S>
inline Eigen::Map<const EigenVec3<S>> view(const Vec3<S>& a) noexcept {
  return Eigen::Map<const EigenVec3<S>>(&a.x);
}
template <class S>
inline Eigen::Map<EigenMat3<S>> view(Mat3<S>& a) noexcept {
  static_assert(sizeof(Mat3<S>) == 9 * sizeof(S) && std::is_standard_layout_v<Mat3<S>>);
  return Eigen::Map<EigenMat3<S>>(&a.x.x);
}
template <class S>
inline Eigen::Map<const EigenMat3<S>> view(const Mat3<S>& a) noexcept {
  return Eigen::Map<const EigenMat3<S>>(&a.x.x);
}
template <class S>
inline Eigen::Map<EigenVec6<S>> view(Vec6<S>& a) noexcept {
  static_assert(sizeof(Vec6<S>) == 6 * sizeof(S) && std::is_standard_layout_v<Vec6<S>>);
  return Eigen::Map<EigenVec6<S>>(&a.angular.x);
}
template <class S>
inline Eigen::Map<const EigenVec6<S>> view(const Vec6<S>& a) noexcept {
  return Eigen::Map<const EigenVec6<S>>(&a.angular.x);
}

/// The 6x6 matrix put together from its four blocks.
template <class S>
inline EigenMat6<S> to_eigen(const Mat6<S>& a) {
  EigenMat6<S> m;
  m << view(a.aa), view(a.al), view(a.la), view(a.ll);
  return m;
}
template <class S>
inline Eigen::Transform<S, 3, Eigen::Isometry> to_eigen(const SE3<S>& T) {
  Eigen::Transform<S, 3, Eigen::Isometry> t = Eigen::Transform<S, 3, Eigen::Isometry>::Identity();
  t.linear() = view(T.R.matrix);
  t.translation() = view(T.p);
  return t;
}
template <class S>
inline Eigen::Quaternion<S> to_eigen(const Quaternion<S>& q) {
  return {q.w, q.v.x, q.v.y, q.v.z};
}

template <class Derived>
inline auto vec3_from_eigen(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 3)
  return Vec3<typename Derived::Scalar>{a.x(), a.y(), a.z()};
}
template <class Derived>
inline auto vec6_from_eigen(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 6)
  using S = typename Derived::Scalar;
  return Vec6<S>{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}
template <class Derived>
inline auto mat3_from_eigen(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_MATRIX_SPECIFIC_SIZE(Derived, 3, 3)
  Mat3<typename Derived::Scalar> m;
  view(m) = a;
  return m;
}
template <class Derived>
inline auto mat6_from_eigen(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_MATRIX_SPECIFIC_SIZE(Derived, 6, 6)
  Mat6<typename Derived::Scalar> m;
  view(m.aa) = a.template topLeftCorner<3, 3>();
  view(m.al) = a.template topRightCorner<3, 3>();
  view(m.la) = a.template bottomLeftCorner<3, 3>();
  view(m.ll) = a.template bottomRightCorner<3, 3>();
  return m;
}
/// The numbers of a 4x4 or affine transform as a pose; trusted, as SE3 is. To have them checked
/// use pose_from_matrix.
template <class S, int mode, int options>
inline SE3<S> se3_from_eigen(const Eigen::Transform<S, 3, mode, options>& t) {
  return {{mat3_from_eigen(t.linear())}, vec3_from_eigen(t.translation())};
}
template <class S, int options>
inline Quaternion<S> quaternion_from_eigen(const Eigen::Quaternion<S, options>& q) {
  return {q.w(), {q.x(), q.y(), q.z()}};
}

}  // namespace axode
