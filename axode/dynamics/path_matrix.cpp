#include "axode/dynamics/path_matrix.inl"

#include "axode/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

std::vector<int> parent_velocities(const Tree& tree) {
  std::vector<int> parent(static_cast<std::size_t>(tree.nv));
  std::vector<int> last(tree.links.size());  // by body: the last velocity on its path
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    int before = link.parent < 0 ? -1 : last[static_cast<std::size_t>(link.parent)];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      parent[static_cast<std::size_t>(k)] = before;
      before = k;
    }
    last[i] = before;
  }
  return parent;
}

void detail::path_pattern(const Tree& tree, std::vector<int>& parent,
                          std::vector<std::size_t>& first) {
  parent = parent_velocities(tree);
  first.reserve(parent.size() + 1);
  first.push_back(0);
  for (const int p : parent) {
    const auto before = static_cast<std::size_t>(p);
    first.push_back(first.back() + 1 + (p < 0 ? 0 : first[before + 1] - first[before]));
    if (first.back() > std::size_t{1} << 31)
      throw LimitError("the paths of its " + std::to_string(parent.size()) +
                           " velocities to the root hold more than 2^31 entries in all",
                       "tree '" + tree.name + "'",
                       "use inverse_dynamics and forward_dynamics, which need no matrix");
  }
}

template struct PathMatrix<double>;
template int factorize(PathMatrix<double>&) noexcept;
template void solve(const PathMatrix<double>&, Out<double>) noexcept;
template void solve_transpose(const PathMatrix<double>&, Out<double>) noexcept;
template void multiply(const PathMatrix<double>&, In<double>, Out<double>) noexcept;
template DenseMatrix<double> dense(const PathMatrix<double>&);
template void inverse(const PathMatrix<double>&, DenseMatrix<double>&) noexcept;

using D = Dual<double>;
template struct PathMatrix<D>;
template int factorize(PathMatrix<D>&) noexcept;
template void solve(const PathMatrix<D>&, Out<D>) noexcept;
template void solve_transpose(const PathMatrix<D>&, Out<D>) noexcept;
template void multiply(const PathMatrix<D>&, In<D>, Out<D>) noexcept;
template DenseMatrix<D> dense(const PathMatrix<D>&);
template void inverse(const PathMatrix<D>&, DenseMatrix<D>&) noexcept;

}  // namespace axode
