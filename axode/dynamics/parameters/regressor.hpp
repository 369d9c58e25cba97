/// The regressor: inverse dynamics as a linear function of the inertial parameters,
///
///   tau = Y(q, v, a) p
///
/// p has ten numbers for each body, those of InertiaParameters in this order, in the body frame:
///
///   m [kg]; m c_x, m c_y, m c_z [kg m]; I_xx, I_yy, I_zz, I_xy, I_xz, I_yz [kg m^2]
///
/// with I the tensor about the origin of the body frame. Y does not depend on them. Gravity is in
/// it; armature, damping, friction and external wrenches are not. Body i moves only the velocities
/// on its path to the root, and only these rows are kept: O(n depth) numbers and operations. Row k
/// of body i is J_ik^T of the wrench W = Y_i p_i of the Newton-Euler equations
/// [MuellerDyn (42), (43)]. Which combinations of p matter at all: base_parameters.hpp.
/// Tests: tests/dynamics/parameters/regressor_test.cpp
#pragma once
#include <array>
#include <string>
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/system_jacobian.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// One row for one body: the derivatives of a joint force by its ten parameters.
template <class S>
using RegressorRow = std::array<S, 10>;

/// The regressor of a tree at a state. Make it once, then reuse it.
template <class S = double>
struct Regressor {
  /// All entries zero. Throws LimitError if the paths hold more than 2^31 rows in all.
  explicit Regressor(const Tree& tree);
  Motion<Rep::body, S> motion;
  std::vector<std::size_t> first;  ///< by body: where its rows start; one more for the end
  /// By body: the rows of its own joint, in order, then those of its parent's, and so on to the
  /// root.
  std::vector<RegressorRow<S>> rows;
};

/// Writes the regressor of the motion (v, a) at the configuration of the poses. Of the effects only
/// gravity matters. Does not allocate.
template <class S>
void regressor(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a, Regressor<S>& result,
               const Effects& effects = {}) noexcept;
/// Writes the joint forces Y p; `parameters` has one entry for each body. Does not allocate.
template <class S>
void apply(const Tree& tree, const Regressor<S>& Y, In<InertiaParameters<S>> parameters,
           Out<S> tau) noexcept;
/// Y with all its zeros: nv rows, 10 n columns.
template <class S>
DenseMatrix<S> dense(const Tree& tree, const Regressor<S>& Y);

/// In one call, with all zeros. Throws Error on arguments of the wrong length or not finite.
DenseMatrix<double> regressor(const Tree& tree, In<double> q, In<double> v, In<double> a,
                              const Effects& effects = {});
/// The parameters of all bodies of the tree, and the same in one list of 10 n numbers.
std::vector<InertiaParameters<double>> inertia_parameters(const Tree& tree);
std::vector<double> inertia_parameter_list(const Tree& tree);
/// The name of column k of Y, such as "m c_x of 'forearm'".
std::string parameter_name(const Tree& tree, int column);

}  // namespace axode
