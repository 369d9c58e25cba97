#include "axode/kinematics/inverse/detail/box_step.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/cholesky.hpp"

namespace axode {
namespace {

struct Problem {
  std::span<const double> H, g, lower, upper;
  double damping;
  int n;
  double entry(int i, int j) const noexcept {
    return H[std::size_t(i) * n + j] + (i == j ? damping : 0);
  }
  double slope(int i, std::span<const double> d) const noexcept {
    double sum = g[i];
    for (int j = 0; j < n; ++j) sum += entry(i, j) * d[j];
    return sum;
  }
};

/// The minimum over the free coordinates, the others where they are: w.towards. A pivot lost to
/// rounding counts as the damping.
void minimise_free(const Problem& p, BoxStepWork& w, std::span<const double> d) noexcept {
  const std::vector<int>& index = w.free_coordinates;
  const int m = static_cast<int>(index.size());
  const std::span factor(w.factor.data(), std::size_t(m) * m), x(w.right.data(), std::size_t(m));
  for (int i = 0; i < m; ++i) {
    for (int j = i; j < m; ++j) factor[i * m + j] = p.entry(index[i], index[j]);
    x[i] = -p.slope(index[i], d);
  }
  static_cast<void>(cholesky(factor, m, p.damping));  // the damping leaves no pivot without a root
  cholesky_solve(factor, m, x);
  for (int i = 0; i < m; ++i) w.towards[i] = d[index[i]] + x[i];
}

/// Walks to w.towards, or to the first bound, which becomes active. True if it got there.
bool walk(const Problem& p, BoxStepWork& w, std::span<double> d) noexcept {
  const std::vector<int>& index = w.free_coordinates;
  double fraction = 1;
  int blocking = -1;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::size_t j = index[i];
    const double to = w.towards[i], bound = std::clamp(to, p.lower[j], p.upper[j]);
    if (bound == to) continue;
    const double part = (bound - d[j]) / (to - d[j]);
    if (blocking < 0 || part < fraction) fraction = part, blocking = index[i];
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    double& x = d[index[i]];
    const double moved = blocking < 0 ? w.towards[i] : x + fraction * (w.towards[i] - x);
    const bool up = w.towards[i] > x;
    x = std::clamp(moved, p.lower[index[i]], p.upper[index[i]]);
    if (index[i] != blocking) continue;
    x = up ? p.upper[blocking] : p.lower[blocking];
    w.active[blocking] = up ? 1 : -1;
  }
  return blocking < 0;
}

/// Frees the active bound that hinders descent most. False if there is none.
bool release(const Problem& p, BoxStepWork& w, std::span<const double> d) noexcept {
  double worst = 0;
  int which = -1;
  for (int i = 0; i < p.n; ++i) {
    const std::int8_t a = w.active[i];
    if (a != 1 && a != -1) continue;
    const double gain = a * p.slope(i, d), noise = 1e-13 * std::abs(p.g[i]);
    if (gain > std::max(worst, noise)) worst = gain, which = i;
  }
  if (which < 0) return false;
  w.active[which] = 0;
  return true;
}

void list_free(const Problem& p, BoxStepWork& w) noexcept {
  w.free_coordinates.clear();
  for (int i = 0; i < p.n; ++i)
    if (w.active[i] == 0) w.free_coordinates.push_back(i);  // reserved
}

}  // namespace

BoxStepWork::BoxStepWork(int n) : factor(std::size_t(n) * n), right(n), towards(n), active(n) {
  free_coordinates.reserve(n);
}

bool box_step(std::span<const double> H, std::span<const double> g, double damping,
              std::span<const double> lower, std::span<const double> upper, BoxStepWork& work,
              std::span<double> d) noexcept {
  const Problem p{H, g, lower, upper, damping, static_cast<int>(g.size())};
  for (std::size_t i = 0; i < g.size(); ++i) {
    d[i] = 0;
    work.active[i] = static_cast<std::int8_t>(lower[i] == 0 && upper[i] == 0 ? 2
                                              : lower[i] == 0 && g[i] > 0    ? -1
                                              : upper[i] == 0 && g[i] < 0    ? 1
                                                                             : 0);
  }
  for (int change = 0; change < 5 * p.n + 10; ++change) {
    list_free(p, work);
    minimise_free(p, work, d);
    if (walk(p, work, d) && !release(p, work, d)) return true;
  }
  return false;
}

}  // namespace axode
