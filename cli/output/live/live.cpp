#include "cli/output/live/live.hpp"

#include <filesystem>

#include "axode/io/text/text_file.hpp"
#include "axode/view/page/live.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/output/live/browser.hpp"
#include "cli/output/live/live_server.hpp"
#include "cli/output/output.hpp"
#include "cli/output/run_progress.hpp"

namespace axode::cli {

namespace {

constexpr const char* usual_wait = "30s";
constexpr double wait_for_streams = 60, wait_if_interrupted = 1;  // [s]

double wait_of(const LiveOptions& options) {
  return parse_duration(options.wait.empty() ? usual_wait : options.wait, "--live-wait");
}

/// The poses of a mechanism, by which the page moves it; they are its first extra.
const RunExtra* poses_of(const RunMetadata& metadata) {
  const bool has = !metadata.extras.empty() && metadata.extras[0].name == "poses";
  return has ? metadata.extras.data() : nullptr;
}
/// Without other extras: reactions that are not known would make samples that a page refuses.
std::vector<ClipSeries> series_of(const RunMetadata& metadata) {
  Run run;
  run.metadata = metadata;
  run.metadata.extras.clear();
  std::vector<ClipSeries> series = clip_of(run).series;
  if (const RunExtra* poses = poses_of(metadata))
    series.push_back({poses->name, poses->names, poses->units, {}});
  return series;
}
std::size_t columns_of(const std::vector<ClipSeries>& series) {
  std::size_t n = 1;
  for (const ClipSeries& one : series) n += one.names.size();
  return n;
}

/// A page that leads there. Other users see the command line of a browser, but not this file: it keeps
/// the address a secret.
std::string way_to(const std::string& address) {
  std::string file = temporary_page("live");
  write_text_file(file,
                  fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Axode</title>\n"
                              "<meta http-equiv=\"refresh\" content=\"0; url={0}\">\n"
                              "<a href=\"{0}\">{0}</a>\n",
                              address),
                  false);
  return file;
}

}  // namespace

void add_live(CLI::App& command, LiveOptions& options) {
  command.add_flag("--live", options.on, "Show the run in the browser while it goes on");
  command.add_option("--live-wait", options.wait, "Wait for a browser after the end, default: 30s")
      ->type_name("TIME");
  command.add_flag("--no-browser", options.no_browser, "Print the live address, open nothing");
}

void check_live(const LiveOptions& options) {
  if (!options.on && (options.no_browser || !options.wait.empty()))
    throw UsageError("--live-wait and --no-browser are about --live; give that, too");
  wait_of(options);
}

struct LiveRun::Data {
  Data(const std::vector<ClipSeries>& series, const std::string& scene, double for_first)
      : samples(columns_of(series)), server(samples, scene, live_head(series)), wait(for_first) {}
  LiveSamples samples;
  LiveServer server;
  double wait;
  std::vector<double> row;
  std::size_t poses = 0;  ///< numbers of them
  std::string way;        ///< file that leads to the page
};

LiveRun::LiveRun(const LiveOptions& options, const std::string& scene, const RunMetadata& metadata)
    : data_(std::make_unique<Data>(series_of(metadata), scene, wait_of(options))) {
  if (const RunExtra* poses = poses_of(metadata)) data_->poses = poses->names.size();
  const std::string address = data_->server.address();
  note(fmt::format("axode: live at {}\n", address));
  if (options.no_browser || !has_display()) return;
  try {
    data_->way = way_to(address);
    if (opened(data_->way)) return;
  } catch (const Error&) {  // no place for the file: no reason not to run
  }
  warn("no browser could be started; open the address above");
}

LiveRun::~LiveRun() {
  if (data_->way.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(std::filesystem::path(data_->way).parent_path(), error);
}

void LiveRun::sample(const RunSample& s) {
  std::vector<double>& row = data_->row;
  row.assign(1, s.t);
  for (const auto& part : {s.q, s.v, s.a, s.tau}) row.insert(row.end(), part.begin(), part.end());
  row.insert(row.end(), {s.kinetic, s.potential, s.stored, s.work});
  const std::span<const double> poses = s.extras.first(data_->poses);
  row.insert(row.end(), poses.begin(), poses.end());
  data_->samples.push(row);
}

void LiveRun::finish(axode::Ending ending, double t, std::string_view message) {
  data_->samples.end(live_end(name(ending), t, message));
  static const std::atomic<bool> never{false};
  if (ending == axode::Ending::stopped)
    data_->server.wait(0, wait_if_interrupted, never);
  else
    data_->server.wait(data_->wait, wait_for_streams, stop_at_interrupt());
}

}  // namespace axode::cli
