#include "axode/dynamics/expansion.hpp"

#include <algorithm>
#include <cstdlib>

namespace axode {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Expansion::Expansion(const Tree& tree) : column(at(tree.nv), -1), ratio(at(tree.nv), 1) {
  std::vector<int> leader(at(tree.nv), -1);
  for (const Coupling& c : tree.couplings) {
    leader[at(tree.links[at(c.follower)].v)] = tree.links[at(c.leader)].v;
    ratio[at(tree.links[at(c.follower)].v)] = c.ratio;
  }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[at(k)] < 0) {
      column[at(k)] = static_cast<int>(velocity.size());
      velocity.push_back(k);
    }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[at(k)] >= 0) column[at(k)] = column[at(leader[at(k)])];
}

void expand(const Expansion& E, In<double> y, Out<double> v) noexcept {
  for (std::size_t k = 0; k < E.column.size(); ++k) v[k] = E.ratio[k] * y[at(E.column[k])];
}

void reduce(const Expansion& E, In<double> f, Out<double> y) noexcept {
  std::fill(y.begin(), y.end(), 0.);
  for (std::size_t k = 0; k < E.column.size(); ++k) y[at(E.column[k])] += E.ratio[k] * f[k];
}

DenseMatrix<double> reduce(const Expansion& E, const DenseMatrix<double>& X) {
  const int n = E.size();
  DenseMatrix<double> result{n, n, std::vector<double>(at(n) * at(n), 0.)};
  for (int i = 0; i < X.rows; ++i)
    for (int j = 0; j < X.columns; ++j)
      result(E.column[at(i)], E.column[at(j)]) += E.ratio[at(i)] * E.ratio[at(j)] * X(i, j);
  return result;
}

void reduce(const Expansion& E, const PathMatrix<double>& M, PathMatrix<double>& result) noexcept {
  std::fill(result.values.begin(), result.values.end(), 0.);
  std::fill(result.scale.begin(), result.scale.end(), 0.);
  for (int k = 0; k < M.size(); ++k) {
    const double* entry = M.row(k);
    const int row = E.column[at(k)];
    const double r = E.ratio[at(k)];
    result.row(row)[0] += r * r * *entry;
    result.scale[at(row)] += r * r * std::max(M.scale[at(k)], *entry);
    for (int i = M.parent[at(k)]; i >= 0; i = M.parent[at(i)]) {
      const int column = E.column[at(i)];
      const double x = r * E.ratio[at(i)] * *++entry;
      result.row(std::max(row, column))[std::abs(row - column)] += row == column ? 2 * x : x;
    }
  }
}

}  // namespace axode
