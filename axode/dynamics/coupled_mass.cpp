#include "axode/dynamics/coupled_mass.hpp"

#include "axode/dynamics/reflections.inl"

namespace axode {
namespace {

constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

const double* reflection(const CoupledMass& mass, int c) noexcept {
  return mass.reflections.data() + at(c) * at(mass.height);
}

}  // namespace

CoupledMass::CoupledMass(const Tree& tree) {
  slot.assign(at(tree.nv), -1);
  if (tree.couplings.empty()) return;
  const std::vector<int> parent = parent_velocities(tree);
  for (const Coupling& c : tree.couplings) {
    couplings.push_back({tree.links[at(c.follower)].v, tree.links[at(c.leader)].v, c.ratio});
    detail::for_paths(parent, couplings.back().follower, couplings.back().leader, [&](int k) {
      if (slot[at(k)] < 0) slot[at(k)] = height++;
    });
  }
  reflections.resize(couplings.size() * at(height));
  factor.resize(couplings.size());
  scratch.resize(at(std::max(height, tree.nv)));
}

void eliminate_couplings(const PathMatrix<double>& factors, CoupledMass& result) noexcept {
  std::vector<double>& half = result.scratch;
  for (int c = 0; c < result.count(); ++c) {
    const CoupledMass::Row& row = result.couplings[at(c)];
    double* u = result.reflections.data() + at(c) * at(result.height);
    std::fill_n(u, result.height, 0.);
    const auto walk = [&](auto&& take) {
      detail::for_paths(factors.parent, row.follower, row.leader, take);
    };
    walk([&](int k) { half[at(k)] = 0; });
    half[at(row.follower)] = 1;
    half[at(row.leader)] = -row.ratio;
    walk([&](int k) {
      const double* L = factors.row(k);
      const double h = half[at(k)];
      u[result.slot[at(k)]] = h / std::sqrt(*L);
      for (int i = factors.parent[at(k)]; i >= 0; i = factors.parent[at(i)])
        half[at(i)] -= *++L * h;
    });
    for (int i = 0; i < c; ++i)
      detail::reflect(reflection(result, i), result.factor[at(i)], i, result.height, u);
    double head = 0;
    result.factor[at(c)] = detail::make_reflection(u, c, result.height, head);
  }
}

void split_off_couplings(const CoupledMass& mass, double* in_slots) noexcept {
  for (int c = 0; c < mass.count(); ++c)
    detail::reflect(reflection(mass, c), mass.factor[at(c)], c, mass.height, in_slots);
}

void solve(CoupledMass& mass, const PathMatrix<double>& factors, Out<double> x) noexcept {
  if (mass.count() == 0) return solve<double>(factors, x);
  const int nv = factors.size();
  solve_transpose<double>(factors, x);
  double* y = mass.scratch.data();
  for (int k = 0; k < nv; ++k) {
    x[at(k)] /= std::sqrt(*factors.row(k));
    if (mass.slot[at(k)] >= 0) y[mass.slot[at(k)]] = x[at(k)];
  }
  split_off_couplings(mass, y);
  std::fill_n(y, mass.count(), 0.);
  for (int c = mass.count() - 1; c >= 0; --c)
    detail::reflect(reflection(mass, c), mass.factor[at(c)], c, mass.height, y);
  for (int k = 0; k < nv; ++k) {
    const double* L = factors.row(k);
    double sum = (mass.slot[at(k)] >= 0 ? y[mass.slot[at(k)]] : x[at(k)]) / std::sqrt(*L);
    for (int i = factors.parent[at(k)]; i >= 0; i = factors.parent[at(i)]) sum -= *++L * x[at(i)];
    x[at(k)] = sum;
  }
  for (const CoupledMass::Row& c : mass.couplings) x[at(c.follower)] = c.ratio * x[at(c.leader)];
}

}  // namespace axode
