// Definitions of mass_matrix.hpp; instantiated by mass_matrix.cpp.
#pragma once
#include "axode/dynamics/any_scalar/composite.hpp"
#include "axode/dynamics/any_scalar/path_matrix.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

template <class S>
void mass_matrix(const Tree& tree, const Composite<S>& composite, PathMatrix<S>& M,
                 const Effects& effects) noexcept {
  const Vec6<S>* J = composite.screws.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      // J^T M J: in world axes M_jk = J_j^T M_i J_k, M_i of all that joint i carries
      // [MuellerDyn (81)]
      const Vec6<S> P = composite.inertias[i] * J[k];
      S* row = M.row(k);
      for (int j = k; j >= 0; j = M.parent[j]) *row++ = dot(J[j], P);
      const std::size_t g = k;
      M.scale[g] = squared_norm(J[k].angular) * trace(composite.inertias[i].about_origin) +
                   squared_norm(J[k].linear) * composite.inertias[i].mass;
      if (effects.armature) *M.row(k) += S(static_cast<Real<S>>(tree.dofs[g].armature));
    }
  }
}

}  // namespace axode
