#include "axode/kinematics/inverse/detail/target_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"

namespace axode {
namespace {

std::vector<PreparedTarget> prepare_all(const Tree& tree, std::span<const Target> targets) {
  if (targets.empty())
    throw Error("there is no target", "inverse_kinematics", "give one at least, as by pose_target");
  std::vector<PreparedTarget> prepared;
  prepared.reserve(targets.size());
  for (const Target& target : targets) prepared.push_back(prepare(tree, target));
  return prepared;
}

int total_rows(const std::vector<PreparedTarget>& targets) {
  int rows = 0;
  for (const PreparedTarget& t : targets) rows += row_count(t.kind);
  return rows;
}

// --- the function to minimise: |r|^2 / 2 ----------------------------------------------------------

/// At q: poses, residual; the cost.
double evaluate(const Tree& tree, TargetSearch& search, In<double> q) noexcept {
  TargetSearch::Scratch& s = search.scratch;
  poses<double>(tree, q, s.poses);
  double sum = 0;
  int row = 0;
  for (const PreparedTarget& target : search.targets) {
    const Vec6<double> r = target_residual(s.poses, target);
    for (int k = 0; k < row_count(target.kind); ++k) {
      const double value = r[first_row(target.kind) + k];
      s.residual[row++] = value;
      sum += value * value;
    }
  }
  return sum / 2;
}

/// At the poses of the last evaluation: the Jacobian of the residual with respect to the variables.
void differentiate(const Tree& tree, TargetSearch& search) noexcept {
  TargetSearch::Scratch& s = search.scratch;
  std::fill(s.jacobian.begin(), s.jacobian.end(), 0);
  int row = 0;
  for (const PreparedTarget& target : search.targets) {
    const Mat6<double> slope = linearize(s.poses, target).slope;
    jacobian<double>(tree, s.poses, target.frames, s.columns);
    for (int v = 0; v < tree.nv; ++v) {
      const int i = search.variables.variable_of[v];
      const Vec6<double>& V = s.columns[v];
      if (i < 0 || max_abs(V) == 0) continue;
      const Vec6<double> column = search.variables.ratio[v] * (slope * V);
      for (int k = 0; k < row_count(target.kind); ++k)
        s.jacobian[i * search.rows + row + k] += column[first_row(target.kind) + k];
    }
    row += row_count(target.kind);
  }
}

/// J^T J and J^T r.
void form_normal(TargetSearch& search) noexcept {
  TargetSearch::Scratch& s = search.scratch;
  const int n = search.variables.size(), m = search.rows;
  for (int i = 0; i < n; ++i) {
    const double* a = s.jacobian.data() + std::size_t(i) * m;
    s.gradient[i] = 0;
    for (int k = 0; k < m; ++k) s.gradient[i] += a[k] * s.residual[k];
    for (int j = 0; j <= i; ++j) {
      const double* b = s.jacobian.data() + std::size_t(j) * m;
      double sum = 0;
      for (int k = 0; k < m; ++k) sum += a[k] * b[k];
      s.normal[i * n + j] = s.normal[j * n + i] = sum;
    }
  }
}

bool within_tolerances(const TargetSearch& search, const SearchSettings& settings) noexcept {
  return std::all_of(search.targets.begin(), search.targets.end(),
                     [&](const PreparedTarget& target) {
                       const TargetError e = target_error(search.scratch.poses, target);
                       return e.rotation <= settings.rotation_tolerance &&
                              e.translation <= settings.translation_tolerance;
                     });
}

// --- descent --------------------------------------------------------------------------------------

/// Cosine of the least angle between the residual and a column of a variable that can move.
double steepness(const TargetSearch& search, double cost) noexcept {
  const TargetSearch::Scratch& s = search.scratch;
  const std::size_t n = s.gradient.size();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double length = std::sqrt(s.normal[i * n + i] * 2 * cost);
    if (length > 0 && !pressed(search, static_cast<int>(i)))
      largest = std::max(largest, std::abs(s.gradient[i]) / length);
  }
  return largest;
}

/// Shortens the step so that no angle changes by more than a radian, within which the Jacobian tells
/// something. Returns the decrease of the cost it promises.
double limit_step(TargetSearch& search) noexcept {
  TargetSearch::Scratch& s = search.scratch;
  const std::size_t n = s.step.size();
  double largest = 1;
  for (std::size_t i = 0; i < n; ++i)
    if (search.variables.variables[i].rotates) largest = std::max(largest, std::abs(s.step[i]));
  double promised = 0;
  for (double& x : s.step) x /= largest;
  for (std::size_t i = 0; i < n; ++i) {
    double curvature = 0;
    for (std::size_t j = 0; j < n; ++j) curvature += s.normal[i * n + j] * s.step[j];
    promised -= s.step[i] * (s.gradient[i] + curvature / 2);
  }
  return promised;
}

/// What the damping has learnt, and when progress was looked at last.
struct Control {
  double mu;
  double milestone;
  int accepted = 0;
};

/// One step from scratch.q with cost `cost`: tries it and takes it if it leads down.
bool try_step(const Tree& tree, TargetSearch& search, Control& control, double& cost) {
  TargetSearch::Scratch& s = search.scratch;
  const std::size_t n = s.gradient.size();
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, s.normal[i * n + i]);
  const double damping = control.mu * cost + 1e-13 * scale + std::numeric_limits<double>::min();
  box_step(s.normal, s.gradient, damping, s.lower, s.upper, s.box, s.step);
  const double promised = limit_step(search);
  move(tree, search.variables, s.q, s.step, s.trial);
  const double trial = evaluate(tree, search, s.trial);
  const double ratio = promised > 0 ? (cost - trial) / promised : -1;
  if (!(trial < cost) || !(ratio > 1e-4)) {
    control.mu *= 4;
    // From a damping too small to be felt it would take many steps to grow.
    control.mu = std::max(control.mu, 1e-6 * scale / std::max(cost, 1e-300));
    return false;
  }
  control.mu *= ratio > .75 ? .2 : ratio < .25 ? 3 : 1;
  std::swap(s.q, s.trial);
  cost = trial;
  return true;
}

/// By body: whether its joint is on the way to a frame of a target.
std::vector<char> moving_joints(const Tree& tree, std::span<const PreparedTarget> targets) {
  std::vector<char> moves(tree.links.size(), 0);
  const auto mark = [&](int body) {
    for (; body >= 0 && !moves[body]; body = tree.links[body].parent) moves[body] = 1;
  };
  for (const PreparedTarget& target : targets)
    for (const FrameChoice* f : {&target.frames.of, &target.frames.relative_to}) {
      mark(f->origin.body);
      mark(f->axes.body);
    }
  return moves;
}

}  // namespace

TargetSearch::Scratch::Scratch(const Tree& tree, int rows, int variables)
    : poses(tree),
      residual(rows),
      jacobian(std::size_t(rows) * variables),
      normal(std::size_t(variables) * variables),
      gradient(variables),
      lower(variables),
      upper(variables),
      q(tree.nq),
      trial(tree.nq),
      step(variables),
      columns(tree.nv),
      box(variables) {}

TargetSearch::TargetSearch(const Tree& tree, std::span<const Target> all, const HeldJoints& held)
    : targets(prepare_all(tree, all)),
      variables(tree, held, moving_joints(tree, targets)),
      rows(total_rows(targets)),
      scratch(tree, rows, variables.size()) {
  if (variables.size() == 0)
    throw Error("no joint is free to move", "inverse_kinematics", "hold fewer joints");
}

bool pressed(const TargetSearch& search, int i) noexcept {
  const TargetSearch::Scratch& s = search.scratch;
  return (s.lower[i] == 0 && s.gradient[i] > 0) || (s.upper[i] == 0 && s.gradient[i] < 0);
}

SearchOutcome search_from(const Tree& tree, TargetSearch& search, const SearchSettings& settings) {
  TargetSearch::Scratch& s = search.scratch;
  SearchOutcome result{evaluate(tree, search, s.q)};
  Control control{.1, result.cost};
  differentiate(tree, search);
  form_normal(search);
  room(search.variables, s.q, s.lower, s.upper);
  for (int refused = 0;; ++result.iterations) {
    result.converged = within_tolerances(search, settings);
    if (result.converged) return result;
    result.stuck = refused > 30 || steepness(search, result.cost) < settings.steepness;
    if (result.stuck || result.iterations >= settings.iterations) break;
    if (!try_step(tree, search, control, result.cost)) {
      ++refused;
      evaluate(tree, search, s.q);
      continue;
    }
    refused = 0;
    differentiate(tree, search);
    form_normal(search);
    room(search.variables, s.q, s.lower, s.upper);
    if (++control.accepted % settings.window != 0) continue;
    result.stuck = result.cost > (1 - settings.progress) * control.milestone;
    control.milestone = result.cost;
    if (result.stuck && !within_tolerances(search, settings)) break;
  }
  return result;
}

}  // namespace axode
