#include "axode/dynamics/matrices/expansion.hpp"

#include <algorithm>
#include <cstdlib>

namespace axode {

namespace {}  // namespace

Expansion::Expansion(const Tree& tree) : column(tree.nv, -1), ratio(tree.nv, 1) {
  std::vector<int> leader(tree.nv, -1);
  for (const Coupling& c : tree.couplings) {
    leader[tree.links[c.follower].v] = tree.links[c.leader].v;
    ratio[tree.links[c.follower].v] = c.ratio;
  }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[k] < 0) {
      column[k] = static_cast<int>(velocity.size());
      velocity.push_back(k);
    }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[k] >= 0) column[k] = column[leader[k]];
}

void expand(const Expansion& E, In<double> y, Out<double> v) noexcept {
  for (std::size_t k = 0; k < E.column.size(); ++k) v[k] = E.ratio[k] * y[E.column[k]];
}

void reduce(const Expansion& E, In<double> f, Out<double> y) noexcept {
  std::fill(y.begin(), y.end(), 0.);
  for (std::size_t k = 0; k < E.column.size(); ++k) y[E.column[k]] += E.ratio[k] * f[k];
}

DenseMatrix<double> reduce(const Expansion& E, const DenseMatrix<double>& X) {
  const int n = E.size();
  DenseMatrix<double> result{n, n, std::vector<double>(std::size_t(n) * n, 0.)};
  for (int i = 0; i < X.rows; ++i)
    for (int j = 0; j < X.columns; ++j)
      result(E.column[i], E.column[j]) += E.ratio[i] * E.ratio[j] * X(i, j);
  return result;
}

void reduce(const Expansion& E, const PathMatrix<double>& M, PathMatrix<double>& result) noexcept {
  std::fill(result.values.begin(), result.values.end(), 0.);
  std::fill(result.scale.begin(), result.scale.end(), 0.);
  for (int k = 0; k < M.size(); ++k) {
    const double* entry = M.row(k);
    const int row = E.column[k];
    const double r = E.ratio[k];
    result.row(row)[0] += r * r * *entry;
    result.scale[row] += r * r * std::max(M.scale[k], *entry);
    for (int i = M.parent[k]; i >= 0; i = M.parent[i]) {
      const int column = E.column[i];
      const double x = r * E.ratio[i] * *++entry;
      result.row(std::max(row, column))[std::abs(row - column)] += row == column ? 2 * x : x;
    }
  }
}

}  // namespace axode
