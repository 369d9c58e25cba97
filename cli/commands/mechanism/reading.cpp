/// `axode mechanism`: what is read off a state, and CSV.
#include <algorithm>
#include <cmath>

#include "axode/io/text/text_file.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

MechanismReading reading_of(MechanismSystem& system, const Assembly& state) {
  const Mechanism& mechanism = system.mechanism();
  const auto n = mechanism.bodies.size();
  MechanismReading r;
  r.poses.resize(n);
  r.twists.resize(n);
  r.rates.resize(n);
  system.motion(state.q, state.v, r.poses, r.twists);
  if (!state.a.empty()) system.accelerations(state.q, state.v, state.a, r.rates);
  for (int c = 0; c < static_cast<int>(mechanism.coordinates.size()); ++c)
    r.coordinates.push_back(measure(mechanism, c, r.poses, r.twists, r.rates));
  return r;
}

void write_freedoms(const Mechanism& mechanism, const FreedomsLeft& left, Json& json) {
  json.integer("degrees_of_freedom_left", left.count);
  json.begin_list("to_drive");
  for (const int c : left.to_drive) json.text({}, mechanism.coordinates[c].name);
  json.end();
}

std::vector<PointName> points_named(const Mechanism& mechanism,
                                    const std::vector<std::string>& names) {
  std::vector<PointName> points;
  for (const std::string& name : names) {
    bool found = false;
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError(fmt::format("--points: '{}' is given twice", printable(name)));
    for (std::size_t b = 0; b < mechanism.bodies.size() && !found; ++b)
      for (const NamedVector& point : mechanism.bodies[b].points)
        if (mechanism.bodies[b].name + "." + point.name == name) {
          points.push_back({name, static_cast<int>(b), point.at});
          found = true;
          break;
        }
    if (found) continue;
    std::string known;
    for (const PointName& point : all_points(mechanism))
      if (known.size() < 200) known += (known.empty() ? "" : ", ") + printable(point.name);
    throw UsageError(fmt::format(
        "--points: there is no point '{}'; {}", printable(name),
        known.empty() ? "add points to the bodies of the file" : "there are: " + known));
  }
  return points;
}

std::vector<PointName> all_points(const Mechanism& mechanism) {
  std::vector<PointName> points;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    for (const NamedVector& point : mechanism.bodies[b].points)
      points.push_back(
          {mechanism.bodies[b].name + "." + point.name, static_cast<int>(b), point.at});
  return points;
}

CsvRows::CsvRows(std::vector<std::string> titles) {
  for (std::size_t i = 0; i < titles.size(); ++i)
    text_ += fmt::format("{}{}", i > 0 ? "," : "", csv_cell(titles[i]));
  text_ += '\n';
}
void CsvRows::row(std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text_ += fmt::format("{}{}", i > 0 ? "," : "", shortest(numbers[i] == 0 ? 0 : numbers[i]));
  text_ += '\n';
}
void CsvRows::finish(const std::string& file, bool force, Output& output) const {
  if (file.empty())
    output.text(text_);
  else
    write_text_file(file, text_, force);
}

}  // namespace axode::cli
