// Joints, measured coordinates and couplings of mechanism files.
#include <fmt/format.h>

#include <array>

#include "axode/io/mechanism/mechanism_file.hpp"

namespace axode::detail {

namespace {

constexpr std::array<std::string_view, 18> mechanism_pair_keys{
    "name",   "type",   "bodies", "points", "at",       "axes",  "axis",   "zero",  "pitch",
    "offset", "length", "radius", "height", "distance", "angle", "joints", "ratio", "over"};
constexpr std::array<std::string_view, 5> coordinate_keys{"name", "distance", "component", "angle",
                                                          "axis"};
constexpr std::array<std::string_view, 3> coupling_keys{"name", "sum", "constant"};
constexpr std::array<JsonObjectKeys, 3> mechanism_joint_objects{
    {{"joint", mechanism_pair_keys}, {"coordinate", coordinate_keys}, {"coupling", coupling_keys}}};

/// What a type of joint may say beside name and type, in the order of PairType, then those that are
/// couplings.
struct TypeKeys {
  std::string_view name, keys;
};
constexpr std::array<TypeKeys, 16> types{{
    {"weld", "bodies points at axes axis zero"},
    {"revolute", "bodies points at axes axis zero"},
    {"prismatic", "bodies points at axes axis zero angle"},
    {"helical", "bodies points at axes axis zero pitch offset"},
    {"cylindrical", "bodies points at axes axis zero"},
    {"spherical", "bodies points at"},
    {"universal", "bodies points at axes zero"},
    {"planar", "bodies points at axes axis zero"},
    {"point_on_line", "bodies points at axes axis"},
    {"point_on_plane", "bodies points at axes axis height"},
    {"point_line_distance", "bodies points at axes axis distance"},
    {"rod", "bodies points length"},
    {"rolling", "bodies points at axes axis zero radius offset"},
    {"gear", "joints bodies points axes ratio offset"},
    {"rack_pinion", "joints radius offset"},
    {"cable", "over length"},
}};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::size_t type_from_json(const JsonValue& value) {
  std::array<std::string_view, types.size()> names{};
  for (std::size_t i = 0; i < types.size(); ++i) names[i] = types[i].name;
  const std::size_t type =
      value.at("type", "add \"type\": \"revolute\", for example").choice(names);
  for (const JsonValue& member : value.members())
    if (member.key() != "name" && member.key() != "type" &&
        !has_word(types[type].keys, member.key()))
      member.fail(fmt::format("a {} joint has no \"{}\"", names[type], member.key()),
                  fmt::format("remove it; beside name and type it has: {}", types[type].keys));
  return type;
}

/// One or two points or vectors.
void read_spots(const JsonValue& object, std::string_view key, bool is_planar,
                std::array<Spot, 2>& spots) {
  const auto given = object.find(key);
  if (!given) return;
  const auto items = given->items();
  if (items.empty() || items.size() > 2)
    given->fail(fmt::format("{} items, one for each body are expected", items.size()),
                "give one on the first body and one on the second");
  for (std::size_t k = 0; k < items.size(); ++k) spots[k] = spot_from_json(items[k], is_planar);
}

std::array<std::string, 2> two_names(const JsonValue& list, std::string_view what) {
  const auto items = list.items();
  if (items.size() != 2) list.fail(fmt::format("{} {} are named", items.size(), what), "name two");
  return {std::string(items[0].text()), std::string(items[1].text())};
}

PairGeometry geometry_from_json(const JsonValue& value, bool is_planar) {
  PairGeometry g;
  if (const auto at = value.find("at")) g.at = vector_from_json(*at, is_planar);
  if (const auto axis = value.find("axis")) g.axis = vector_from_json(*axis, is_planar);
  read_spots(value, "points", is_planar, g.points);
  read_spots(value, "axes", is_planar, g.axes);
  read_spots(value, "zero", is_planar, g.zero);
  for (const std::string_view key : {"length", "radius", "height", "distance"})
    read_number(value, key, g.value);
  read_number(value, "pitch", g.pitch);
  read_number(value, "ratio", g.ratio);
  read_number(value, "offset", g.offset);
  read_number(value, "angle", g.angle);
  return g;
}

void transmission_from_json(const JsonValue& value, const std::string& name, bool rack,
                            MechanismDescription& description) {
  if (const auto bodies = value.find("bodies"))
    bodies->fail("a gear between joints names no bodies", "give \"joints\" or \"bodies\"");
  MechanismDescription::Transmission told;
  told.name = name;
  told.rack = rack;
  told.line = value.line();
  told.joints = two_names(value.at("joints", "add \"joints\": the two it couples"), "joints");
  const std::string_view key = rack ? "radius" : "ratio";
  told.ratio = value.at(key, fmt::format("add \"{}\"", key)).number();
  if (const auto offset = value.find("offset")) told.offset = offset->number();
  description.transmissions.push_back(std::move(told));
}

void cable_from_json(const JsonValue& value, const std::string& name,
                     MechanismDescription& description) {
  MechanismDescription::Cable cable;
  cable.name = name;
  cable.line = value.line();
  for (const JsonValue& point :
       value.at("over", "add \"over\": [[\"body\", \"point\"], ...], in order").items())
    cable.over.push_back(spot_on_from_json(point, description.is_planar));
  read_number(value, "length", cable.length);
  description.cables.push_back(std::move(cable));
}

void mechanism_pair_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(mechanism_pair_keys, "a joint");
  const std::string name(value.at("name", "add \"name\": each joint has one").text());
  const std::size_t type = type_from_json(value);
  const std::string_view type_name = types[type].name;
  if (type_name == "cable") return cable_from_json(value, name, description);
  if (type_name == "rack_pinion" || (type_name == "gear" && value.find("joints")))
    return transmission_from_json(value, name, type_name == "rack_pinion", description);
  MechanismDescription::Joint joint;
  joint.name = name;
  joint.line = value.line();
  joint.type = static_cast<PairType>(type);
  joint.bodies = two_names(value.at("bodies", "add \"bodies\": the two it joins"), "bodies");
  joint.geometry = geometry_from_json(value, description.is_planar);
  description.joints.push_back(std::move(joint));
}

void coordinate_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(coordinate_keys, "a coordinate");
  using Kind = MechanismCoordinate::Kind;
  MechanismDescription::Measured told;
  told.line = value.line();
  told.name = value.at("name", "add \"name\": each coordinate has one").text();
  const auto distance = value.find("distance"), component = value.find("component"),
             angle = value.find("angle");
  if (distance.has_value() + component.has_value() + angle.has_value() != 1)
    value.fail("a coordinate is one of a distance, a component and an angle",
               "give one of \"distance\", \"component\" and \"angle\"");
  if (angle) {
    told.kind = Kind::angle;
    const auto bodies = two_names(*angle, "bodies");
    told.between = {SpotOn{bodies[0], {}}, SpotOn{bodies[1], {}}};
  } else {
    told.kind = distance ? Kind::distance : Kind::component;
    const JsonValue& ends = distance ? *distance : *component;
    const auto items = ends.items();
    if (items.size() != 2)
      ends.fail(fmt::format("it is measured between {} points", items.size()), "give two");
    for (std::size_t k = 0; k < 2; ++k)
      told.between[k] = spot_on_from_json(items[k], description.is_planar);
  }
  const auto axis = value.find("axis");
  if (component)
    told.axis = vector_from_json(value.at("axis", "add \"axis\": its direction in the world"),
                                 description.is_planar);
  else if (axis)
    axis->fail("only components have an axis", "remove it");
  description.coordinates.push_back(std::move(told));
}

void coupling_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(coupling_keys, "a coupling");
  MechanismDescription::Coupling coupling;
  coupling.line = value.line();
  coupling.name = value.at("name", "add \"name\": each coupling has one").text();
  for (const JsonValue& part :
       value.at("sum", "add \"sum\": {\"coordinate\": factor, ...}").members())
    coupling.sum.emplace_back(std::string(part.key()), part.number());
  if (const auto constant = value.find("constant")) coupling.constant = constant->number();
  description.couplings.push_back(std::move(coupling));
}

}  // namespace

std::span<const JsonObjectKeys> mechanism_joint_keys() noexcept { return mechanism_joint_objects; }

void joints_from_json(const JsonValue& list, MechanismDescription& description) {
  for (const JsonValue& joint : list.items()) mechanism_pair_from_json(joint, description);
}

void coordinates_from_json(const JsonValue& model, MechanismDescription& description) {
  if (const auto list = model.find("coordinates"))
    for (const JsonValue& item : list->items()) coordinate_from_json(item, description);
  if (const auto list = model.find("couplings"))
    for (const JsonValue& item : list->items()) coupling_from_json(item, description);
}

}  // namespace axode::detail
