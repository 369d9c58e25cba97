/// `axode mechanism FILE simulate`: the motion of a mechanism under forces and drivers.
#include <chrono>
#include <cmath>

#include "axode/mechanism/simulate_mechanism.hpp"
#include "cli/duration.hpp"
#include "cli/mechanism.hpp"
#include "cli/run_progress.hpp"

namespace axode::cli {

namespace {

MechanismMethod method_named(std::string_view text) {
  std::string known;
  for (int k = 0; k <= static_cast<int>(MechanismMethod::ida); ++k) {
    const auto method = static_cast<MechanismMethod>(k);
    if (name(method) == text) return method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(method));
  }
  throw UsageError(
      fmt::format("--method: there is no '{}'; choose among {}", printable(text), known));
}

MechanismSimulateOptions simulation_options(const MechanismOptions& o) {
  MechanismSimulateOptions how;
  how.duration = parse_duration(o.duration, "--duration");
  if (!(how.duration > 0)) throw UsageError("--duration: give a time above 0");
  how.method = method_named(o.method);
  how.sample_interval = parse_duration(o.sample, "--sample");
  if (!o.step.empty()) how.step = parse_duration(o.step, "--step");
  for (const double x : {o.rtol, o.atol})
    if (!(x > 0 && x < 1)) throw UsageError("--rtol, --atol: give tolerances between 0 and 1");
  how.rtol = o.rtol;
  how.atol = o.atol;
  return how;
}

std::vector<std::string> titles(const Mechanism& m, std::span<const PointName> points) {
  std::vector<std::string> all{"time [s]"};
  for (const MechanismCoordinate& c : m.coordinates) {
    const char* unit = c.is_angle ? "rad" : "m";
    all.push_back(fmt::format("{} [{}]", c.name, unit));
    all.push_back(fmt::format("{}' [{}/s]", c.name, unit));
  }
  for (const PointName& point : points)
    for (int k = 0; k < (m.is_planar ? 2 : 3); ++k)
      all.push_back(fmt::format("{}.{} [m]", point.name, "xyz"[k]));
  for (const char* energy : {"kinetic [J]", "potential [J]", "work [J]"}) all.emplace_back(energy);
  return all;
}

/// Reads samples off into rows, angles going on over full turns.
class Recorder {
 public:
  Recorder(MechanismSystem& system, std::vector<PointName> points)
      : rows(titles(system.mechanism(), points)), system_(system), points_(std::move(points)) {
    for (const PointName& point : points_) paths.push_back({point.name, {}});
  }
  void take(const MechanismSample& s) {
    const Mechanism& m = system_.mechanism();
    const MechanismReading r =
        reading_of(system_, {s.t, {s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {}, {}});
    if (first_poses.empty()) first_poses = r.poses;
    std::vector<double> row{s.t};
    last.resize(m.coordinates.size(), std::nan(""));
    for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
      double x = r.coordinates[c].value;
      if (m.coordinates[c].is_angle && std::isfinite(last[c]))
        x += 2 * pi<double> * std::round((last[c] - x) / (2 * pi<double>));
      last[c] = x;
      row.push_back(x);
      row.push_back(r.coordinates[c].rate);
    }
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const Vec3<double> p = r.poses[nth(points_[k].body)] * points_[k].local;
      paths[k].points.push_back(p);
      for (int axis = 0; axis < (m.is_planar ? 2 : 3); ++axis) row.push_back(p[axis]);
    }
    for (const double energy : {s.kinetic, s.potential, s.work}) row.push_back(energy);
    rows.row(row);
    rates = r.coordinates;
  }
  CsvRows rows;
  std::vector<PointPath> paths;
  std::vector<SE3<double>> first_poses;
  std::vector<double> last;
  std::vector<TimeValue> rates;

 private:
  MechanismSystem& system_;
  std::vector<PointName> points_;
};

void print_summary(const Mechanism& m, const MechanismRunResult& run, const Recorder& record,
                   Output& output) {
  output.print("{} at {} s\n", name(run.ending), rounded(run.t));
  output.print("  steps             {}, and {} rejected\n", run.statistics.steps,
               run.statistics.rejected);
  output.print("  energy drift      {} J of {} J\n", rounded(run.energy_drift),
               rounded(run.energy_scale));
  output.print("  equations missed  {} in position, {} in velocity\n",
               fmt::format("{:.2g}", run.position_error),
               fmt::format("{:.2g}", run.velocity_error));
  Table table({"coordinate", "value", "rate", "unit"}, "lrrl");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    table.row({printable(m.coordinates[c].name), rounded(record.last[c]),
               rounded(record.rates[c].rate), m.coordinates[c].is_angle ? "rad" : "m"});
  if (!table.empty()) table.print(output);
}

void write_json(const MechanismOptions& options, const Mechanism& m, const MechanismRunResult& run,
                const Recorder& record, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_simulate/1");
  json.text("model", options.file);
  json.text("in", options.coordinates);
  json.text("ending", name(run.ending));
  json.number("time", run.t);
  json.integer("steps", run.statistics.steps);
  json.integer("samples", run.samples);
  json.number("energy_drift", run.energy_drift);
  json.number("energy_scale", run.energy_scale);
  json.number("position_error", run.position_error);
  json.number("velocity_error", run.velocity_error);
  json.begin_object("coordinates");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    json.numbers(m.coordinates[c].name, std::array{record.last[c], record.rates[c].rate});
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int mechanism_simulate(const MechanismOptions& options) {
  MechanismSimulateOptions how = simulation_options(options);
  const Mechanism mechanism = mechanism_of(options);
  const std::vector<PointName> points = points_named(mechanism, options.points);
  const FormulationOptions formulation = formulation_of(options, mechanism);
  MechanismSystem system(make_equations(mechanism, formulation));
  const MechanismState start = simulation_start(mechanism, system, formulation, options.file);
  if (!start.remark.empty()) warn(start.remark);
  Recorder record(system, points);
  how.stop = &stop_at_interrupt();
  RunProgress progress(how.start, how.start + how.duration, false);
  const MechanismRunResult run =
      simulate_mechanism(system, start.q, start.v, how, [&](const MechanismSample& sample) {
        record.take(sample);
        progress.update(sample.t);
      });
  progress.clear();
  Output output;
  if (options.json)
    write_json(options, mechanism, run, record, output);
  else if (!options.csv)
    print_summary(mechanism, run, record, output);
  if (options.csv || !options.out.empty()) record.rows.finish(options.out, options.force, output);
  if (!record.first_poses.empty()) write_svg(options, mechanism, record.first_poses, record.paths);
  output.flush();
  if (run.ending == MechanismRunResult::Ending::stopped) {
    warn(fmt::format("interrupted at {:.6g} s{}", run.t,
                     options.out.empty() ? "" : "; the file has the samples up to there"));
    return exit_interrupted;
  }
  if (run.ending != MechanismRunResult::Ending::finished)
    throw NumericalError(run.message.empty() ? std::string(name(run.ending)) : run.message,
                         options.file);
  return exit_ok;
}

}  // namespace axode::cli
