/// `axode ik`: coordinates at which a frame is where it shall be (inverse kinematics).
#include <CLI/CLI.hpp>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/kinematics/inverse/inverse_kinematics.hpp"
#include "axode/lie/rotation.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_ik(CLI::App& app, IkOptions& options) {
  CLI::App* command = app.add_subcommand("ik", "Find coordinates that bring a frame to a target");
  add_model(*command, options.model);
  const auto text = [&](const char* flag, std::string& to, const char* type, const char* help) {
    return command->add_option(flag, to, help)->type_name(type);
  };
  text("--frame", options.frame, "NAME", "The frame: NAME or NAME[AXES]")->required();
  text("--position", options.position, "X,Y,Z", "Target of its origin [m]");
  text("--pose", options.pose, "X,Y,Z,R,P,Y", "Position, and roll, pitch, yaw [rad] or 30deg");
  text("--quaternion", options.quaternion, "W,X,Y,Z", "Orientation, alone or with --position");
  text("--rpy", options.rpy, "R,P,Y", "Orientation as roll, pitch, yaw, likewise");
  text("--direction", options.direction, "X,Y,Z", "Target of its axis, likewise");
  text("--axis", options.axis, "X,Y,Z", "That axis in the frame itself, default: 0,0,1");
  text("--relative-to", options.relative_to, "NAME",
       "The frame that these are given in, default: world");
  command->add_option("--q", options.q, "Coordinates where the search starts; default: neutral")
      ->type_name("VALUES")
      ->expected(1, 1 << 20);
  command->add_option("--hold", options.hold, "Joints that keep their coordinates")
      ->type_name("JOINT")
      ->expected(1, 1 << 20);
  command
      ->add_option("--tolerance", options.tolerance, "Largest error [rad] and [m], default: 1e-8")
      ->type_name("X");
  command
      ->add_option("--starts", options.starts, "Most starts, random after the first, default: 20")
      ->type_name("N");
  command->add_option("--iterations", options.iterations, "Most iterations of each, default: 200")
      ->type_name("N");
  command->add_option("--seed", options.seed, "Of the random starts, default: 1")
      ->type_name("N")
      ->check([](const std::string& seed) -> std::string {
        return seed.starts_with('-') ? "a seed is not negative" : "";
      });
  command->add_flag("--json", options.json, "Print one JSON object, all digits");
  command->footer(
      "The joints stay within their limits. If the target is not reached, the nearest pose is\n"
      "printed, and the exit code is 4.\n\n"
      "Examples:\n"
      "  axode ik models/scara.json --frame gripper --position 0.4,0.1,0.2\n"
      "  axode ik models/scara.json --frame gripper --pose 0.4,0.2,0.2,180deg,0,30deg --q "
      "elbow=-1\n"
      "  axode ik models/scara.json --frame gripper --position 0.4,0.1,0.2 --direction 0,0,-1 "
      "--json");
  return command;
}

namespace {

Vec3<double> three(const std::string& text, const char* option, bool angles = false) {
  const auto n = parse_list(text, 3, option, angles ? 0 : 3);
  return {n[0], n[1], n[2]};
}

SO3<double> rotation_of(const IkOptions& options) {
  if (options.quaternion.empty()) {
    const Vec3<double> a = three(options.rpy, "--rpy", true);
    return rotation_from_roll_pitch_yaw(a.x, a.y, a.z);
  }
  const auto e = parse_list(options.quaternion, 4, "--quaternion", 4);
  const Quaternion<double> q{e[0], {e[1], e[2], e[3]}};
  const double length = std::sqrt(squared_norm(q));
  if (!(std::abs(length - 1) <= 1e-2))
    throw UsageError(fmt::format("--quaternion: its length is {} instead of 1; order it w,x,y,z",
                                 rounded(length)));
  return rotation_from_quaternion(q);
}

/// What the options ask for, one target or two.
std::vector<Target> targets_of(const IkOptions& options) {
  const bool turned = !options.quaternion.empty() || !options.rpy.empty();
  const bool placed = !options.position.empty(), directed = !options.direction.empty();
  if (!options.pose.empty() + turned + directed > 1 || (!options.pose.empty() && placed) ||
      (!options.quaternion.empty() && !options.rpy.empty()))
    throw UsageError(
        "--pose, --quaternion, --rpy and --direction exclude one another; give one of them, the "
        "last three with --position if wanted");
  if (!options.axis.empty() && !directed)
    throw UsageError("--axis has no effect without --direction; give both");
  const std::string &of = options.frame, &in = options.relative_to;
  if (!options.pose.empty()) {
    const auto n = parse_list(options.pose, 6, "--pose", 3);
    return {
        pose_target(of, {rotation_from_roll_pitch_yaw(n[3], n[4], n[5]), {n[0], n[1], n[2]}}, in)};
  }
  std::vector<Target> targets;
  if (placed && turned)
    return {pose_target(of, {rotation_of(options), three(options.position, "--position")}, in)};
  if (turned) return {orientation_target(of, rotation_of(options), in)};
  if (placed) targets.push_back(position_target(of, three(options.position, "--position"), in));
  if (directed)
    targets.push_back(direction_target(
        of, options.axis.empty() ? Vec3<double>{0, 0, 1} : three(options.axis, "--axis"),
        three(options.direction, "--direction"), in));
  if (targets.empty())
    throw UsageError("a target is needed: --position, --pose, --quaternion, --rpy or --direction");
  return targets;
}

const char* kind_name(TargetKind kind) {
  switch (kind) {
    case TargetKind::position:
      return "position";
    case TargetKind::orientation:
      return "orientation";
    case TargetKind::direction:
      return "direction";
    default:
      return "pose";
  }
}

bool has_rotation(TargetKind kind) { return kind != TargetKind::position; }
bool has_translation(TargetKind kind) {
  return kind == TargetKind::pose || kind == TargetKind::position;
}

struct Outcome {
  const StateSpace& space;
  const IkOptions& options;
  const std::vector<Target>& targets;
  const InverseKinematicsResult& result;
};

/// Errors within the tolerance are noise: how much is in the JSON.
std::string error_text(double error, double tolerance, const char* unit) {
  return error <= tolerance ? fmt::format("below {} {}", rounded(tolerance), unit)
                            : fmt::format("{} {}", rounded(error), unit);
}

void print_text(const Outcome& o, Output& output) {
  output.print("{} in {}, {}\n\n", name(o.result.reason), count(o.result.iterations, "iteration"),
               count(o.result.starts, "start"));
  Table table({"joint", "q", ""}, "lrl");
  for (std::size_t i = 0; i < o.space.q.size(); ++i)
    table.row({printable(o.space.q[i].label), rounded(o.result.q[i]), o.space.q[i].unit()});
  table.print(output);
  output.text("\n");
  for (std::size_t i = 0; i < o.targets.size(); ++i) {
    const TargetKind kind = o.targets[i].kind;
    const TargetError& error = o.result.residuals[i];
    output.print("{}: error", kind_name(kind));
    if (has_translation(kind))
      output.print(" {}", error_text(error.translation, o.options.tolerance, "m"));
    if (has_rotation(kind))
      output.print("{} {}", has_translation(kind) ? "," : "",
                   error_text(error.rotation, o.options.tolerance, "rad"));
    output.text("\n");
  }
}

void json_joints(Json& json, const Outcome& o) {
  json.begin_object("joints");
  const Tree& tree = o.space.tree;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const std::span<const double> q(o.result.q.data() + link.q, link.nq);
    if (link.nq == 1)
      json.number(tree.bodies[i].joint_name, q[0]);
    else if (link.nq > 1)
      json.numbers(tree.bodies[i].joint_name, q);
  }
  json.end();
}

void print_json(const Outcome& o, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.ik/1");
  json.text("model", o.options.model.file);
  json.text("frame", o.options.frame);
  json.text("relative_to", o.options.relative_to);
  json.boolean("reached", o.result.success);
  json.text("reason", name(o.result.reason));
  json.numbers("q", o.result.q);
  json_joints(json, o);
  json.begin_list("residuals");
  for (std::size_t i = 0; i < o.targets.size(); ++i) {
    const TargetKind kind = o.targets[i].kind;
    json.begin_object();
    json.text("kind", kind_name(kind));
    if (has_rotation(kind)) json.number("rotation", o.result.residuals[i].rotation);
    if (has_translation(kind)) json.number("translation", o.result.residuals[i].translation);
    json.end();
  }
  json.end();
  json.begin_list("at_limits");
  for (const LimitReached& limit : o.result.at_limits) {
    json.begin_object();
    json.text("joint", o.space.v[limit.velocity].label);
    json.text("limit", limit.upper ? "upper" : "lower");
    json.end();
  }
  json.end();
  json.integer("iterations", o.result.iterations);
  json.integer("starts", o.result.starts);
  json.number("smallest_singular_value", o.result.smallest_singular_value);
  json.limit("condition", o.result.condition);  // infinite where it is singular
  json.end();
}

}  // namespace

int run_ik(const IkOptions& options) {
  const std::vector<Target> targets = targets_of(options);
  if (!(options.tolerance > 0) || options.starts < 1 || options.iterations < 1)
    throw UsageError("--tolerance, --starts and --iterations must be positive");
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  const std::vector<double> q =
      options.q.empty() ? neutral(tree) : from_arguments(space, Order::q, options.q, "--q").numbers;
  InverseKinematicsOptions how;
  how.rotation_tolerance = how.translation_tolerance = options.tolerance;
  how.iterations = options.iterations;
  how.starts = options.starts;
  how.seed = options.seed;
  how.hold.joints = options.hold;
  const InverseKinematicsResult result = inverse_kinematics(tree, q, targets, how);
  for (const TargetError& error : result.residuals)
    if (!std::isfinite(error.rotation) || !std::isfinite(error.translation))
      throw NumericalError(fmt::format("the pose of frame '{}' is not finite", options.frame), "",
                           "scale the model, or start elsewhere by --q");

  Output output;
  const Outcome outcome{space, options, targets, result};
  options.json ? print_json(outcome, output) : print_text(outcome, output);
  output.flush();
  if (result.success) return exit_ok;
  report_error(fmt::format("the target is not reached: {}", explain(tree, result)));
  return exit_numerical;
}

}  // namespace axode::cli
