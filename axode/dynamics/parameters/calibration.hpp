/// Calibration: errors of a tree's geometry from measured poses of one of its frames.
///
/// The parameters pi displace bodies against their parents, B -> B exp(U_1 pi_1) exp(U_2 pi_2) ..
/// (sensitivity.hpp). Sought are those that minimise the weighted squares of the residuals
///
///   log(T_WF(q, pi)^-1 T_measured)   or   p_measured - p_WF(q, pi)
///
/// by damped Gauss-Newton steps with exact Jacobians: d T_WF/dpi = T_WF hat(Ad(C_kF^-1) U'_k)
/// [MuellerDyn sec. 6.2]. Not every set of parameters can be told from poses: turning body i about, or
/// shifting it along, the axis of its parent's revolute joint does the same as moving the parent
/// itself. The singular values of the Jacobian say how many combinations can; the solution of least
/// norm is taken and the parameters that others can stand in for are named.
/// To identify the tool or a target, put it on a fixed joint: B is then its pose on the hand.
/// Cost of an iteration: O(measurements (n + parameters^2)).
/// Tests: tests/dynamics/parameters/calibration_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/parameters/sensitivity.hpp"
#include "axode/model/frames.hpp"

namespace axode {

/// Where the frame was found at the coordinates q: its pose in the world. Only T_WF.p counts if
/// positions alone are measured.
struct PoseMeasurement {
  std::vector<double> q;
  SE3<double> T_WF{};
};

struct CalibrationOptions {
  bool position_only = false;
  double rotation_weight = 1, translation_weight = 1;  ///< [1/rad, 1/m], of the residuals
  int iterations = 50;                                 ///< at most
  double tolerance = 1e-12;      ///< of the last step, relative to the parameters or absolute
  double rank_tolerance = 1e-8;  ///< singular values below this part of the largest count as zero
};

struct [[nodiscard]] CalibrationResult {
  std::vector<double> parameters;  ///< pi, the shortest of all that fit as well
  /// Standard deviations of the parameters that the residuals suggest; infinite for those that are
  /// not identifiable, zero where there are not more measurements than parameters.
  std::vector<double> standard_deviations;
  /// By parameter, how much of it is left open: 0 if the measurements fix it, 1 if it has no effect;
  /// between, the part of the null space that it takes part in.
  std::vector<double> ambiguities;
  /// Parameters with an ambiguity above 0.01: others can stand in for them, or they have no effect.
  std::vector<int> not_identifiable;
  std::vector<std::vector<double>> null_space;  ///< orthonormal: changes of pi without effect
  int rank = 0;                                 ///< number of combinations that have an effect
  double condition = 1;                         ///< largest by smallest singular value that counts
  double rotation_residual = 0;                 ///< root of the mean square [rad]; 0 for positions
  double translation_residual = 0;              ///< root of the mean square [m]
  int iterations = 0;
  bool converged = false;
};

/// Finds the parameters. Throws Error on an unknown frame or one fixed in the world, no measurements
/// or variations, variations of bodies that do not exist, numbers that are not finite, matrices that
/// are no rotations, and weights or tolerances that are not positive.
CalibrationResult calibrate(const Tree& tree, const FrameName& frame,
                            std::span<const GeometricVariation> variations,
                            std::span<const PoseMeasurement> measurements,
                            const CalibrationOptions& options = {});

/// The tree with the parameters in its geometry: B exp(U_1 pi_1) .. exp(U_m pi_m) for each body, in
/// the order of the list.
Tree apply(const Tree& tree, std::span<const GeometricVariation> variations, In<double> parameters);

/// All six variations of each body on the way to the frame: more than poses can tell apart.
std::vector<GeometricVariation> all_variations(const Tree& tree, const FrameName& frame);
/// Enough of them for every displacement of the bodies on the way to the frame, without those that
/// commute with the joint of the parent, which may as well be said there: six of the first body, then
/// four after a revolute or helical joint, two after a prismatic one, none after a fixed one.
std::vector<GeometricVariation> minimal_variations(const Tree& tree, const FrameName& frame);

namespace detail {
/// The frame of that name. Throws Error if it is not fixed on a body.
Frame measured_frame(const Tree& tree, const FrameName& name);
/// The bodies from the world to this one, which is the last.
std::vector<int> path_to(const Tree& tree, int body);
}  // namespace detail

}  // namespace axode
