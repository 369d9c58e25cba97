#include <algorithm>
#include <cmath>
#include <deque>

#include "axode/mechanism/analysis/follow.hpp"

namespace axode {
namespace {

/// Two drivers that stand where `values` say; it must outlive what is returned.
MechanismEquations two_constants(const MechanismEquations& equations, std::array<int, 2> drivers,
                                 double t, const std::array<double, 2>& values) {
  MechanismEquations result = equations;
  for (MechanismDriver& d : result.mechanism.drivers)
    d.motion = constant_in_time(d.motion(t).value);
  for (std::size_t k = 0; k < 2; ++k)
    result.mechanism.drivers[drivers[k]].motion = [&values, k](double) {
      return TimeValue{values[k], 0, 0};
    };
  return result;
}

/// Seats of a system as long as configurations of others are looked at.
struct SeatsKept {
  MechanismSystem& system;
  std::vector<SO3<double>> seats = system.seats();
  ~SeatsKept() { system.seat(seats); }
};

}  // namespace

std::vector<TimeValue> path_of_coordinate(const FollowResult& path, int coordinate) {
  std::vector<TimeValue> result;
  for (const FollowPoint& p : path.points) result.push_back(p.coordinates[coordinate]);
  return result;
}

std::vector<Vec3<double>> path_of_point(MechanismSystem& system, const FollowResult& path, int body,
                                        const Vec3<double>& local) {
  std::vector<Vec3<double>> result;
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  const SeatsKept kept{system};
  for (const FollowPoint& p : path.points) {
    system.seat(p.seats);
    system.poses(p.q, poses);
    result.push_back(poses[body] * local);
  }
  return result;
}

WorkspaceResult sweep_workspace(const MechanismSystem& system, std::array<int, 2> drivers,
                                std::array<double, 2> first, std::array<double, 2> second,
                                std::array<int, 2> counts, double t, std::span<const double> q,
                                const std::function<bool()>& should_stop) {
  WorkspaceResult result;
  const auto grid = [](std::array<double, 2> range, int count) {
    std::vector<double> x;
    x.reserve(count);
    for (int k = 0; k < count; ++k)
      x.push_back(range[0] + (range[1] - range[0]) * k / std::max(1, count - 1));
    return x;
  };
  result.first = grid(first, counts[0]);
  result.second = grid(second, counts[1]);
  result.reachable.assign(result.first.size() * result.second.size(), 0);
  std::array<double, 2> values{};  // that the drivers of `moved` refer to
  const Mechanism& m = system.mechanism();
  std::array<int, 2> start{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double>& x = k == 0 ? result.first : result.second;
    const double here = m.drivers[drivers[k]].motion(t).value;
    const auto near = std::ranges::min_element(x, {}, [&](double y) { return std::abs(y - here); });
    start[k] = static_cast<int>(near - x.begin());
  }
  MechanismSystem moved(two_constants(system.equations(), drivers, t, values));
  struct Visit {
    std::array<int, 2> cell;
    std::vector<double> guess;
    std::vector<SO3<double>> seats;
  };
  const double size = model_size(m);
  std::vector<SE3<double>> before(m.bodies.size()), after(before);
  std::deque<Visit> open{{start, {q.begin(), q.end()}, moved.seats()}};
  const PositionOptions options{.iterations = 40, .count_rank = false};
  while (!open.empty()) {
    Visit visit = std::move(open.front());
    open.pop_front();
    const std::size_t cell = std::size_t(visit.cell[0]) * result.second.size() + visit.cell[1];
    if (result.reachable[cell] != 0) continue;
    if (should_stop && should_stop()) {
      result.complete = false;
      break;
    }
    values = {result.first[visit.cell[0]], result.second[visit.cell[1]]};
    std::vector<double> there = visit.guess;
    moved.seat(visit.seats);
    moved.poses(there, before);
    if (!solve_position(moved, t, there, options).converged) continue;
    if (!is_driven_well(moved, t, there)) continue;
    // A far jump is another branch. By poses: Euler angles may have other seats now.
    moved.poses(there, after);
    double jump = 0;
    for (std::size_t k = 0; k < after.size(); ++k)
      jump = std::max({jump, max_abs(after[k].p - before[k].p) / size,
                       max_abs(log(inverse(before[k].R) * after[k].R))});
    if (jump > 1 && result.count > 0) continue;
    result.reachable[cell] = 1;
    ++result.count;
    for (const auto& [di, dj] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const std::array<int, 2> next{visit.cell[0] + di, visit.cell[1] + dj};
      if (next[0] >= 0 && next[0] < counts[0] && next[1] >= 0 && next[1] < counts[1])
        open.push_back({next, there, moved.seats()});
    }
  }
  return result;
}

}  // namespace axode
