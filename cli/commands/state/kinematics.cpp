/// `axode kinematics`: poses, twists, accelerations and Jacobians of frames at given states.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <unordered_set>

#include "axode/core/error.hpp"
#include "axode/engine/energy.hpp"
#include "axode/engine/frames.hpp"
#include "axode/lie/rotation.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/state/state_run.hpp"

namespace axode::cli {

CLI::App* add_kinematics(CLI::App& app, KinematicsOptions& options) {
  CLI::App* command =
      app.add_subcommand("kinematics", "Poses, velocities, accelerations and Jacobians of frames");
  add_model(*command, options.model);
  add_values(*command, "--q", options.states.q, "Coordinates [rad, m]; default: neutral");
  add_values(*command, "--v", options.states.v, "Velocities [rad/s, m/s]: print twists");
  add_values(*command, "--a", options.states.a, "Accelerations: print those of the frames");
  add_values(*command, "--frame", options.frames, "Frames NAME or NAME[AXES]; default: all bodies")
      ->type_name("NAME");
  command
      ->add_option("--relative-to", options.relative_to, "Frame to relate all to, default: world")
      ->type_name("NAME");
  one_of(command->add_option("--rep", options.representation, "Form of twists, default: hybrid"),
         "REP", {"body", "spatial", "hybrid", "mixed"});
  command->add_flag("--jacobian", options.jacobian, "Print the Jacobians");
  command->add_flag("--matrix", options.matrix, "Rotations as matrices");
  command->add_flag("--rpy", options.rpy, "Rotations as roll, pitch, yaw [rad]");
  add_state_run(*command, options.states);
  command->footer(
      std::string(values_help) +
      "Examples:\n"
      "  axode kinematics models/scara.json --q 0.1,30deg,0.1,0\n"
      "  axode kinematics models/scara.json --q elbow=90deg --v shoulder=1 --frame gripper \\\n"
      "      --rep body\n"
      "  axode kinematics models/scara.json --q elbow=1.2 --frame gripper \\\n"
      "      --relative-to 'inner arm' --jacobian\n"
      "  axode kinematics models/scara.json --states log.csv --frame gripper --csv > path.csv\n"
      "  echo '{\"q\": {\"elbow\": 1.2}}' | axode kinematics models/scara.json --states - --json");
  return command;
}

namespace {

using Names = std::vector<std::string>;

const Names six_names{"wx", "wy", "wz", "vx", "vy", "vz"}, position_names{"x", "y", "z"};

/// How rotations are printed.
struct RotationForm {
  const char* key;
  Names names;
  std::size_t width;  ///< of its rows in JSON; 0: it is a list
};
const RotationForm quaternion_form{"quaternion", {"qw", "qx", "qy", "qz"}, 0};
const RotationForm rpy_form{"rpy", {"roll", "pitch", "yaw"}, 0};
const RotationForm matrix_form{
    "matrix", {"r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33"}, 3};

/// w x y z with w >= 0; where w is zero the first other component is positive.
std::array<double, 4> tidy_quaternion(const SO3<double>& R) {
  std::array<double, 4> e = to_euler_parameters(R);
  for (const double x : e) {
    if (std::abs(x) <= 1e-12) continue;
    if (x < 0)
      for (double& y : e) y = -y;
    break;
  }
  return e;
}

std::vector<double> three(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

std::vector<double> rotation_numbers(const RotationForm& form, const SO3<double>& R) {
  if (&form == &rpy_form) return three(to_roll_pitch_yaw(R));
  if (&form == &quaternion_form) {
    const auto e = tidy_quaternion(R);
    return {e.begin(), e.end()};
  }
  std::vector<double> numbers;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) numbers.push_back(R.matrix(i, j));
  return numbers;
}

/// A frame asked for, with what its results are called. Components of the mixed representation need
/// two frames to be expressed in.
struct Query {
  std::string name;
  FrameRoles angular, linear;
  std::string csv, csv_rates, jacobian, jacobian_title;
};

/// The frames asked for and what is known of them in one state after the other.
class Kinematics {
 public:
  Kinematics(const StateSpace& space, const KinematicsOptions& options);
  std::vector<Quantity> evaluate(const GivenState& state);
  const std::string& relative_to() const { return relative_to_; }

 private:
  /// Coordinates, velocities and accelerations, zero where none are given.
  struct Moving {
    std::span<const double> q, v, a;
    bool has_twists, has_accelerations;
  };
  void add_frame(const Query& query, const Moving& at, std::vector<Quantity>& to);
  void add_centre_of_mass(const Moving& at, std::vector<Quantity>& to);
  /// Of the mixed representation one half from each of its frames.
  Vec6<double> halves(const Query& query, const auto& value) const {
    const Vec6<double> linear = value(query.linear);
    return rep_ == Rep::mixed ? Vec6<double>{value(query.angular).angular, linear.linear} : linear;
  }
  std::vector<double> jacobian(const Query& query, const Moving& at);

  const StateSpace& space_;
  const KinematicsOptions& options_;
  const RotationForm& rotation_;
  std::string relative_to_;
  Rep rep_;
  std::vector<Query> queries_;
  Names velocities_;
  std::string poses_title_, twists_title_, accelerations_title_;
  Engine engine_;
  bool has_mass_;
  std::vector<double> zero_;
  std::vector<Vec6<double>> columns_, linear_columns_;
};

Kinematics::Kinematics(const StateSpace& space, const KinematicsOptions& options)
    : space_(space),
      options_(options),
      rotation_(options.matrix ? matrix_form
                : options.rpy  ? rpy_form
                               : quaternion_form),
      relative_to_(options.relative_to.empty() ? world_name : options.relative_to),
      rep_(rep_named(options.representation, "--rep", true)),
      engine_(space.tree),
      has_mass_(total_mass(space.tree) > 0),
      zero_(space.tree.nv),
      columns_(space.tree.nv),
      linear_columns_(columns_) {
  Names names = options.frames;
  if (names.empty())
    for (const Body& body : space.tree.bodies) names.push_back(body.name);
  const FrameChoice reference = frame_from_text(space.tree, relative_to_);
  poses_title_ = fmt::format("Poses relative to {}", relative_to_);
  const std::string rest = fmt::format("relative to {}, {}", relative_to_, options.representation);
  twists_title_ = "Twists " + rest;
  accelerations_title_ = "Accelerations " + rest;
  for (const Coordinate& c : space.v) velocities_.push_back(c.label);
  std::unordered_set<std::string> seen;
  for (const std::string& text : names) {
    if (!seen.insert(text).second)
      throw UsageError(fmt::format("--frame: '{}' is given twice", text));
    const FrameChoice of = frame_from_text(space.tree, text);
    const FrameRoles linear{of, reference, expressed_in(rep_, of, reference), {}};
    queries_.push_back({text, rep_ == Rep::mixed ? FrameRoles{of, reference, of, {}} : linear,
                        linear, text + ".", text + ".d",
                        fmt::format("Jacobian of frame '{}'", text),
                        fmt::format("Jacobian of {} {}", text, rest)});
  }
}

std::vector<Quantity> Kinematics::evaluate(const GivenState& state) {
  const Moving at{state.q.numbers, state.v ? state.v->numbers : zero_,
                  state.a ? state.a->numbers : zero_, state.v || state.a, state.a.has_value()};
  std::vector<Quantity> results;
  for (const Query& query : queries_) add_frame(query, at, results);
  if (has_mass_ && !options_.states.csv) add_centre_of_mass(at, results);
  return results;
}

void Kinematics::add_frame(const Query& query, const Moving& at, std::vector<Quantity>& to) {
  const std::span<const std::string> row(&query.name, 1);
  const SE3<double> T = transform(engine_, at.q, query.linear.of, query.linear.relative_to);
  const auto add = [&](std::vector<std::string_view> keys, std::string_view title,
                       std::string_view csv, std::string_view what, const Names& columns,
                       std::vector<double> numbers) -> Quantity& {
    keys.insert(keys.begin(), {"frames", query.name});
    to.push_back({.keys = std::move(keys),
                  .title = title,
                  .csv = csv,
                  .what = what,
                  .of = "frame",
                  .rows = row,
                  .columns = columns,
                  .numbers = std::move(numbers)});
    return to.back();
  };
  add({"pose", "position"}, poses_title_, query.csv, "pose", position_names, three(T.p));
  Quantity& rotation = add({"pose", rotation_.key}, poses_title_, query.csv, "pose",
                           rotation_.names, rotation_numbers(rotation_, T.R));
  if (rotation_.width > 0) rotation.shape = Shape::matrix;
  rotation.width = rotation_.width;
  if (at.has_twists)
    add({"twist"}, twists_title_, query.csv, "twist", six_names,
        six(halves(query, [&](const FrameRoles& f) { return twist(engine_, at.q, at.v, f); })));
  if (at.has_accelerations)
    add({"acceleration"}, accelerations_title_, query.csv_rates, "acceleration", six_names,
        six(halves(query, [&](const FrameRoles& f) {
          return acceleration(engine_, at.q, at.v, at.a, f);
        })));
  if (options_.jacobian) {
    Quantity& J = add({"jacobian"}, query.jacobian_title, query.csv, query.jacobian, velocities_,
                      jacobian(query, at));
    J.rows = six_names;
    J.of = {};
    J.shape = Shape::matrix;
  }
}

std::vector<double> Kinematics::jacobian(const Query& query, const Moving& at) {
  axode::jacobian(engine_, at.q, query.angular, columns_);
  axode::jacobian(engine_, at.q, query.linear, linear_columns_);
  const std::size_t n = columns_.size();
  std::vector<double> numbers(6 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> column = six({columns_[k].angular, linear_columns_[k].linear});
    for (std::size_t r = 0; r < 6; ++r) numbers[r * n + k] = column[r];
  }
  return numbers;
}

void Kinematics::add_centre_of_mass(const Moving& at, std::vector<Quantity>& to) {
  static const Names names{"position", "velocity", "acceleration"};
  static const Names whats{"position of the centre of mass", "velocity of the centre of mass",
                           "acceleration of the centre of mass"};
  const auto add = [&](std::size_t i, const Vec3<double>& value) {
    to.push_back({.keys = {"centre_of_mass", names[i]},
                  .title = "Centre of mass in the world",
                  .what = whats[i],
                  .rows = std::span(&names[i], 1),
                  .columns = position_names,
                  .numbers = three(value),
                  .style = Style::line});
  };
  add(0, centre_of_mass(engine_, at.q));
  if (at.has_twists) add(1, centre_of_mass_velocity(engine_, at.q, at.v));
  if (at.has_accelerations) add(2, centre_of_mass_acceleration(engine_, at.q, at.v, at.a));
}

}  // namespace

int run_kinematics(const KinematicsOptions& options) {
  rep_named(options.representation, "--rep", true);
  check_state_options(options.states);
  if (options.matrix && options.rpy) throw UsageError("--matrix excludes --rpy; give one of them");
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  Kinematics kinematics(space, options);
  return run_states({.space = space,
                     .options = options.states,
                     .head = {{"schema", "axode.kinematics/1"},
                              {"model", options.model.file},
                              {"rep", options.representation},
                              {"relative_to", kinematics.relative_to()}},
                     .evaluate = [&](const GivenState& state, const std::string&, auto) {
                       return kinematics.evaluate(state);
                     }});
}

}  // namespace axode::cli
