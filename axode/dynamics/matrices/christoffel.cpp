#include "axode/dynamics/matrices/detail/christoffel.inl"

#include "axode/core/error.hpp"
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
  const std::size_t n = tree.nv;
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

template struct Christoffel<Dual<double>>;
template void prepare_christoffel(const Tree&, const Poses<Dual<double>>&,
                                  Christoffel<Dual<double>>&) noexcept;
template Dual<double> christoffel_symbol(const Tree&, const Christoffel<Dual<double>>&, int, int,
                                         int) noexcept;
template void christoffel_symbols(const Tree&, const Christoffel<Dual<double>>&,
                                  Out<Dual<double>>) noexcept;
template void christoffel_symbols_by_bodies(const Tree&, const Poses<Dual<double>>&,
                                            const Christoffel<Dual<double>>&,
                                            Out<Dual<double>>) noexcept;

}  // namespace axode
