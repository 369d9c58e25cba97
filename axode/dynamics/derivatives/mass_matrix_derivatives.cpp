#include "axode/dynamics/derivatives/detail/mass_matrix_derivatives.hpp"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

DenseTensor<double> mass_matrix_derivatives(const Tree& tree, In<double> q) {
  const Poses<double> p = poses(tree, q);
  DenseTensor<double> result(tree.nv);
  MassMatrixDerivatives<double> at(tree);
  prepare_mass_matrix_derivatives(tree, p, at);
  mass_matrix_derivatives(tree, at, result);
  return result;
}

DenseTensor<double> inverse_mass_matrix_derivatives(const Tree& tree, In<double> q,
                                                    const Effects& effects) {
  const Poses<double> p = poses(tree, q);
  DenseTensor<double> result(tree.nv);
  MassMatrixDerivatives<double> at(tree);
  prepare_mass_matrix_derivatives(tree, p, at);
  PathMatrix<double> M(tree), derivative(tree);
  mass_matrix(tree, at.composite, M, effects);
  if (const MassOutcome found = factorize(M); !found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                           "derivatives of the inverse mass matrix");
  const std::size_t n = tree.nv;
  DenseMatrix<double> one{tree.nv, tree.nv, std::vector<double>(n * n)};
  for (int m = 0; m < tree.nv; ++m) {
    mass_matrix_derivative(tree, at, m, derivative);
    inverse_mass_matrix_derivative(M, derivative, one);
    for (int i = 0; i < tree.nv; ++i)
      for (int j = 0; j < tree.nv; ++j) result(i, j, m) = one(i, j);
  }
  return result;
}

template struct MassMatrixDerivatives<double>;
template void prepare_mass_matrix_derivatives(const Tree&, const Poses<double>&,
                                              MassMatrixDerivatives<double>&) noexcept;
template void mass_matrix_derivative(const Tree&, const MassMatrixDerivatives<double>&, int,
                                     PathMatrix<double>&) noexcept;
template void mass_matrix_derivatives(const Tree&, const MassMatrixDerivatives<double>&,
                                      DenseTensor<double>&) noexcept;
template void inverse_mass_matrix_derivative(const PathMatrix<double>&, const PathMatrix<double>&,
                                             DenseMatrix<double>&) noexcept;
template struct MassMatrixDerivatives<Dual<double>>;
template void prepare_mass_matrix_derivatives(const Tree&, const Poses<Dual<double>>&,
                                              MassMatrixDerivatives<Dual<double>>&) noexcept;
template void mass_matrix_derivative(const Tree&, const MassMatrixDerivatives<Dual<double>>&, int,
                                     PathMatrix<Dual<double>>&) noexcept;
template void mass_matrix_derivatives(const Tree&, const MassMatrixDerivatives<Dual<double>>&,
                                      DenseTensor<Dual<double>>&) noexcept;
template void inverse_mass_matrix_derivative(const PathMatrix<Dual<double>>&,
                                             const PathMatrix<Dual<double>>&,
                                             DenseMatrix<Dual<double>>&) noexcept;

}  // namespace axode
