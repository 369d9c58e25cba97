#include "axode/mechanism/analysis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/follow.hpp"

namespace axode {
namespace {

using Rates = std::vector<std::vector<double>>;  ///< by coordinate: its rate in each motion

MechanismEquations without_drivers(MechanismEquations equations) {
  std::erase_if(equations.equations, [](const Equation& e) { return e.driver >= 0; });
  equations.mechanism.drivers.clear();
  return equations;
}

/// How fast coordinates move in each of some motions; lengths by the size of the model.
Rates rates_of(MechanismSystem& system, std::span<const double> q,
               const std::vector<std::vector<double>>& motions) {
  const Mechanism& m = system.mechanism();
  const double size = model_size(m);
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  const std::vector<Vec6<double>> still(m.bodies.size());
  Rates rates(m.coordinates.size());
  for (const auto& motion : motions) {
    system.motion(q, motion, poses, twists);
    for (std::size_t c = 0; c < rates.size(); ++c)
      rates[c].push_back(measure(m, static_cast<int>(c), poses, twists, still).rate /
                         (m.coordinates[c].is_angle ? 1 : size));
  }
  return rates;
}

double norm_of(std::span<const double> x) {
  double sum = 0;
  for (const double a : x) sum += a * a;
  return std::sqrt(sum);
}

/// Takes the direction of x out of all.
void take_out(const std::vector<double>& x, Rates& all) {
  const double square = norm_of(x) * norm_of(x);
  for (std::vector<double>& y : all) {
    double along = 0;
    for (std::size_t k = 0; k < x.size(); ++k) along += x[k] * y[k];
    for (std::size_t k = 0; k < x.size(); ++k) y[k] -= along / square * x[k];
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < 6; ++k)
    text += fmt::format("{}'{}'", k > 0 ? ", " : "", names[k]);
  return names.size() > 6 ? text + ", ..." : text;
}
std::string counted(int n, const char* one, const char* many) {
  return n == 1 ? fmt::format("1 {}", one)
                : fmt::format("{} {}", n == 0 ? "no" : fmt::to_string(n), many);
}

/// Drivers, in their order, that move nothing but what those before them move.
std::vector<int> dependent_drivers(MechanismSystem& loose, std::span<const double> q,
                                   const std::vector<MechanismDriver>& drivers, int& dofs) {
  SparseRows J;
  loose.motion_jacobian(0, q, J);
  const auto motions = null_space(J);
  dofs = static_cast<int>(motions.size());
  const Rates all = rates_of(loose, q, motions);
  Rates rows;
  for (const MechanismDriver& driver : drivers) rows.push_back(all[driver.coordinate]);
  std::vector<int> dependent;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (norm_of(rows[k]) > 1e-7)
      take_out(std::vector<double>(rows[k]), rows);
    else
      dependent.push_back(static_cast<int>(k));
  }
  return dependent;
}

/// Which drivers do what others do already; `names` are theirs.
std::string over_driven_text(const Mechanism& m, std::span<const int> dependent, int dofs,
                             std::string& names) {
  std::vector<std::string> theirs, others;
  for (int k = 0; k < static_cast<int>(m.drivers.size()); ++k)
    (std::ranges::count(dependent, k) > 0 ? theirs : others).push_back(m.drivers[k].name);
  names = listed(theirs);
  return fmt::format("over-driven: {} for {}: {} {} nothing that {} free",
                     counted(static_cast<int>(m.drivers.size()), "driver", "drivers"),
                     counted(dofs, "degree of freedom", "degrees of freedom"), names,
                     theirs.size() == 1 ? "moves" : "move",
                     others.empty()       ? "the joints leave"
                     : others.size() == 1 ? listed(others) + " leaves"
                                          : listed(others) + " leave");
}

/// Leads the drivers to their values, one after the other.
void lead(const MechanismSystem& system, double t, std::vector<SE3<double>> poses,
          AssemblyDiagnosis& d) {
  MechanismEquations held = system.equations();
  std::vector<MechanismDriver>& drivers = held.mechanism.drivers;
  const auto value = [&](const MechanismDriver& driver) {
    return measure(held.mechanism, driver.coordinate, poses);
  };
  for (MechanismDriver& driver : drivers) driver.motion = constant_in_time(value(driver));
  for (std::size_t k = 0; k < drivers.size(); ++k) {
    const double from = value(drivers[k]), wanted = system.mechanism().drivers[k].motion(t).value;
    double way = wanted - from;
    if (held.mechanism.coordinates[drivers[k].coordinate].is_angle)
      way = std::remainder(way, 2 * M_PI);
    MechanismSystem now(held);
    const std::vector<double> q = now.from_poses(poses);
    if (std::abs(way) > 1e-14) {
      const FollowResult path =
          follow_driver(now, static_cast<int>(k), from, from + way, 0, q, {.find_branches = false});
      if (!path.points.empty()) {
        now.seat(path.points.back().seats);
        now.poses(path.points.back().q, poses);
      }
      if (!path.complete) {
        d.kind = AssemblyDiagnosis::Kind::dead_point;
        d.driver = static_cast<int>(k);
        d.wanted = wanted;
        d.reached = !path.events.empty()  ? path.events.back().driver
                    : path.points.empty() ? from
                                          : path.points.back().driver;
        d.message = fmt::format("driver '{}' cannot get to {:.7g} from the reference: {}",
                                drivers[k].name, wanted, path.message);
        d.remedy = fmt::format("keep it on this side of {:.7g}", d.reached);
        return;
      }
    }
    drivers[k].motion = constant_in_time(wanted);
  }
  MechanismSystem there(system.equations());
  d.q = there.from_poses(poses);
  const PositionResult closed = solve_position(there, t, d.q);
  if (closed.converged) {
    d.kind = AssemblyDiagnosis::Kind::assembled;
    d.seats = there.seats();
  } else {
    d.kind = AssemblyDiagnosis::Kind::geometry;
    d.message = closed.message;
    d.remedy = "give poses nearer to a solution";
  }
}

}  // namespace

AssemblyDiagnosis diagnose_assembly(const MechanismSystem& system, double t,
                                    std::span<const SE3<double>> start) {
  AssemblyDiagnosis d;
  const Mechanism& m = system.mechanism();
  MechanismSystem loose(without_drivers(system.equations()));
  std::vector<double> q = loose.from_poses(start);
  const PositionResult closed = solve_position(loose, t, q);
  if (!closed.converged) {
    d.message = (m.drivers.empty() ? "" : "not even without its drivers: ") + closed.message;
    d.remedy = "correct lengths, points and axes, or give poses nearer to a solution";
    return d;
  }
  d.dependent = dependent_drivers(loose, q, m.drivers, d.dofs);
  if (!d.dependent.empty()) {
    std::string names;
    d.kind = AssemblyDiagnosis::Kind::over_driven;
    d.message = over_driven_text(m, d.dependent, d.dofs, names) + ", and the values disagree";
    d.remedy = "remove " + names + ", or joints";
    return d;
  }
  std::vector<SE3<double>> poses(m.bodies.size());
  loose.poses(q, poses);
  lead(system, t, std::move(poses), d);
  return d;
}

std::string over_driven(const MechanismSystem& system, std::span<const SE3<double>> poses) {
  MechanismSystem loose(without_drivers(system.equations()));
  std::string names;
  int dofs = 0;
  const std::vector<double> q = loose.from_poses(poses);
  const std::vector<int> dependent = dependent_drivers(loose, q, system.mechanism().drivers, dofs);
  return dependent.empty() ? "" : over_driven_text(system.mechanism(), dependent, dofs, names);
}

DofsLeft dofs_left(MechanismSystem& system, double t, std::span<const double> q) {
  const Mechanism& m = system.mechanism();
  DofsLeft left;
  SparseRows J;
  system.motion_jacobian(t, q, J);
  const auto motions = null_space(J);
  left.count = static_cast<int>(motions.size());
  if (left.count == 0) return left;
  Rates rates = rates_of(system, q, motions);
  std::vector<std::string> moving, names;
  for (std::size_t c = 0; c < rates.size(); ++c)
    if (norm_of(rates[c]) > 1e-7) moving.push_back(m.coordinates[c].name);
  for (int k = 0; k < left.count && !rates.empty(); ++k) {
    double most = 0;
    for (const auto& rate : rates) most = std::max(most, norm_of(rate));
    if (most < 1e-7) break;
    // The first that moves well: joints of the world come first in most files.
    const auto chosen = std::ranges::find_if(
        rates, [&](const std::vector<double>& x) { return norm_of(x) > 0.2 * most; });
    left.to_drive.push_back(static_cast<int>(chosen - rates.begin()));
    take_out(std::vector<double>(*chosen), rates);
  }
  std::ranges::sort(left.to_drive);
  for (const int c : left.to_drive) names.push_back(m.coordinates[c].name);
  left.message =
      counted(left.count, "degree of freedom is", "degrees of freedom are") + " not driven";
  if (!moving.empty()) left.message += ": what can move is " + listed(moving);
  if (!names.empty())
    left.message += "; driving " + listed(names) + " would settle " +
                    (left.count == std::ssize(names) ? "it" : "a part");
  return left;
}

}  // namespace axode
