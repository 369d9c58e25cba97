#include "axode/lie/rotation.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/symmetric_eigen.hpp"

namespace axode {

EulerOrder euler_order(std::string_view axes) {
  const auto axis = [&](std::size_t i) { return static_cast<int>(axes[i] - 'x'); };
  const auto valid = [](int a) { return a >= 0 && a <= 2; };
  if (axes.size() == 3 && valid(axis(0)) && valid(axis(1)) && valid(axis(2)) &&
      axis(0) != axis(1) && axis(1) != axis(2))
    return {axis(0), axis(1), axis(2)};
  throw Error("\"" + std::string(axes) + "\" is not an order of Euler angles", "euler_order",
              "give three of x, y, z with neighbours different, such as zyx or zxz");
}

template <std::floating_point S>
SO3<S> rotation_from_matrix(const Mat3<S>& M, std::type_identity_t<S> tolerance) {
  const S error = orthogonality_error(M), det = determinant(M);
  if (is_finite(M) && error <= tolerance && det > S(0)) return {M};
  const char* where = "rotation_from_matrix";
  if (!is_finite(M))
    throw Error("the matrix has entries that are not finite", where, "give nine finite numbers");
  std::ostringstream problem;
  problem.precision(3);
  if (error <= tolerance)
    problem << "the matrix is a reflection, its determinant is " << det;
  else
    problem << "the matrix is not a rotation: M^T M differs from the identity by " << error
            << " (allowed: " << tolerance << "), its determinant from 1 by " << det - S(1);
  throw Error(problem.str(), where,
              "mend the matrix, or take nearest_rotation if the difference is only rounding");
}

/// The quaternion q of the nearest rotation maximises trace(R(q)^T M) = q^T K q.
template <std::floating_point S>
NearestRotation<S> nearest_rotation(const Mat3<S>& M) {
  if (!is_finite(M))
    throw Error("the matrix has entries that are not finite", "nearest_rotation",
                "mend the matrix first");
  const S scale = max_abs(M);
  const Mat3<S> m = scale > S(0) ? Mat3<S>{M.x / scale, M.y / scale, M.z / scale} : M;
  const S wx = m.y.z - m.z.y, wy = m.z.x - m.x.z, wz = m.x.y - m.y.x;
  const S xy = m.x.y + m.y.x, xz = m.x.z + m.z.x, yz = m.y.z + m.z.y;
  const auto [values, V] = symmetric_eigen<S, 4>({{{m.x.x + m.y.y + m.z.z, wx, wy, wz},
                                                   {wx, m.x.x - m.y.y - m.z.z, xy, xz},
                                                   {wy, xy, m.y.y - m.x.x - m.z.z, yz},
                                                   {wz, xz, yz, m.z.z - m.x.x - m.y.y}}});
  const std::size_t best = std::max_element(values.begin(), values.end()) - values.begin();
  S gap = std::numeric_limits<S>::infinity();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i != best) gap = std::min(gap, values[best] - values[i]);

  const Quaternion<S> q{V[0][best], {V[1][best], V[2][best], V[3][best]}};
  NearestRotation<S> result{rotation_from_quaternion(q), S(0), gap > S(100) * epsilon<S>};
  const Mat3<S> change = M - result.rotation.matrix;
  result.distance = norm(Vec3<S>{norm(change.x), norm(change.y), norm(change.z)});
  return result;
}

template SO3<double> rotation_from_matrix(const Mat3<double>&, double);
template SO3<float> rotation_from_matrix(const Mat3<float>&, float);
template NearestRotation<double> nearest_rotation(const Mat3<double>&);
template NearestRotation<float> nearest_rotation(const Mat3<float>&);

}  // namespace axode
