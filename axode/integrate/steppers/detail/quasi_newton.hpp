/// Broyden's method for the equations of implicit steps, to round-off.
///
/// The first matrix is given by its inverse, applied by a function (the mass matrix); the updates
/// of Broyden are kept as the steps themselves [Kelley, section 7.3]. No matrix is formed, no
/// memory allocated. Cost of an iteration: residual, solve, and 4 n operations per step kept.
/// Tests: tests/integrate/steppers/detail/quasi_newton_test.cpp
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace axode {

struct QuasiNewton {
  static constexpr int kept = 8;  ///< steps before the updates start anew
  int most = 60;                  ///< iterations
  double accepted = 1e-9;         ///< relative step below which stalling counts as rounding

  std::vector<double> steps, squares;  ///< of the kept steps, one after the other
  explicit QuasiNewton(int n) : steps(std::size_t(kept + 1) * n), squares(kept + 1) {}

  enum class Verdict { ok, no_value, not_finite, not_converged };

  /// Improves x until residual(x, r) is zero within rounding. inverse(r) multiplies by the inverse
  /// of the first matrix. Both return false where they have no value. Adds to `iterations`.
  template <class Residual, class Inverse>
  Verdict solve(std::span<double> x, std::span<double> r, Residual&& residual, Inverse&& inverse,
                long& iterations);

 private:
  double* step(int i, std::size_t n) noexcept { return steps.data() + std::size_t(i) * n; }
  /// From z = -B0^-1 r, in place of step `count`, the step of Broyden. False: the update is nearly
  /// singular, the step was left as it is, and the next begins anew.
  bool broyden(int count, std::size_t n) noexcept;
};

inline bool QuasiNewton::broyden(int count, std::size_t n) noexcept {
  double* z = step(count, n);
  const auto product = [&](const double* a) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * z[i];
    return sum;
  };
  for (int j = 0; j + 1 < count; ++j) {
    const double f = product(step(j, n)) / squares[j];
    const double* next = step(j + 1, n);
    for (std::size_t i = 0; i < n; ++i) z[i] += f * next[i];
  }
  bool regular = true;
  if (count > 0) {
    const double f = product(step(count - 1, n)) / squares[count - 1];
    regular = std::abs(1 - f) > 0.1;
    for (std::size_t i = 0; i < n && regular; ++i) z[i] /= 1 - f;
  }
  squares[count] = product(z);
  return regular;
}

template <class Residual, class Inverse>
QuasiNewton::Verdict QuasiNewton::solve(std::span<double> x, std::span<double> r,
                                        Residual&& residual, Inverse&& inverse, long& iterations) {
  const std::size_t n = x.size();
  double best = std::numeric_limits<double>::infinity(), scale = 0;
  int count = 0, stalled = 0;
  for (int iteration = 0; iteration < most; ++iteration) {
    ++iterations;
    if (!residual(std::span<const double>(x), r) || !inverse(r)) return Verdict::no_value;
    for (std::size_t i = 0; i < n; ++i) step(count, n)[i] = -r[i];
    const bool regular = broyden(count, n);
    const double size = std::sqrt(squares[count]);
    if (!std::isfinite(size)) return Verdict::not_finite;
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += step(count, n)[i];
      square += x[i] * x[i];
    }
    scale = std::max(scale, std::sqrt(square));
    if (size <= 16 * std::numeric_limits<double>::epsilon() * scale) return Verdict::ok;
    stalled = size < 0.5 * best ? 0 : stalled + 1;
    best = std::min(best, size);
    // At rest nothing is left of x but the rounding errors of forces that hold each other.
    constexpr double slow = 1e-3;
    if (stalled == 3 && best <= accepted * std::max(scale, slow)) return Verdict::ok;
    count = regular && count < kept ? count + 1 : 0;
  }
  return Verdict::not_converged;
}

}  // namespace axode
