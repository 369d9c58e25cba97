/// Runs of mechanisms.
#include <chrono>
#include <cmath>
#include <limits>

#include "axode/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/mechanism/simulate_mechanism.hpp"
#include "src/mechanism_options.hpp"

namespace axode::python::mechanisms {
namespace {

constexpr const char* coordinates_text = "the system's coordinates";
constexpr const char* velocities_text = "the system's velocities";

struct PointName {
  std::string name;
  int body = 0;
  Vec3<double> local{};
};
std::vector<PointName> points_named(const Mechanism& m, nb::handle names) {
  std::vector<PointName> points;
  if (names.is_none()) return points;
  for (const nb::handle item : nb::borrow(names)) {
    const std::string wanted = nb::cast<std::string>(nb::str(item));
    const std::size_t before = points.size();
    std::string known;
    for (std::size_t b = 0; b < m.bodies.size(); ++b)
      for (const NamedVector& point : m.bodies[b].points) {
        const std::string all = m.bodies[b].name + "." + point.name;
        if (all == wanted) points.push_back({wanted, static_cast<int>(b), point.at});
        if (known.size() < 200) known += (known.empty() ? "" : ", ") + all;
      }
    if (points.size() == before)
      throw Error("there is no point '" + wanted + "'", "points",
                  known.empty() ? "add points to the bodies" : "there are: " + known);
  }
  return points;
}

/// Samples as rows of numbers; coordinates of angles go on over full turns.
class Recorder {
 public:
  Recorder(MechanismSystem& system, std::span<const PointName> points, bool bodies)
      : system_(system),
        points_(points),
        bodies_(bodies),
        poses_(system.mechanism().bodies.size()),
        twists_(poses_.size()),
        rates_(poses_.size()) {}
  void take(const MechanismSample& s) {
    t.push_back(s.t);
    const auto add = [](std::vector<double>& all, std::span<const double> some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    add(q, s.q);
    add(v, s.v);
    add(a, s.a);
    add(lambda, s.lambda);
    kinetic.push_back(s.kinetic);
    potential.push_back(s.potential);
    work.push_back(s.work);
    system_.motion(s.q, s.v, poses_, twists_);
    system_.accelerations(s.q, s.v, s.a, rates_);
    read_coordinates();
    for (const PointName& point : points_) {
      const Vec3<double> p = poses_[nth(point.body)] * point.local;
      for (int k = 0; k < 3; ++k) places.push_back(p[k]);
    }
    if (bodies_) keep_bodies();
  }
  std::vector<double> t, q, v, a, lambda, kinetic, potential, work, coordinates, coordinate_rates,
      places, body_poses, body_twists;

 private:
  void keep_bodies() {
    for (std::size_t b = 0; b < poses_.size(); ++b) {
      const Quaternion<double> e = to_quaternion(poses_[b].R);
      const Vec3<double>& p = poses_[b].p;
      for (const double x : {e.w, e.v.x, e.v.y, e.v.z, p.x, p.y, p.z}) body_poses.push_back(x);
      double six[6];
      write_six(twists_[b].six(), six);
      body_twists.insert(body_twists.end(), six, six + 6);
    }
  }
  void read_coordinates() {
    const Mechanism& m = system_.mechanism();
    std::vector<TimeValue> now(m.coordinates.size());
    const double h = t.size() > 1 ? t.back() - t[t.size() - 2] : 0;
    for (std::size_t c = 0; c < now.size(); ++c) {
      now[c] = measure(m, static_cast<int>(c), poses_, twists_, rates_);
      if (!before_.empty() && m.coordinates[c].is_angle) {
        const TimeValue& old = before_[c];
        const double expected = old.value + h / 2 * (old.rate + now[c].rate) +
                                h * h / 12 * (old.acceleration - now[c].acceleration);
        if (std::isfinite(expected)) now[c].value = nearest_turn(now[c].value, expected);
      }
      coordinates.push_back(now[c].value);
      coordinate_rates.push_back(now[c].rate);
    }
    before_ = std::move(now);
  }
  MechanismSystem& system_;
  std::span<const PointName> points_;
  bool bodies_;
  std::vector<SE3<double>> poses_;
  std::vector<Twist<Rep::hybrid>> twists_;
  std::vector<Vec6<double>> rates_;
  std::vector<TimeValue> before_;
};

/// Stops the run when Ctrl-C was pressed, and keeps the KeyboardInterrupt.
class Signals {
 public:
  explicit Signals(CallbackErrors& errors) : errors_(errors) {}
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return;
    try {
      throw nb::python_error();
    } catch (const nb::python_error&) {
      errors_.keep();
    }
  }

 private:
  CallbackErrors& errors_;
  std::chrono::steady_clock::time_point next_{};
};

nb::tuple column(const nb::object& values, const nb::list& labels, const nb::list& units) {
  return nb::make_tuple(values, labels, units);
}
nb::list repeated(const char* text, std::size_t n) {
  nb::list all;
  for (std::size_t i = 0; i < n; ++i) all.append(text);
  return all;
}
nb::list texts(const std::vector<std::string>& names) {
  nb::list all;
  for (const std::string& name : names) all.append(name);
  return all;
}

void add_bodies(const Mechanism& m, const Recorder& r, nb::dict& all) {
  nb::list pose_names, pose_units, twist_names, twist_units;
  for (const MechanismBody& body : m.bodies) {
    for (const char* part : {"qw", "qx", "qy", "qz", "x", "y", "z"}) {
      pose_names.append(body.name + "." + part);
      pose_units.append(*part == 'q' ? "" : "m");
    }
    for (const char* part : {"wx", "wy", "wz", "vx", "vy", "vz"}) {
      twist_names.append(body.name + "." + part);
      twist_units.append(*part == 'w' ? "rad/s" : "m/s");
    }
  }
  const std::size_t n = r.t.size(), bodies = m.bodies.size();
  all["body_poses"] = column(matrix(r.body_poses, n, 7 * bodies), pose_names, pose_units);
  all["body_twists"] = column(matrix(r.body_twists, n, 6 * bodies), twist_names, twist_units);
}

nb::dict columns_of(const PySystem& py, const Recorder& r, std::span<const PointName> points) {
  const std::size_t n = r.t.size(), nq = nth(py.nq()), nv = nth(py.nv()), rows = nth(py.rows());
  const Mechanism& m = py.mechanism();
  nb::list names, units, rate_units, equations, places;
  for (const MechanismCoordinate& c : m.coordinates) {
    names.append(c.name);
    units.append(c.is_angle ? "rad" : "m");
    rate_units.append(c.is_angle ? "rad/s" : "m/s");
  }
  for (const Equation& e : py.equations().equations) equations.append(e.name);
  for (const PointName& point : points)
    for (const char* axis : {".x", ".y", ".z"}) places.append(point.name + axis);
  nb::dict all;
  const MechanismEquations& eq = py.equations();
  const nb::list q_names = texts(eq.coordinate_names), v_names = texts(eq.velocity_names);
  all["q"] = column(matrix(r.q, n, nq), q_names, repeated("", nq));
  all["v"] = column(matrix(r.v, n, nv), v_names, repeated("", nv));
  all["a"] = column(matrix(r.a, n, nv), v_names, repeated("", nv));
  all["lambda_"] = column(matrix(r.lambda, n, rows), equations, repeated("", rows));
  const std::size_t coordinates = m.coordinates.size();
  all["coordinates"] = column(matrix(r.coordinates, n, coordinates), names, units);
  all["coordinate_rates"] = column(matrix(r.coordinate_rates, n, coordinates), names, rate_units);
  if (!points.empty())
    all["points"] =
        column(matrix(r.places, n, 3 * points.size()), places, repeated("m", 3 * points.size()));
  if (!r.body_poses.empty()) add_bodies(m, r, all);
  const nb::list joule = repeated("J", 1), none;
  all["kinetic"] = column(array(r.kinetic), none, joule);
  all["potential"] = column(array(r.potential), none, joule);
  all["work"] = column(array(r.work), none, joule);
  return all;
}

MechanismMethod method_named(const std::string& text) {
  return static_cast<MechanismMethod>(
      choice(text, "method",
             {"automatic", "baumgarte", "projection", "augmented_lagrangian", "null_space",
              "generalized_alpha", "generalized_alpha_stabilized", "ida"}));
}

/// More than a memory should have.
void check_size(const MechanismSimulateOptions& how, std::size_t numbers) {
  constexpr double most = 1e9;
  const double interval = how.sample_interval > 0 ? how.sample_interval : how.step;
  if (interval > 0 && how.duration / interval * static_cast<double>(numbers) > most)
    throw LimitError("more than 1e9 numbers", "sample_interval", "give a longer one");
}

nb::object run_object(const nb::object& self, const MechanismRunResult& r,
                      std::span<const double> t, const nb::dict& columns, const nb::dict& options,
                      const std::string& start_message) {
  const nb::module_ run = nb::module_::import_("axode._run");
  const nb::object type = run.attr("Run");
  const nb::object make = type.attr("_from_columns");
  nb::dict figures;
  figures["samples"] = r.samples;
  figures["restarts"] = r.restarts;
  figures["energy_drift"] = r.energy_drift;
  figures["energy_scale"] = r.energy_scale;
  figures["position_error"] = r.position_error;
  figures["velocity_error"] = r.velocity_error;
  figures["acceleration_residual"] = r.acceleration_residual;
  figures["redundant"] = r.redundant;
  figures["left_out"] = int_list(r.left_out);
  figures["start_message"] = start_message;
  const StepStatistics& s = r.statistics;
  return make(array(t), columns, nb::arg("ending") = name(r.ending), nb::arg("message") = r.message,
              nb::arg("statistics") = result("StepStatistics", s.steps, s.rejected, s.rates,
                                             s.jacobians, s.factorizations, s.iterations),
              nb::arg("last") = result("State", array(r.q), array(r.v)), nb::arg("last_t") = r.t,
              nb::arg("tree") = self, nb::arg("options") = options, nb::arg("figures") = figures);
}

struct Start {
  std::vector<double> q, v;
  std::string message;
};

nb::object simulate_of(const nb::object& self, nb::handle q_argument, nb::handle v_argument,
                       double start, double duration, const std::string& method, double rtol,
                       double atol, double step, double max_step, double sample_interval,
                       nb::handle sample_times, bool exact_start, double start_tolerance,
                       double baumgarte_alpha, double baumgarte_beta, double penalty, double omega,
                       double mu, int most_iterations, double iteration_tolerance, bool project,
                       double spectral_radius, nb::handle points_argument, bool bodies) {
  auto& py = nb::cast<PySystem&>(self);
  MechanismSimulateOptions how;
  how.start = start;
  how.duration = duration;
  how.method = method_named(method);
  how.rtol = rtol;
  how.atol = atol;
  how.step = step;
  how.max_step = max_step;
  how.sample_interval = sample_interval;
  if (!sample_times.is_none()) how.sample_times = vector(sample_times, "sample_times");
  how.exact_start = exact_start;
  how.start_tolerance = start_tolerance;
  how.baumgarte_alpha = baumgarte_alpha;
  how.baumgarte_beta = baumgarte_beta;
  how.penalty = penalty;
  how.omega = omega;
  how.mu = mu;
  how.most_iterations = most_iterations;
  how.iteration_tolerance = iteration_tolerance;
  how.project = project;
  how.spectral_radius = spectral_radius;
  check_size(how, nth(py.nq()) + 2 * nth(py.nv()) + nth(py.rows()));
  const std::vector<PointName> points = points_named(py.mechanism(), points_argument);
  Start from;
  if (!q_argument.is_none()) from.q = state(q_argument, "q", py.nq(), coordinates_text);
  if (!v_argument.is_none()) {
    if (q_argument.is_none()) throw Error("is given without q", "v", "give both");
    from.v = state(v_argument, "v", py.nv(), velocities_text);
  } else if (!q_argument.is_none()) {
    from.v.assign(nth(py.nv()), 0);
  }
  CallbackErrors errors;
  how.stop = &errors.stop;
  Signals signals(errors);
  MechanismRunResult run;
  std::optional<Recorder> record;
  const auto work = [&](MechanismSystem& system) {
    record.emplace(system, points, bodies);
    if (from.q.empty()) {
      Assembled found = simulation_start(system, py.how());
      from.message = found.message;
      if (!found.found) {
        run.ending = MechanismRunResult::Ending::not_assembled;
        run.t = start;
        run.message = found.message;
        return;
      }
      from.q = std::move(found.q);
      from.v = std::move(found.v);
    }
    run = simulate_mechanism(system, from.q, from.v, how, [&](const MechanismSample& sample) {
      record->take(sample);
      signals.look();
    });
  };
  std::exception_ptr failed;
  try {
    py.use(work, errors);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed && (!record || record->t.empty())) std::rethrow_exception(failed);
  nb::dict columns = columns_of(py, *record, points), options;
  options["method"] = method;
  options["start"] = start;
  options["duration"] = duration;
  options["rtol"] = rtol;
  options["atol"] = atol;
  options["formulation"] = py.name();
  if (!failed) return run_object(self, run, record->t, columns, options, from.message);
  // Samples so far stay with the exception, as its attribute `run`.
  run.ending = MechanismRunResult::Ending::stopped;
  run.t = record->t.back();
  const nb::object so_far = run_object(self, run, record->t, columns, options, from.message);
  try {
    std::rethrow_exception(failed);
  } catch (nb::python_error& error) {
    const nb::object value = nb::borrow(error.value());
    nb::setattr(value, "run", so_far);
    throw;
  }
}

}  // namespace

void bind_mechanism_simulate(MechanismClasses& c) {
  using nb::arg;
  const MechanismSimulateOptions o;
  c.both({"simulate",
          "q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | None = None, *, "
          "start: float = 0.0, duration: float = 1.0, method: typing.Literal['automatic', "
          "'baumgarte', 'projection', 'augmented_lagrangian', 'null_space', 'generalized_alpha', "
          "'generalized_alpha_stabilized', 'ida'] = 'automatic', rtol: float = 1e-08, atol: float "
          "= 1e-10, step: float = 0.0, max_step: float = float('inf'), sample_interval: float = "
          "0.01, sample_times: axode.typing.ArrayLike | None = None, exact_start: bool = False, "
          "start_tolerance: float = 1e-08, baumgarte_alpha: float = 20.0, baumgarte_beta: float = "
          "20.0, penalty: float = 0.0, omega: float = 10.0, mu: float = 1.0, most_iterations: int "
          "= 30, iteration_tolerance: float = 1e-12, project: bool = True, spectral_radius: float "
          "= 0.8, points: Iterable[str] | None = None, bodies: bool = False",
          "axode._run.Run",
          "Runs the mechanism from (q, v), or from its starting values, for `duration` [s]. "
          "Samples at start + k sample_interval and at sample_times; 0 and none: after each step. "
          "Quantities of the run: q, v, a, lambda_ of the system; coordinates and coordinate_rates "
          "of the mechanism, angles going on over full turns; points ('body.point') in the world "
          "[m]; with `bodies` body_poses (quaternion w, x, y, z and position of each body) and "
          "body_twists (world axes, about the body's origin); kinetic, potential, work [J]. How it "
          "ended is `ending`. An exception in a Python "
          "function of time, and KeyboardInterrupt, come through with the samples so far as their "
          "attribute `run`."},
         &simulate_of, arg("q") = nb::none(), arg("v") = nb::none(), nb::kw_only(),
         arg("start") = o.start, arg("duration") = o.duration, arg("method") = "automatic",
         arg("rtol") = o.rtol, arg("atol") = o.atol, arg("step") = o.step,
         arg("max_step") = o.max_step, arg("sample_interval") = o.sample_interval,
         arg("sample_times") = nb::none(), arg("exact_start") = o.exact_start,
         arg("start_tolerance") = o.start_tolerance, arg("baumgarte_alpha") = o.baumgarte_alpha,
         arg("baumgarte_beta") = o.baumgarte_beta, arg("penalty") = o.penalty,
         arg("omega") = o.omega, arg("mu") = o.mu, arg("most_iterations") = o.most_iterations,
         arg("iteration_tolerance") = o.iteration_tolerance, arg("project") = o.project,
         arg("spectral_radius") = o.spectral_radius, arg("points") = nb::none(),
         arg("bodies") = false);
}

}  // namespace axode::python::mechanisms
