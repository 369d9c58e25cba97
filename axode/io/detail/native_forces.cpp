#include "axode/io/detail/native_forces.hpp"

#include <fmt/format.h>

#include <array>

#include "axode/model/frames.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 4> scene_members{"forces", "controllers", "contacts",
                                                        "initial"};
constexpr std::array<std::string_view, 7> forces_keys{
    "friction", "stops", "springs", "joint_forces", "wrenches", "points", "effort_limits"};
constexpr std::array<std::string_view, 2> friction_keys{"on", "width"};
constexpr std::array<std::string_view, 5> stops_keys{"on", "frequency", "damping_ratio", "width",
                                                     "stiffness"};
constexpr std::array<std::string_view, 4> spring_keys{"joint", "stiffness", "rest", "damping"};
constexpr std::array<std::string_view, 2> joint_force_keys{"joint", "force"};
constexpr std::array<std::string_view, 4> wrench_keys{"on", "torque", "force", "in"};
constexpr std::array<std::string_view, 6> point_force_keys{"from",    "to",          "stiffness",
                                                           "damping", "free_length", "force"};
constexpr std::array<std::string_view, 2> point_keys{"on", "at"};
constexpr std::array<std::string_view, 3> samples_keys{"times", "values", "between"};
constexpr std::array<JsonObjectKeys, 9> force_objects{{{"forces", forces_keys},
                                                       {"friction", friction_keys},
                                                       {"stops", stops_keys},
                                                       {"spring", spring_keys},
                                                       {"joint_force", joint_force_keys},
                                                       {"wrench", wrench_keys},
                                                       {"point_force", point_force_keys},
                                                       {"point", point_keys},
                                                       {"samples", samples_keys}}};

using detail::at_value;

void read_boolean(const JsonValue& object, std::string_view key, bool& boolean) {
  if (const auto given = object.find(key)) boolean = given->boolean();
}

Signal signal_from_json(const Tree& tree, const JsonValue& value) {
  if (value.kind() == JsonKind::number) return value.number();
  if (value.kind() == JsonKind::text) return compile_expression(tree, value.text(), value.where());
  if (value.kind() != JsonKind::object)
    value.fail(fmt::format("{} is not a signal", name(value.kind())),
               "write a number, an expression such as \"20*sin(t)\", or {\"times\": ...}");
  value.check_keys(samples_keys, "a signal");
  constexpr std::array<std::string_view, 3> ways{"hold", "linear", "cubic"};
  Between between = Between::linear;
  if (const auto given = value.find("between")) between = static_cast<Between>(given->choice(ways));
  return at_value(value, [&] {
    return samples(number_list(value.at("times", "add \"times\": [...]")),
                   number_list(value.at("values", "add \"values\": [...]")), between);
  });
}
Signal signal_member(const Tree& tree, const JsonValue& object, std::string_view key) {
  const auto given = object.find(key);
  return given ? signal_from_json(tree, *given) : Signal{};
}

int dof_from_json(const Tree& tree, const JsonValue& object) {
  const JsonValue joint =
      object.at("joint", "add \"joint\": its name, or name.k for a degree of freedom of several");
  return at_value(joint, [&] { return dof_index(tree, joint.text()); });
}

/// Adds the item if it alone passes the checks.
template <class Item>
void add_checked(const Tree& tree, const JsonValue& value, std::vector<Item> Forces::*list,
                 Item item, Forces& forces) {
  Forces alone;
  (alone.*list).push_back(item);
  at_value(value, [&] { check_forces(tree, alone); });
  (forces.*list).push_back(std::move(item));
}

void spring_from_json(const Tree& tree, const JsonValue& value, Forces& forces) {
  value.check_keys(spring_keys, "a spring");
  JointSpringDamper spring;
  spring.velocity = dof_from_json(tree, value);
  read_number(value, "stiffness", spring.stiffness);
  read_number(value, "rest", spring.rest);
  read_number(value, "damping", spring.damping);
  add_checked(tree, value, &Forces::springs, spring, forces);
}

void joint_force_from_json(const Tree& tree, const JsonValue& value, Forces& forces) {
  value.check_keys(joint_force_keys, "a joint force");
  JointForce force;
  force.velocity = dof_from_json(tree, value);
  force.force = signal_from_json(tree, value.at("force", "add \"force\": a signal"));
  add_checked(tree, value, &Forces::joint_forces, std::move(force), forces);
}

void wrench_from_json(const Tree& tree, const JsonValue& value, Forces& forces) {
  value.check_keys(wrench_keys, "a wrench");
  BodyForce force;
  const JsonValue on = value.at("on", "add \"on\": the body or frame it acts on");
  force.body = at_value(on, [&] { return simple_frame(tree, on.text()); }).body;
  if (force.body < 0) on.fail("a wrench on the world moves nothing", "name a body");
  if (const auto in = value.find("in"))
    force.expressed_in = at_value(*in, [&] { return frame_from_text(tree, in->text()); });
  for (const auto& [key, first] :
       {std::pair<std::string_view, std::size_t>{"torque", 0}, {"force", 3}})
    if (const auto given = value.find(key)) {
      const auto items = given->items();
      if (items.size() != 3)
        given->fail(fmt::format("{} has {} components", given->title(), items.size()),
                    "give three signals");
      for (std::size_t i = 0; i < 3; ++i)
        force.wrench[first + i] = signal_from_json(tree, items[i]);
    }
  add_checked(tree, value, &Forces::wrenches, std::move(force), forces);
}

/// A point on a body, frame or the world.
void point_from_json(const Tree& tree, const JsonValue& value, int& body, Vec3<double>& point) {
  value.check_keys(point_keys, "a point");
  Frame frame;
  if (const auto on = value.find("on"))
    frame = at_value(*on, [&] { return simple_frame(tree, on->text()); });
  body = frame.body;
  const auto at = value.find("at");
  point = frame.T_BF * (at ? vec3_from_json(*at) : Vec3<double>{});
}

void point_force_from_json(const Tree& tree, const JsonValue& value, Forces& forces) {
  value.check_keys(point_force_keys, "a force between points");
  PointForce force;
  point_from_json(tree, value.at("from", "add \"from\": {\"on\": body, \"at\": [x, y, z]}"),
                  force.body_a, force.point_a);
  point_from_json(tree, value.at("to", "add \"to\": {\"on\": body, \"at\": [x, y, z]}"),
                  force.body_b, force.point_b);
  read_number(value, "stiffness", force.stiffness);
  read_number(value, "damping", force.damping);
  read_number(value, "free_length", force.free_length);
  force.force = signal_member(tree, value, "force");
  add_checked(tree, value, &Forces::points, std::move(force), forces);
}

void laws_from_json(const Tree& tree, const JsonValue& value, Forces& forces) {
  if (const auto friction = value.find("friction")) {
    friction->check_keys(friction_keys, "friction");
    read_boolean(*friction, "on", forces.friction.on);
    read_number(*friction, "width", forces.friction.width);
    at_value(*friction, [&] { check_forces(tree, forces); });
  }
  if (const auto stops = value.find("stops")) {
    stops->check_keys(stops_keys, "stops");
    read_boolean(*stops, "on", forces.stops.on);
    read_number(*stops, "frequency", forces.stops.frequency);
    read_number(*stops, "damping_ratio", forces.stops.damping_ratio);
    read_number(*stops, "width", forces.stops.width);
    if (const auto stiffness = stops->find("stiffness"))
      forces.stops.stiffness.assign(tree.nv, stiffness->number());
    at_value(*stops, [&] { check_forces(tree, forces); });
  }
  read_boolean(value, "effort_limits", forces.effort_limits);
}

}  // namespace

std::span<const std::string_view> native_scene_parts() noexcept { return scene_members; }
std::span<const JsonObjectKeys> native_forces_keys() noexcept { return force_objects; }

Forces forces_from_json(const Tree& tree, const JsonValue& model, const State<double>& initial) {
  Forces forces;
  if (const auto given = model.find("forces")) {
    given->check_keys(forces_keys, "\"forces\"");
    laws_from_json(tree, *given, forces);
    const auto each = [&](std::string_view key, const auto& read) {
      if (const auto list = given->find(key))
        for (const JsonValue& item : list->items()) read(tree, item, forces);
    };
    each("springs", spring_from_json);
    each("joint_forces", joint_force_from_json);
    each("wrenches", wrench_from_json);
    each("points", point_force_from_json);
  }
  if (const auto list = model.find("controllers"))
    detail::controllers_from_json(tree, *list, initial, forces);
  if (const auto list = model.find("contacts")) detail::contacts_from_json(tree, *list, forces);
  return forces;
}

}  // namespace axode
