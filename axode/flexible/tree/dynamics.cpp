#include "axode/flexible/tree/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/linalg/cholesky.hpp"
#include "axode/linalg/eigenvalues.hpp"

namespace axode {
namespace {

using PartlyExact = Exact<Dual<double>>;

}  // namespace

std::string_view name(FlexibleModel model) noexcept {
  return model == FlexibleModel::linear ? "linear" : "nonlinear";
}

struct FlexibleDynamics::Parts {
  const FlexibleTree& tree;
  FlexibleDynamicsOptions options;
  FlexibleWork<FirstOrder> linear;
  FlexibleWork<Exact<double>> exact;
  FlexibleWork<PartlyExact> partly;
  std::vector<char> is_exact;  ///< by coordinate
  std::vector<Dual<double>> q_dual, v_dual, mass_dual, forces_dual;
  std::vector<double> mass, forces, factor, right, solution;
  MassLoss loss;
  std::vector<double> lost_mass;
  long fallbacks = 0;
  bool damped = false;

  Parts(const FlexibleTree& tree_, FlexibleDynamicsOptions options_)
      : tree(tree_),
        options(std::move(options_)),
        linear(make_flexible_work<FirstOrder>(tree)),
        exact(make_flexible_work<Exact<double>>(tree)) {
    const std::size_t n = tree.size;
    mass.resize(n * n);
    factor.resize(n * n);
    lost_mass.resize(n * n);
    forces.resize(n);
    right.resize(n);
    solution.resize(n);
    damped = std::ranges::any_of(tree.damping, [](double d) { return d != 0; });
    if (!options.exact_coordinates.empty() && options.model == FlexibleModel::linear) keep_exact();
  }
  void keep_exact() {
    const std::size_t n = tree.size;
    is_exact.assign(n, 0);
    std::fill_n(is_exact.begin(), tree.joints, char{1});
    for (const int k : options.exact_coordinates) {
      if (k < tree.joints || k >= tree.size)
        throw Error(fmt::format("coordinate {} is not an elastic one", k), tree.name,
                    fmt::format("choose from {} to {}", tree.joints, tree.size - 1));
      is_exact[k] = 1;
    }
    partly = make_flexible_work<PartlyExact>(tree);
    q_dual.resize(n);
    v_dual.resize(n);
    mass_dual.resize(n * n);
    forces_dual.resize(n);
  }
  void evaluate_partly(std::span<const double> q, std::span<const double> v, Effect effect) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      q_dual[i] = is_exact[i] ? Dual<double>(q[i], 0) : Dual<double>(0, q[i]);
      v_dual[i] = is_exact[i] ? Dual<double>(v[i], 0) : Dual<double>(0, v[i]);
    }
    flexible_equations<PartlyExact>(tree, q_dual, v_dual, partly, mass_dual, forces_dual, effect);
    const auto total = [](const Dual<double>& a) { return a.real + a.dual; };
    std::ranges::transform(mass_dual, mass.begin(), total);
    std::ranges::transform(forces_dual, forces.begin(), total);
  }
  void evaluate(std::span<const double> q, std::span<const double> v, Effect effect) {
    if (options.model == FlexibleModel::nonlinear)
      flexible_equations<Exact<double>>(tree, q, v, exact, mass, forces, effect);
    else if (is_exact.empty())
      flexible_equations<FirstOrder>(tree, q, v, linear, mass, forces, effect);
    else
      evaluate_partly(q, v, effect);
  }
  /// right = tau - forces - K q - D v, where K and D are blocks of links.
  void balance(std::span<const double> q, std::span<const double> v, std::span<const double> tau) {
    const std::size_t n = tree.size;
    for (std::size_t i = 0; i < n; ++i) right[i] = tau[i] - forces[i];
    for (const FlexibleLink& link : tree.links) {
      const std::size_t first = link.first_mode, last = first + link.invariants.modes;
      for (std::size_t i = first; i < last; ++i)
        for (std::size_t j = first; j < last; ++j) {
          right[i] -= tree.stiffness[i * n + j] * q[j];
          if (damped) right[i] -= tree.damping[i * n + j] * v[j];
        }
    }
  }
  /// False and the loss noted where M, without prescribed coordinates, is not positive definite.
  bool factored(std::span<const int> prescribed) {
    const std::size_t n = tree.size;
    std::ranges::copy(mass, factor.begin());
    for (const int k : prescribed)
      for (std::size_t i = 0; i < n; ++i)
        factor[i * n + k] = factor[std::size_t(k) * n + i] = i == std::size_t(k) ? 1 : 0;
    const int row = cholesky(factor, tree.size).failed_row;
    if (row < 0) return true;
    loss = {row, link_of(row), 0};
    std::ranges::copy(mass, lost_mass.begin());
    return false;
  }
  int link_of(int coordinate) const {
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const FlexibleLink& link = tree.links[i];
      if (coordinate == link.coordinate ||
          (coordinate >= link.first_mode && coordinate < link.first_mode + link.invariants.modes))
        return static_cast<int>(i);
    }
    return -1;
  }
  /// Mass matrix and its factor, by the exact equations where the linear ones fail and that is wanted.
  bool ready(std::span<const double> q, std::span<const double> v,
             std::span<const int> prescribed = {}) {
    evaluate(q, v, Effect::all);
    if (factored(prescribed)) return true;
    if (!options.fall_back || options.model == FlexibleModel::nonlinear) return false;
    ++fallbacks;
    flexible_equations<Exact<double>>(tree, q, v, exact, mass, forces, Effect::all);
    return factored(prescribed);
  }
};

FlexibleDynamics::FlexibleDynamics(const FlexibleTree& tree, FlexibleDynamicsOptions options)
    : parts_(std::make_unique<Parts>(tree, std::move(options))) {}
FlexibleDynamics::~FlexibleDynamics() = default;
FlexibleDynamics::FlexibleDynamics(FlexibleDynamics&&) noexcept = default;

const FlexibleTree& FlexibleDynamics::tree() const noexcept { return parts_->tree; }
const FlexibleDynamicsOptions& FlexibleDynamics::options() const noexcept {
  return parts_->options;
}
std::span<const double> FlexibleDynamics::mass() const noexcept { return parts_->mass; }
std::span<const double> FlexibleDynamics::forces() const noexcept { return parts_->forces; }
long FlexibleDynamics::fallbacks() const noexcept { return parts_->fallbacks; }

void FlexibleDynamics::evaluate(std::span<const double> q, std::span<const double> v,
                                Effect effect) {
  parts_->evaluate(q, v, effect);
}

bool FlexibleDynamics::acceleration(std::span<const double> q, std::span<const double> v,
                                    std::span<const double> tau, std::span<double> rates) {
  Parts& p = *parts_;
  if (!p.ready(q, v)) return false;
  p.balance(q, v, tau);
  cholesky_solve(p.factor, p.tree.size, p.right);
  std::ranges::copy(p.right, rates.begin());
  return all_finite(rates);
}

bool FlexibleDynamics::acceleration_with(std::span<const int> prescribed, std::span<const double> q,
                                         std::span<const double> v, std::span<double> tau,
                                         std::span<double> rates) {
  Parts& p = *parts_;
  if (!p.ready(q, v, prescribed)) return false;
  p.balance(q, v, tau);
  const std::size_t n = p.tree.size;
  for (std::size_t i = 0; i < n; ++i)
    if (std::ranges::find(prescribed, static_cast<int>(i)) == prescribed.end())
      for (const int k : prescribed) p.right[i] -= p.mass[i * n + k] * rates[k];
  std::vector<double>& x = p.solution;
  std::ranges::copy(p.right, x.begin());
  for (const int k : prescribed) x[k] = rates[k];
  cholesky_solve(p.factor, p.tree.size, x);
  std::ranges::copy(x, rates.begin());
  for (const int k : prescribed) {
    double needed = -p.right[k];
    for (std::size_t j = 0; j < n; ++j) needed += p.mass[std::size_t(k) * n + j] * rates[j];
    tau[k] += needed;
  }
  return all_finite(rates);
}

MassLoss FlexibleDynamics::loss() const {
  MassLoss loss = parts_->loss;
  if (loss.coordinate < 0) return loss;
  const int n = parts_->tree.size;
  const SymmetricModes modes = symmetric_modes({n, n, parts_->lost_mass});
  loss.smallest_eigenvalue =
      modes.solved ? modes.values.front() : std::numeric_limits<double>::quiet_NaN();
  return loss;
}

FlexibleDynamics::Energies FlexibleDynamics::energies(std::span<const double> q,
                                                      std::span<const double> v) {
  Parts& p = *parts_;
  const std::size_t n = p.tree.size;
  Energies sum;
  p.evaluate(q, v, Effect::velocity);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      sum.kinetic += 0.5 * v[i] * p.mass[i * n + j] * v[j];
      sum.elastic += 0.5 * q[i] * p.tree.stiffness[i * n + j] * q[j];
    }
  flexible_motion<Exact<double>>(p.tree, q, v, p.exact.motion, Effect::velocity);
  std::vector<SE3<>> pose(p.tree.links.size());
  for (std::size_t i = 0; i < pose.size(); ++i) {
    const LinkMotion<Exact<double>>& m = p.exact.motion.links[i];
    const SE3<> local{m.R, m.origin};
    const int parent = p.tree.links[i].parent;
    pose[i] = parent < 0 ? local : pose[parent] * local;
    const InertiaParameters<>& I = m.terms.inertia;
    sum.gravity -= dot(p.tree.gravity, pose[i].R * I.first_moment + pose[i].p * I.mass);
  }
  return sum;
}

}  // namespace axode
