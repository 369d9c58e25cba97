/// `axode mechanism`: what is read off a state, and CSV.
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

void write_dofs(const Mechanism& mechanism, const DofsLeft& left, Json& json) {
  json.integer("degrees_of_freedom_left", left.count);
  json.begin_list("to_drive");
  for (const int c : left.to_drive) json.text({}, mechanism.coordinates[c].name);
  json.end();
}

std::vector<PointName> points_option(const Mechanism& mechanism,
                                     const std::vector<std::string>& names) {
  try {
    return points_named(mechanism, names);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--points: {}; {}", error.problem(), error.remedy()));
  }
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
