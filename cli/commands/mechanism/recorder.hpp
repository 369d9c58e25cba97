/// What `axode simulate` keeps of a run of a mechanism: rows of a table, paths of points.
/// Tests: tests/cli/mechanism_test.py
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/io/mechanism/mechanism_run.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

class MechanismRecorder {
 public:
  MechanismRecorder(MechanismSystem& system, std::vector<PointName> points);
  void take(const Sample& s);

  CsvRows rows;
  std::vector<PointPath> paths;
  std::vector<SE3<double>> first_poses;
  std::vector<TimeValue> last;  ///< of the last row

 private:
  MechanismSampler sampler_;
  int axes_;  ///< of points: two in the plane
  std::vector<double> row_;
};

}  // namespace axode::cli
