/// Coordinates of free joints in the conventions of other libraries: between
/// (bench/peers/flat_model.hpp) v = (linear, angular) in the axes of the body and a library's own
/// velocity u = B(q) v, acceleration u' = B a + b, force f = B tau, where B is orthogonal: it
/// turns the linear or the angular part to the axes of the world and may exchange them; the linear
/// bias b is that of the acceleration of the body's origin. All other joints are left as they are.
/// Nothing here is timed: inputs are converted before, results after the measuring.
/// Tests: scripts/bench_peers compares all results.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "bench/peers/flat_model.hpp"

namespace peers {

/// To be added to the version of a library that is as Debian builds it, with assertions, which our
/// inline code must then have, too.
inline std::string assertions() {
#if defined(NDEBUG)
  return "";
#else
  return ", with assertions";
#endif
}

/// Rotation matrix, row-major, of the quaternion (x, y, z, w).
std::array<double, 9> rotation(const double* quaternion);

/// How a library measures the motion of a free body; to be joined by |.
enum FreeMotion : unsigned {
  like_flat_model = 0,
  angular_first = 1,
  linear_in_world = 2,   ///< axes of the linear part
  angular_in_world = 4,  ///< axes of the angular part
  of_origin = 8,         ///< u' is the acceleration of the origin though in axes of the body
};

class Coordinates {
 public:
  using Numbers = std::vector<double>;
  Coordinates(const Model& model, unsigned motion) : model_(&model), motion_(motion) {}

  /// The library's numbers from those of the flat model.
  Numbers velocity(const Numbers& q, const Numbers& v) const { return turned(q, v); }
  Numbers force(const Numbers& q, const Numbers& tau) const { return turned(q, tau); }
  Numbers acceleration(const Numbers& q, const Numbers& v, const Numbers& a) const;

  /// Numbers of the flat model from the library's, appended to out: tau = B^T f, a = B^T (u' - b),
  /// B^T M B (also of an inverse), J B. Matrices are row-major with nv columns.
  void add_force(const Numbers& q, Numbers f, Numbers& out) const;
  void add_acceleration(const Numbers& q, const Numbers& v, Numbers u_dot, Numbers& out) const;
  void add_matrix(const Numbers& q, Numbers M, Numbers& out) const;
  void add_jacobian(const Numbers& q, Numbers J, Numbers& out) const;

 private:
  Numbers turned(const Numbers& q, Numbers x) const;
  /// x = B^T x of the nv numbers x[0], x[stride], ...
  void turn_back(const Numbers& q, double* x, int stride) const;
  Numbers bias(const Numbers& q, const Numbers& v) const;

  const Model* model_;
  unsigned motion_;  ///< of FreeMotion
};

}  // namespace peers
