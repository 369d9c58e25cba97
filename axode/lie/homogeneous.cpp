#include "axode/lie/homogeneous.hpp"

#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

template <std::floating_point S>
SE3<S> pose_from_matrix(const Mat4<S>& M, std::type_identity_t<S> tolerance) {
  const char* where = "pose_from_matrix";
  if (M[3] != std::array<S, 4>{S(0), S(0), S(0), S(1)})
    throw Error("the last row of the matrix is not exactly 0 0 0 1", where,
                "give a homogeneous matrix [R p; 0 1]");
  const Vec3<S> p{M[0][3], M[1][3], M[2][3]};
  if (!is_finite(p))
    throw Error("the position has entries that are not finite", where, "give finite numbers");
  const auto row = [&](std::size_t i) { return Vec3<S>{M[i][0], M[i][1], M[i][2]}; };
  return {rotation_from_matrix(Mat3<S>::rows(row(0), row(1), row(2)), tolerance), p};
}

template SE3<double> pose_from_matrix(const Mat4<double>&, double);
template SE3<float> pose_from_matrix(const Mat4<float>&, float);

}  // namespace axode
