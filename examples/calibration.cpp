/// Calibration of a robot arm: its geometry is off by a milliradian and a millimetre everywhere, a
/// camera sees its hand in 40 poses, and the errors are found from these.
#include "axode/dynamics/parameters/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/io/model_file.hpp"

using namespace axode;
using Values = std::vector<double>;

/// Numbers in [-1, 1] without pattern.
double number(int& count) { return std::sin(1e4 * std::sin(++count)); }

std::vector<PoseMeasurement> seen(const Tree& robot, int poses_seen, double noise, int count) {
  std::vector<PoseMeasurement> all;
  for (int k = 0; k < poses_seen; ++k) {
    Values q(robot.nq);
    for (double& x : q) x = 2.5 * number(count);
    SE3<> T = poses(robot, q).T_WB.back();
    T.R = T.R * exp(Vec3<>{number(count), number(count), number(count)} * noise);
    T.p += Vec3<>{number(count), number(count), number(count)} * noise;
    all.push_back({q, T});
  }
  return all;
}

/// The largest error [m] of the hand's position in poses that were not used to calibrate.
double worst(const Tree& model, const Tree& robot) {
  double error = 0;
  for (const PoseMeasurement& m : seen(robot, 100, 0, 5000))
    error = std::max(error, norm(poses(model, m.q).T_WB.back().p - m.T_WF.p));
  return error;
}

int main() {
  const Tree model = load_tree("models/puma560.json");
  const auto all = all_variations(model, "hand");
  int count = 0;
  Values truth(all.size());
  for (double& x : truth) x = 1e-3 * number(count);
  const Tree robot = apply(model, all, truth);  // what stands in the workshop

  // As many parameters as make a difference: four after each revolute joint, six for the base.
  const auto some = minimal_variations(model, "hand");
  const CalibrationResult fit = calibrate(model, "hand", some, seen(robot, 40, 1e-4, 1000));
  std::printf("%zu parameters, rank %d, condition %.2f, %s\n", some.size(), fit.rank, fit.condition,
              fit.converged ? "converged" : "not converged");
  std::printf("residuals %.2f mrad and %.2f mm\n", 1e3 * fit.rotation_residual,
              1e3 * fit.translation_residual);
  const Tree calibrated = apply(model, some, fit.parameters);
  std::printf("error elsewhere: %.2f mm before, %.2f mm after\n", 1e3 * worst(model, robot),
              1e3 * worst(calibrated, robot));

  // All six of each body fit as well; the result says which of them others can stand in for.
  const CalibrationResult redundant = calibrate(model, "hand", all, seen(robot, 40, 1e-4, 1000));
  std::printf("%zu parameters, rank %d; not identifiable:", all.size(), redundant.rank);
  for (const int k : redundant.not_identifiable) std::printf(" %d", k);
  std::printf("\n");
}
