#include "axode/io/export/export_run.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

std::vector<std::string> run_quantities() {
  return {"q",      "v",    "a",     "tau",       "kinetic",  "potential",
          "stored", "work", "poses", "reactions", "violation"};
}

std::vector<RunQuantity> quantities_of(const Run& run, const std::vector<std::string>& names) {
  const RunMetadata& m = run.metadata;
  std::vector<RunQuantity> all{{"q", &run.q, m.q_names, m.q_units},
                               {"v", &run.v, m.v_names, m.v_units},
                               {"a", &run.a, m.v_names, m.a_units},
                               {"tau", &run.tau, m.v_names, m.tau_units},
                               {"kinetic", &run.kinetic, {"kinetic"}, {"J"}},
                               {"potential", &run.potential, {"potential"}, {"J"}},
                               {"stored", &run.stored, {"stored"}, {"J"}},
                               {"work", &run.work, {"work"}, {"J"}}};
  for (std::size_t k = 0; k < run.extras.size(); ++k)
    all.push_back({m.extras[k].name, &run.extras[k], m.extras[k].names, m.extras[k].units});
  if (names.empty()) return all;
  std::vector<RunQuantity> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const RunQuantity& x) { return x.name == name; });
    if (found == all.end()) {
      std::string known;
      for (const RunQuantity& x : all) known += (known.empty() ? "" : ", ") + x.name;
      throw Error("there is no quantity " + in_quotes(name), "export", "choose among " + known);
    }
    chosen.push_back(*found);
  }
  return chosen;
}

namespace {

void put_csv_number(std::string& to, double value) {
  if (std::isnan(value)) {  // without its sign
    to += "nan";
    return;
  }
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  to.append(text.data(), end.ptr);
}

/// A field of CSV: in quotes if it needs them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// "q:elbow [rad]"; energies are named but once, what has no unit shows none.
std::string heading(const RunQuantity& quantity, std::size_t column) {
  const std::string &name = quantity.names[column], &unit = quantity.units[column];
  return (name == quantity.name && quantity.names.size() == 1 && unit == "J"
              ? name
              : quantity.name + ":" + name) +
         (unit.empty() ? "" : " [" + unit + "]");
}

std::string lower_ending(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

}  // namespace

std::string csv_of(const Run& run, const std::vector<std::string>& quantities) {
  const std::vector<RunQuantity> chosen = quantities_of(run, quantities);
  std::string text = "time [s]";
  for (const RunQuantity& x : chosen)
    for (std::size_t k = 0; k < x.names.size(); ++k) text += "," + field(heading(x, k));
  text += '\n';
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    put_csv_number(text, run.times[i]);
    for (const RunQuantity& x : chosen) {
      const std::size_t n = x.names.size();
      for (std::size_t k = 0; k < n; ++k) {
        text += ',';
        put_csv_number(text, (*x.values)[i * n + k]);
      }
    }
    text += '\n';
  }
  return text;
}

void export_run(const Run& run, const std::filesystem::path& file,
                const std::vector<std::string>& quantities, bool overwrite) {
  const std::string ending = lower_ending(file);
  if (ending == ".csv")
    write_text_file(file, csv_of(run, quantities), overwrite);
  else if (ending == ".npz")
    write_text_file(file, npz_of(run, quantities), overwrite);
  else if (ending == ".h5" || ending == ".hdf5")
    write_text_file(file, hdf5_of(run, quantities), overwrite);
  else
    throw Error("the ending names no format of runs", file.string(),
                "write to .csv, .npz, .h5 or .hdf5");
}

}  // namespace axode
