/// `--live`: a run that is looked at in the browser while it goes on.
/// Tests: tests/cli/live_test.py
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "axode/io/run/run_file.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

void add_live(CLI::App& command, LiveOptions& options);
/// Throws UsageError on options that make no sense.
void check_live(const LiveOptions& options);

class LiveRun {
 public:
  /// Serves the scene (SceneOptions::live), tells its address and opens it. Throws IoError.
  LiveRun(const LiveOptions& options, const std::string& scene, const RunMetadata& metadata);
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  ~LiveRun();
  /// Waits for nobody.
  void sample(const RunSample& sample);
  /// When all else is done: tells the pages how it ended and waits until they have everything.
  void finish(axode::Ending ending, double t, std::string_view message);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace axode::cli
