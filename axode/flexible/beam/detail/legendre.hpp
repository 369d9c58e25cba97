/// Legendre polynomials on [0, 1] with their derivatives and integrals, and Gauss's quadrature.
///
///   (n + 1) P_(n+1) = (2n + 1) y P_n - n P_(n-1),   y = 2s - 1
///   integral of P_n from 0 to s = (P_(n+1) - P_(n-1)) / (2 (2n + 1))
///
/// Beams are expanded in them because second derivatives that are Legendre polynomials make
/// stiffness matrices that are nearly diagonal. Cost O(n) for a table, O(n^2) for a rule.
/// Tests: tests/flexible/beam/detail/legendre_test.cpp
#pragma once
#include <array>
#include <vector>

namespace axode {

struct LegendreTable {
  /// By n = 0 .. count - 1: twice integrated from 0, once integrated, P_n, first, second
  /// derivative, all with respect to s.
  std::array<std::vector<double>, 5> rows;
};
LegendreTable legendre_table(int count, double s);

/// Points and weights of Gauss-Legendre quadrature on [0, 1], exact for degree 2 points - 1.
struct GaussRule {
  std::vector<double> x, weight;
};
/// Throws Error unless points > 0.
GaussRule gauss_rule(int points);
/// The rule `points` in each of `panels` equal parts of [0, 1].
GaussRule composite_rule(int panels, int points);

}  // namespace axode
