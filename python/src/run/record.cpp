#include "src/run/record.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>

#include "axode/core/error.hpp"

namespace axode::python {
namespace {

template <class Metadata>
auto texts(Metadata& m) {
  return std::array{std::pair{"axode_version", &m.axode_version},
                    std::pair{"command_line", &m.command_line},
                    std::pair{"model_name", &m.model_name},
                    std::pair{"model_file", &m.model_file},
                    std::pair{"model_text", &m.model_text},
                    std::pair{"model_file_crc32", &m.model_file_crc32},
                    std::pair{"options", &m.options}};
}
template <class Metadata>
auto lists(Metadata& m) {
  return std::array{std::pair{"q_names", &m.q_names}, std::pair{"v_names", &m.v_names},
                    std::pair{"q_units", &m.q_units}, std::pair{"v_units", &m.v_units},
                    std::pair{"a_units", &m.a_units}, std::pair{"tau_units", &m.tau_units}};
}
template <class R>
auto rows(R& run) {
  return std::array{std::pair{"q", &run.q}, std::pair{"v", &run.v}, std::pair{"a", &run.a},
                    std::pair{"tau", &run.tau}};
}
template <class R>
auto columns(R& run) {
  return std::array{std::pair{"kinetic", &run.kinetic}, std::pair{"potential", &run.potential},
                    std::pair{"stored", &run.stored}, std::pair{"work", &run.work}};
}

}  // namespace

void write_metadata(const RunMetadata& metadata, nb::dict& to) {
  for (const auto& [key, text] : texts(metadata)) to[key] = nb::cast(*text);
  for (const auto& [key, list] : lists(metadata)) to[key] = nb::cast(*list);
}

void write_run(const Run& run, nb::dict& to) {
  write_metadata(run.metadata, to);
  const std::size_t n = run.times.size();
  to["t"] = array(run.times);
  for (const auto& [key, values] : rows(run))
    to[key] = matrix(*values, n, values == &run.q ? run.nq() : run.nv());
  for (const auto& [key, values] : columns(run)) to[key] = array(*values);
  nb::list extras;
  for (std::size_t k = 0; k < run.extras.size(); ++k) {
    const RunExtra& extra = run.metadata.extras[k];
    extras.append(nb::make_tuple(extra.name, extra.names, extra.units,
                                 matrix(run.extras[k], n, extra.names.size())));
  }
  to["extras"] = extras;
  nb::list events;
  for (const RunEvent& e : run.events) events.append(nb::make_tuple(e.t, e.name, e.text));
  to["events"] = events;
  to["checkpoint"] = nb::none();
  if (run.checkpoint)
    to["checkpoint"] = nb::make_tuple(run.checkpoint->t, array(run.checkpoint->numbers));
  to["summary"] = nb::cast(run.summary);
  to["complete"] = run.complete;
}

Run run_from(const nb::dict& from) {
  const auto item = [&](const char* key) {
    const nb::object value = from[key];
    return value;
  };
  Run run;
  for (const auto& [key, text] : texts(run.metadata)) *text = nb::cast<std::string>(item(key));
  for (const auto& [key, list] : lists(run.metadata))
    *list = nb::cast<std::vector<std::string>>(item(key));
  const auto fill = [&](const char* key, std::vector<double>& values, std::size_t count) {
    const nb::object given = item(key);
    const Numbers numbers(given, key);
    if (numbers.all().size() != count) throw Error("does not fit the times and names", key);
    values.assign(numbers.all().begin(), numbers.all().end());
  };
  const nb::object t = item("t");
  run.times = vector(t, "t");
  const std::size_t n = run.times.size();
  for (const auto& [key, values] : rows(run))
    fill(key, *values, n * (values == &run.q ? run.nq() : run.nv()));
  for (const auto& [key, values] : columns(run)) fill(key, *values, n);
  const nb::object extras = item("extras");
  for (nb::handle extra : extras) {
    const auto parts = nb::cast<nb::tuple>(extra);
    const nb::object name = parts[0], names = parts[1], units = parts[2], values = parts[3];
    run.metadata.extras.push_back({nb::cast<std::string>(name),
                                   nb::cast<std::vector<std::string>>(names),
                                   nb::cast<std::vector<std::string>>(units)});
    const RunExtra& added = run.metadata.extras.back();
    const Numbers numbers(values, added.name.c_str());
    if (numbers.all().size() != n * added.names.size() || added.units.size() != added.names.size())
      throw Error("does not fit the times and names", added.name);
    run.extras.emplace_back(numbers.all().begin(), numbers.all().end());
  }
  const nb::object events = item("events"), checkpoint = item("checkpoint");
  for (nb::handle event : events) {
    const auto parts = nb::cast<nb::tuple>(event);
    const nb::object when = parts[0], name = parts[1], text = parts[2];
    run.events.push_back(
        {nb::cast<double>(when), nb::cast<std::string>(name), nb::cast<std::string>(text)});
  }
  if (!checkpoint.is_none()) {
    const auto parts = nb::cast<nb::tuple>(checkpoint);
    const nb::object when = parts[0], numbers = parts[1];
    run.checkpoint = RunCheckpoint{nb::cast<double>(when), vector(numbers, "checkpoint")};
  }
  run.summary = nb::cast<std::string>(item("summary"));
  run.complete = true;
  return run;
}

}  // namespace axode::python
