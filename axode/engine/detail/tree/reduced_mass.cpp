#include "axode/engine/detail/tree/reduced_mass.hpp"

#include <algorithm>
#include <utility>

namespace axode::engine {

namespace {

/// Numbers the independent velocities: depth first, leaders where their groups meet, those that are
/// eliminated there first last.
void number_velocities(const Tree& tree, const EngineTree& engine, const CoupledGroups& groups,
                       ReducedPattern& p) {
  std::vector<int> leader(tree.nv, -1), lead(groups.groups, -1);
  p.ratio.assign(tree.nv, 1);
  for (const Coupling& c : tree.couplings) {
    const int follower = tree.links[c.follower].v;
    leader[follower] = tree.links[c.leader].v;
    p.ratio[follower] = c.ratio;
  }
  const auto group_of = [&](const CoupledBody& b, int column) {
    return groups.columns[b.first + column].group;
  };
  for (std::size_t i = 0; i < engine.bodies.size(); ++i)
    if (const CoupledBody& b = groups.bodies[i]; b.own >= 0 && leader[engine.bodies[i].v] < 0)
      lead[group_of(b, b.own)] = engine.bodies[i].v;
  p.column.assign(tree.nv, -1);
  const auto add = [&](int velocity) {
    p.column[velocity] = p.size();
    p.velocity.push_back(velocity);
  };
  const auto add_meeting = [&](const CoupledBody& b) {
    for (int k = b.meeting - 1; k >= 0; --k) add(lead[group_of(b, k)]);
  };
  add_meeting(groups.bodies.back());
  for (std::size_t i = 0; i < engine.bodies.size(); ++i) {
    const EngineBody& body = engine.bodies[i];
    if (groups.bodies[i].own < 0)
      for (int k = 0; k < body.nv; ++k) add(body.v + k);
    add_meeting(groups.bodies[i]);
  }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[k] >= 0) p.column[k] = p.column[leader[k]];
}

/// The elimination tree of the reduced matrix: entry (i, j < i) makes j a node above i.
std::vector<int> elimination_tree(const ReducedPattern& p, const std::vector<int>& parent) {
  std::vector<std::vector<int>> beyond(p.velocity.size());
  for (std::size_t k = 0; k < parent.size(); ++k)
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      const auto [low, high] = std::minmax(p.column[k], p.column[i]);
      if (low != high) beyond[low].push_back(high);
    }
  std::vector<int> result(p.velocity.size(), -1),
      above(result);  // above: some node above, a shortcut
  for (int j = p.size() - 1; j >= 0; --j)
    for (int i : beyond[j]) {
      while (above[i] >= 0 && above[i] != j) i = std::exchange(above[i], j);
      if (above[i] < 0) above[i] = result[i] = j;
    }
  return result;
}

}  // namespace

ReducedPattern::ReducedPattern(const Tree& tree, const EngineTree& engine,
                               const CoupledGroups& groups, const PathMatrix<double>& M) {
  number_velocities(tree, engine, groups, *this);
  PathMatrix<double> reduced = path_matrix(elimination_tree(*this, M.parent));
  entries.reserve(M.values.size());
  for (int k = 0; k < M.size(); ++k)
    for (int i = k; i >= 0; i = M.parent[i]) {
      const auto [low, high] = std::minmax(column[k], column[i]);
      const int apart = reduced.row_length(high) - reduced.row_length(low);
      const double both = i != k && low == high ? 2 : 1;  // (k, i) and (i, k)
      entries.push_back(
          {static_cast<int>(reduced.first[high]) + apart, both * ratio[k] * ratio[i]});
    }
  parent = std::move(reduced.parent);
  first = std::move(reduced.first);
}

ReducedMass::ReducedMass(ReducedPattern of, int tile)
    : pattern(std::move(of)),
      matrix(path_matrix(pattern.parent)),
      factors(pattern.parent, tile),
      inverse{pattern.size(), pattern.size(), {}} {
  inverse.values.resize(pattern.velocity.size() * pattern.velocity.size());
}

void ReducedMass::reduce(const PathMatrix<double>& M) noexcept {
  std::fill(matrix.values.begin(), matrix.values.end(), 0.);
  std::fill(matrix.scale.begin(), matrix.scale.end(), 0.);
  for (std::size_t e = 0; e < M.values.size(); ++e)
    matrix.values[pattern.entries[e].to] += pattern.entries[e].factor * M.values[e];
  for (int k = 0; k < M.size(); ++k)
    matrix.scale[pattern.column[k]] +=
        pattern.ratio[k] * pattern.ratio[k] * std::max(M.scale[k], *M.row(k));
}

void ReducedMass::expand_inverse(DenseMatrix<double>& result) const noexcept {
  for (int i = 0; i < result.rows; ++i) {
    const double* row = inverse.values.data() + std::size_t(pattern.column[i]) * inverse.columns;
    for (int j = 0; j < result.columns; ++j)
      result(i, j) = pattern.ratio[i] * pattern.ratio[j] * row[pattern.column[j]];
  }
}

}  // namespace axode::engine
