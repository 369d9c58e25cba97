/// Explicit Runge-Kutta methods of orders 1 to 5 with error estimates.
///
///   k_i = f(t + c_i h, x0 + h sum_j a_ij k_j),   x1 = x0 + h sum_j b_j k_j
///
/// In all of them the last stage is at the end of the step, its row of a is b, and its rate is the
/// first one of the next step: a step costs `stages` - 1 rates. The error estimate is
/// h sum_j e_j k_j, of size h^k.
///   1  Euler; k = 2, against Heun
///   2  explicit midpoint; k = 3, the second difference of the rates, exact for x' = a x
///   3  Bogacki-Shampine 3(2); k = 3
///   4  Fehlberg 4(5), continued with order 4; k = 5                       [HairerOde II.4]
///   5  Dormand-Prince 5(4); k = 5, with dense output of order 4            [HairerOde II.5, II.6]
/// Tests: tests/integrate/steppers/tableau_test.cpp
#pragma once
#include <array>

namespace axode {

struct Tableau {
  int order, stages, error_power;  ///< error_power: k
  std::array<double, 7> c;         ///< times of the stages
  std::array<std::array<double, 6>, 7> a;
  std::array<double, 7> e;      ///< weights of the error
  std::array<double, 7> dense;  ///< weights of the quartic term of the dense output, or 0
};

/// The method of an order from 1 to 5; throws Error for others.
const Tableau& tableau(int order);

/// out = base + h sum_j w_j k_j over the first `count` (1 to 7) rates, each of n numbers; without
/// base if it is null.
void combine(int count, const double* weights, double h, const double* k, int n, const double* base,
             double* out) noexcept;

}  // namespace axode
