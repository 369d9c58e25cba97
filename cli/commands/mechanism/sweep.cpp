/// `axode mechanism sweep`: the path of a mechanism over the range of a driver.
#include <algorithm>
#include <cmath>

#include "axode/io/text/text_file.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

/// "name=from:to[:steps]".
struct DriveRange {
  std::string coordinate;
  double from = 0, to = 0;
  int steps = 100;
};
DriveRange range_of(const std::string& text) {
  const auto [name, rest] = assignment(text, "--drive");
  std::vector<std::string> parts{""};
  for (const char c : rest) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != 2 && parts.size() != 3)
    throw UsageError("--drive: write name=from:to or name=from:to:steps");
  DriveRange range{name, 0, 0, 100};
  try {
    range.from = parse_value(parts[0], "--drive").value;
    range.to = parse_value(parts[1], "--drive").value;
    const double steps = parts.size() == 3 ? parse_value(parts[2], "--drive").value : 100;
    if (!(steps >= 1 && steps <= 1e6) || steps != std::floor(steps))
      throw UsageError("--drive: the steps are a whole number from 1 to 1000000");
    range.steps = static_cast<int>(steps);
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  if (range.from == range.to) throw UsageError("--drive: the range is empty");
  return range;
}

/// Holds the coordinate where the range begins. Returns the number of its driver.
int drive_from(Mechanism& mechanism, const DriveRange& range, const MechanismOptions& options) {
  const int c = coordinate_option(mechanism, range.coordinate, "--drive");
  for (const std::string& text : options.set)
    if (assignment(text, "--set").first == range.coordinate)
      throw UsageError(fmt::format("--drive: '{}' has a --set as well; leave one of them out",
                                   printable(range.coordinate)));
  if (mechanism.coordinates[c].kind == MechanismCoordinate::Kind::distance &&
      std::min(range.from, range.to) < 0)
    throw UsageError(fmt::format("--drive: '{}' is a distance between points, never negative",
                                 printable(range.coordinate)));
  int driver = 0;
  const int drivers = static_cast<int>(mechanism.drivers.size());
  while (driver < drivers && mechanism.drivers[driver].coordinate != c) ++driver;
  if (driver == drivers) mechanism.drivers.push_back({range.coordinate, c, {}, {}});
  mechanism.drivers[driver].motion = constant_in_time(range.from);
  mechanism.drivers[driver].text = shortest(range.from);
  mechanism.initial_rate.clear();  // a path has no velocities
  return driver;
}

/// Why a path ends; degrees of freedom that nothing drives come first.
[[noreturn]] void fail(MechanismSystem& system, const Assembly& start, const FollowResult& path,
                       const MechanismOptions& options) {
  const DofsLeft left = dofs_left(system, 0, start.q);
  if (left.count > 0)
    throw NumericalError(left.message, options.file,
                         left.to_drive.empty()
                             ? "remove the degree of freedom, or try other coordinates"
                             : "drive them by --set");
  throw NumericalError(path.message.empty() ? "the range was not reached" : path.message,
                       options.file,
                       path.points.empty() ? "begin where it can be assembled"
                                           : "sweep a range the mechanism can reach");
}

/// The path as columns.
struct PathTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  void add(std::string name, std::vector<double> column) {
    names.push_back(std::move(name));
    columns.push_back(std::move(column));
  }
};

void add_coordinates(MechanismSystem& system, const FollowResult& path, PathTable& table) {
  const Mechanism& m = system.mechanism();
  for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
    std::vector<double> values;
    for (const TimeValue& x : path_of_coordinate(path, static_cast<int>(c)))
      values.push_back(x.value);
    table.add(
        fmt::format("{} [{}]", m.coordinates[c].name, m.coordinates[c].is_angle ? "rad" : "m"),
        std::move(values));
  }
}

std::vector<PointPath> add_points(MechanismSystem& system, const FollowResult& path,
                                  std::span<const PointName> points, PathTable& table) {
  std::vector<PointPath> paths;
  const int axes = system.mechanism().is_planar ? 2 : 3;
  for (const PointName& point : points) {
    paths.push_back({point.name, path_of_point(system, path, point.body, point.local)});
    for (int k = 0; k < axes; ++k) {
      std::vector<double> values;
      for (const Vec3<double>& p : paths.back().points) values.push_back(p[k]);
      table.add(fmt::format("{}.{} [m]", point.name, "xyz"[k]), std::move(values));
    }
  }
  return paths;
}

CsvRows csv_of(const PathTable& table) {
  CsvRows rows(table.names);
  std::vector<double> numbers(table.columns.size());
  for (std::size_t i = 0; i < table.columns.front().size(); ++i) {
    for (std::size_t c = 0; c < numbers.size(); ++c) numbers[c] = table.columns[c][i];
    rows.row(numbers);
  }
  return rows;
}

std::string_view kind_name(FollowEvent::Kind kind) {
  switch (kind) {
    case FollowEvent::Kind::dead_point:
      return "dead_point";
    case FollowEvent::Kind::branch:
      return "branch";
    case FollowEvent::Kind::lost:
      break;
  }
  return "lost";
}

void print_summary(const PathTable& table, const FollowResult& path, Output& output) {
  output.print("{} at {} of the driver, {} steps\n", path.complete ? "complete" : "not complete",
               count(path.points.size(), "value"), path.steps);
  Table rows({"", "from", "to", "min", "max"});
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const auto& x = table.columns[c];
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    rows.row({printable(table.names[c]), rounded(x.front()), rounded(x.back()), rounded(*least),
              rounded(*most)});
  }
  rows.print(output);
  for (const FollowEvent& event : path.events)
    output.print(
        "  at {}: {}\n", rounded(event.driver),
        event.message.empty() ? std::string(kind_name(event.kind)) : printable(event.message));
}

void write_json(const MechanismOptions& options, const PathTable& table, const FollowResult& path,
                Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_sweep/1");
  json.text("model", options.file);
  json.boolean("complete", path.complete);
  json.begin_object("columns");
  for (std::size_t c = 0; c < table.names.size(); ++c)
    json.numbers(table.names[c], table.columns[c]);
  json.end();
  json.begin_list("events");
  for (const FollowEvent& event : path.events) {
    json.begin_object();
    json.text("kind", kind_name(event.kind));
    json.number("driver", event.driver);
    json.text("message", event.message);
    json.end();
  }
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int mechanism_sweep(const MechanismOptions& options) {
  const DriveRange range = range_of(options.drive);
  Mechanism mechanism = mechanism_of(options);
  const std::vector<PointName> points = points_option(mechanism, options.points);
  const int driver = drive_from(mechanism, range, options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  const Assembly start = assembled(system, {}, options.file);
  if (!start.warning.empty()) warn(start.warning);
  FollowOptions how;
  how.step = std::abs(range.to - range.from) / range.steps;
  const FollowResult path = follow_driver(system, driver, range.from, range.to, 0, start.q, how);
  if (path.points.empty()) fail(system, start, path, options);
  PathTable table;
  std::vector<double> values;
  for (const FollowPoint& point : path.points) values.push_back(point.driver);
  table.add("driver", std::move(values));
  add_coordinates(system, path, table);
  const std::vector<PointPath> paths = add_points(system, path, points, table);
  Output output;
  if (options.json)
    write_json(options, table, path, output);
  else if (!options.csv)
    print_summary(table, path, output);
  if (options.csv || !options.out.empty()) csv_of(table).finish(options.out, options.force, output);
  std::vector<SE3<double>> poses(mechanism.bodies.size());
  system.seat(path.points.front().seats);
  system.poses(path.points.front().q, poses);
  write_svg(options, mechanism, poses, paths);
  output.flush();
  if (!path.complete) fail(system, start, path, options);
  return exit_ok;
}

}  // namespace axode::cli
