/// `axode mechanism assembly-modes`: all ways to assemble it, as coordinates and poses.
#include "axode/mechanism/analysis/assembly_modes.hpp"

#include <cmath>

#include "axode/mechanism/analysis/start_poses.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

Vec3<double> column(const SE3<double>& T, int k) {
  return k == 0 ? T.R.matrix.x : k == 1 ? T.R.matrix.y : T.R.matrix.z;
}

/// The angle in the plane, or angle times axis [rad].
Vec3<double> turn_of(const SE3<double>& T) { return log(T.R); }

void print_modes(const Mechanism& m, const AssemblyResult& found, Output& output) {
  output.print("{}\n", found.message);
  std::vector<std::string> head{"coordinate"};
  for (std::size_t k = 0; k < found.modes.size(); ++k)
    head.push_back(fmt::format("mode {}", k + 1));
  Table coordinates(head);
  for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
    std::vector<std::string> cells{printable(m.coordinates[c].name)};
    for (const AssemblyMode& mode : found.modes)
      cells.push_back(rounded(measure(m, static_cast<int>(c), mode.poses)));
    coordinates.row(cells);
  }
  if (!coordinates.empty()) coordinates.print(output);
  Table poses({"body", "mode", "position [m]", m.is_planar ? "angle [rad]" : "rotation [rad]"},
              m.is_planar ? "lrlr" : "lrl");
  for (const std::size_t b : bodies_that_differ(found.modes))
    for (std::size_t k = 0; k < found.modes.size(); ++k) {
      const SE3<double>& T = found.modes[k].poses[b];
      poses.row({k == 0 ? printable(m.bodies[b].name) : "", fmt::format("{}", k + 1), rounded(T.p),
                 m.is_planar ? rounded(turn_of(T).z) : rounded(turn_of(T))});
    }
  if (poses.empty()) return;
  output.text("\n");
  poses.print(output);
}

void write_modes(const MechanismOptions& options, const Mechanism& m, const AssemblyResult& found,
                 Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_assembly_modes/1");
  json.text("model", options.file);
  json.boolean("complete", found.complete);
  json.boolean("isolated", found.isolated);
  json.number("estimated_modes", found.estimated_modes);
  json.begin_list("modes");
  for (const AssemblyMode& mode : found.modes) {
    json.begin_object();
    json.begin_object("coordinates");
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      json.number(m.coordinates[c].name, measure(m, static_cast<int>(c), mode.poses));
    json.end();
    json.begin_object("bodies");
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const SE3<double>& T = mode.poses[b];
      json.begin_object(m.bodies[b].name);
      json.numbers("position", T.p);
      json.begin_list("rotation");
      for (int k = 0; k < 3; ++k)
        json.numbers({}, Vec3<double>{T.R.matrix.x[k], T.R.matrix.y[k], T.R.matrix.z[k]});
      json.end();
      json.end();
    }
    json.end();
    json.end();
  }
  json.end();
  json.end();
  output.text("\n");
}

/// A row for each mode: coordinates, positions and columns of the rotations.
CsvRows csv_of(const Mechanism& m, const AssemblyResult& found) {
  std::vector<std::string> titles{"mode"};
  for (const MechanismCoordinate& c : m.coordinates)
    titles.push_back(fmt::format("{} [{}]", c.name, c.is_angle ? "rad" : "m"));
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    for (const char axis : {'x', 'y', 'z'})
      titles.push_back(fmt::format("{}.{} [m]", m.bodies[b].name, axis));
    for (int row = 1; row <= 3; ++row)
      for (int k = 1; k <= 3; ++k)
        titles.push_back(fmt::format("{}.R{}{}", m.bodies[b].name, row, k));
  }
  CsvRows rows(titles);
  for (std::size_t n = 0; n < found.modes.size(); ++n) {
    const auto& poses = found.modes[n].poses;
    std::vector<double> row{static_cast<double>(n + 1)};
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      row.push_back(measure(m, static_cast<int>(c), poses));
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      for (int k = 0; k < 3; ++k) row.push_back(poses[b].p[k]);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) row.push_back(column(poses[b], k)[i]);
    }
    rows.row(row);
  }
  return rows;
}

}  // namespace

int mechanism_assembly_modes(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism m = mechanism_of(options);
  MechanismSystem system(make_equations(m, formulation_of(options, m)));
  const AssemblyResult found = assembly_modes(system, t, system.from_poses(start_poses(m, t)));
  if (found.modes.empty())
    throw NumericalError(found.message.empty() ? "it cannot be assembled" : found.message,
                         options.file, "correct lengths or drivers");
  Output output;
  if (options.json)
    write_modes(options, m, found, output);
  else if (!options.csv)
    print_modes(m, found, output);
  if (options.csv || !options.out.empty())
    csv_of(m, found).finish(options.out, options.force, output);
  write_svg(options, m, found.modes.front().poses);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
