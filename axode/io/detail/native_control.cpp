#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/io/detail/native_forces.hpp"
#include "axode/model/bounds.hpp"
#include "axode/model/frames.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 7> controller_keys{
    "type", "kp", "kd", "gravity_compensation", "from", "until", "reference"};
constexpr std::array<std::string_view, 4> reference_keys{"type", "q", "times", "waypoints"};
constexpr std::array<std::string_view, 8> contact_keys{
    "bodies", "balls", "plane", "stiffness", "exponent", "dissipation", "friction", "width"};
constexpr std::array<std::string_view, 3> ball_keys{"on", "at", "radius"};
constexpr std::array<std::string_view, 3> plane_keys{"on", "point", "normal"};
constexpr std::array<std::string_view, 2> initial_keys{"q", "v"};
constexpr std::array<JsonObjectKeys, 6> control_objects{{{"controller", controller_keys},
                                                         {"reference", reference_keys},
                                                         {"contact", contact_keys},
                                                         {"ball", ball_keys},
                                                         {"plane", plane_keys},
                                                         {"initial", initial_keys}}};

using detail::at_value;

/// A gain for all degrees of freedom but those of free joints, or for the joints named.
std::vector<double> gains_from_json(const Tree& tree, const JsonValue& value) {
  if (value.kind() == JsonKind::number) {
    const double gain = value.number();
    return pd_controller(tree, gain, 0, neutral(tree)).kp;
  }
  std::vector<double> gains(tree.nv, 0);
  detail::joint_numbers_from_json(tree, value, false, gains);
  return gains;
}

Trajectory reference_from_json(const Tree& tree, const JsonValue& value,
                               const std::vector<double>& initial) {
  value.check_keys(reference_keys, "a reference");
  constexpr std::array<std::string_view, 3> kinds{"hold", "cubic", "minimum_jerk"};
  auto kind = Trajectory::Kind::hold;
  if (const auto type = value.find("type"))
    kind = static_cast<Trajectory::Kind>(type->choice(kinds));
  const auto points = value.find("waypoints"), times = value.find("times"), q = value.find("q");
  if (points.has_value() != times.has_value() || (points && q))
    value.fail("a reference has either \"q\" or \"times\" and \"waypoints\"", "give one of these");
  constexpr std::size_t most = 50'000'000;  // numbers: what a small file may make of memory
  if (points && points->size() * std::max(1, tree.nq) > most)
    throw LimitError("the waypoints of all joints are too many numbers", points->where(),
                     "give fewer, or several files");
  std::vector<double> at{0};
  std::vector<std::vector<double>> configurations{initial};
  if (q) detail::joint_numbers_from_json(tree, *q, true, configurations[0]);
  if (points) {
    at.clear();
    configurations.clear();
    for (const JsonValue& time : times->items()) at.push_back(time.number());
    for (const JsonValue& point : points->items()) {  // what a point leaves out is as before
      configurations.push_back(configurations.empty() ? initial : configurations.back());
      detail::joint_numbers_from_json(tree, point, true, configurations.back());
    }
  }
  return at_value(value, [&] { return trajectory(tree, kind, at, configurations); });
}

Controller controller_from_json(const Tree& tree, const JsonValue& value,
                                const State<double>& initial) {
  value.check_keys(controller_keys, "a controller");
  constexpr std::array<std::string_view, 2> types{"pd", "computed_torque"};
  Controller controller;
  controller.kind = static_cast<Controller::Kind>(
      value.at("type", "add \"type\": \"pd\" or \"computed_torque\"").choice(types));
  controller.kp =
      gains_from_json(tree, value.at("kp", "add \"kp\": a number, or joints with theirs"));
  controller.kd =
      gains_from_json(tree, value.at("kd", "add \"kd\": a number, or joints with theirs"));
  if (const auto given = value.find("gravity_compensation")) {
    controller.gravity_compensation = given->boolean();
    if (controller.kind == Controller::Kind::computed_torque)
      given->fail("computed torque compensates gravity always", "remove it");
  }
  if (const auto given = value.find("from")) controller.from = given->number();
  if (const auto given = value.find("until")) controller.until = given->number();
  const auto reference = value.find("reference");
  controller.reference =
      reference ? reference_from_json(tree, *reference, initial.q) : hold(tree, initial.q);
  return controller;
}

HalfSpace plane_from_json(const Tree& tree, const JsonValue& value) {
  value.check_keys(plane_keys, "a plane");
  HalfSpace plane;
  Frame frame;
  if (const auto on = value.find("on"))
    frame = at_value(*on, [&] { return simple_frame(tree, on->text()); });
  if (const auto point = value.find("point")) plane.point = vec3_from_json(*point);
  if (const auto normal = value.find("normal")) {
    plane.normal = vec3_from_json(*normal);
    if (!(norm(plane.normal) > 0)) normal->fail("the normal is zero", "give a direction");
    plane.normal = normalized(plane.normal);
  }
  return {frame.body, frame.T_BF * plane.point, frame.T_BF.R * plane.normal};
}

Ball ball_from_json(const Tree& tree, const JsonValue& value) {
  value.check_keys(ball_keys, "a ball");
  const JsonValue on = value.at("on", "add \"on\": the body or frame it is on");
  const Frame frame = at_value(on, [&] { return simple_frame(tree, on.text()); });
  if (frame.body < 0) on.fail("a ball on the world touches nothing", "name a body");
  const auto at = value.find("at"), radius = value.find("radius");
  return {frame.body, frame.T_BF * (at ? vec3_from_json(*at) : Vec3<double>{}),
          radius ? radius->number() : 0};
}

CompliantContact contact_from_json(const Tree& tree, const JsonValue& value) {
  value.check_keys(contact_keys, "a contact");
  CompliantContact contact;
  if (const auto plane = value.find("plane")) contact.plane = plane_from_json(tree, *plane);
  if (const auto bodies = value.find("bodies"))
    for (const JsonValue& body : bodies->items())
      for (const Ball& ball :
           at_value(body, [&] { return contact_balls(tree, {std::string(body.text())}); }))
        contact.balls.push_back(ball);
  if (const auto balls = value.find("balls"))
    for (const JsonValue& ball : balls->items())
      contact.balls.push_back(ball_from_json(tree, ball));
  if (contact.balls.empty())
    value.fail("nothing touches the plane", "add \"bodies\": [...] or \"balls\": [...]");
  ContactLaw& law = contact.law;
  for (const auto& [key, number] :
       {std::pair<std::string_view, double*>{"stiffness", &law.stiffness},
        {"exponent", &law.exponent},
        {"dissipation", &law.dissipation},
        {"friction", &law.friction},
        {"width", &law.width}})
    if (const auto given = value.find(key)) *number = given->number();
  return contact;
}

}  // namespace

std::span<const JsonObjectKeys> native_control_keys() noexcept { return control_objects; }

void detail::joint_numbers_from_json(const Tree& tree, const JsonValue& object, bool coordinates,
                                     Out<double> numbers) {
  for (const JsonValue& member : object.members()) {
    const int body = at_value(member, [&] { return joint_index(tree, member.key()); });
    const Link& link = tree.links[body];
    const std::size_t first = coordinates ? link.q : link.v;
    const std::size_t count = coordinates ? link.nq : link.nv;
    if (member.kind() == JsonKind::number && count == 1)
      numbers[first] = member.number();
    else if (member.kind() == JsonKind::list && member.size() == count)
      member.numbers(numbers.subspan(first, count));
    else
      member.fail(fmt::format("the joint has {} {}", count,
                              coordinates ? "coordinates" : "degrees of freedom"),
                  count == 1 ? "give a number" : fmt::format("give a list of {} numbers", count));
    for (const double x : numbers.subspan(first, count))
      coordinates ? check_length(x, member.title(), member.where())
                  : check_number(x, member.title(), member.where());
  }
}

void detail::controllers_from_json(const Tree& tree, const JsonValue& list,
                                   const State<double>& initial, Forces& forces) {
  if (list.size() > 10'000)
    throw LimitError("there are more than 10000 controllers", list.where(), "join them");
  for (const JsonValue& value : list.items()) {
    Forces alone;
    alone.controllers.push_back(controller_from_json(tree, value, initial));
    at_value(value, [&] { check_forces(tree, alone); });
    forces.controllers.push_back(std::move(alone.controllers[0]));
  }
}

void detail::contacts_from_json(const Tree& tree, const JsonValue& list, Forces& forces) {
  for (const JsonValue& value : list.items()) {
    Forces alone;
    alone.contacts.push_back(contact_from_json(tree, value));
    at_value(value, [&] { check_forces(tree, alone); });
    forces.contacts.push_back(std::move(alone.contacts[0]));
  }
}

State<double> initial_from_json(const Tree& tree, const JsonValue& model) {
  State<double> state{neutral(tree), std::vector<double>(tree.nv, 0)};
  const auto given = model.find("initial");
  if (!given) return state;
  given->check_keys(initial_keys, "\"initial\"");
  const auto follow = [&](const std::optional<JsonValue>& value, bool coordinates,
                          std::vector<double>& x) {
    if (!value) return;
    detail::joint_numbers_from_json(tree, *value, coordinates, x);
    at_value(*value, [&] { coordinates ? check_configuration(tree, x) : check_velocity(tree, x); });
    const std::vector<double> all =
        coordinates ? expand_configuration(tree, independent_configuration(tree, x))
                    : expand_velocity(tree, independent_velocity(tree, x));
    for (const Coupling& c : tree.couplings) {
      const std::size_t i = c.follower;
      const std::size_t k = coordinates ? tree.links[i].q : tree.links[i].v;
      const auto named = value->find(tree.bodies[i].joint_name);
      if (named && std::abs(x[k] - all[k]) > 1e-9)
        named->fail(fmt::format("the joint follows another, which puts it to {}", all[k]),
                    "leave it out");
    }
    x = all;
  };
  follow(given->find("q"), true, state.q);
  follow(given->find("v"), false, state.v);
  return state;
}

}  // namespace axode
