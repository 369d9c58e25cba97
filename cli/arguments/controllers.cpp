#include "cli/arguments/controllers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {
namespace {

struct ControllerText {
  Controller::Kind kind = Controller::Kind::pd;
  double kp = 100, kd = 20, at = 0;  // critically damped where they act on unit inertia
  double from = 0, until = std::numeric_limits<double>::infinity();
  bool gravity = false;
};

double gain_of(std::string_view key, std::string_view value) {
  const std::string where = fmt::format("--controller: {}", key);
  try {
    const double gain = parse_number(value, where);
    if (gain >= 0) return gain;
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  throw UsageError(fmt::format("{}: a gain is not negative", where));
}

void set_controller_value(ControllerText& to, std::string_view key, std::string_view value) {
  const auto duration = [&] { return parse_duration(value, fmt::format("--controller: {}", key)); };
  if (key == "kp")
    to.kp = gain_of(key, value);
  else if (key == "kd")
    to.kd = gain_of(key, value);
  else if (key == "at")
    to.at = duration();
  else if (key == "from")
    to.from = duration();
  else if (key == "until")
    to.until = duration();
  else if (key == "gravity" && (value == "on" || value == "off"))
    to.gravity = value == "on";
  else
    throw UsageError(fmt::format(
        "--controller: '{}={}' is not known; give kp, kd, at, from, until or gravity=on",
        printable(key), printable(value)));
}

ControllerText parse_controller(std::string_view text) {
  ControllerText result;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  if (kind != "pd" && !is_same_name(kind, "computed-torque"))
    throw UsageError(fmt::format(
        "--controller: there is no '{}'; choose pd, computed-torque or none", printable(kind)));
  if (kind != "pd") result.kind = Controller::Kind::computed_torque;
  text.remove_prefix(std::min(colon + 1, text.size()));
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t sign = std::min(item.find('='), item.size());
    set_controller_value(result, item.substr(0, sign),
                         item.substr(std::min(sign + 1, item.size())));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  if (result.at > 0 && result.at <= result.from)
    throw UsageError("--controller: 'at' is when the target is reached; give a time after 'from'");
  if (result.gravity && result.kind != Controller::Kind::pd)
    throw UsageError(
        "--controller: computed-torque holds the weights anyway; leave out gravity=on");
  return result;
}

}  // namespace

std::vector<Controller> parse_controllers(const Tree& tree, std::span<const std::string> texts,
                                          const std::vector<double>& initial,
                                          const std::vector<double>& target) {
  std::vector<Controller> result;
  for (const std::string& text : texts) {
    if (text == "none") continue;
    const ControllerText wish = parse_controller(text);
    Controller controller = pd_controller(tree, wish.kp, wish.kd, target);
    controller.kind = wish.kind;
    controller.gravity_compensation = wish.gravity;
    if (wish.at > 0)
      controller.reference =
          trajectory(tree, Trajectory::Kind::minimum_jerk, {wish.from, wish.at}, {initial, target});
    if (wish.from > 0) controller.from = wish.from;
    controller.until = wish.until;
    result.push_back(std::move(controller));
  }
  return result;
}

namespace {

/// The controller of a model that has no inverse dynamics and no trajectories; nothing for none.
std::optional<ControllerText> plain_pd(std::span<const std::string> texts, const char* model) {
  std::optional<ControllerText> result;
  for (const std::string& text : texts) {
    if (text == "none" && texts.size() == 1) return {};
    if (result || text == "none")
      throw UsageError(fmt::format("--controller: {} has one controller; give it once", model));
    result = parse_controller(text);
    if (result->kind != Controller::Kind::pd || result->gravity)
      throw UsageError(
          fmt::format("--controller: computed-torque and gravity=on need the inverse dynamics of a "
                      "tree, which {} does not have; give pd",
                      model));
    if (result->at != 0 || result->from != 0 || std::isfinite(result->until))
      throw UsageError(fmt::format(
          "--controller: at, from and until are about trajectories of trees; {} is held "
          "at its target from the start",
          model));
  }
  return result;
}

}  // namespace

Control mechanism_control(const Mechanism& mechanism, std::span<const std::string> texts,
                          std::span<const std::string> target) {
  const std::optional<ControllerText> wish = plain_pd(texts, "a mechanism");
  if (!wish && !texts.empty())
    throw UsageError(
        "--controller: a mechanism has no controllers that could be left out, but forces; remove "
        "them "
        "from the file");
  if (wish.has_value() == target.empty())
    throw UsageError(
        wish ? "--controller: name the coordinates of the mechanism that it drives, and "
               "where to: --target COORD=NUMBER"
             : "--target: there is no controller to go there; give --controller, too");
  if (!wish) return {};
  std::vector<int> coordinates;
  std::vector<double> targets;
  for (const std::string& text : target) {
    const auto [coordinate, number] = coordinate_value(mechanism, text, "--target");
    if (std::ranges::find(coordinates, coordinate) != coordinates.end())
      throw UsageError(fmt::format("--target: '{}' is given twice; give it once",
                                   printable(mechanism.coordinates[coordinate].name)));
    coordinates.push_back(coordinate);
    targets.push_back(number);
  }
  return pd_control(mechanism, std::move(coordinates), std::move(targets), wish->kp, wish->kd);
}

void set_flexible_control(const FlexibleTree& tree, std::span<const std::string> texts,
                          const std::vector<double>& target, FlexibleForces& forces) {
  if (texts.empty()) return;
  forces.control = {};
  const std::optional<ControllerText> wish = plain_pd(texts, "a flexible tree");
  if (!wish) return;
  const std::size_t joints = tree.joints;
  forces.control = {std::vector(joints, wish->kp),
                    std::vector(joints, wish->kd),
                    {0},
                    {{target.begin(), target.begin() + tree.joints}}};
}

}  // namespace axode::cli
