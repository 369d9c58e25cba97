#include "axode/view/plot/run_quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"
#include "axode/io/text/json.hpp"

namespace axode {

namespace {

/// A series and what is written next to it.
struct QuantityWords {
  std::string_view series, title, symbol;
};
constexpr QuantityWords quantity_words[] = {
    {"q", "Coordinates", "q"},
    {"v", "Velocities", "v"},
    {"a", "Accelerations", "a"},
    {"tau", "Joint forces", "tau"},
    {"kinetic", "Kinetic energy", "energy"},
    {"potential", "Potential energy", "energy"},
    {"stored", "Stored energy", "energy"},
    {"work", "Work", "work"},
    {"drift", "Energy drift", "drift"},
    {"violation", "Constraint violation", "violation"},
    {"reactions", "Reactions", "reaction"},
};

const ClipSeries* series_named(const Clip& clip, std::string_view name) {
  for (const ClipSeries& series : clip.series)
    if (series.name == name) return &series;
  return nullptr;
}

/// What a series is called; itself if it is not known.
QuantityWords words_of(std::string_view series) {
  for (const QuantityWords& words : quantity_words)
    if (words.series == series) return words;
  return {series, series, series};
}

const std::vector<std::string> total_parts{"kinetic", "potential", "stored"};

bool has_energies(const Clip& clip) {
  return std::all_of(total_parts.begin(), total_parts.end(),
                     [&](const std::string& part) { return series_named(clip, part) != nullptr; });
}

PlotQuantity energies(const Clip& clip) {
  PlotQuantity all{"Energies", "energy", {}};
  for (const std::string& part : total_parts) all.columns.push_back({part, "J", {part}, 0});
  all.columns.push_back({"total", "J", total_parts, 0});
  if (series_named(clip, "work") != nullptr) all.columns.push_back({"work", "J", {"work"}, 0});
  return all;
}

PlotQuantity whole_quantity(const Clip& clip, const std::string& name) {
  if (has_energies(clip) && name == "energy") return energies(clip);
  if (has_energies(clip) && name == "total")
    return {"Total energy", "energy", {{"total", "J", total_parts, 0}}};
  const ClipSeries* series = series_named(clip, name);
  if (series == nullptr) {
    const std::vector<std::string> names = quantity_names(clip);
    throw Error(fmt::format("there is no quantity '{}' in the run, which has {}", name,
                            fmt::join(names, ", ")),
                {}, did_you_mean(name, names));
  }
  const QuantityWords words = words_of(series->name);
  PlotQuantity all{std::string(words.title), std::string(words.symbol), {}};
  for (std::size_t i = 0; i < series->names.size(); ++i)
    all.columns.push_back({series->names[i], series->units[i], {series->name}, i});
  return all;
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

bool is_part(const std::string& column, const std::string& name) {
  return column.size() > name.size() && column.starts_with(name) &&
         (column[name.size()] == '[' || column[name.size()] == '.');
}

[[noreturn]] void refuse_column(const PlotQuantity& all, const std::string& what,
                                const std::string& name) {
  std::vector<std::string_view> names;
  for (const PlotColumn& column : all.columns) names.push_back(column.name);
  const std::string remedy = did_you_mean(name, names);
  const std::size_t most = 12;
  const std::string more =
      names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  names.resize(std::min(names.size(), most));
  throw Error(fmt::format("there is no '{}' among {}{}", name, fmt::join(names, ", "), more), what,
              remedy);
}

void choose(const PlotQuantity& all, const std::string& what, const std::string& name,
            std::vector<PlotColumn>& chosen) {
  const std::size_t before = chosen.size();
  for (const PlotColumn& column : all.columns)
    if (column.name == name) chosen.push_back(column);
  if (chosen.size() > before) return;
  for (const PlotColumn& column : all.columns)
    if (is_part(column.name, name)) chosen.push_back(column);
  if (chosen.size() == before) refuse_column(all, what, name);
}

}  // namespace

void add_drift(Clip& clip, bool with_stored) {
  if (!has_energies(clip) || series_named(clip, "work") == nullptr) return;
  const auto energy = [&](const char* name) { return column_values(clip, {name, "J", {name}, 0}); };
  ClipSeries drift{"drift", {"drift"}, {"J"}, energy("kinetic")};
  const std::vector<double> potential = energy("potential"), stored = energy("stored"),
                            work = energy("work");
  for (std::size_t i = 0; i < work.size(); ++i)
    drift.values[i] += potential[i] + (with_stored ? stored[i] : 0) - work[i];
  const double start = drift.values.empty() ? 0 : drift.values.front();
  for (double& value : drift.values) value -= start;
  clip.series.push_back(std::move(drift));
}

std::vector<std::string> quantity_names(const Clip& clip) {
  std::vector<std::string> names;
  for (const ClipSeries& series : clip.series) names.push_back(series.name);
  if (has_energies(clip)) names.insert(names.end(), {"total", "energy"});
  return names;
}

PlotQuantity quantity_named(const Clip& clip, const std::string& text) {
  const std::size_t colon = text.find(':');
  PlotQuantity all = whole_quantity(clip, text.substr(0, colon));
  if (colon == std::string::npos) return all;
  const std::string what = text.substr(0, colon), rest = text.substr(colon + 1);
  PlotQuantity some{all.title, all.symbol, {}};
  for (const PlotColumn& column : all.columns)
    if (column.name == rest) some.columns.push_back(column);  // names may hold commas
  if (some.columns.empty())
    for (const std::string& name : parts_of(rest, ',')) choose(all, what, name, some.columns);
  return some;
}

std::vector<double> column_values(const Clip& clip, const PlotColumn& column) {
  std::vector<double> values;
  for (const std::string& name : column.series) {
    const ClipSeries* series = series_named(clip, name);
    if (series == nullptr) return {};
    const std::vector<std::string>& names = series->names;
    std::size_t index = column.index;
    const bool is_energy = names.size() == 1 && column.unit == "J";
    if (!is_energy && (index >= names.size() || names[index] != column.name))  // of another run
      index = std::find(names.begin(), names.end(), column.name) - names.begin();
    if (index == names.size() || series->units[index] != column.unit) return {};
    values.resize(clip.times.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += series->values[i * names.size() + index];
  }
  return values;
}

}  // namespace axode
