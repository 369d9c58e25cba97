#include "cli/arguments/forces.hpp"

#include <CLI/CLI.hpp>
#include <optional>

#include "axode/core/error.hpp"
#include "cli/commands/state/state_run.hpp"

namespace axode::cli {

void add_forces(CLI::App& command, ForceOptions& options) {
  add_values(command, "--external", options.external,
             "Wrenches on bodies [N m, N]: ON=tx,ty,tz,fx,fy,fz or\nON@FRAME=...")
      ->type_name("WRENCH");
  command.add_flag("--no-gravity", options.no_gravity, "Leave out gravity");
  command.add_flag("--no-armature", options.no_armature, "Leave out the inertia of drives");
  command.add_flag("--no-damping", options.no_damping, "Leave out the damping of joints");
  command.add_flag("--no-friction", options.no_friction, "Leave out the friction of joints");
}

Effects effects_of(const ForceOptions& o) {
  return {!o.no_gravity, !o.no_armature, !o.no_damping, !o.no_friction};
}

namespace {

std::optional<FrameChoice> known_frame(const Tree& tree, std::string_view text) {
  try {
    return frame_from_text(tree, text);
  } catch (const Error&) {
    return {};
  }
}

/// What acts on which frame, expressed in which.
struct Roles {
  FrameChoice on, in;
};
/// "ON", or "ON@FRAME". Throws Error about the first name that is unknown.
Roles roles_of(const Tree& tree, const std::string& text) {
  if (const auto both = known_frame(tree, text)) return {*both, *both};
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1)) {
    const auto on = known_frame(tree, text.substr(0, at));
    const auto in = known_frame(tree, text.substr(at + 1));
    if (on && in) return {*on, *in};
  }
  const std::size_t at = text.find('@');
  const FrameChoice on = frame_from_text(tree, text.substr(0, at));
  return {on, at == std::string::npos ? on : frame_from_text(tree, text.substr(at + 1))};
}

}  // namespace

ExternalWrench<double> parse_wrench(const Tree& tree, const std::string& text) {
  const std::string where = "--external: " + text;
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos)
    throw UsageError(where + ": there is no '='; write BODY=tx,ty,tz,fx,fy,fz");
  const std::vector<double> n = parse_list(text.substr(sign + 1), 6, where, 6);
  const Vec6<double> wrench{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  try {
    const Roles roles = roles_of(tree, text.substr(0, sign));
    if (roles.on.origin.body < 0)
      throw Error("the world cannot be pushed", {}, "name a body, or a frame on one");
    return {roles.on.origin.body, wrench, roles.in};
  } catch (const Error& error) {
    throw Error(error.problem(), where, error.remedy());
  }
}

std::vector<ExternalWrench<double>> wrenches_of(const Tree& tree, const ForceOptions& options) {
  std::vector<ExternalWrench<double>> wrenches;
  for (const std::string& text : options.external) wrenches.push_back(parse_wrench(tree, text));
  return wrenches;
}

}  // namespace axode::cli
