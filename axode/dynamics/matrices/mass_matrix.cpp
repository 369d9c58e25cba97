#include "axode/dynamics/any_scalar/mass_matrix.hpp"

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {

PathMatrix<double> path_mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  Composite<double> composite(tree);
  composite_inertias(tree, poses(tree, q), composite);
  PathMatrix<double> M(tree);
  axode::mass_matrix(tree, composite, M, effects);
  return M;
}

}  // namespace

namespace reference {

DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  return dense(path_mass_matrix(tree, q, effects));
}

DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q, const Effects& effects) {
  PathMatrix<double> M = path_mass_matrix(tree, q, effects);
  if (const MassOutcome found = factorize(M); !found.ok())
    detail::throw_singular(tree, detail::body_of_velocity(tree, found.singular_velocity),
                           "inverse_mass_matrix");
  DenseMatrix<double> result{M.size(), M.size(),
                             std::vector<double>(M.parent.size() * M.parent.size())};
  inverse(M, result);
  return result;
}

}  // namespace reference

template void mass_matrix(const Tree&, const Composite<double>&, PathMatrix<double>&,
                          const Effects&) noexcept;
template void mass_matrix(const Tree&, const Composite<Dual<double>>&, PathMatrix<Dual<double>>&,
                          const Effects&) noexcept;

}  // namespace axode
