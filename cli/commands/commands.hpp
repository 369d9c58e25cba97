/// The subcommands of `axode`: for each the options, what declares them, and what runs it.
///
/// `run_*` returns the exit code; what goes wrong is thrown and becomes one line on standard error
/// and an exit code in main.cpp. Data goes to standard output, remarks to standard error.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/file_kind.hpp"
#include "axode/io/model_file.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/tree.hpp"

namespace CLI {
class App;
}

namespace axode::cli {

class Json;
class Output;

enum ExitCode : int {
  exit_ok = 0,
  exit_internal = 1,
  exit_usage = 2,
  exit_invalid = 3,    ///< model or input
  exit_numerical = 4,  ///< not reached, not converged, not finite
  exit_io = 5,
  exit_limit = 6,  ///< too large, out of memory
  exit_interrupted = 130
};

/// A command line that no model could make sense of.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Good input whose results are no numbers.
class NumericalError : public Error {
 public:
  using Error::Error;
};

struct ModelOptions {
  std::string file, base_velocity;
  std::string loops;  ///< mechanisms: joints that close the loops of a URDF tree
  std::vector<std::string> mesh_roots;
  bool merge_fixed = false, free_base = false;
};
/// Declares the model file as positional argument, with the options on how to read it.
void add_model(CLI::App& command, ModelOptions& options);
/// Declares --loops, of verbs that take mechanisms.
void add_loops(CLI::App& command, ModelOptions& options);
/// What the file holds; with --loops a mechanism.
FileKind kind_of(const ModelOptions& options);
/// The mechanism of the file, and of --loops.
Mechanism mechanism_of(const ModelOptions& options);
/// The representation an option names. Throws UsageError, and on mixed unless that is among the choices;
/// `more` names choices that are known elsewhere.
Rep rep_named(const std::string& name, const char* option, bool mixed, const char* more = "");
/// Its name.
const char* rep_name(Rep rep);
/// How to read the file, by the options.
LoadOptions load_options(const ModelOptions& options);
/// Throws Error if --base-velocity is asked for of a model that has it otherwise, or none.
void check_base_velocity(const Tree& tree, const ModelOptions& options);
/// Reads and builds the model.
Tree load(const ModelOptions& options);
/// A remark on standard error if it has properties no mechanism can have.
void remark_on(const Tree& tree, const ModelOptions& options);
/// Reads and builds, and remarks.
Tree load_with_remark(const ModelOptions& options);
/// What is odd about a model in one line each, impossible things first; of very many the first.
void print_warnings(const std::vector<Warning>& warnings, Output& output, std::string_view indent,
                    std::string_view before_odd);
/// The member "warnings" of a JSON object: all of them.
void write_warnings(Json& json, const std::vector<Warning>& warnings);

/// Where states come from, and how what is found of them is printed (state_run.hpp).
struct StateOptions {
  std::vector<std::string> q, v, a, tau;
  std::string file;  ///< of many states, or empty
  bool json = false, csv = false;
};

/// What a verb takes only for some kinds of model.
struct KindOptions {
  std::vector<std::string> added;   ///< mechanisms: mixed coordinates
  std::vector<std::string> set;     ///< mechanisms: drivers
  std::vector<std::string> points;  ///< mechanisms: to follow
  std::vector<std::string> exact;   ///< flexible: elastic coordinates of the linear equations
  std::string equations;            ///< flexible: linear, nonlinear or both
  std::string svg;                  ///< mechanisms: a drawing; flexible: a picture
  bool no_drivers = false, fallback = false, print = false, csv = false;
  std::vector<std::string> given;  ///< options that only some kinds have, and the user gave
};

struct InfoOptions {
  ModelOptions model;
  KindOptions kind;
  std::string coordinates;  ///< of mechanisms; empty: natural
  bool json = false, force = false;
};
/// Of a model of any kind, or of a run that `axode simulate` has written.
CLI::App* add_info(CLI::App& app, InfoOptions& options);
int run_info(const InfoOptions& options);

struct CheckOptions {
  ModelOptions model;
  KindOptions kind;
  bool json = false;
};
CLI::App* add_check(CLI::App& app, CheckOptions& options);
int run_check(const CheckOptions& options);

struct ConvertOptions {
  ModelOptions model;
  std::string output, form;
  bool force = false;
};
CLI::App* add_convert(CLI::App& app, ConvertOptions& options);
int run_convert(const ConvertOptions& options);

struct KinematicsOptions {
  ModelOptions model;
  StateOptions states;
  std::vector<std::string> frames;
  std::string representation = "hybrid", relative_to;
  bool jacobian = false, matrix = false, rpy = false;
};
CLI::App* add_kinematics(CLI::App& app, KinematicsOptions& options);
int run_kinematics(const KinematicsOptions& options);

/// What acts beside the joint forces.
struct ForceOptions {
  std::vector<std::string> external;  ///< wrenches
  bool no_gravity = false, no_armature = false, no_damping = false, no_friction = false;
};

struct DynamicsOptions {
  ModelOptions model;
  StateOptions states;
  ForceOptions forces;
  std::string representation = "auto", coriolis, expressed_in;
  bool mass_matrix = false, gravity = false, derivatives = false, reactions = false,
       energies = false;
  int threads = 0;  ///< for many states; 0: as many as the CPU runs
};
CLI::App* add_dynamics(CLI::App& app, DynamicsOptions& options);
int run_dynamics(const DynamicsOptions& options);

struct LinearizeOptions {
  ModelOptions model;
  KindOptions kind;
  StateOptions states;
  ForceOptions forces;
  std::string coordinates, at = "0";     ///< of mechanisms: formulation, time of drivers
  std::vector<std::string> independent;  ///< of mechanisms
};
/// Of a model of any kind.
CLI::App* add_linearize(CLI::App& app, LinearizeOptions& options);
int run_linearize(const LinearizeOptions& options);

struct IkOptions {
  ModelOptions model;
  std::string frame, relative_to = "world";
  std::string position, pose, quaternion, rpy, direction, axis;
  std::vector<std::string> q, hold;
  double tolerance = 1e-8;  ///< [rad] and [m]
  int starts = 20, iterations = 200;
  unsigned long long seed = 1;
  bool json = false;
};
CLI::App* add_ik(CLI::App& app, IkOptions& options);
int run_ik(const IkOptions& options);

/// A run shown while it goes on (live.hpp).
struct LiveOptions {
  bool on = false, no_browser = false;
  std::string wait;  ///< for a browser, after the end
};

struct SimulateCommandOptions {
  ModelOptions model;
  KindOptions kind;
  std::vector<std::string> q, v, target, controllers;
  std::string duration, method = "automatic", coordinates;  ///< empty: as the kind of model has it
  std::string step, max_step, sample = "10ms", checkpoint = "1s";
  long max_steps = 0;                ///< 0: chosen
  std::optional<double> rtol, atol;  ///< none: 1e-6, 1e-9
  std::string out;                   ///< run file, table or pictures, by its ending
  bool no_gravity = false, binary = false, resume = false, force = false, quiet = false,
       json = false;
  LiveOptions live;
  std::string command_line;  ///< as the user wrote it, without what is about live pages
};
/// Of a model of any kind.
CLI::App* add_simulate(CLI::App& app, SimulateCommandOptions& options);
int run_simulate(const SimulateCommandOptions& options);

struct ExportOptions {
  ModelOptions model;  ///< or a run
  std::string out;
  std::vector<std::string> quantities;
  std::string size, camera, at;  ///< of pictures; empty: not told
  std::optional<double> fps;
  bool screws = false, force = false, salvage = false;
};
CLI::App* add_export(CLI::App& app, ExportOptions& options);
int run_export(const ExportOptions& options);

struct PlotOptions {
  std::string run, other, out, from, to, size;
  std::vector<std::string> quantities;
  bool term = false, degrees = false, dark = false, force = false, salvage = false;
};
CLI::App* add_plot(CLI::App& app, PlotOptions& options);
int run_plot(const PlotOptions& options);

struct ReportOptions {
  std::string run, out;
  bool json = false, force = false, salvage = false;
};
CLI::App* add_report(CLI::App& app, ReportOptions& options);
int run_report(const ReportOptions& options);

struct MechanismOptions {
  std::string file, action = "solve", loops, coordinates = "natural";
  std::vector<std::string> added, set, q, v, tau, points, independent;
  std::string at = "0", drive;
  std::string style = "text", lengths = "numbers";  ///< of equations
  bool with_jacobian = false;
  std::vector<std::string> outs;  ///< files of --out, which become:
  std::string out, svg;
  double tolerance = 1e-6;
  bool no_drivers = false, no_gravity = false, print = false, reactions = false, csv = false,
       json = false, force = false;
};
/// Closed-loop mechanisms (mechanism.hpp).
CLI::App* add_mechanism(CLI::App& app, MechanismOptions& options);
int run_mechanism(const MechanismOptions& options);

struct FlexibleOptions {
  std::string file, action = "modes", equations;
  std::vector<std::string> q, v, tau, exact;
  std::string joints = "locked", sweep, duration, method = "automatic", step, sample = "10ms";
  long max_steps = 0;             ///< 0: chosen
  std::vector<std::string> outs;  ///< files of --out, which become:
  std::string out, svg;
  std::optional<double> rtol, atol;  ///< none: as all simulations have them
  int count = 10;
  bool fallback = false, print = false, csv = false, json = false, force = false, quiet = false;
};
/// Manipulators with elastic links (flexible.hpp).
CLI::App* add_flexible(CLI::App& app, FlexibleOptions& options);
int run_flexible(const FlexibleOptions& options);

struct ViewOptions {
  ModelOptions model;             ///< or a run
  std::vector<std::string> more;  ///< further models or runs
  std::string out;                ///< the page; temporary if empty
  bool no_browser = false, force = false;
};
CLI::App* add_view(CLI::App& app, ViewOptions& options);
int run_view(const ViewOptions& options);

}  // namespace axode::cli
