#include "axode/dynamics/any_scalar/path_matrix.hpp"

#include <numeric>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

std::vector<int> parent_velocities(const Tree& tree) {
  std::vector<int> parent(tree.nv);
  std::vector<int> last(tree.links.size());  // by body: the last velocity on its path
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    int before = link.parent < 0 ? -1 : last[link.parent];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      parent[k] = before;
      before = k;
    }
    last[i] = before;
  }
  return parent;
}

namespace {

/// Where the rows start; `where` names the matrix.
std::vector<std::size_t> row_starts(const std::vector<int>& parent, const std::string& where) {
  std::vector<std::size_t> first{0};
  first.reserve(parent.size() + 1);
  for (const int p : parent) {
    const std::size_t before = p;
    first.push_back(first.back() + 1 + (p < 0 ? 0 : first[before + 1] - first[before]));
    if (first.back() > std::size_t{1} << 31)
      throw LimitError("the paths of its " + std::to_string(parent.size()) +
                           " velocities to the root hold more than 2^31 entries in all",
                       where, "use inverse_dynamics and forward_dynamics, which need no matrix");
  }
  return first;
}

}  // namespace

void detail::path_pattern(const Tree& tree, std::vector<int>& parent,
                          std::vector<std::size_t>& first) {
  parent = parent_velocities(tree);
  first = row_starts(parent, "tree '" + tree.name + "'");
}

PathMatrix<double> path_matrix(std::vector<int> parent) {
  PathMatrix<double> M;
  M.parent = std::move(parent);
  M.first = row_starts(M.parent, "matrix along paths");
  M.values.resize(M.first.back(), 0);
  M.scale.resize(M.parent.size(), 0);
  M.diagonal = M.response = M.scale;
  return M;
}
PathMatrix<double> full_matrix(int n) {
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), -1);
  return path_matrix(std::move(parent));
}

template struct PathMatrix<double>;
template MassOutcome factorize(PathMatrix<double>&) noexcept;
template void solve(const PathMatrix<double>&, Out<double>) noexcept;
template void solve_transpose(const PathMatrix<double>&, Out<double>) noexcept;
template void solve_columns(const PathMatrix<double>&, DenseMatrix<double>&) noexcept;
template void multiply(const PathMatrix<double>&, In<double>, Out<double>) noexcept;
template DenseMatrix<double> dense(const PathMatrix<double>&);
template void inverse(const PathMatrix<double>&, DenseMatrix<double>&) noexcept;

template struct PathMatrix<Dual<double>>;
template MassOutcome factorize(PathMatrix<Dual<double>>&) noexcept;
template void solve(const PathMatrix<Dual<double>>&, Out<Dual<double>>) noexcept;
template void solve_transpose(const PathMatrix<Dual<double>>&, Out<Dual<double>>) noexcept;
template void solve_columns(const PathMatrix<Dual<double>>&, DenseMatrix<Dual<double>>&) noexcept;
template void multiply(const PathMatrix<Dual<double>>&, In<Dual<double>>,
                       Out<Dual<double>>) noexcept;
template DenseMatrix<Dual<double>> dense(const PathMatrix<Dual<double>>&);
template void inverse(const PathMatrix<Dual<double>>&, DenseMatrix<Dual<double>>&) noexcept;

}  // namespace axode
