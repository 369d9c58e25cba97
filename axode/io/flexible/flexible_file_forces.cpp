// What acts on flexible models: control, joint forces, loads, prescribed joints; the initial state.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axode/core/names.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/model/bounds.hpp"

namespace axode::detail {

namespace {

constexpr std::array<std::string_view, 3> control_keys{"kp", "kd", "targets"};
constexpr std::array<std::string_view, 2> target_keys{"from", "q"};
constexpr std::array<std::string_view, 6> flexible_load_keys{"link",   "station", "force",
                                                             "torque", "follows", "factor"};
constexpr std::array<std::string_view, 3> prescribed_keys{"joint", "motion", "switches"};
constexpr std::array<std::string_view, 2> flexible_initial_keys{"q", "v"};
constexpr std::array<JsonObjectKeys, 5> flexible_force_objects{
    {{"control", control_keys},
     {"target", target_keys},
     {"load", flexible_load_keys},
     {"prescribed", prescribed_keys},
     {"initial", flexible_initial_keys}}};

/// The coordinate of that name among the first `count`, in an Error's words if there is none.
std::size_t coordinate(const JsonValue& value, std::string_view wanted, const FlexibleTree& tree,
                       int count) {
  const std::span<const std::string> names(tree.coordinate_names.data(), count);
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string_view kind = count == tree.joints ? "joint" : "coordinate";
  value.fail(fmt::format("there is no {} '{}'", kind, wanted),
             did_you_mean(wanted, names, fmt::format("there are {}", fmt::join(names, ", "))));
}

/// {"name": value, ...} into a list by coordinate; others stay as they are.
void named_numbers(const JsonValue& object, const FlexibleTree& tree, int count,
                   std::vector<double>& numbers) {
  for (const JsonValue& member : object.members()) {
    check_length(member.number(), member.title(), member.where());
    numbers[coordinate(member, member.key(), tree, count)] = member.number();
  }
}

void control_from_json(const JsonValue& value, FlexibleSetup& setup) {
  value.check_keys(control_keys, "a control");
  const FlexibleTree& tree = setup.tree;
  FlexibleControl& control = setup.forces.control;
  control.kp.assign(tree.joints, 0);
  control.kd = control.kp;
  for (const auto& [key, gains] : {std::pair{"kp", &control.kp}, {"kd", &control.kd}}) {
    const auto given = value.find(key);
    if (!given) continue;
    named_numbers(*given, tree, tree.joints, *gains);
    for (const JsonValue& member : given->members()) positive_from_json(member, true);
  }
  // What a target does not name stays where it was.
  std::vector<double> target(setup.q.begin(), setup.q.begin() + tree.joints);
  const auto list = value.find("targets");
  if (!list || list->size() == 0) {
    control.times = {0};
    control.targets = {target};
    return;
  }
  for (const JsonValue& item : list->items()) {
    item.check_keys(target_keys, "a target");
    const auto from = item.find("from");
    const double time = from ? from->number() : 0;
    if (!control.times.empty() && !(time > control.times.back()))
      item.fail("targets are not in the order of time", "let \"from\" rise");
    if (control.times.empty() && time > 0) {  // until then the joints are held where they start
      control.times.push_back(0);
      control.targets.push_back(target);
    }
    named_numbers(item.at("q", "add \"q\": {\"joint\": value}"), tree, tree.joints, target);
    control.times.push_back(time);
    control.targets.push_back(target);
  }
}

Signal signal_of(TimeFunction function) {
  return SignalFunction([f = std::move(function)](double t, std::span<const double>,
                                                  std::span<const double>) { return f(t).value; });
}

void joint_forces_from_json(const JsonValue& value, FlexibleSetup& setup) {
  setup.forces.joint_forces.assign(setup.tree.joints, Signal(0.0));
  setup.force_texts.assign(setup.tree.joints, "");
  for (const JsonValue& member : value.members()) {
    const std::size_t joint = coordinate(member, member.key(), setup.tree, setup.tree.joints);
    TextFunction told = time_function_from_json(member);
    setup.forces.joint_forces[joint] =
        member.kind() == JsonKind::number ? Signal(member.number()) : signal_of(told.function);
    setup.force_texts[joint] = std::move(told.text);
  }
}

int link_from_json(const JsonValue& value, const FlexibleTree& tree) {
  try {
    return link_named(tree, value.text());
  } catch (const Error& e) {
    value.fail(e.problem(), e.remedy());
  }
}

void flexible_load_from_json(const JsonValue& value, FlexibleSetup& setup) {
  value.check_keys(flexible_load_keys, "a load");
  FlexibleLoad load;
  load.link = link_from_json(value.at("link", "add \"link\": the one it acts on"), setup.tree);
  const FlexibleLink& link = setup.tree.links[load.link];
  const double length = link.beam ? link.beam->length : 0;
  load.station = length;
  if (const auto station = value.find("station")) {
    load.station = station->number();
    if (link.beam && !(load.station >= 0 && load.station <= length))
      station->fail(fmt::format("the station {} m is not on '{}'", load.station, link.name),
                    fmt::format("choose one in [0, {}] m", length));
  }
  if (const auto force = value.find("force")) load.wrench.linear = vec3_from_json(*force);
  if (const auto torque = value.find("torque")) load.wrench.angular = vec3_from_json(*torque);
  if (const auto follows = value.find("follows")) load.follows = follows->boolean();
  std::string text;
  Signal factor(1.0);
  if (const auto given = value.find("factor")) {
    TextFunction told = time_function_from_json(*given);
    factor = given->kind() == JsonKind::number ? Signal(given->number()) : signal_of(told.function);
    text = std::move(told.text);
  }
  setup.forces.loads.push_back(load);
  setup.forces.load_factors.push_back(std::move(factor));
  setup.factor_texts.push_back(std::move(text));
}

void prescribed_from_json(const JsonValue& value, FlexibleSetup& setup) {
  value.check_keys(prescribed_keys, "a prescribed joint");
  const JsonValue joint = value.at("joint", "add \"joint\": its name");
  PrescribedJoint told;
  told.coordinate =
      static_cast<int>(coordinate(joint, joint.text(), setup.tree, setup.tree.joints));
  if (std::ranges::any_of(setup.forces.prescribed, [&](const PrescribedJoint& other) {
        return other.coordinate == told.coordinate;
      }))
    joint.fail("this joint is prescribed twice", "prescribe it once");
  TextFunction motion =
      time_function_from_json(value.at("motion", "add \"motion\": \"0.5*t^2\", for example"));
  told.motion = std::move(motion.function);
  if (const auto switches = value.find("switches")) {
    told.switches.resize(switches->items().size());
    switches->numbers(told.switches);
    if (!std::ranges::is_sorted(told.switches)) switches->fail("times do not rise", "sort them");
  }
  setup.forces.prescribed.push_back(std::move(told));
  setup.motion_texts.push_back(std::move(motion.text));
}

/// What would be said of a prescribed joint in vain: where it starts, and what drives it.
void refuse_on_prescribed(const JsonValue& model, const FlexibleSetup& setup) {
  const auto refuse = [&](std::string_view part, std::string_view list, const char* remedy) {
    const auto whole = model.find(part);
    const auto told = whole && !list.empty() ? whole->find(list) : whole;
    if (!told) return;
    for (const PrescribedJoint& joint : setup.forces.prescribed) {
      const std::string& name = setup.tree.coordinate_names[joint.coordinate];
      const auto value = told->find(name);
      if (value && !(value->kind() == JsonKind::number && value->number() == 0))
        value->fail(fmt::format("joint '{}' is prescribed, so that this does nothing", name),
                    remedy);
    }
  };
  refuse("initial", "q", "leave it out: it starts where its motion does");
  refuse("initial", "v", "leave it out: it starts as fast as its motion does");
  refuse("control", "kp", "leave it out, or do not prescribe the joint");
  refuse("control", "kd", "leave it out, or do not prescribe the joint");
  refuse("forces", "", "leave it out, or do not prescribe the joint");
}

}  // namespace

std::span<const JsonObjectKeys> flexible_force_keys() noexcept { return flexible_force_objects; }

void flexible_forces_from_json(const JsonValue& model, FlexibleSetup& setup) {
  setup.q.assign(setup.tree.size, 0);
  setup.v = setup.q;
  if (const auto initial = model.find("initial")) {
    initial->check_keys(flexible_initial_keys, "an initial state");
    if (const auto q = initial->find("q")) named_numbers(*q, setup.tree, setup.tree.size, setup.q);
    if (const auto v = initial->find("v")) named_numbers(*v, setup.tree, setup.tree.size, setup.v);
  }
  if (const auto control = model.find("control")) control_from_json(*control, setup);
  if (const auto forces = model.find("forces")) joint_forces_from_json(*forces, setup);
  if (const auto loads = model.find("loads"))
    for (const JsonValue& load : loads->items()) flexible_load_from_json(load, setup);
  if (const auto prescribed = model.find("prescribed"))
    for (const JsonValue& item : prescribed->items()) prescribed_from_json(item, setup);
  refuse_on_prescribed(model, setup);
}

}  // namespace axode::detail
