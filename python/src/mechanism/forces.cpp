/// Reactions, equilibria, wrenches on bodies, constrained accelerations and projections.
#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/statics.hpp"
#include "axode/mechanism/dynamics/body_wrenches.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "src/mechanism/options.hpp"

namespace axode::python::mechanisms {
namespace {

struct Moment {
  Moment(const PySystem& py, double at, nb::handle q_argument, nb::handle v_argument)
      : t(time(at)), q(state(q_argument, "q", py.nq(), coordinates_text)), v(py.nv(), 0) {
    if (!v_argument.is_none()) v = state(v_argument, "v", py.nv(), velocities_text);
  }
  double t;
  std::vector<double> q, v;
};

/// Where nothing is given, those of the assembled motion at t.
nb::object reactions_of(PySystem& py, double t, nb::handle q_argument, nb::handle v_argument,
                        nb::handle a_argument) {
  time(t);
  Assembly at;
  if (q_argument.is_none()) {
    at = py.use([&](MechanismSystem& system) { return assemble(system, {.t = t}); });
    if (!at.is_assembled())
      throw Error("it cannot be assembled: " + message_of(at), "q", "give q, v and a");
  } else {
    at.q = state(q_argument, "q", py.nq(), coordinates_text);
    at.v = at.a = std::vector<double>(py.nv(), 0);
  }
  if (!v_argument.is_none()) at.v = state(v_argument, "v", py.nv(), velocities_text);
  if (!a_argument.is_none()) at.a = state(a_argument, "a", py.nv(), velocities_text);
  const ReactionsResult r =
      py.use([&](MechanismSystem& system) { return reactions(system, t, at.q, at.v, at.a); });
  const Mechanism& m = py.mechanism();
  nb::list joints, drivers;
  for (const JointReaction& j : r.joints)
    joints.append(result("JointReaction", m.joints[j.joint].name, array(j.point), array(j.torque),
                         array(j.force), j.unique));
  for (const DriverForce& d : r.drivers)
    drivers.append(result("DriverForce", m.drivers[d.driver].name, d.force, d.unique));
  return result("ReactionsResult", array(r.lambda), joints, drivers, array(r.couplings), r.residual,
                r.consistent,
                result("UnbalancedForce", r.unbalanced.force, r.unbalanced.coordinate), r.unique,
                r.message);
}

nb::object equilibrium_result(const EquilibriumResult& r) {
  return result("EquilibriumResult", r.converged, r.iterations, array(r.q), array(r.lambda),
                r.residual, r.potential, r.stable, r.dofs, array(r.stiffness), array(r.frequencies),
                r.message);
}
nb::object equilibrium_of(PySystem& py, double t, nb::handle q_argument, const std::string& kind,
                          double tolerance, int iterations) {
  time(t);
  EquilibriumOptions options;
  options.kind = static_cast<EquilibriumOptions::Kind>(choice(kind, "kind", {"stable", "nearest"}));
  if (!(tolerance > 0)) throw Error("is not above zero", "tolerance");
  if (iterations < 1) throw Error("is below 1", "iterations");
  options.tolerance = tolerance;
  options.iterations = iterations;
  const std::vector<double> q = configuration(py, t, q_argument);
  return equilibrium_result(
      py.use([&](MechanismSystem& system) { return equilibrium(system, t, q, options); }));
}
nb::object oscillations_of(PySystem& py, double t, nb::handle q_argument, nb::handle lambda) {
  time(t);
  EquilibriumResult at;
  at.q = state(q_argument, "q", py.nq(), coordinates_text);
  at.lambda = state(lambda, "lambda_", py.rows(), "a multiplier for each equation");
  at.converged = true;
  py.use([&](MechanismSystem& system) { small_oscillations(system, t, at); });
  return equilibrium_result(at);
}

nb::object accelerate(PySystem& py, double t, nb::handle q, nb::handle v, double alpha, double beta,
                      bool least_norm) {
  const Moment at(py, t, q, v);
  std::vector<double> a(py.nv(), 0), lambda(py.rows(), 0);
  std::string why;
  const bool determined = py.use([&](MechanismSystem& system) {
    MechanismDynamics dynamics(system);
    dynamics.alpha = alpha;
    dynamics.beta = beta;
    const bool done = least_norm ? dynamics.multipliers(at.t, at.q, at.v, a, lambda)
                                 : dynamics.accelerate(at.t, at.q, at.v, a, lambda);
    if (!done) why = dynamics.why();
    return done;
  });
  return result("MechanismAcceleration", determined, array(a), array(lambda), why);
}
nb::object project(PySystem& py, double t, nb::handle q, nb::handle v) {
  Moment at(py, t, q, v);
  std::string why;
  const bool reached = py.use([&](MechanismSystem& system) {
    MechanismDynamics dynamics(system);
    const bool done = dynamics.project(at.t, at.q, at.v);
    if (!done) why = dynamics.why();
    return done;
  });
  return result("MechanismProjection", reached, array(at.q), array(at.v), why);
}
nb::object violation(PySystem& py, double t, nb::handle q, nb::handle v) {
  const Moment at(py, t, q, v);
  const auto missed = py.use([&](MechanismSystem& system) {
    MechanismDynamics dynamics(system);
    return dynamics.violation(at.t, at.q, at.v);
  });
  return result("MechanismViolation", missed.position, missed.velocity, missed.position_row,
                missed.velocity_row);
}
double power(PySystem& py, double t, nb::handle q, nb::handle v, nb::handle lambda_argument) {
  const Moment at(py, t, q, v);
  const std::vector<double> lambda =
      state(lambda_argument, "lambda_", py.rows(), "a multiplier for each equation");
  return py.use([&](MechanismSystem& system) {
    MechanismDynamics dynamics(system);
    return dynamics.power(at.t, at.q, at.v, lambda);
  });
}
nb::object has_inertia(PySystem& py, double t, nb::handle q) {
  const Moment at(py, t, q, nb::none());
  std::string why;
  const bool has = py.use([&](MechanismSystem& system) {
    MechanismDynamics dynamics(system);
    const bool all = dynamics.has_inertia(at.t, at.q);
    if (!all) why = dynamics.why();
    return all;
  });
  return nb::make_tuple(has, why);
}

nb::object wrench_of_coordinate(PySystem& py, nb::handle coordinate, nb::handle q_argument) {
  const int c = coordinate_argument(py.mechanism(), coordinate, "coordinate");
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  const CoordinateWrench w = py.use([&](MechanismSystem& system) {
    std::vector<SE3<double>> poses(system.mechanism().bodies.size());
    system.poses(q, poses);
    system.check_poses(poses);
    return coordinate_wrench(system.mechanism(), c, poses);
  });
  const Mechanism& m = py.mechanism();
  return result("CoordinateWrench",
                nb::make_tuple(m.bodies[w.body[0]].name, m.bodies[w.body[1]].name),
                sixes_array(w.wrench));
}
nb::object wrenches_of_joint(PySystem& py, const std::string& joint, nb::handle q_argument) {
  const int j = joint_index(py.mechanism(), joint);
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  return sixes_array(py.use([&](MechanismSystem& system) {
    std::vector<SE3<double>> poses(system.mechanism().bodies.size());
    system.poses(q, poses);
    system.check_poses(poses);
    return joint_wrenches(system.mechanism(), j, poses);
  }));
}
/// Of the bodies as they move.
struct Bodies {
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;
  Bodies(MechanismSystem& system, const Moment& at)
      : poses(system.mechanism().bodies.size()), twists(poses.size()), rates(poses.size()) {
    system.motion(at.q, at.v, poses, twists);
  }
};
nb::object applied(PySystem& py, double t, nb::handle q, nb::handle v) {
  const Moment at(py, t, q, v);
  return sixes_array(py.use([&](MechanismSystem& system) {
    const Bodies bodies(system, at);
    return applied_wrenches(system.mechanism(), at.t, bodies.poses, bodies.twists);
  }));
}
nb::object inertial(PySystem& py, nb::handle q, nb::handle v, nb::handle a_argument) {
  const Moment at(py, 0, q, v);
  const std::vector<double> a = state(a_argument, "a", py.nv(), velocities_text);
  return sixes_array(py.use([&](MechanismSystem& system) {
    Bodies bodies(system, at);
    system.accelerations(at.q, at.v, a, bodies.rates);
    return inertia_wrenches(system.mechanism(), bodies.poses, bodies.twists, bodies.rates);
  }));
}

}  // namespace

void bind_mechanism_forces(nb::module_&, MechanismClasses& c) {
  using nb::arg;
  const char* const tqv =
      "t: float, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike | None = None";
  c.both({"reactions",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | "
          "None = None, a: axode.typing.ArrayLike | None = None",
          "axode._results.ReactionsResult",
          "Forces that a motion needs: of drivers, and the reactions in joints. Without q those of "
          "the motion that the drivers give at t; with it v and a are zero where not given."},
         &reactions_of, arg("t") = 0.0, arg("q") = nb::none(), arg("v") = nb::none(),
         arg("a") = nb::none());
  c.both({"equilibrium",
          "t: float = 0.0, q: axode.typing.ArrayLike | None = None, *, kind: "
          "typing.Literal['stable', 'nearest'] = 'stable', tolerance: float = 1e-11, iterations: "
          "int = 200",
          "axode._results.EquilibriumResult",
          "An equilibrium under the forces at t, its stability and small oscillations about it; "
          "'stable' walks down to a minimum of the potential, 'nearest' finds any."},
         &equilibrium_of, arg("t") = 0.0, arg("q") = nb::none(), nb::kw_only(),
         arg("kind") = "stable", arg("tolerance") = 1e-11, arg("iterations") = 200);
  c.system_only(
      {"small_oscillations", "t: float, q: axode.typing.ArrayLike, lambda_: axode.typing.ArrayLike",
       "axode._results.EquilibriumResult",
       "Stability and frequencies at a configuration in equilibrium."},
      &oscillations_of, arg("t"), arg("q"), arg("lambda_"));
  c.system_only({"accelerate",
                 "t: float, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike | None = None, *, "
                 "alpha: float = 0.0, beta: float = 0.0, least_norm: bool = False",
                 "axode._results.MechanismAcceleration",
                 "Accelerations and multipliers of the free motion at (t, q, v), with Baumgarte's "
                 "alpha and beta [1/s]; least_norm: multipliers of least norm where equations are "
                 "redundant."},
                &accelerate, arg("t"), arg("q"), arg("v") = nb::none(), nb::kw_only(),
                arg("alpha") = 0.0, arg("beta") = 0.0, arg("least_norm") = false);
  c.system_only({"project", tqv, "axode._results.MechanismProjection",
                 "q and v moved onto the equations by the least change, measured by the masses."},
                &project, arg("t"), arg("q"), arg("v") = nb::none());
  c.system_only({"violation", tqv, "axode._results.MechanismViolation",
                 "What positions and velocities miss the equations by, at most."},
                &violation, arg("t"), arg("q"), arg("v") = nb::none());
  c.system_only({"power",
                 "t: float, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, lambda_: "
                 "axode.typing.ArrayLike",
                 "float", "Power [W] of drivers, dampers, forces that depend on time and loads."},
                &power, arg("t"), arg("q"), arg("v"), arg("lambda_"));
  c.system_only({"has_inertia", "t: float, q: axode.typing.ArrayLike", "tuple[bool, str]",
                 "Whether every motion that the equations allow has inertia, else why not."},
                &has_inertia, arg("t"), arg("q"));
  c.system_only({"coordinate_wrench", "coordinate: str | int, q: axode.typing.ArrayLike",
                 "axode._results.CoordinateWrench",
                 "What a unit force on a coordinate does to bodies: torque, force in world axes "
                 "about the world's origin."},
                &wrench_of_coordinate, arg("coordinate"), arg("q"));
  c.system_only({"joint_wrenches", "joint: str, q: axode.typing.ArrayLike", "axode.typing.Array",
                 "A basis of the wrenches that a joint passes from body i to j, (wrenches, 6)."},
                &wrenches_of_joint, arg("joint"), arg("q"));
  c.system_only({"applied_wrenches", tqv, "axode.typing.Array",
                 "Gravity, springs, forces on coordinates and loads on each body, (bodies, 6): "
                 "world axes, about the world's origin."},
                &applied, arg("t"), arg("q"), arg("v") = nb::none());
  c.system_only({"inertia_wrenches",
                 "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, a: axode.typing.ArrayLike",
                 "axode.typing.Array",
                 "The rate of the momentum of each body, (bodies, 6): about the world's origin."},
                &inertial, arg("q"), arg("v"), arg("a"));
}

}  // namespace axode::python::mechanisms
