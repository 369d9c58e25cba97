#include "axode/dynamics/christoffel.inl"

#include "axode/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

std::vector<double> christoffel_symbols(const Tree& tree, In<double> q) {
  if (tree.nv > 1000)
    throw LimitError(
        "its " + std::to_string(tree.nv) + " velocities have more than 10^9 Christoffel symbols",
        "tree '" + tree.name + "'", "use christoffel_symbol for single ones, or coriolis_matrix");
  const Poses<double> at = poses(tree, q);
  Christoffel<double> work(tree);
  prepare_christoffel(tree, at, work);
  const auto n = static_cast<std::size_t>(tree.nv);
  std::vector<double> symbols(n * n * n);
  christoffel_symbols<double>(tree, work, symbols);
  return symbols;
}

template struct Christoffel<double>;
template void prepare_christoffel(const Tree&, const Poses<double>&, Christoffel<double>&) noexcept;
template double christoffel_symbol(const Tree&, const Christoffel<double>&, int, int, int) noexcept;
template void christoffel_symbols(const Tree&, const Christoffel<double>&, Out<double>) noexcept;
template void christoffel_symbols_by_bodies(const Tree&, const Poses<double>&,
                                            const Christoffel<double>&, Out<double>) noexcept;

using D = Dual<double>;
template struct Christoffel<D>;
template void prepare_christoffel(const Tree&, const Poses<D>&, Christoffel<D>&) noexcept;
template D christoffel_symbol(const Tree&, const Christoffel<D>&, int, int, int) noexcept;
template void christoffel_symbols(const Tree&, const Christoffel<D>&, Out<D>) noexcept;
template void christoffel_symbols_by_bodies(const Tree&, const Poses<D>&, const Christoffel<D>&,
                                            Out<D>) noexcept;

}  // namespace axode
