#include "axode/simulate/forces/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/simulate/forces/detail/spline_slopes.hpp"

namespace axode {

namespace {

/// A path parameter and its two derivatives in time.
struct Progress {
  double s = 0, v = 0, a = 0;
};
Progress minimum_jerk(double u, double h) {
  const double w = 1 - u;
  return {u * u * u * (10 + u * (6 * u - 15)), 30 * u * u * w * w / h,
          60 * u * w * (1 - 2 * u) / (h * h)};
}
Progress smooth_step(double u, double h) {
  return {u * u * (3 - 2 * u), 6 * u * (1 - u) / h, 6 * (1 - 2 * u) / (h * h)};
}

/// Slopes of the spline that starts and ends at rest, for one degree of freedom; steps are its differences.
void clamped_slopes(const std::vector<double>& times, const std::vector<double>& steps,
                    std::size_t k, std::size_t nv, std::vector<double>& slopes) {
  std::vector<double> own;
  for (std::size_t i = k; i < steps.size(); i += nv) own.push_back(steps[i]);
  const std::vector<double> found = detail::spline_slopes(times, own, detail::SplineEnds::at_rest);
  for (std::size_t i = 0; i < found.size(); ++i) slopes[i * nv + k] = found[i];
}

/// One degree of freedom of the spline over an interval of length h, from its first point.
Progress cubic(double u, double h, double step, double s0, double s1) {
  const double w = 1 - u;
  const double a0 = 6 * step / h - 4 * s0 - 2 * s1, a1 = -6 * step / h + 2 * s0 + 4 * s1;
  return {u * u * (3 - 2 * u) * step + h * u * w * (w * s0 - u * s1),
          6 * u * w * step / h + w * (1 - 3 * u) * s0 + u * (3 * u - 2) * s1,
          (w * a0 + u * a1) / h};
}

}  // namespace

Trajectory hold(const Tree& tree, std::vector<double> q) {
  return trajectory(tree, Trajectory::Kind::hold, {0}, {std::move(q)});
}

Trajectory trajectory(const Tree& tree, Trajectory::Kind kind, std::vector<double> times,
                      const std::vector<std::vector<double>>& waypoints) {
  if (times.empty() || times.size() != waypoints.size())
    throw Error(fmt::format("{} times and {} waypoints", times.size(), waypoints.size()),
                "trajectory", "give one configuration for each time, at least one");
  const std::size_t nv = tree.nv;
  Trajectory result;
  result.kind = kind;
  result.steps.resize((times.size() - 1) * nv);
  for (std::size_t i = 0; i < times.size(); ++i) {
    check_configuration(tree, waypoints[i], "waypoint");
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
      throw Error(fmt::format("time {} is not finite and after the one before", i), "trajectory",
                  "sort the times, each once");
    result.waypoints.insert(result.waypoints.end(), waypoints[i].begin(), waypoints[i].end());
    if (i > 0)
      difference<double>(tree, waypoints[i - 1], waypoints[i],
                         std::span(result.steps).subspan((i - 1) * nv, nv));
  }
  result.times = std::move(times);
  if (kind == Trajectory::Kind::cubic) {
    result.slopes.assign(result.times.size() * nv, 0);
    for (const Link& link : tree.links)
      for (std::size_t k = 0; !has_quaternion(link) && k < link.nv; ++k)
        clamped_slopes(result.times, result.steps, link.v + k, nv, result.slopes);
  }
  return result;
}

void sample(const Tree& tree, const Trajectory& trajectory, double t, Out<double> q, Out<double> v,
            Out<double> a) noexcept {
  const std::size_t nq = tree.nq, nv = tree.nv;
  const auto after = std::upper_bound(trajectory.times.begin(), trajectory.times.end(), t);
  const bool before_first = after == trajectory.times.begin();
  const std::size_t i = before_first ? 0 : (after - trajectory.times.begin()) - 1;
  const std::span<const double> from = std::span(trajectory.waypoints).subspan(i * nq, nq);
  if (before_first || after == trajectory.times.end() ||
      trajectory.kind == Trajectory::Kind::hold) {
    std::copy(from.begin(), from.end(), q.begin());
    std::fill(v.begin(), v.end(), 0);
    return std::fill(a.begin(), a.end(), 0);
  }
  const double h = trajectory.times[i + 1] - trajectory.times[i], u = (t - trajectory.times[i]) / h;
  const bool spline = trajectory.kind == Trajectory::Kind::cubic;
  const Progress along = spline ? smooth_step(u, h) : minimum_jerk(u, h);
  const double* step = trajectory.steps.data() + i * nv;
  const auto at = [&](const Link& link, std::size_t k) -> Progress {
    if (!spline || has_quaternion(link))
      return {along.s * step[k], along.v * step[k], along.a * step[k]};
    const double* slope = trajectory.slopes.data() + i * nv + k;
    return cubic(u, h, step[k], slope[0], slope[nv]);
  };
  const auto each = [&](const auto& write) {
    for (const Link& link : tree.links)
      for (std::size_t k = link.v; k < static_cast<std::size_t>(link.v) + link.nv; ++k)
        write(k, at(link, k));
  };
  each([&](std::size_t k, const Progress& p) { a[k] = p.s; });  // the way from the point
  plus<double>(tree, from, a, q);
  each([&](std::size_t k, const Progress& p) {
    v[k] = p.v;
    a[k] = p.a;
  });
}

double next_switch(const Trajectory& trajectory, double t) noexcept {
  const auto after = std::upper_bound(trajectory.times.begin(), trajectory.times.end(), t);
  if (after == trajectory.times.end() || trajectory.times.size() < 2)
    return std::numeric_limits<double>::infinity();
  return *after;
}

}  // namespace axode
