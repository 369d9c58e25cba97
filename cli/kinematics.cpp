/// `axode kinematics`: poses, twists, accelerations and Jacobians of frames at given states.
#include "cli/kinematics.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <unordered_set>

#include "axode/error.hpp"

namespace axode::cli {

CLI::App* add_kinematics(CLI::App& app, KinematicsOptions& options) {
  CLI::App* command =
      app.add_subcommand("kinematics", "Poses, velocities, accelerations and Jacobians of frames");
  add_model(*command, options.model);
  const auto list = [&](const char* flag, std::vector<std::string>& to, const char* text) {
    return command->add_option(flag, to, text)->type_name("VALUES")->expected(1, 1 << 20);
  };
  list("--q", options.q, "Coordinates [rad, m]; neutral without it");
  list("--qd", options.qd, "Velocities [rad/s, m/s]: print twists");
  list("--qdd", options.qdd, "Accelerations: print those of the frames");
  command
      ->add_option("--states", options.states,
                   "Many states: a JSON or CSV file, - is standard input")
      ->type_name("FILE");
  list("--frame", options.frames, "Frames NAME or NAME[AXES]; all bodies without it")
      ->type_name("NAME");
  command->add_option("--relative-to", options.relative_to, "Frame to relate all to (world)")
      ->type_name("NAME");
  command
      ->add_option("--rep", options.representation,
                   "Form of twists: body, spatial, hybrid (default) or mixed")
      ->type_name("REP");
  command->add_flag("--jacobian", options.jacobian, "Print the Jacobians");
  command->add_flag("--matrix", options.matrix, "Rotations as matrices");
  command->add_flag("--rpy", options.rpy, "Rotations as roll, pitch, yaw [rad]");
  command->add_flag("--json", options.json, "Print one JSON object, all digits");
  command->add_flag("--csv", options.csv, "Print one CSV row per state");
  command->footer(
      "VALUES are numbers in the order of the coordinates, separated by commas or spaces, or\n"
      "joint=value for some of the joints; an angle may be written 30deg.\n\n"
      "Examples:\n"
      "  axode kinematics arm.urdf --q 0.1,30deg,-0.5\n"
      "  axode kinematics arm.urdf --q elbow=90deg --qd shoulder=1 --frame tool --rep body\n"
      "  axode kinematics arm.urdf --q elbow=1.2 --frame tool --relative-to base --jacobian\n"
      "  axode kinematics arm.urdf --states log.csv --frame tool --csv > path.csv\n"
      "  echo '{\"q\": {\"elbow\": 1.2}}' | axode kinematics arm.urdf --states - --json");
  return command;
}

namespace {

/// The frame a twist of `of` relative to another is expressed in.
FrameChoice expressed_in(Rep rep, const FrameChoice& of, const FrameChoice& relative_to) {
  if (rep == Rep::body) return of;
  if (rep == Rep::spatial) return relative_to;
  return {of.origin, relative_to.axes};
}

}  // namespace

Kinematics::Kinematics(const StateSpace& s, const KinematicsOptions& o)
    : space(s),
      options(o),
      relative_to(o.relative_to.empty() ? world_name : o.relative_to),
      rep_(rep_named(o.representation, "--rep", true)),
      poses_(s.tree),
      motion_(s.tree),
      sums_(s.tree),
      columns_(static_cast<std::size_t>(s.tree.nv)),
      linear_columns_(columns_) {
  if (options.matrix) rotation = RotationForm::matrix;
  if (options.rpy) rotation = RotationForm::rpy;
  std::vector<std::string> names = options.frames;
  if (names.empty())
    for (const Body& body : space.tree.bodies) names.push_back(body.name);
  const FrameChoice reference = frame_from_text(space.tree, relative_to);
  std::unordered_set<std::string> seen;
  for (const std::string& text : names) {
    if (!seen.insert(text).second)
      throw UsageError(fmt::format("--frame: '{}' is given twice", text));
    const FrameChoice of = frame_from_text(space.tree, text);
    const bool mixed = rep_ == Rep::mixed;
    const FrameRoles linear{of, reference, expressed_in(rep_, of, reference), {}};
    queries_.push_back({text, mixed ? FrameRoles{of, reference, of, {}} : linear, linear});
  }
}

void Kinematics::evaluate(const GivenState& state, const std::string& which) {
  compute(state);
  check_finite(state, which);
}

void Kinematics::check_finite(const GivenState& state, const std::string& which) {
  const auto fail = [&](const char* what, const std::string& of) {
    throw NumericalError(fmt::format("the {} of {} is not finite", what, of), which,
                         "give smaller values");
  };
  const bool moves = state.qd || state.qdd;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::string of = fmt::format("frame '{}'", name(i));
    const SE3<double> T = pose(i);
    if (!is_finite(T.p) || !is_finite(T.R.matrix)) fail("pose", of);
    if (moves && !is_finite(twist(i))) fail("twist", of);
    if (state.qdd && !is_finite(acceleration(i))) fail("acceleration", of);
    if (options.jacobian)
      for (const Vec6<double>& column : jacobian(i))
        if (!is_finite(column)) fail("Jacobian", of);
  }
  if (!has_mass() || options.csv) return;
  if (!is_finite(centre_of_mass(sums_))) fail("position", "the centre of mass");
  if (moves && !is_finite(centre_of_mass_velocity(sums_))) fail("velocity", "the centre of mass");
  if (state.qdd && !is_finite(centre_of_mass_acceleration(sums_)))
    fail("acceleration", "the centre of mass");
}

void Kinematics::compute(const GivenState& state) {
  const Tree& tree = space.tree;
  poses(tree, state.q, poses_);
  mass_moments(tree, poses_, sums_);
  if (!state.qd && !state.qdd) return;
  const std::vector<double> zero(state.qd && state.qdd ? 0 : static_cast<std::size_t>(tree.nv), 0);
  const std::vector<double>& qd = state.qd ? *state.qd : zero;
  if (state.qdd) {
    accelerations(tree, poses_, qd, *state.qdd, motion_);
    mass_forces(tree, poses_, motion_, sums_);
  } else {
    twists(tree, poses_, qd, motion_);
    mass_momenta(tree, poses_, motion_, sums_);
  }
}

SE3<double> Kinematics::pose(std::size_t i) const {
  return transform(poses_, queries_[i].linear.of, queries_[i].linear.relative_to);
}
Vec6<double> Kinematics::twist(std::size_t i) const {
  const Vec6<double> V = axode::twist(poses_, motion_, queries_[i].linear);
  if (rep_ != Rep::mixed) return V;
  return {axode::twist(poses_, motion_, queries_[i].angular).angular, V.linear};
}
Vec6<double> Kinematics::acceleration(std::size_t i) const {
  const Vec6<double> A = axode::acceleration(poses_, motion_, queries_[i].linear);
  if (rep_ != Rep::mixed) return A;
  return {axode::acceleration(poses_, motion_, queries_[i].angular).angular, A.linear};
}
const std::vector<Vec6<double>>& Kinematics::jacobian(std::size_t i) {
  axode::jacobian<double>(space.tree, poses_, queries_[i].angular, columns_);
  if (rep_ == Rep::mixed) {
    axode::jacobian<double>(space.tree, poses_, queries_[i].linear, linear_columns_);
    for (std::size_t k = 0; k < columns_.size(); ++k)
      columns_[k].linear = linear_columns_[k].linear;
  }
  return columns_;
}

namespace {

/// What can be said before the model is read.
void check_options(const KinematicsOptions& options) {
  rep_named(options.representation, "--rep", true);
  if (!options.states.empty() && !(options.q.empty() && options.qd.empty() && options.qdd.empty()))
    throw UsageError("--states: excludes --q, --qd and --qdd; put them into the file");
  if (options.matrix && options.rpy) throw UsageError("--matrix excludes --rpy; give one of them");
  if (options.json && options.csv) throw UsageError("--json excludes --csv; give one of them");
  if (options.csv && options.jacobian)
    throw UsageError("--csv: Jacobians have no form in CSV; print --json");
}

GivenState state_of_options(const StateSpace& space, const KinematicsOptions& options) {
  GivenState state;
  state.q =
      options.q.empty() ? neutral(space.tree) : from_arguments(space, Order::q, options.q, "--q");
  if (!options.qd.empty()) state.qd = from_arguments(space, Order::qd, options.qd, "--qd");
  if (!options.qdd.empty()) state.qdd = from_arguments(space, Order::qdd, options.qdd, "--qdd");
  return state;
}

int run_one(Kinematics& kinematics, StatePrinter& printer) {
  const GivenState state = state_of_options(kinematics.space, kinematics.options);
  LimitWarnings(kinematics.space).check(state.q, "");
  kinematics.evaluate(state, "the state");
  printer.begin();
  printer.state(kinematics, state, 0);
  printer.end({});
  return exit_ok;
}

/// What could be computed before something went wrong is printed, and complete in its form.
int run_many(Kinematics& kinematics, StatePrinter& printer, Output& output) {
  note_interrupts();
  StateReader reader(kinematics.space, kinematics.options.states, [&] { output.flush(); });
  LimitWarnings limits(kinematics.space);
  GivenState state;
  printer.begin();
  try {
    for (std::size_t number = 0; !interrupted() && reader.next(state); ++number) {
      const std::string which = fmt::format("state {}", number);
      limits.check(state.q, which);
      kinematics.evaluate(state, which);
      printer.state(kinematics, state, number);
    }
  } catch (const Error& error) {
    printer.end({false, error.what(), {}});
    output.flush();
    limits.finish();
    throw;
  }
  printer.end({interrupted(), {}, reader.shape()});
  output.flush();
  limits.finish();
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace

int run_kinematics(const KinematicsOptions& options) {
  check_options(options);
  const Tree tree = load_with_remark(options.model);
  const StateSpace space(tree);
  Kinematics kinematics(space, options);
  Output output;
  const bool many = !options.states.empty();
  const auto printer = state_printer(kinematics, output, many);
  const int code = many ? run_many(kinematics, *printer, output) : run_one(kinematics, *printer);
  output.flush();
  return code;
}

}  // namespace axode::cli
