/// What `axode simulate` keeps of a run of a mechanism: rows of a table, paths of points.
/// Tests: tests/cli/mechanism_test.py
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
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
  void keep_row(const Sample& s);

  MechanismSystem& system_;
  std::vector<PointName> points_;
  std::vector<SE3<double>> poses_;
  std::vector<double> row_;
};

}  // namespace axode::cli
