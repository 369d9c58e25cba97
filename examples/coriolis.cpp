/// The matrices of the equations of motion of a PUMA 560, and what they say about its energy.
#include "axode/dynamics/matrices/coriolis.hpp"

#include <cmath>
#include <cstdio>

#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/engine/calls.hpp"
#include "axode/io/model_file.hpp"
#include "axode/lie/dual.hpp"

using namespace axode;

namespace {

/// The first three joints carry most of it. Zeros are printed without a sign.
void print(const char* name, const DenseMatrix<>& A) {
  for (int i = 0; i < 3; ++i) {
    std::printf("%-14s", i == 0 ? name : "");
    for (int j = 0; j < 3; ++j) std::printf("%9.4f", std::abs(A(i, j)) < 5e-5 ? 0 : A(i, j));
    std::printf("\n");
  }
}

/// Rate of the mass matrix: coordinates with their velocities as dual parts.
DenseMatrix<> mass_matrix_rate(const Tree& tree, const std::vector<double>& q,
                               const std::vector<double>& v) {
  std::vector<Dual<double>> moving;
  for (std::size_t k = 0; k < q.size(); ++k) moving.emplace_back(q[k], v[k]);
  Poses<Dual<double>> p(tree);
  poses<Dual<double>>(tree, moving, p);
  Composite<Dual<double>> composite(tree);
  composite_inertias(tree, p, composite);
  PathMatrix<Dual<double>> M(tree);
  mass_matrix(tree, composite, M);
  DenseMatrix<> rate{tree.nv, tree.nv, {}};
  for (const Dual<double>& x : dense(M).values) rate.values.push_back(x.dual);
  return rate;
}

/// Largest entry of N + N^T with N = M' - 2 C: zero if N is skew-symmetric.
double symmetric_part(const DenseMatrix<>& M_rate, const DenseMatrix<>& C) {
  double largest = 0;
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.columns; ++j)
      largest = std::fmax(largest, 2 * std::abs(M_rate(i, j) - C(i, j) - C(j, i)));
  return largest;
}

}  // namespace

int main() {
  const Tree tree = load_tree("models/puma560.json");
  const std::vector q{0.1, 0.7, -0.4, 0.3, 0.9, -0.2}, v{1.0, -0.5, 0.8, 0.2, -1.0, 0.6};

  // M a + C v + g = tau. Armatures of the drives are in M.
  print("M", mass_matrix(tree, q));
  const DenseMatrix<> M_rate = mass_matrix_rate(tree, q, v);
  const DenseMatrix<> C = coriolis_matrix(tree, q, v);
  print("C", C);
  const std::vector<double> g = gravity_forces(tree, q);
  std::printf("%-14s%9.4f%9.4f%9.4f\n", "g", std::abs(g[0]) < 5e-5 ? 0 : g[0], g[1], g[2]);

  // C is not unique. By Christoffel's symbols, the default, M' - 2 C is skew-symmetric, as proofs of
  // stability need; so it is by the choice `skew`, which has other entries.
  const bool christoffel_skew = symmetric_part(M_rate, C) < 1e-12;
  const DenseMatrix<> other = coriolis_matrix(tree, q, v, CoriolisChoice::skew);
  const bool skew = symmetric_part(M_rate, other) < 1e-12;
  const DenseMatrix<> uncorrected = coriolis_matrix(tree, q, v, CoriolisChoice::uncorrected);
  std::printf("M' - 2 C skew: %s, by the choice skew: %s, uncorrected: off by %.3f\n",
              christoffel_skew ? "yes" : "no", skew ? "yes" : "no",
              symmetric_part(M_rate, uncorrected));

  const Energy e = energy(tree, q, v);
  std::printf("kinetic energy %.4f J, of the drives %.4f J, potential energy %.4f J\n", e.kinetic,
              e.armature, e.potential);
  const Vec6<> h = centroidal_momentum(tree, q, v).six();
  std::printf("momentum about the centre of mass (%.4f %.4f %.4f) kg m^2/s\n", h.angular.x,
              h.angular.y, h.angular.z);
}
