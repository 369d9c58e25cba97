#include "axode/io/flexible/flexible_file.hpp"

#include <fmt/format.h>

#include <array>

#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/model/bounds.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 15> model_members{
    "$schema",    "axode_flexible", "name",       "gravity",   "rotation",
    "stiffening", "links",          "payload",    "reference", "control",
    "forces",     "loads",          "prescribed", "initial",   "duration"};
constexpr std::array<std::string_view, 1> reference_members{"q"};
constexpr std::array<JsonObjectKeys, 2> flexible_objects{
    {{"flexible", model_members}, {"reference", reference_members}}};
constexpr std::array<std::string_view, 3> rotation_names{"zyx", "xyz", "exp"};

void check_flexible_version(const JsonValue& model) {
  if (model.kind() != JsonKind::object)
    model.fail(fmt::format("a flexible model is an object, not {}", name(model.kind())),
               "begin the file with { \"axode_flexible\": 1,");
  const JsonValue version =
      model.at("axode_flexible",
               "begin with \"axode_flexible\": 1, the version of the format; models of rigid trees "
               "(\"axode\": 1) and mechanisms (\"axode_mechanism\": 1) are for other commands");
  if (version.number() != flexible_version)
    version.fail(
        fmt::format("version {} of the flexible format is not known", shortest(version.number())),
        fmt::format("this library reads version {}: use a newer library, or correct it",
                    flexible_version));
}

FlexibleDescription description_from_json(const JsonValue& model, const std::string& source) {
  FlexibleDescription told;
  told.source = source;
  if (const auto name = model.find("name")) told.name = name->text();
  if (const auto gravity = model.find("gravity")) {
    told.gravity = vec3_from_json(*gravity);
    detail::check_vector(told.gravity, "gravity", gravity->where());
  }
  if (const auto order = model.find("rotation"))
    told.rotation = static_cast<SectionRotation>(order->choice(rotation_names));
  if (const auto kept = model.find("stiffening")) told.stiffening = kept->boolean();
  const JsonValue links = model.at("links", "add \"links\": [...], the list of links");
  for (const JsonValue& link : links.items())
    told.links.push_back(detail::flexible_link_from_json(link));
  if (told.links.empty()) links.fail("there are no links", "add one");
  int count = 0;
  if (const auto list = model.find("payload"))
    for (const JsonValue& item : list->items())
      told.links.push_back(detail::payload_from_json(item, fmt::format("payload{}", ++count)));
  if (const auto reference = model.find("reference")) {
    reference->check_keys(reference_members, "the reference pose");
    for (const JsonValue& joint : reference->at("q", "add \"q\": {\"joint\": value}").members())
      told.reference.emplace_back(std::string(joint.key()), joint.number());
  }
  return told;
}

}  // namespace

namespace detail {
double positive_from_json(const JsonValue& value, bool or_zero) {
  const double x = value.number();
  if (!(x > 0) && !(or_zero && x == 0))
    value.fail(fmt::format("{} is {}", value.title(), shortest(x)),
               or_zero ? "it must not be negative" : "give a positive number");
  return x;
}
}  // namespace detail

std::vector<JsonObjectKeys> flexible_keys() {
  std::vector<JsonObjectKeys> all(flexible_objects.begin(), flexible_objects.end());
  for (const auto& more :
       {detail::flexible_link_keys(), detail::flexible_force_keys(), json_value_keys()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

FlexibleSetup parse_flexible(std::string_view text, const std::string& source) {
  const JsonDocument document(text, source);
  const JsonValue model = document.root();
  check_flexible_version(model);
  model.check_keys(model_members, "a flexible model");
  FlexibleSetup setup;
  setup.description = description_from_json(model, source);
  setup.tree = build(setup.description);
  detail::flexible_forces_from_json(model, setup);
  if (const auto duration = model.find("duration"))
    setup.duration = detail::positive_from_json(*duration);
  return setup;
}

FlexibleSetup load_flexible(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  if (const auto first = text.find_first_not_of(" \t\r\n");
      first != std::string::npos && text[first] == '<')
    throw Error("it is a tree of rigid links, and no flexible model", file.string(),
                "write {\"axode_flexible\": 1, ...}, see docs/flexible.md");
  FlexibleSetup setup = parse_flexible(text, file.string());
  setup.source_crc32 = crc32(text);
  return setup;
}

}  // namespace axode
