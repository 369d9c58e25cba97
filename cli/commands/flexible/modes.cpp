/// `axode flexible modes`: vibrations of the whole arm at a pose, or along a sweep.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "axode/flexible/tree/modal.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/flexible/flexible.hpp"

namespace axode::cli {

namespace {

FlexibleModesOptions modes_options(const FlexibleOptions& o, const FlexibleSetup& s) {
  FlexibleModesOptions how;
  how.model = flexible_model(o, FlexibleModel::nonlinear);
  if (o.joints == "free") {
    how.joints = FlexibleModesOptions::Joints::free;
  } else if (o.joints == "servo") {
    if (s.forces.control.kp.empty())
      throw Error("--joints servo needs the gains of a control", o.file,
                  "add \"control\": {\"kp\": {...}, \"kd\": {...}} to the file");
    how.joints = FlexibleModesOptions::Joints::servo;
    how.kp = s.forces.control.kp;
    how.kd = s.forces.control.kd;
  } else if (o.joints != "locked") {
    throw UsageError(fmt::format("--joints: there is no '{}'; choose locked, free or servo",
                                 printable(o.joints)));
  }
  if (o.count < 1) throw UsageError("--count: give a number above 0");
  return how;
}

FlexibleModesResult found_at(const FlexibleOptions& o, const FlexibleTree& tree,
                             const std::vector<double>& q, const FlexibleModesOptions& how) {
  FlexibleModesResult found = find_flexible_modes(tree, q, how);
  if (!found.solved)
    throw NumericalError(found.message.empty() ? "modes were not found" : found.message, o.file,
                         "choose another pose or --equations nonlinear");
  if (std::ssize(found.modes) > o.count) found.modes.resize(o.count);
  return found;
}

/// The coordinates that move most, with their share of the largest.
std::string shape_words(const FlexibleTree& tree, const FlexibleMode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto size = [&](std::size_t i) {
    return std::hypot(mode.shape[i], mode.quadrature.empty() ? 0 : mode.quadrature[i]);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::string words;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
    if (size(order[k]) > 0.05 * size(order[0]))
      words += fmt::format("{}{} {:.2g}", words.empty() ? "" : ", ",
                           printable(tree.coordinate_names[order[k]]), mode.shape[order[k]]);
  return words;
}

void print_pose(const FlexibleOptions& o, const FlexibleTree& tree,
                const FlexibleModesResult& found, Output& output) {
  output.print("Modes of {}, joints {}\n", printable(tree.name), o.joints);
  Table table({"mode", "frequency [Hz]", "damping ratio", "shape"}, "rrrl");
  for (std::size_t k = 0; k < found.modes.size(); ++k)
    table.row({fmt::format("{}", k + 1), rounded(found.modes[k].frequency / two_pi),
               rounded(found.modes[k].damping_ratio), shape_words(tree, found.modes[k])});
  table.print(output);
}

void write_mode(const FlexibleMode& mode, Json& json) {
  json.begin_object();
  json.number("frequency", mode.frequency / two_pi);
  json.number("damping_ratio", mode.damping_ratio);
  json.numbers("eigenvalue", std::array{mode.eigenvalue.real(), mode.eigenvalue.imag()});
  json.numbers("shape", mode.shape);
  if (!mode.quadrature.empty()) json.numbers("quadrature", mode.quadrature);
  json.end();
}

void begin_json(const FlexibleOptions& o, const FlexibleTree& tree, const FlexibleModesOptions& how,
                Json& json) {
  json.begin_object();
  json.text("schema", "axode.flexible_modes/1");
  json.text("model", o.file);
  json.text("equations", name(how.model));
  json.text("joints", o.joints);
  json.begin_short_list("names");
  for (const std::string& name : tree.coordinate_names) json.text({}, name);
  json.end();
}

CsvRows pose_rows(const FlexibleTree& tree, const FlexibleModesResult& found) {
  std::vector<std::string> titles{"mode", "frequency [Hz]", "damping ratio"};
  titles.insert(titles.end(), tree.coordinate_names.begin(), tree.coordinate_names.end());
  CsvRows rows(titles);
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const FlexibleMode& mode = found.modes[k];
    std::vector<double> row{static_cast<double>(k + 1), mode.frequency / two_pi,
                            mode.damping_ratio};
    row.insert(row.end(), mode.shape.begin(), mode.shape.end());
    rows.row(row);
  }
  return rows;
}

struct Sweep {
  int joint = 0;
  double from = 0, to = 0;
  int steps = 10;
};
Sweep sweep_of(const FlexibleOptions& o, const FlexibleTree& tree) {
  const auto [joint, range] = assignment(o.sweep, "--sweep");
  Sweep sweep;
  sweep.joint = flexible_coordinate(tree, joint, "--sweep", true);
  std::vector<std::string> parts{""};
  for (const char c : range) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != 2 && parts.size() != 3)
    throw UsageError(
        fmt::format("--sweep: '{}' is not a range; write from:to:steps", printable(range)));
  try {
    sweep.from = parse_value(parts[0], "--sweep").value;
    sweep.to = parse_value(parts[1], "--sweep").value;
    if (parts.size() == 3) {
      const double steps = parse_value(parts[2], "--sweep").value;
      if (!(steps >= 1 && steps <= 10000 && std::floor(steps) == steps))
        throw UsageError("--sweep: give 1 to 10000 steps");
      sweep.steps = static_cast<int>(steps);
    }
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  return sweep;
}

/// Modes along a sweep, with frequencies in all forms.
struct SweptModes {
  std::vector<double> places{};
  std::vector<FlexibleModesResult> found{};
  std::vector<std::string> titles{};
  std::vector<std::vector<double>> rows{};  ///< place and frequencies [Hz]
};
SweptModes sweep_modes(const FlexibleOptions& o, const FlexibleSetup& s,
                       const FlexibleModesOptions& how, const Sweep& sweep) {
  SweptModes swept;
  std::vector<double> q = s.q;
  std::size_t count = o.count;
  for (int k = 0; k <= sweep.steps; ++k) {
    q[sweep.joint] = sweep.from + (sweep.to - sweep.from) * k / sweep.steps;
    swept.places.push_back(q[sweep.joint]);
    swept.found.push_back(found_at(o, s.tree, q, how));
    count = std::min(count, swept.found.back().modes.size());
  }
  swept.titles.push_back(
      fmt::format("{} [{}]", s.tree.coordinate_names[sweep.joint], unit_of(s.tree, sweep.joint)));
  for (std::size_t m = 0; m < count; ++m) swept.titles.push_back(fmt::format("f{} [Hz]", m + 1));
  for (std::size_t i = 0; i < swept.places.size(); ++i) {
    swept.rows.push_back({swept.places[i]});
    for (std::size_t m = 0; m < count; ++m)
      swept.rows.back().push_back(swept.found[i].modes[m].frequency / two_pi);
  }
  return swept;
}

Plot sweep_plot(const FlexibleTree& tree, const SweptModes& swept) {
  Plot plot{"Frequencies of " + tree.name, {{"", swept.titles[0], "frequency [Hz]", {}}}, 1};
  for (std::size_t m = 1; m < swept.titles.size(); ++m) {
    PlotLine line{fmt::format("mode {}", m), swept.places, {}, static_cast<int>(m - 1), false};
    for (const std::vector<double>& row : swept.rows) line.y.push_back(row[m]);
    plot.panels[0].lines.push_back(std::move(line));
  }
  return plot;
}

void print_sweep(const SweptModes& swept, Output& output) {
  Table table(swept.titles, "r");
  for (const std::vector<double>& row : swept.rows) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const double x : row) cells.push_back(rounded(x));
    table.row(cells);
  }
  table.print(output);
}

int run_sweep(const FlexibleOptions& o, const FlexibleSetup& s, const FlexibleModesOptions& how) {
  const Sweep sweep = sweep_of(o, s.tree);
  const SweptModes swept = sweep_modes(o, s, how, sweep);
  Output output;
  if (o.json) {
    Json json(output);
    begin_json(o, s.tree, how, json);
    json.text("swept", s.tree.coordinate_names[sweep.joint]);
    json.numbers("places", swept.places);
    json.begin_list("modes");
    for (const FlexibleModesResult& found : swept.found) {
      json.begin_list();
      for (const FlexibleMode& mode : found.modes) write_mode(mode, json);
      json.end();
    }
    json.end();
    json.end();
    output.text("\n");
  } else if (!o.csv) {
    print_sweep(swept, output);
  }
  CsvRows rows(swept.titles);
  for (const std::vector<double>& row : swept.rows) rows.row(row);
  if (o.csv || !o.out.empty()) rows.finish(o.csv ? "" : o.out, o.force, output);
  if (!o.svg.empty()) write_if_named(o.svg, plot_svg(sweep_plot(s.tree, swept)), o.force);
  output.flush();
  return exit_ok;
}

}  // namespace

int flexible_modes_action(const FlexibleOptions& o) {
  const FlexibleSetup setup = flexible_setup(o);
  const FlexibleModesOptions how = modes_options(o, setup);
  if (!o.sweep.empty()) return run_sweep(o, setup, how);
  const FlexibleModesResult found = found_at(o, setup.tree, setup.q, how);
  Output output;
  if (o.json) {
    Json json(output);
    begin_json(o, setup.tree, how, json);
    json.numbers("q", found.q);
    json.begin_list("modes");
    for (const FlexibleMode& mode : found.modes) write_mode(mode, json);
    json.end();
    json.end();
    output.text("\n");
  } else if (!o.csv) {
    print_pose(o, setup.tree, found, output);
  }
  if (o.csv || !o.out.empty())
    pose_rows(setup.tree, found).finish(o.csv ? "" : o.out, o.force, output);
  if (!o.svg.empty()) write_if_named(o.svg, plot_svg(modes_plot(setup.tree, found)), o.force);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
