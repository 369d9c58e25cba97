#include "axode/io/mechanism/mechanism_file.hpp"

#include <fmt/format.h>

#include <array>

#include "axode/io/model_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/mechanism/description/from_tree.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 12> mechanism_members{
    "$schema", "axode_mechanism", "name",      "planar",  "gravity", "bodies",
    "joints",  "coordinates",     "couplings", "drivers", "forces",  "initial"};
constexpr std::array<std::string_view, 6> body_members{"name",    "points", "vectors",
                                                       "inertia", "pose",   "rod"};
constexpr std::array<std::string_view, 2> planar_pose_members{"position", "angle"};
constexpr std::array<std::string_view, 4> planar_inertia_members{"mass", "com", "about_com",
                                                                 "about_origin"};
constexpr std::array<JsonObjectKeys, 4> mechanism_objects{
    {{"mechanism", mechanism_members},
     {"body", body_members},
     {"planar_pose", planar_pose_members},
     {"planar_inertia", planar_inertia_members}}};

void check_mechanism_version(const JsonValue& model) {
  if (model.kind() != JsonKind::object)
    model.fail(fmt::format("a mechanism is an object, not {}", name(model.kind())),
               "begin the file with { \"axode_mechanism\": 1,");
  const JsonValue version =
      model.at("axode_mechanism",
               "begin with \"axode_mechanism\": 1, the version of the format; models "
               "of trees (\"axode\": 1) are for the other commands");
  if (version.number() != mechanism_version)
    version.fail(
        fmt::format("version {} of the mechanism format is not known", shortest(version.number())),
        fmt::format("this library reads version {}: use a newer library, or correct it",
                    mechanism_version));
}

SE3<double> body_pose(const JsonValue& value, bool is_planar) {
  if (!is_planar) return pose_from_json(value);
  value.check_keys(planar_pose_members, "a pose in the plane");
  const auto position = value.find("position"), angle = value.find("angle");
  const Vec3<double> p = position ? detail::vector_from_json(*position, true) : Vec3<double>{};
  SE3<double> T = planar_pose(p.x, p.y, angle ? angle->number() : 0);
  T.p.z = p.z;
  return T;
}

Inertia<double> body_inertia(const JsonValue& value, bool is_planar) {
  if (!is_planar) return inertia_from_json(value);
  value.check_keys(planar_inertia_members, "an inertia in the plane");
  Inertia<double> inertia;
  inertia.mass = value.at("mass", "add \"mass\": that of the body [kg]").number();
  if (const auto com = value.find("com")) inertia.com = detail::vector_from_json(*com, true);
  const auto about_com = value.find("about_com"), about_origin = value.find("about_origin");
  if (about_com && about_origin)
    value.fail("its rotational inertia is said twice", "give \"about_com\" or \"about_origin\"");
  if (about_com) inertia.about_com.zz = about_com->number();
  if (about_origin)
    inertia.about_com.zz = about_origin->number() - inertia.mass * squared_norm(inertia.com);
  return inertia;
}

void named_from_json(const JsonValue& object, bool is_planar, std::vector<NamedVector>& list) {
  for (const JsonValue& member : object.members())
    list.push_back({std::string(member.key()), detail::vector_from_json(member, is_planar)});
}

MechanismDescription::Body mechanism_body_from_json(const JsonValue& value, bool is_planar) {
  value.check_keys(body_members, "a body");
  MechanismDescription::Body told;
  told.line = value.line();
  MechanismBody& body = told.body;
  body.name = value.at("name", "add \"name\": each body has one").text();
  if (const auto points = value.find("points")) named_from_json(*points, is_planar, body.points);
  if (const auto vectors = value.find("vectors"))
    named_from_json(*vectors, is_planar, body.vectors);
  if (const auto inertia = value.find("inertia")) body.inertia = body_inertia(*inertia, is_planar);
  if (const auto pose = value.find("pose")) body.pose = body_pose(*pose, is_planar);
  if (const auto rod = value.find("rod")) body.rod = rod->boolean();
  return told;
}

}  // namespace

namespace detail {

Vec3<double> vector_from_json(const JsonValue& value, bool is_planar) {
  if (!is_planar || value.kind() != JsonKind::list || value.size() == 3)
    return vec3_from_json(value);
  std::array<double, 2> xy{};
  value.numbers(xy);
  return {xy[0], xy[1], 0};
}

Spot spot_from_json(const JsonValue& value, bool is_planar) {
  if (value.kind() == JsonKind::text) {
    if (value.text().empty()) value.fail("the name is empty", "name a point or vector of the body");
    return std::string(value.text());
  }
  if (value.kind() != JsonKind::list)
    value.fail(fmt::format("{} is not a point or vector of a body", name(value.kind())),
               "write its name in quotes, or its components in brackets");
  return vector_from_json(value, is_planar);
}

SpotOn spot_on_from_json(const JsonValue& value, bool is_planar) {
  const auto items = value.kind() == JsonKind::list ? value.items() : std::vector<JsonValue>{};
  if (items.size() != 2)
    value.fail("it is not a point of a body",
               "write [\"body\", \"point\"] or [\"body\", [x, y, z]]");
  return {std::string(items[0].text()), spot_from_json(items[1], is_planar)};
}

void describe_mechanism(std::string_view text, const std::string& source, bool with_bodies,
                        MechanismDescription& description) {
  const JsonDocument document(text, source);
  const JsonValue model = document.root();
  check_mechanism_version(model);
  model.check_keys(mechanism_members, "a mechanism");
  description.source = source;
  if (const auto schema = model.find("$schema")) static_cast<void>(schema->text());
  if (const auto given = model.find("name")) description.name = given->text();
  const auto planar = model.find("planar"), bodies = model.find("bodies");
  if (planar) description.is_planar = planar->boolean();
  if (!with_bodies && (planar || bodies))
    (planar ? *planar : *bodies)
        .fail("the bodies are the links of the model", "remove \"bodies\" and \"planar\"");
  if (const auto gravity = model.find("gravity")) {
    description.gravity = vector_from_json(*gravity, description.is_planar);
    description.gravity_line = gravity->line();
  }
  if (with_bodies)
    for (const JsonValue& body :
         model.at("bodies", "add \"bodies\": [...], the list of bodies").items())
      description.bodies.push_back(mechanism_body_from_json(body, description.is_planar));
  if (const auto joints = model.find("joints")) joints_from_json(*joints, description);
  coordinates_from_json(model, description);
  forces_from_json(model, description);
}

}  // namespace detail

std::vector<JsonObjectKeys> mechanism_keys() {
  std::vector<JsonObjectKeys> all(mechanism_objects.begin(), mechanism_objects.end());
  for (const auto& more :
       {detail::mechanism_joint_keys(), detail::mechanism_force_keys(), json_value_keys()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

MechanismDescription describe_mechanism(std::string_view text, const std::string& source) {
  MechanismDescription description;
  detail::describe_mechanism(text, source, true, description);
  return description;
}

Mechanism parse_mechanism(std::string_view text, const std::string& source) {
  return build(describe_mechanism(text, source));
}

Mechanism load_mechanism(const std::filesystem::path& file) {
  const std::string text = read_text_file(file);
  if (const auto first = text.find_first_not_of(" \t\r\n");
      first != std::string::npos && text[first] == '<')
    throw Error("it is a tree of links, and no mechanism file", file.string(),
                "give the joints that close its loops in a second file: --loops FILE");
  return parse_mechanism(text, file.string());
}

Mechanism load_mechanism(const std::filesystem::path& model, const std::filesystem::path& loops) {
  MechanismDescription description = describe_tree(load_tree(model));
  detail::describe_mechanism(read_text_file(loops), loops.string(), false, description);
  return build(description);
}

}  // namespace axode
