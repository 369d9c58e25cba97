#include "axode/dynamics/path_matrix.inl"

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
