/// What `axode mechanism simulate` keeps of a run: rows of a table, paths of points, and the run file,
/// which is written as the samples come.
/// Tests: tests/cli/mechanism_test.py
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/mechanism/mechanism_run.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

class MechanismRecorder {
 public:
  /// Opens the run file; called with the first sample, so that a simulation that is refused leaves no
  /// file. Empty: no run file is written.
  using OpenRun = std::function<RunWriter()>;

  MechanismRecorder(MechanismSystem& system, std::vector<PointName> points, OpenRun open_run);
  /// Each sample becomes a row, and a sample of the run file.
  void take(const MechanismSample& s);
  /// Ends the run file, if there is one, with the closing figures.
  void finish(double t, std::string_view summary);

  CsvRows rows;
  std::vector<PointPath> paths;
  std::vector<SE3<double>> first_poses;
  std::vector<TimeValue> last;  ///< of the last row
  long count = 0;               ///< of rows

 private:
  void keep_row(const MechanismSample& s);
  void record(const MechanismSample& s);

  MechanismSystem& system_;
  std::vector<PointName> points_;
  std::vector<SE3<double>> poses_;
  std::vector<double> row_;
  OpenRun open_run_;
  std::optional<MechanismSampler> sampler_;
  std::optional<RunWriter> writer_;
};

}  // namespace axode::cli
