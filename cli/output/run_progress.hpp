/// How far a simulation is, on standard error: a bar on a terminal, else a line every few seconds;
/// and its end when it is interrupted.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

namespace axode::cli {

/// Set by the first interrupt (SIGINT, SIGTERM, SIGHUP), from the first call on; a second one of the
/// same kind ends the program.
const std::atomic<bool>& stop_at_interrupt();

class RunProgress {
 public:
  /// Simulated times of start and end [s]; a resumed run has gone some of it already.
  RunProgress(double start, double end, bool quiet);
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;
  /// Erases the bar.
  ~RunProgress() { clear(); }
  /// After each step; shows something only when it is time to.
  void update(double t);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string figures(double t, double elapsed) const;
  double start_, end_;
  bool quiet_, terminal_;
  Clock::time_point begin_, next_;
  std::size_t shown_ = 0;  ///< characters of the bar
};

}  // namespace axode::cli
