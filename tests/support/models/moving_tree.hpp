/// Trees in motion, derivatives along the motion, and comparisons of long lists, for tests of
/// dynamics.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "axode/kinematics/system_jacobian.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/state.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test {

struct MovingTree {
  Tree tree;
  std::vector<double> q, v, a;
};
inline MovingTree random_moving_tree(Random& random, int bodies,
                                     const RandomTreeOptions& options = {}) {
  MovingTree r{random_tree(random, bodies, options), {}, {}, {}};
  r.q = random_coordinates(random, r.tree);
  r.v = random_velocities(random, r.tree);
  r.a = random_velocities(random, r.tree);
  return r;
}

/// Numbers with a derivative each.
inline std::vector<Dual<double>> dual(const std::vector<double>& real,
                                      const std::vector<double>& rate) {
  std::vector<Dual<double>> both;
  for (std::size_t k = 0; k < real.size(); ++k) both.emplace_back(real[k], rate[k]);
  return both;
}
/// Coordinates moving with the velocity v.
inline std::vector<Dual<double>> dual_coordinates(const Tree& tree, const std::vector<double>& q,
                                                  const std::vector<double>& v) {
  std::vector<double> rate(q.size());
  coordinate_rate<double>(tree, q, v, rate);
  return dual(q, rate);
}
inline std::vector<double> dual_parts(std::span<const Dual<double>> a) {
  std::vector<double> parts;
  for (const Dual<double>& x : a) parts.push_back(x.dual);
  return parts;
}

inline double largest(std::span<const double> a) {
  double worst = 0;
  for (const double x : a) worst = std::isnan(x) ? INFINITY : std::max(worst, std::abs(x));
  return worst;
}
/// Largest difference relative to the largest number of the second, or to `least` if all are
/// smaller; infinite if there is a NaN or the lengths differ.
inline double relative_difference(std::span<const double> a, std::span<const double> b,
                                  double least = 1) {
  if (a.size() != b.size()) return INFINITY;
  std::vector<double> d(a.begin(), a.end());
  for (std::size_t k = 0; k < b.size(); ++k) d[k] -= b[k];
  return largest(d) / std::max(least, largest(b));
}

/// A B, A^T and A - B of dense matrices, as one writes them down.
inline DenseMatrix<double> transposed(const DenseMatrix<double>& A) {
  DenseMatrix<double> B{A.columns, A.rows, std::vector<double>(A.values.size())};
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) B(j, i) = A(i, j);
  return B;
}
inline std::vector<double> times(const DenseMatrix<double>& A, std::span<const double> x) {
  std::vector<double> y(A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) y[i] += A(i, j) * x[j];
  return y;
}

}  // namespace axode::test
