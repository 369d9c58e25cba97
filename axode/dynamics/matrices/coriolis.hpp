/// The Coriolis matrix, C(q, v) v = c(q, v), which is not unique: three choices of it, by composite
/// bodies in world axes, O(sum of depths).
///
///   C = J^T (M J' + N J),   summed over the bodies, each with its N:
///
///   skew         N = -ad_V^T M              dM/dt - 2 C is skew-symmetric, as passivity wants
///                                                 [MuellerDyn (84), corrected: docs/errata.md]
///   uncorrected  N = -ad_V^T M - M ad_V     C = J^T d/dt(M J)           [MuellerDyn (83), (84)]
///   christoffel  N = 1/2 (-ad_V^T M - M ad_V - ad_.^T M V)
///                                           skew, too; C(i, j) = sum_k Gamma_ijk v_k
///                                           = 1/2 dc_i/dv_j                  [MuellerDyn (85)]
///
/// In the last line the equalities need velocities that are rates of coordinates (christoffel.hpp).
/// In those of quaternion and free joints C is the same connection, and dM/dt - 2 C is skew, but
/// sum_k Gamma_ijk v_k and dc/dv are other matrices. Armatures are constant and have no part in any
/// of this. Units: N m s/rad and the like.
/// Tests: tests/dynamics/matrices/coriolis_test.cpp
#pragma once
#include "axode/dynamics/detail/composite.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

enum class CoriolisChoice { skew, uncorrected, christoffel };

/// The matrix, and what a call leaves behind beside it. Make one per tree and thread, then reuse
/// it.
template <class S = double>
struct Coriolis {
  explicit Coriolis(const Tree& tree);
  /// Entries C(k, j) and C(j, k) for j on the path from k to the root, in row k; the others are
  /// zero. Each alone is no symmetric matrix: functions of path matrices other than row() do not
  /// apply.
  PathMatrix<S> rows, columns;
  Composite<S> composite;              ///< screws, inertias, twists and momenta
  std::vector<Vec6<S>> screw_rates;    ///< by velocity: J'
  std::vector<Mat6<S>> inertia_rates;  ///< by body: sum of N of all it carries
};

/// Writes the matrix at velocity v. Does not allocate.
template <class S>
void coriolis_matrix(const Tree& tree, const Poses<S>& poses, In<S> v, Coriolis<S>& result,
                     CoriolisChoice choice = CoriolisChoice::christoffel) noexcept;
/// Writes C x; x and result must not overlap. Does not allocate.
template <class S>
void multiply(const Coriolis<S>& C, In<S> x, Out<S> result) noexcept;
/// All entries.
template <class S>
DenseMatrix<S> dense(const Coriolis<S>& C);

}  // namespace axode
