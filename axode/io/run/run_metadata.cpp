/// What a run file says about itself: metadata, channels and the schemas of their messages.
#include <algorithm>
#include <array>
#include <utility>

#include "axode/io/run/run_messages.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/model/state.hpp"
#include "axode/version.hpp"

namespace axode {

RunMetadata run_metadata(const Tree& tree) {
  RunMetadata result;
  result.axode_version = version;
  result.model_name = tree.name;
  result.model_file = tree.source;
  result.q_names = coordinate_names(tree);
  result.v_names = velocity_names(tree);
  for (const Link& link : tree.links) {
    const bool quaternion = link.map == JointMap::quaternion || link.map == JointMap::free;
    const auto is_angle = [&](int k) {  // of a free joint's velocity the angular part is first
      if (quaternion) return k < 3;
      const Vec3<double>& w = tree.screws[link.v + k].angular;
      return w.x != 0 || w.y != 0 || w.z != 0;
    };
    for (int k = 0; k < link.nq; ++k) {
      result.q_units.emplace_back(quaternion && k < 4 ? ""
                                  : quaternion        ? "m"
                                  : is_angle(k)       ? "rad"
                                                      : "m");
    }
    for (int k = 0; k < link.nv; ++k) {
      const bool angle = is_angle(k);
      result.v_units.emplace_back(angle ? "rad/s" : "m/s");
      result.a_units.emplace_back(angle ? "rad/s^2" : "m/s^2");
      result.tau_units.emplace_back(angle ? "N m" : "N");
    }
  }
  return result;
}

namespace run {
namespace {

constexpr const char* format = "axode.run/1";
constexpr const char* model_file_key = "model_file_crc32";

std::string list_of(const std::vector<std::string>& texts) {
  std::string to = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) to += (i > 0 ? "," : "") + json_string(texts[i]);
  return to + "]";
}

/// Texts of a metadata record with their keys, and lists of texts.
template <class Metadata>
auto texts_of(Metadata& m) {
  return std::array{std::pair{"axode_version", &m.axode_version},
                    std::pair{"command_line", &m.command_line},
                    std::pair{"model_name", &m.model_name}, std::pair{"model_file", &m.model_file},
                    std::pair{"options", &m.options}};
}
template <class Metadata>
auto lists_of(Metadata& m) {
  return std::array{std::pair{"q_names", &m.q_names}, std::pair{"v_names", &m.v_names},
                    std::pair{"q_units", &m.q_units}, std::pair{"v_units", &m.v_units},
                    std::pair{"a_units", &m.a_units}, std::pair{"tau_units", &m.tau_units}};
}

/// [{"name": ..., "names": [...], "units": [...]}, ...]
std::string list_of(const std::vector<RunExtra>& extras) {
  std::string to = "[";
  for (std::size_t i = 0; i < extras.size(); ++i)
    to += (i > 0 ? ",{\"name\":" : "{\"name\":") + json_string(extras[i].name) +
          ",\"names\":" + list_of(extras[i].names) + ",\"units\":" + list_of(extras[i].units) + "}";
  return to + "]";
}
std::vector<std::string> texts_from(const JsonValue& list) {
  std::vector<std::string> texts;
  for (const JsonValue& item : list.items()) texts.emplace_back(item.text());
  return texts;
}
/// Names of extras must not be those of other numbers of a state.
std::vector<RunExtra> extras_from(const std::string& text, const std::string& where) {
  constexpr std::array taken{"t",   "time",    "q",         "v",      "a",
                             "tau", "kinetic", "potential", "stored", "work"};
  constexpr const char* remedy = "the file is damaged";
  const JsonDocument document(text, where);
  std::vector<RunExtra> extras;
  for (const JsonValue& item : document.root().items()) {
    extras.push_back({std::string(item.at("name", remedy).text()),
                      texts_from(item.at("names", remedy)), texts_from(item.at("units", remedy))});
    const RunExtra& extra = extras.back();
    if (extra.units.size() != extra.names.size())
      throw Error("the metadata have not a unit for each name", where, remedy);
    const auto plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (extra.name.empty() || !std::all_of(extra.name.begin(), extra.name.end(), plain))
      throw Error("a quantity has the name " + in_quotes(extra.name), where,
                  "names have letters, digits and '_'");
    const auto same = [&](const RunExtra& other) { return other.name == extra.name; };
    if (std::count_if(extras.begin(), extras.end(), same) > 1 ||
        std::find(taken.begin(), taken.end(), extra.name) != taken.end())
      throw Error("two quantities have the name '" + extra.name + "'", where, remedy);
  }
  return extras;
}

const std::string& value_of(const McapMetadata& record, std::string_view key,
                            const std::string& where) {
  for (const auto& [name, value] : record.values)
    if (name == key) return value;
  throw Error("the metadata of the run have no \"" + std::string(key) + "\"", where,
              "give a run that `axode simulate` has written");
}

constexpr const char* state_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "axode.State",
  "description": "Motion at a time, in SI units. Names and units are in the metadata axode.run.",
  "type": "object",
  "required": ["t", "q", "v", "a", "tau", "kinetic", "potential", "stored", "work"],
  "properties": {
    "t": {"type": "number", "description": "time [s]"},
    "q": {"type": "array", "items": {"type": "number"}, "description": "coordinates"},
    "v": {"type": "array", "items": {"type": "number"}, "description": "velocities"},
    "a": {"type": "array", "items": {"type": "number"}, "description": "accelerations"},
    "tau": {"type": "array", "items": {"type": "number"}, "description": "joint forces"},
    "kinetic": {"type": "number", "description": "kinetic energy [J]"},
    "potential": {"type": "number", "description": "potential energy of gravity [J]"},
    "stored": {"type": "number", "description": "energy in springs, stops and contacts [J]"},
    "work": {"type": "number", "description": "work of all but gravity since the start [J]"}
  }
})";
constexpr const char* event_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "axode.Event",
  "type": "object",
  "required": ["t", "name", "text"],
  "properties": {
    "t": {"type": "number", "description": "time [s]"},
    "name": {"type": "string", "description": "which event"},
    "text": {"type": "string", "description": "what happened"}
  }
})";
constexpr const char* checkpoint_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "axode.Checkpoint",
  "type": "object",
  "required": ["t", "numbers"],
  "properties": {
    "t": {"type": "number", "description": "time [s]"},
    "numbers": {"type": "string", "contentEncoding": "base64",
                "description": "little-endian float64: all that going on needs"}
  }
})";
constexpr const char* summary_schema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "axode.RunSummary",
  "description": "Closing figures: how the run ended, steps, energy drift.",
  "type": "object"
})";

/// The columns of a row: ["t", "q:elbow", ...] with their units.
std::string columns_of(const RunMetadata& m) {
  std::string names = "\"t\"", units = "\"s\"";
  const auto put = [&](const std::string& name, const std::string& unit) {
    names += "," + json_string(name);
    units += "," + json_string(unit);
  };
  const auto add = [&](const std::string& quantity, const std::vector<std::string>& of,
                       const std::vector<std::string>& in) {
    for (std::size_t i = 0; i < of.size(); ++i) put(quantity + ":" + of[i], in[i]);
  };
  add("q", m.q_names, m.q_units);
  add("v", m.v_names, m.v_units);
  add("a", m.v_names, m.a_units);
  add("tau", m.v_names, m.tau_units);
  for (const char* energy : {"kinetic", "potential", "stored", "work"}) put(energy, "J");
  for (const RunExtra& extra : m.extras) add(extra.name, extra.names, extra.units);
  return "{\"type\":\"float64\",\"order\":\"little-endian\",\"columns\":[" + names +
         "],\"units\":[" + units + "]}";
}

}  // namespace

std::vector<McapSchema> schemas(const RunMetadata& metadata, bool binary) {
  std::vector<McapSchema> all;
  if (binary)
    all.push_back({state_binary, "axode.StateRow", "x-axode-columns", columns_of(metadata)});
  else
    all.push_back({state, "axode.State", "jsonschema", state_schema});
  all.push_back({events, "axode.Event", "jsonschema", event_schema});
  all.push_back({checkpoints, "axode.Checkpoint", "jsonschema", checkpoint_schema});
  all.push_back({summary, "axode.RunSummary", "jsonschema", summary_schema});
  return all;
}

std::vector<McapChannel> channels(bool binary) {
  std::vector<McapChannel> all;
  if (binary)
    all.push_back({state_binary, state_binary, "/state_binary", "x-axode-float64", {}});
  else
    all.push_back({state, state, "/state", "json", {}});
  all.push_back({events, events, "/events", "json", {}});
  all.push_back({checkpoints, checkpoints, "/checkpoint", "json", {}});
  all.push_back({summary, summary, "/summary", "json", {}});
  return all;
}

McapMetadata record_of(const RunMetadata& metadata) {
  McapMetadata record{"axode.run", {{"format", format}}};
  for (const auto& [key, text] : texts_of(metadata)) record.values.emplace_back(key, *text);
  for (const auto& [key, list] : lists_of(metadata))
    record.values.emplace_back(key, list_of(*list));
  if (!metadata.extras.empty()) record.values.emplace_back("extras", list_of(metadata.extras));
  if (!metadata.model_file_crc32.empty())
    record.values.emplace_back(model_file_key, metadata.model_file_crc32);
  return record;
}

RunMetadata metadata_from(const McapMetadata& record, const std::string& where) {
  const std::string& found = value_of(record, "format", where);
  if (found != format)
    throw Error("is a run of format '" + found + "', not '" + format + "'", where,
                "read it with the version of Axode that wrote it");
  RunMetadata metadata;
  for (const auto& [key, text] : texts_of(metadata)) *text = value_of(record, key, where);
  for (const auto& [key, list] : lists_of(metadata)) {
    const JsonDocument document(value_of(record, key, where), where);
    *list = texts_from(document.root());
  }
  for (const auto& [key, value] : record.values) {
    if (key == "extras") metadata.extras = extras_from(value, where);
    if (key == model_file_key) metadata.model_file_crc32 = value;
  }
  const std::size_t nv = metadata.v_names.size();
  if (metadata.q_units.size() != metadata.q_names.size() || metadata.v_units.size() != nv ||
      metadata.a_units.size() != nv || metadata.tau_units.size() != nv)
    throw Error("the metadata have not a unit for each name", where, "the file is damaged");
  return metadata;
}

}  // namespace run
}  // namespace axode
