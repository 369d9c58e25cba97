/// Position, velocity and acceleration analysis, mobility, singularities, diagnosis.
#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/singularity.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "src/mechanism/options.hpp"

namespace axode::python::mechanisms {

PositionOptions position_options(const std::string& method, double tolerance, int iterations,
                                 bool refuse_mirror, bool count_rank) {
  PositionOptions options;
  options.method = static_cast<PositionMethod>(
      choice(method, "method", {"automatic", "newton", "levenberg_marquardt", "minimum_norm"}));
  if (!(tolerance > 0)) throw Error("is not above zero", "tolerance");
  if (iterations < 1) throw Error("is below 1", "iterations");
  options.tolerance = tolerance;
  options.iterations = iterations;
  options.refuse_mirror = refuse_mirror;
  options.count_rank = count_rank;
  return options;
}

namespace {

nb::object position_result(const PositionResult& r, std::span<const double> q) {
  return result("PositionResult", array(q), r.converged, r.mirrored, r.iterations, r.residual,
                r.rank, r.worst, int_list(r.conflict), r.message);
}

/// Without a guess from the reference and starting values, along the drivers.
nb::object solve_position_of(PySystem& py, double t, nb::handle guess, const std::string& method,
                             double tolerance, int iterations, bool refuse_mirror,
                             bool count_rank) {
  time(t);
  const PositionOptions options =
      position_options(method, tolerance, iterations, refuse_mirror, count_rank);
  std::vector<double> q;
  if (!guess.is_none()) q = state(guess, "q", py.nq(), "the system's coordinates");
  const PositionResult r = py.use([&](MechanismSystem& system) {
    if (q.empty()) {
      const Assembly found = assemble(system, {.t = t});
      q = found.q.empty() ? system.from_poses(start_poses(system.mechanism())) : found.q;
      PositionResult solved = solve_position(system, t, q, options);
      if (!solved.converged && !found.is_closed()) solved.message = message_of(found);
      return solved;
    }
    return solve_position(system, t, q, options);
  });
  return position_result(r, q);
}

nb::object motion_result(const MotionResult& r, std::span<const double> x) {
  return result("MotionResult", array(x), r.consistent, r.unique, r.residual, r.rank, r.message);
}
std::vector<double> wished(PySystem& py, nb::handle value, const char* argument) {
  if (value.is_none()) return std::vector<double>(py.nv(), 0);
  return state(value, argument, py.nv(), "the system's velocities");
}

nb::object solve_velocity_of(PySystem& py, double t, nb::handle q_argument, nb::handle v_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  std::vector<double> v = wished(py, v_argument, "v");
  const MotionResult r =
      py.use([&](MechanismSystem& system) { return solve_velocity(system, t, q, v); });
  return motion_result(r, v);
}
nb::object solve_acceleration_of(PySystem& py, double t, nb::handle q_argument,
                                 nb::handle v_argument, nb::handle a_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  std::vector<double> v = wished(py, v_argument, "v"), a = wished(py, a_argument, "a");
  const bool find_velocity = v_argument.is_none();
  const MotionResult r = py.use([&](MechanismSystem& system) {
    if (find_velocity) solve_velocity(system, t, q, v);
    return solve_acceleration(system, t, q, v, a);
  });
  return motion_result(r, a);
}

nb::object mobility_of(PySystem& py, double t, nb::handle q_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  const MobilityResult r = py.use([&](MechanismSystem& system) { return mobility(system, t, q); });
  nb::list equations, joints;
  for (const auto& e : r.redundant_equations)
    equations.append(result("RedundantEquation", e.equation, e.name, e.joint, int_list(e.with)));
  for (const auto& j : r.joints)
    joints.append(result("RedundantJoint", j.name, j.equations, j.redundant));
  return result("MobilityResult", r.coordinates, r.equations, r.rank, r.mobility, r.idle_spins,
                r.gruebler, r.redundant, r.smallest_kept, r.largest_dropped, r.instantaneous,
                r.finite_mobility, equations, joints, r.message);
}

nb::object rank_of(PySystem& py, double t, nb::handle q_argument, double tolerance) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  const RankResult r = py.use([&](MechanismSystem& system) {
    SparseRows J;
    system.jacobian(t, q, J);
    return matrix_rank(J, tolerance);
  });
  return result("RankResult", r.rows, r.columns, r.rank, r.smallest_kept, r.largest_dropped,
                int_list(r.redundant));
}
nb::object dependences_of(PySystem& py, double t, nb::handle q_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  const auto all = py.use([&](MechanismSystem& system) {
    SparseRows J;
    system.jacobian(t, q, J);
    return row_dependences(J, matrix_rank(J));
  });
  nb::list list;
  for (const RowDependence& d : all) {
    nb::list parts;
    for (const auto& part : d.parts) parts.append(nb::make_tuple(part.row, part.factor));
    list.append(result("RowDependence", d.row, parts));
  }
  return list;
}
nb::object null_space_of(PySystem& py, double t, nb::handle q_argument, double tolerance) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  const auto basis = py.use([&](MechanismSystem& system) {
    SparseRows J;
    system.jacobian(t, q, J);
    return null_space(J, tolerance);
  });
  const Output all({basis.size(), std::size_t(py.nv())});
  for (std::size_t k = 0; k < basis.size(); ++k)
    std::copy(basis[k].begin(), basis[k].end(), all.data + k * std::size_t(py.nv()));
  return all.array;
}
nb::object singular_values_of(PySystem& py, double t, nb::handle q_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  return array(py.use([&](MechanismSystem& system) {
    SparseRows J;
    system.jacobian(t, q, J);
    return singular_values(J);
  }));
}

nb::object singularity_of(PySystem& py, double t, nb::handle q_argument, nb::handle outputs,
                          double tolerance) {
  time(t);
  const Mechanism& m = py.mechanism();
  std::vector<int> coordinates;
  if (outputs.is_none()) {
    coordinates = undriven_coordinates(m);
  } else {
    for (const nb::handle item : nb::borrow(outputs))
      coordinates.push_back(coordinate_argument(m, item, "outputs"));
  }
  const std::vector<double> q = configuration(py, t, q_argument);
  const SingularityResult r = py.use(
      [&](MechanismSystem& system) { return singularity(system, t, q, coordinates, tolerance); });
  return result("SingularityResult", r.serial, r.parallel, r.constraint, r.type, r.serial_measure,
                r.parallel_measure, r.mobility, r.finite_mobility, r.message);
}

nb::object diagnosis_of(PySystem& py, double t, nb::handle start) {
  time(t);
  const Mechanism& m = py.mechanism();
  const std::vector<SE3<double>> poses =
      start.is_none() ? start_poses(m) : poses_argument(m, start, "start");
  const AssemblyDiagnosis r =
      py.use([&](MechanismSystem& system) { return diagnose_assembly(system, t, poses); });
  constexpr std::array kinds{"assembled", "geometry", "over_driven", "dead_point"};
  nb::list dependent;
  for (const int d : r.dependent) dependent.append(m.drivers[d].name);
  const nb::object driver =
      r.driver < 0 ? nb::object(nb::none()) : nb::cast(m.drivers[r.driver].name);
  return result("AssemblyDiagnosis", kinds[std::size_t(r.kind)], r.dofs, dependent, driver,
                r.reached, r.wanted, array(r.q), r.message, r.remedy);
}
std::string over_driven_by(PySystem& py, double t, nb::handle q_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  return py.use([&](MechanismSystem& system) {
    std::vector<SE3<double>> poses(system.mechanism().bodies.size());
    system.poses(q, poses);
    return over_driven(system, poses);
  });
}
nb::object dofs_left_of(PySystem& py, double t, nb::handle q_argument) {
  time(t);
  const std::vector<double> q = configuration(py, t, q_argument);
  const DofsLeft r = py.use([&](MechanismSystem& system) { return dofs_left(system, t, q); });
  nb::list to_drive;
  for (const int c : r.to_drive) to_drive.append(py.mechanism().coordinates[c].name);
  return result("DofsLeft", r.count, to_drive, r.message);
}

}  // namespace

void bind_mechanism_solve(MechanismClasses& c) {
  using nb::arg;
  const char* const tq = "t: float = 0.0, q: axode.typing.ArrayLike | None = None";
  const char* const tq_tolerance =
      "t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, tolerance: float = 1e-08";
  c.both({"solve_position",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, method: "
          "typing.Literal['automatic', 'newton', 'levenberg_marquardt', 'minimum_norm'] = "
          "'automatic', tolerance: float = 1e-12, iterations: int = 200, refuse_mirror: bool = "
          "True, count_rank: bool = True",
          "axode._results.PositionResult",
          "The configuration nearest to q that meets all equations at t."},
         &solve_position_of, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
         arg("method") = "automatic", arg("tolerance") = 1e-12, arg("iterations") = 200,
         arg("refuse_mirror") = true, arg("count_rank") = true);
  c.both({"solve_velocity",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | "
          "None = None",
          "axode._results.MotionResult",
          "The velocity nearest to v (zero without it) that the equations allow at (t, q)."},
         &solve_velocity_of, arg("t") = 0.0, arg("q") = nb::none(), arg("v") = nb::none());
  c.both({"solve_acceleration",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | "
          "None = None, a: axode.typing.ArrayLike | None = None",
          "axode._results.MotionResult",
          "The acceleration nearest to a (zero without it) that the equations allow at (t, q, v); "
          "without v at the velocity that solve_velocity gives."},
         &solve_acceleration_of, arg("t") = 0.0, arg("q") = nb::none(), arg("v") = nb::none(),
         arg("a") = nb::none());
  c.both({"mobility", tq, "axode._results.MobilityResult",
          "How it can move at an assembled configuration, drivers held: mobility by rank, "
          "Gruebler's count, redundant equations by name."},
         &mobility_of, arg("t") = 0.0, arg("q") = nb::none());
  c.both({"matrix_rank", tq_tolerance, "axode._results.RankResult", "Rank of the Jacobian."},
         &rank_of, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(), arg("tolerance") = 1e-8);
  c.both({"row_dependences", tq, "list[axode._results.RowDependence]",
          "What each redundant row of the Jacobian is made of."},
         &dependences_of, arg("t") = 0.0, arg("q") = nb::none());
  c.both({"null_space", tq_tolerance, "axode.typing.Array",
          "Orthonormal motions that the equations leave, one in each row, (motions, nv)."},
         &null_space_of, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
         arg("tolerance") = 1e-8);
  c.both({"singular_values", tq, "axode.typing.Array",
          "Singular values of the Jacobian, largest first."},
         &singular_values_of, arg("t") = 0.0, arg("q") = nb::none());
  c.both({"singularity",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, outputs: "
          "collections.abc.Iterable[str] | None "
          "= None, *, tolerance: float = 1e-08",
          "axode._results.SingularityResult",
          "Singularities by inputs (the drivers) and outputs (coordinates; by default all that are "
          "not driven)."},
         &singularity_of, arg("t") = 0.0, arg("q") = nb::none(), arg("outputs") = nb::none(),
         nb::kw_only(), arg("tolerance") = 1e-8);
  c.both({"diagnose_assembly", "t: float = 0.0, start: axode.typing.ArrayLike | None = None",
          "axode._results.AssemblyDiagnosis",
          "Why it cannot be assembled with its drivers at t, from poses `start` (those of the "
          "reference without it): its geometry, too many drivers, or a dead point on the way."},
         &diagnosis_of, arg("t") = 0.0, arg("start") = nb::none());
  c.both({"over_driven", tq, "str",
          "Drivers that move nothing but what others move, as text; empty without them."},
         &over_driven_by, arg("t") = 0.0, arg("q") = nb::none());
  c.both({"dofs_left", tq, "axode._results.DofsLeft",
          "What moves at an assembled configuration with drivers held."},
         &dofs_left_of, arg("t") = 0.0, arg("q") = nb::none());
}

}  // namespace axode::python::mechanisms
