/// Reference trajectories and controllers.
#include <limits>

#include "axode/core/error.hpp"
#include "src/shared/results.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

constexpr const char* kinds[] = {"hold", "cubic", "minimum_jerk"};
constexpr const char* controller_kinds[] = {"pd", "computed_torque"};

/// A plain number, which Numbers reads as an array of one.
bool is_scalar(nb::handle value) { return PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()); }

PyTrajectory make_trajectory(nb::handle tree, std::string_view kind, nb::handle times,
                             nb::handle waypoints) {
  const Tree& of = tree_of(tree);
  const auto which =
      static_cast<Trajectory::Kind>(choice(kind, "kind", {"hold", "cubic", "minimum_jerk"}));
  const States points(waypoints, "waypoints", of.nq, "the tree's coordinates");
  std::vector<std::vector<double>> rows(points.count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].assign(points[i].begin(), points[i].end());
  return {nb::borrow(tree), &of, trajectory(of, which, vector(times, "times"), rows)};
}

PyTrajectory make_hold(nb::handle tree, nb::handle q) {
  return {nb::borrow(tree), &tree_of(tree), hold(tree_of(tree), vector(q, "q"))};
}

nb::object sampled(const PyTrajectory& p, nb::handle t_argument) {
  const Numbers t(t_argument, "t");
  if (t.shape().size() > 1) throw Error("is neither a time nor times (n,)", "t");
  const std::size_t n = t.all().size();
  const bool many = t.shape().size() == 1 && !is_scalar(t_argument);
  const std::size_t nq = p.tree->nq, nv = p.tree->nv;
  const auto shaped = [&](std::size_t k) { return many ? Output({n, k}) : Output({k}); };
  const Output q = shaped(nq), v = shaped(nv), a = shaped(nv);
  for (std::size_t i = 0; i < n; ++i)
    sample(*p.tree, p.trajectory, t.all()[i], {q.data + i * nq, nq}, {v.data + i * nv, nv},
           {a.data + i * nv, nv});
  return result("TrajectoryPoint", q.array, v.array, a.array);
}

/// A trajectory of the same tree, or a configuration to hold.
Trajectory reference_from(nb::handle value, const Tree& tree) {
  const PyTrajectory* given = instance<PyTrajectory>(value);
  if (given == nullptr) return hold(tree, vector(value, "reference"));
  if (given->tree->nq != tree.nq || given->tree->nv != tree.nv)
    throw Error("is that of another tree", "reference");
  return given->trajectory;
}

/// One gain for all degrees of freedom, or one for each.
std::vector<double> gains(nb::handle value, const Tree& tree, const char* argument) {
  const Numbers numbers(value, argument);
  const std::size_t nv = tree.nv;
  if (numbers.shape().empty() || is_scalar(value)) return std::vector<double>(nv, numbers.all()[0]);
  const States each(value, argument, tree.nv, "one gain for each velocity");
  if (each.batched()) throw Error("has a batch of gains", argument, "give one for each velocity");
  return {each[0].begin(), each[0].end()};
}

PyController make_controller(nb::handle tree, std::string_view kind, nb::handle kp, nb::handle kd,
                             nb::handle reference, bool gravity_compensation, double from,
                             double until) {
  const Tree& of = tree_of(tree);
  Controller c;
  c.kind = static_cast<Controller::Kind>(choice(kind, "kind", {"pd", "computed_torque"}));
  c.kp = gains(kp, of, "kp");
  c.kd = gains(kd, of, "kd");
  c.reference = reference_from(reference, of);
  c.gravity_compensation = gravity_compensation;
  c.from = from;
  c.until = until;
  return {nb::borrow(tree), &of, std::move(c)};
}

nb::object waypoints_of(const PyTrajectory& p) {
  return matrix(p.trajectory.waypoints, p.trajectory.times.size(), p.tree->nq);
}

nb::object arguments_of(const PyController& p) {
  const Controller& c = p.controller;
  const PyTrajectory reference{p.tree_object, p.tree, c.reference};
  return nb::make_tuple(p.tree_object, controller_kinds[std::size_t(c.kind)], array(c.kp),
                        array(c.kd), nb::cast(reference), c.gravity_compensation, c.from, c.until);
}

}  // namespace

void bind_controllers(nb::module_& m) {
  nb::class_<PyTrajectory>(m, "Trajectory", "A motion of all joints through waypoints.")
      .def_prop_ro(
          "kind", [](const PyTrajectory& p) { return kinds[std::size_t(p.trajectory.kind)]; },
          "\"hold\", \"cubic\" or \"minimum_jerk\".")
      .def_prop_ro(
          "times", [](const PyTrajectory& p) { return array(p.trajectory.times); },
          nb::sig("def times(self) -> axode.typing.Array"), "Of the waypoints [s], (n,).")
      .def_prop_ro("waypoints", &waypoints_of, nb::sig("def waypoints(self) -> axode.typing.Array"),
                   "Coordinates, (n, nq).")
      .def("sample", &sampled, nb::arg("t"),
           nb::sig("def sample(self, t: axode.typing.ArrayLike) -> axode._results.TrajectoryPoint"),
           "Coordinates, velocities and accelerations at a time [s], or at times (n,).")
      .def("__repr__",
           [](const PyTrajectory& p) {
             return "<axode.forces.Trajectory: " +
                    std::string(kinds[std::size_t(p.trajectory.kind)]) + ", " +
                    std::to_string(p.trajectory.times.size()) + " points>";
           })
      .def("__reduce__", [](const PyTrajectory& p) {
        const nb::object make = nb::module_::import_("axode._forces").attr("trajectory_of");
        return nb::make_tuple(make,
                              nb::make_tuple(p.tree_object, kinds[std::size_t(p.trajectory.kind)],
                                             array(p.trajectory.times), waypoints_of(p)));
      });
  m.def("trajectory", &make_trajectory, nb::arg("tree"), nb::arg("kind"), nb::arg("times"),
        nb::arg("waypoints"),
        nb::sig("def trajectory(tree: Tree, kind: str, times: axode.typing.ArrayLike, "
                "waypoints: axode.typing.ArrayLike) -> Trajectory"),
        "A motion through waypoints (n, nq) at increasing times (n,) [s]: \"minimum_jerk\" at rest "
        "in each, \"cubic\" as a spline, \"hold\" the last point reached.");
  m.def("hold", &make_hold, nb::arg("tree"), nb::arg("q"),
        nb::sig("def hold(tree: Tree, q: axode.typing.ArrayLike) -> Trajectory"),
        "One configuration (nq,) for all times.");
  m.def(
      "sample", [](nb::handle, const PyTrajectory& p, nb::handle t) { return sampled(p, t); },
      nb::arg("tree"), nb::arg("trajectory"), nb::arg("t"),
      nb::sig("def sample(tree: Tree, trajectory: Trajectory, t: axode.typing.ArrayLike) -> "
              "axode._results.TrajectoryPoint"),
      "The same as trajectory.sample(t).");

  nb::class_<PyController>(m, "Controller",
                           "A controller of joints that follows a trajectory: PD (with gains "
                           "[N m/rad, N m s/rad] and the like) or computed torque [1/s^2, 1/s].")
      .def(
          "__init__",
          [](PyController* self, nb::handle tree, std::string_view kind, nb::handle kp,
             nb::handle kd, nb::handle reference, bool gravity_compensation, double from,
             double until) {
            new (self) PyController(
                make_controller(tree, kind, kp, kd, reference, gravity_compensation, from, until));
          },
          nb::arg("tree"), nb::arg("kind"), nb::arg("kp"), nb::arg("kd"), nb::arg("reference"),
          nb::arg("gravity_compensation") = false,
          nb::arg("start") = -std::numeric_limits<double>::infinity(),
          nb::arg("until") = std::numeric_limits<double>::infinity(),
          nb::sig("def __init__(self, tree: Tree, kind: str, kp: axode.typing.ArrayLike, "
                  "kd: axode.typing.ArrayLike, reference: Trajectory | axode.typing.ArrayLike, "
                  "gravity_compensation: bool = False, start: float = ..., until: float = ...) -> "
                  "None"),
          "kind \"pd\" or \"computed_torque\"; gains for all degrees of freedom or one for each "
          "(0: not "
          "driven); a trajectory or a configuration to hold; on in [start, until) [s].")
      .def_prop_ro(
          "kind",
          [](const PyController& p) { return controller_kinds[std::size_t(p.controller.kind)]; },
          "\"pd\" or \"computed_torque\".")
      .def_prop_ro(
          "kp", [](const PyController& p) { return array(p.controller.kp); },
          nb::sig("def kp(self) -> axode.typing.Array"), "Gains of the error, (nv,).")
      .def_prop_ro(
          "kd", [](const PyController& p) { return array(p.controller.kd); },
          nb::sig("def kd(self) -> axode.typing.Array"), "Gains of its rate, (nv,).")
      .def_prop_ro(
          "reference",
          [](const PyController& p) {
            return PyTrajectory{p.tree_object, p.tree, p.controller.reference};
          },
          "The trajectory followed.")
      .def("__repr__",
           [](const PyController& p) {
             return "<axode.forces.Controller: " +
                    std::string(controller_kinds[std::size_t(p.controller.kind)]) + ">";
           })
      .def("__reduce__", [](const PyController& p) {
        const nb::object make = nb::module_::import_("axode._axode").attr("Controller");
        return nb::make_tuple(make, arguments_of(p));
      });
  m.def(
      "next_switch",
      [](nb::handle item, double t) {
        if (const auto* p = instance<PyTrajectory>(item)) return next_switch(p->trajectory, t);
        if (const auto* p = instance<PyController>(item)) return next_switch(p->controller, t);
        if (const auto* p = instance<Samples>(item)) return next_switch(*p, t);
        throw nb::type_error("item: not an axode.forces.Trajectory, Controller or Samples");
      },
      nb::arg("item"), nb::arg("t"),
      nb::sig("def next_switch(item: Trajectory | Controller | Samples, t: float) -> float"),
      "The smallest time > t [s] at which it or a derivative that matters jumps, or infinity.");
  m.def(
      "pd_controller",
      [](nb::handle tree, double kp, double kd, nb::handle q) {
        const Tree& of = tree_of(tree);
        return PyController{nb::borrow(tree), &of, pd_controller(of, kp, kd, vector(q, "q"))};
      },
      nb::arg("tree"), nb::arg("kp"), nb::arg("kd"), nb::arg("q"),
      nb::sig("def pd_controller(tree: Tree, kp: float, kd: float, q: axode.typing.ArrayLike) -> "
              "Controller"),
      "The same gains for all degrees of freedom but those of free joints, holding q (nq,).");
  m.def(
      "computed_torque_controller",
      [](nb::handle tree, double frequency, double damping_ratio, nb::handle reference) {
        const Tree& of = tree_of(tree);
        return PyController{nb::borrow(tree), &of,
                            computed_torque_controller(of, frequency, damping_ratio,
                                                       reference_from(reference, of))};
      },
      nb::arg("tree"), nb::arg("frequency"), nb::arg("damping_ratio"), nb::arg("reference"),
      nb::sig("def computed_torque_controller(tree: Tree, frequency: float, damping_ratio: float, "
              "reference: Trajectory | axode.typing.ArrayLike) -> Controller"),
      "Error dynamics of the natural frequency [rad/s] and damping ratio in all degrees of "
      "freedom.");
}

}  // namespace axode::python
