/// How poses, motion and joint forces depend on the geometry of a tree [MuellerDyn sec. 6.2].
///
/// A geometric parameter pi displaces body i and all it carries against its parent, T_PB = B D(q):
///
///   B -> B exp(U pi),   dT_PB/dpi = T_PB hat(U'),   U' = Ad(D^-1) U
///
/// U is a screw in the frame that the body has at q = 0 of its joint. Joint screws and inertias keep
/// their coordinates in the body frame. With T = Ad(C_ip), below and at body k of the variation
///
///   eta_i = T eta_p, eta_k = U';   dV_i = T dV_p - [i = k] ad(U') T V_p
///   dV'_i = T dV'_p - [i = k] ad(U') T V'_p + ad(dV_i) S_i v_i
///   dF = M dV' - ad_dV^T M V - ad_V^T M dV,   dW_i = dF + sum T_c^T (dW_c - [c = k] ad(U')^T W_c)
///
/// and dtau = S^T dW. Each parameter costs O(bodies it carries + depth).
/// Units: those of the quantity by that of pi; [1/rad] if U is a unit screw of finite pitch.
/// Tests: tests/dynamics/parameters/sensitivity_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"

namespace axode {

/// A geometric parameter: B of the body becomes B exp(U pi).
struct GeometricVariation {
  int body = 0;
  Vec6<double> U{};
};
/// The six of a body: rotations about, then translations along the axes of its frame.
std::vector<GeometricVariation> six_variations(int body);
/// Where several parameters vary one body in turn, B = B_0 exp(U_1 pi_1) .. exp(U_m pi_m) in the
/// order of the list, the variations of the tree with that B: each U_k moved by the factors behind
/// it. Bodies must be those of the tree, and each variation have a number in pi, else Error.
std::vector<GeometricVariation> variations_at(const Tree& tree,
                                              std::span<const GeometricVariation> variations,
                                              In<double> pi);

/// Derivatives by one parameter; zero for bodies it does not carry. Make one per tree and thread,
/// then reuse it: each call sets all of what it is said to write.
template <class S = double>
struct GeometricSensitivity {
  explicit GeometricSensitivity(const Tree& tree);
  std::vector<Vec6<S>> displacements;                     ///< eta by body: dT_WB = T_WB hat(eta)
  std::vector<Twist<Rep::body, S>> twists;                ///< by body, of the components of V
  std::vector<Acceleration<Rep::body, S>> accelerations;  ///< by body, of the components of V'
  /// By body, of the wrench its joint transmits on it; the bodies on the path to the world have one.
  std::vector<Wrench<Rep::body, S>> joint_wrenches;

  struct Scratch {
    std::vector<int> order;            ///< bodies, each followed by all it carries
    std::vector<int> position, count;  ///< by body: its place in `order`, it and what it carries
    int body = -1;                     ///< what the last call varied
  } scratch;
};

/// Derivatives of the poses: writes result.displacements. Does not allocate.
template <class S>
void pose_sensitivity(const Tree& tree, const Poses<S>& poses, const GeometricVariation& variation,
                      GeometricSensitivity<S>& result) noexcept;
/// And of a motion (motion.hpp) at joint velocities v and fixed a: writes result.displacements,
/// twists and accelerations. Does not allocate.
template <class S>
void motion_sensitivity(const Tree& tree, const Poses<S>& poses, In<S> v,
                        const Motion<Rep::body, S>& motion, const GeometricVariation& variation,
                        GeometricSensitivity<S>& result) noexcept;
/// And of the joint forces: writes all of `result` and dtau, nv numbers. `at` is what a call of
/// inverse_dynamics with the same v and effects left. External wrenches keep their components in
/// the body frames. Gravity is in the accelerations, as in `at`. Does not allocate.
template <class S>
void force_sensitivity(const Tree& tree, const Poses<S>& poses, In<S> v,
                       const InverseDynamics<Rep::body, S>& at, const GeometricVariation& variation,
                       GeometricSensitivity<S>& result, Out<S> dtau,
                       const Effects& effects = {}) noexcept;

/// dtau/dpi of each variation, nv numbers each. Throws Error if a body does not exist or numbers are
/// missing or not finite.
std::vector<std::vector<double>> force_sensitivities(const Tree& tree, In<double> q, In<double> v,
                                                     In<double> a,
                                                     std::span<const GeometricVariation> variations,
                                                     In<Wrench<Rep::body, double>> external = {},
                                                     const Effects& effects = {});

}  // namespace axode
