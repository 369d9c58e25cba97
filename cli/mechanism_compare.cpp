/// `axode mechanism FILE compare`: all formulations side by side.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "axode/mechanism/motion_analysis.hpp"
#include "axode/mechanism/operation_count.hpp"
#include "axode/mechanism/position.hpp"
#include "axode/mechanism/rank.hpp"
#include "cli/duration.hpp"
#include "cli/mechanism.hpp"

namespace axode::cli {

namespace {

/// One formulation at one configuration.
struct Compared {
  std::string name, problem;
  int numbers = 0, equations = 0, nonzeros = 0, terms = 0;
  JacobianOperations count;  ///< of one Jacobian
  double microseconds = 0;   ///< of equations and Jacobian
  MechanismReading reading;
  std::vector<bool> free;                               ///< by trace: moves with drivers held
  std::string freedoms;                                 ///< what is free, for the user
  double position = 0, velocity = 0, acceleration = 0;  ///< relative differences to the first
  bool agrees() const {
    return std::max({position, velocity, acceleration}) <= 1e-6;  // false if not a number
  }
};

double evaluation_time(MechanismSystem& system, const MechanismState& state) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> phi(nth(system.constraints()));
  SparseRows J;
  system.jacobian(state.t, state.q, J);
  double best = 1e300;
  for (int batch = 0; batch < 5; ++batch) {
    constexpr int repeats = 200;
    const auto begin = Clock::now();
    for (int k = 0; k < repeats; ++k) {
      system.position(state.t, state.q, phi);
      system.jacobian(state.t, state.q, J);
    }
    const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    best = std::min(best, time.count() / repeats);
  }
  return best;
}

/// What is compared: points fixed to bodies, enough to tell their attitude, and coordinates.
struct Traces {
  std::vector<PointName> points;  ///< of each body the origin and one along each axis, then joints
  double size = 0;                ///< of the mechanism [m]
};
Traces traces_of(const Mechanism& m, std::span<const SE3<double>> poses) {
  Traces traces;
  std::vector<PointName> more = all_points(m);
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t k = 0; k < 2; ++k) more.push_back({joint.name, joint.body[k], joint.point[k]});
  const Vec3<double> middle = poses[0] * (more.empty() ? Vec3<double>{} : more.front().local);
  for (const PointName& point : more)
    traces.size = std::max(traces.size, max_abs(poses[nth(point.body)] * point.local - middle));
  if (!(traces.size > 0)) traces.size = 1;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    for (const Vec3<double>& at :
         {Vec3<double>{}, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
      traces.points.push_back({m.bodies[b].name, static_cast<int>(b), traces.size * at});
  traces.points.insert(traces.points.end(), more.begin(), more.end());
  return traces;
}

Vec3<double> velocity_of(const PointName& point, const MechanismReading& r) {
  const Vec3<double> arm = r.poses[nth(point.body)].R * point.local;
  return r.twists[nth(point.body)].linear + cross(r.twists[nth(point.body)].angular, arm);
}
Vec3<double> acceleration_of(const PointName& point, const MechanismReading& r) {
  const Vec3<double> arm = r.poses[nth(point.body)].R * point.local;
  const Vec3<double> w = r.twists[nth(point.body)].angular;
  const Vec6<double>& rate = r.rates[nth(point.body)];
  return rate.linear + cross(rate.angular, arm) + cross(w, cross(w, arm));
}

/// By trace, points and then coordinates: whether motions that the equations leave move it.
std::vector<bool> free_traces(MechanismSystem& system, const MechanismState& state,
                              const Traces& traces) {
  const Mechanism& m = system.mechanism();
  std::vector<bool> free(traces.points.size() + m.coordinates.size());
  SparseRows J;
  system.jacobian(state.t, state.q, J);
  for (const std::vector<double>& motion : null_space(J)) {
    const MechanismReading r = reading_of(system, {state.t, state.q, motion, {}, {}});
    std::vector<double> speeds;
    for (const PointName& point : traces.points) speeds.push_back(norm(velocity_of(point, r)));
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      speeds.push_back((m.coordinates[c].is_angle ? traces.size : 1) *
                       std::abs(r.coordinates[c].rate));
    const double most = *std::max_element(speeds.begin(), speeds.end());
    for (std::size_t k = 0; k < free.size(); ++k)
      if (speeds[k] > 1e-6 * most) free[k] = true;
  }
  return free;
}

/// The configuration nearest to these poses.
MechanismState state_near(MechanismSystem& system, double t, std::span<const SE3<double>> poses,
                          const std::string& file) {
  MechanismState state;
  state.t = t;
  state.q = system.from_poses(poses);
  const PositionResult closed = solve_position(system, t, state.q);
  if (!closed.converged) throw NumericalError(closed.message, file);
  state.v.assign(nth(system.equations().velocities()), 0);
  state.a = state.v;
  MotionWork work;
  const MotionResult moved = solve_motion(system, t, state.q, state.v, state.a, work);
  if (!moved.consistent) throw NumericalError(moved.message, file);
  for (const auto* numbers : {&state.q, &state.v, &state.a})
    for (const double x : *numbers)
      if (!std::isfinite(x)) throw NumericalError("the motion is not finite", file);
  return state;
}

Compared compared(const Mechanism& mechanism, const std::string& name, double t,
                  const std::vector<SE3<double>>& poses, const MechanismOptions& options) {
  Compared c;
  c.name = name;
  try {
    MechanismSystem system(
        make_equations(mechanism, formulation_named(mechanism, name, options.added)));
    const MechanismState state = poses.empty() ? assembled_at(system, t, options.file)
                                               : state_near(system, t, poses, options.file);
    const MechanismEquations& eq = system.equations();
    c.numbers = eq.numbers();
    c.equations = eq.rows();
    for (const Equation& e : eq.equations)
      c.terms += static_cast<int>(e.forms[nth(e.form)].terms.size());
    SparseRows J;
    system.jacobian(t, state.q, J);
    c.nonzeros = J.nonzeros();
    c.count = jacobian_operations(eq);
    c.microseconds = evaluation_time(system, state);
    c.reading = reading_of(system, state);
    c.free = free_traces(system, state, traces_of(mechanism, c.reading.poses));
    c.freedoms = freedoms_left(system, t, state.q).message;
  } catch (const Error& e) {
    c.problem = e.what();
  }
  return c;
}

/// Differences of what is determined, relative to the size and to the fastest of it.
void set_differences(const Mechanism& m, const Traces& traces, const std::vector<bool>& free,
                     const MechanismReading& first, Compared& c) {
  const std::size_t n = traces.points.size();
  double fastest = 1e-9 * traces.size, strongest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (free[k]) continue;
    const PointName& point = traces.points[k];
    const Vec3<double> v = velocity_of(point, first), a = acceleration_of(point, first);
    fastest = std::max(fastest, norm(v));
    strongest = std::max(strongest, norm(a));
    const auto b = nth(point.body);
    c.position = std::max(c.position,
                          max_abs(first.poses[b] * point.local - c.reading.poses[b] * point.local));
    c.velocity = std::max(c.velocity, max_abs(v - velocity_of(point, c.reading)));
    c.acceleration = std::max(c.acceleration, max_abs(a - acceleration_of(point, c.reading)));
  }
  for (std::size_t k = 0; k < m.coordinates.size(); ++k) {
    if (free[n + k]) continue;
    const double unit = m.coordinates[k].is_angle ? traces.size : 1;
    const TimeValue &x = first.coordinates[k], &y = c.reading.coordinates[k];
    const double apart = m.coordinates[k].is_angle
                             ? std::remainder(x.value - y.value, 2 * pi<double>)
                             : x.value - y.value;
    c.position = std::max(c.position, unit * std::abs(apart));
    c.velocity = std::max(c.velocity, unit * std::abs(x.rate - y.rate));
    c.acceleration = std::max(c.acceleration, unit * std::abs(x.acceleration - y.acceleration));
  }
  // At a dead point velocities are small by cancelling: accelerations tell how fast it could be.
  fastest = std::max(fastest, std::sqrt(strongest * traces.size));
  c.position /= traces.size;
  c.velocity /= fastest;
  c.acceleration /= std::max(strongest, fastest * fastest / traces.size);
}

/// Bodies of which the equations leave something free.
std::vector<std::string> free_bodies(const Mechanism& m, const std::vector<bool>& free) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (const auto at = free.begin() + static_cast<std::ptrdiff_t>(4 * (b - 1));
        std::find(at, at + 4, true) != at + 4)
      names.push_back(m.bodies[b].name);
  return names;
}

/// What failed or differs; empty if all agree.
std::string disagreement(std::span<const Compared> all) {
  std::string text;
  for (const Compared& c : all) {
    if (c.problem.empty() && c.agrees()) continue;
    text += text.empty() ? "" : "; ";
    text += c.problem.empty()
                ? fmt::format(
                      "{} differs by {:.1e} in position, {:.1e} in velocity, {:.1e} in "
                      "acceleration",
                      c.name, c.position, c.velocity, c.acceleration)
                : fmt::format("{} failed: {}", c.name, printable(c.problem));
  }
  return text;
}

void print_compared(std::span<const Compared> all, std::span<const std::string> undetermined,
                    Output& output) {
  Table table({"coordinates", "numbers", "equations", "entries", "terms", "operations", "sin, cos",
               "time [us]", "position", "velocity", "acceleration"});
  for (const Compared& c : all) {
    if (!c.problem.empty()) {
      table.row({c.name, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    table.row({c.name, fmt::format("{}", c.numbers), fmt::format("{}", c.equations),
               fmt::format("{}", c.nonzeros), fmt::format("{}", c.terms),
               fmt::format("{}", c.count.operations), fmt::format("{}", c.count.trigonometric),
               fmt::format("{:.2f}", c.microseconds), fmt::format("{:.1e}", c.position),
               fmt::format("{:.1e}", c.velocity), fmt::format("{:.1e}", c.acceleration)});
  }
  table.print(output, "");
  output.text(
      "operations: of one Jacobian; sums and products count one, sines and cosines apart\n");
  for (const Compared& c : all)
    if (!c.problem.empty()) output.print("{}: {}\n", c.name, printable(c.problem));
  if (undetermined.empty()) return;
  std::string names;
  for (const std::string& body : undetermined)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", printable(body));
  output.print("not determined, and not compared: what is free of {}\n", names);
  for (const Compared& c : all)
    if (!c.freedoms.empty()) output.print("  {}: {}\n", c.name, printable(c.freedoms));
}

void write_compared(const MechanismOptions& options, std::span<const Compared> all,
                    std::span<const std::string> undetermined, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_compare/1");
  json.text("model", options.file);
  json.boolean("agree", disagreement(all).empty());
  json.begin_list("not_determined");
  for (const std::string& body : undetermined) json.text({}, body);
  json.end();
  json.begin_object("formulations");
  for (const Compared& c : all) {
    json.begin_object(c.name);
    if (!c.problem.empty()) {
      json.text("problem", c.problem);
      json.end();
      continue;
    }
    json.integer("numbers", c.numbers);
    json.integer("equations", c.equations);
    json.integer("nonzeros", c.nonzeros);
    json.integer("terms", c.terms);
    json.integer("jacobian_operations", c.count.operations);
    json.integer("jacobian_sines_and_cosines", c.count.trigonometric);
    json.number("microseconds", c.microseconds);
    json.number("position", c.position);
    json.number("velocity", c.velocity);
    json.number("acceleration", c.acceleration);
    json.end();
  }
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int mechanism_compare(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  std::vector<std::string> names{"natural", "reference-point", "relative", "mixed"};
  if (!mechanism.is_planar) names.insert(names.begin() + 2, {"euler-angles", "quasi-velocities"});
  std::vector<Compared> all;
  std::vector<SE3<double>> poses;
  std::size_t first = 0;
  for (const std::string& name : names) {
    all.push_back(compared(mechanism, name, t, poses, options));
    if (all.back().problem.empty() && poses.empty()) {
      poses = all.back().reading.poses;
      first = all.size() - 1;
    }
  }
  if (poses.empty()) throw NumericalError(all.front().problem);
  std::vector<bool> free = all[first].free;  // in any of them: not all know the spin of a rod
  for (const Compared& c : all)
    for (std::size_t k = 0; k < c.free.size(); ++k) free[k] = free[k] || c.free[k];
  const Traces traces = traces_of(mechanism, poses);
  for (Compared& c : all)
    if (c.problem.empty()) set_differences(mechanism, traces, free, all[first].reading, c);
  const std::vector<std::string> undetermined = free_bodies(mechanism, free);
  Output output;
  if (options.json)
    write_compared(options, all, undetermined, output);
  else
    print_compared(all, undetermined, output);
  output.flush();
  if (const std::string text = disagreement(all); !text.empty())
    throw NumericalError(text, options.file);
  return exit_ok;
}

}  // namespace axode::cli
