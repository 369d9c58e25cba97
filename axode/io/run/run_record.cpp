#include "axode/io/run/run_record.hpp"

#include <utility>
#include <vector>

#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"

namespace axode {

namespace {

/// Members of a JSON object on one line.
class JsonLine {
 public:
  void raw(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "{" : ", ") + json_string(key) + ": " + value;
  }
  void text(std::string_view key, std::string_view value) { raw(key, json_string(value)); }
  void number(std::string_view key, double value) { raw(key, json_number(value)); }
  void count(std::string_view key, long value) { raw(key, std::to_string(value)); }
  void flag(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
  void texts(std::string_view key, std::span<const std::string> values) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + json_string(value);
    raw(key, "[" + list + "]");
  }
  std::string finish(std::span<const RunOption> more = {}) {
    for (const RunOption& option : more) raw(option.name, option.json);
    return text_ + "}";
  }

 private:
  std::string text_;
};

/// The options of all kinds; `form` of the equations has another name in each.
void add_common(JsonLine& json, const SimulateOptions& o, std::string_view form,
                std::string_view form_name) {
  json.number("start", o.start);
  json.number("duration", o.duration);
  json.text("method", name(o.method));
  json.text(form, form_name);
  json.number("rtol", o.rtol);
  json.number("atol", o.atol);
  json.number("step", o.step);
  json.number("max_step", o.max_step);
  json.count("max_steps", o.max_steps);
  json.number("sample_interval", o.sample_interval);
  json.raw("sample_times", o.sample_times.empty() ? "null" : json_numbers(o.sample_times));
  json.number("checkpoint_interval", o.checkpoint_interval);
  json.number("control_interval", o.control.interval);
}

std::vector<std::string> names_of(std::span<const int> numbers,
                                  const std::vector<std::string>& all) {
  std::vector<std::string> names;
  for (const int k : numbers) names.push_back(all[k]);
  return names;
}

std::string_view formulation_name(const FormulationOptions& how) {
  if (how.family != CoordinateFamily::reference_point) return name(how.family);
  switch (how.attitude) {
    case AttitudeForm::euler_angles:
      return "euler-angles";
    case AttitudeForm::quasi_velocities:
      return "quasi-velocities";
    case AttitudeForm::euler_parameters:
      break;
  }
  return "reference-point";
}

}  // namespace

std::string run_options_json(const Tree&, const SimulateOptions& options,
                             std::span<const RunOption> more) {
  JsonLine json;
  add_common(json, options, "formulation", name(options.formulation));
  return json.finish(more);
}

std::string run_options_json(const MechanismSystem& system, const SimulateOptions& options,
                             std::span<const RunOption> more) {
  JsonLine json;
  const FormulationOptions& how = system.equations().how;
  add_common(json, options, "formulation", formulation_name(how));
  std::vector<std::string> names;
  for (const MechanismCoordinate& c : system.mechanism().coordinates) names.push_back(c.name);
  json.texts("added", names_of(how.mixed, names));
  json.texts("controlled", names_of(options.control.coordinates, names));
  const MechanismRunOptions& o = options.mechanism;
  json.flag("exact_start", o.exact_start);
  json.number("start_tolerance", o.start_tolerance);
  json.number("baumgarte_alpha", o.baumgarte_alpha);
  json.number("baumgarte_beta", o.baumgarte_beta);
  json.number("penalty", o.penalty);
  json.number("omega", o.omega);
  json.number("mu", o.mu);
  json.count("max_iterations", o.max_iterations);
  json.number("iteration_tolerance", o.iteration_tolerance);
  json.flag("project", o.project);
  json.number("spectral_radius", o.spectral_radius);
  return json.finish(more);
}

std::string run_options_json(const FlexibleTree& tree, const SimulateOptions& options,
                             std::span<const RunOption> more) {
  JsonLine json;
  const FlexibleDynamicsOptions& o = options.flexible.dynamics;
  add_common(json, options, "model", name(o.model));
  json.texts("exact_coordinates", names_of(o.exact_coordinates, tree.coordinate_names));
  json.flag("fall_back", o.fall_back);
  json.number("small_deflection", options.flexible.small_deflection);
  return json.finish(more);
}

std::string run_summary_json(const RunResult& r, ModelKind kind) {
  JsonLine json;
  json.text("ending", name(r.ending));
  json.text("message", r.message);
  json.number("t", r.t);
  json.text("method", name(r.method));
  json.count("steps", r.statistics.steps);
  json.count("rejected", r.statistics.rejected);
  json.count("evaluations", r.statistics.rates);
  json.count("jacobians", r.statistics.jacobians);
  json.count("samples", r.samples);
  json.number("energy_drift", r.energy_drift);
  json.number("energy_scale", r.energy_scale);
  json.texts("warnings", r.warnings);
  if (kind == ModelKind::mechanism) {
    json.count("restarts", r.mechanism.restarts);
    json.number("position_error", r.mechanism.position_error);
    json.number("velocity_error", r.mechanism.velocity_error);
  }
  if (kind == ModelKind::flexible_tree) json.count("fallbacks", r.fallbacks);
  return json.finish();
}

RunSample run_sample(const Sample& s) noexcept {
  return {s.t, s.q, s.v, s.a, s.tau, s.kinetic, s.potential, s.stored, s.work};
}

RunRecorder::RunRecorder(std::filesystem::path file, RunMetadata metadata, RunWriterOptions how,
                         bool resume)
    : file_(std::move(file)), metadata_(std::move(metadata)), how_(how) {
  if (!resume) return;
  RunWriter::Continued run = RunWriter::resume_or_start(file_, metadata_, how_);
  writer_.emplace(std::move(run.writer));
  if (run.checkpoint) from_ = {run.checkpoint->t, std::move(run.checkpoint->numbers)};
}

void RunRecorder::open() {
  if (!writer_ && !file_.empty()) writer_.emplace(file_, metadata_, how_);
}
void RunRecorder::sample(const RunSample& sample) {
  open();
  if (writer_) writer_->sample(sample);
}
void RunRecorder::event(const RunEvent& event) {
  open();
  if (writer_) writer_->event(event);
}
void RunRecorder::checkpoint(const Checkpoint& checkpoint) {
  open();
  if (writer_) writer_->checkpoint(checkpoint.t, checkpoint.numbers);
}
void RunRecorder::finish(double t, std::string_view summary) {
  open();
  if (writer_) writer_->finish(t, summary);
}

}  // namespace axode
