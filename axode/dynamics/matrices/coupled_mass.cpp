#include "axode/dynamics/matrices/coupled_mass.hpp"

#include "axode/dynamics/detail/paths.hpp"
#include "axode/linalg/householder.hpp"

namespace axode {
namespace {

const double* reflection(const CoupledMass& mass, int c) noexcept {
  return mass.reflections.data() + std::size_t(c) * mass.height;
}

}  // namespace

CoupledMass::CoupledMass(const Tree& tree) {
  slot.assign(tree.nv, -1);
  if (tree.couplings.empty()) return;
  const std::vector<int> parent = parent_velocities(tree);
  for (const Coupling& c : tree.couplings) {
    couplings.push_back({tree.links[c.follower].v, tree.links[c.leader].v, c.ratio});
    detail::for_paths(parent, couplings.back().follower, couplings.back().leader, [&](int k) {
      if (slot[k] < 0) slot[k] = height++;
    });
  }
  reflections.resize(couplings.size() * height);
  factor.resize(couplings.size());
  scratch.resize(std::max(height, tree.nv));
}

void eliminate_couplings(const PathMatrix<double>& factors, CoupledMass& result) noexcept {
  std::vector<double>& half = result.scratch;
  for (int c = 0; c < result.count(); ++c) {
    const CoupledMass::Row& row = result.couplings[c];
    double* u = result.reflections.data() + std::size_t(c) * result.height;
    std::fill_n(u, result.height, 0.);
    const auto walk = [&](auto&& take) {
      detail::for_paths(factors.parent, row.follower, row.leader, take);
    };
    // column D^-1/2 L^-T c^T of the row c v = v_follower - ratio v_leader = 0, then reflected
    walk([&](int k) { half[k] = 0; });
    half[row.follower] = 1;
    half[row.leader] = -row.ratio;
    walk([&](int k) {
      const double* L = factors.row(k);
      const double h = half[k];
      u[result.slot[k]] = h / std::sqrt(*L);
      for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) half[i] -= *++L * h;
    });
    for (int i = 0; i < c; ++i)
      reflect(reflection(result, i), result.factor[i], i, result.height, u);
    double head = 0;
    result.factor[c] = make_reflection(u, c, result.height, head);
  }
}

void split_off_couplings(const CoupledMass& mass, double* in_slots) noexcept {
  for (int c = 0; c < mass.count(); ++c)
    reflect(reflection(mass, c), mass.factor[c], c, mass.height, in_slots);
}

void solve(CoupledMass& mass, const PathMatrix<double>& factors, Out<double> x) noexcept {
  if (mass.count() == 0) return solve<double>(factors, x);
  const int nv = factors.size();
  solve_transpose<double>(factors, x);
  double* y = mass.scratch.data();
  for (int k = 0; k < nv; ++k) {
    x[k] /= std::sqrt(*factors.row(k));
    if (mass.slot[k] >= 0) y[mass.slot[k]] = x[k];
  }
  split_off_couplings(mass, y);
  std::fill_n(y, mass.count(), 0.);
  for (int c = mass.count() - 1; c >= 0; --c)
    reflect(reflection(mass, c), mass.factor[c], c, mass.height, y);
  for (int k = 0; k < nv; ++k) {
    const double* L = factors.row(k);
    double sum = (mass.slot[k] >= 0 ? y[mass.slot[k]] : x[k]) / std::sqrt(*L);
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) sum -= *++L * x[i];
    x[k] = sum;
  }
  for (const CoupledMass::Row& c : mass.couplings) x[c.follower] = c.ratio * x[c.leader];
}

}  // namespace axode
