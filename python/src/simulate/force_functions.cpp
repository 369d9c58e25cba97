/// Forces at states: values, derivatives, stored energy, switching times.
#include <optional>

#include "axode/core/error.hpp"
#include "axode/kinematics/motion.hpp"
#include "src/shared/callbacks.hpp"
#include "src/shared/results.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

/// Forces evaluated state by state: work memory, poses and twists.
struct Evaluation {
  Evaluation(nb::handle tree_object, const PyForces& p, nb::handle q_argument,
             nb::handle v_argument)
      : tree(tree_of(tree_object)),
        forces(p.forces),
        q(q_argument, "q", tree.nq, "the tree's coordinates"),
        v(v_argument, "v", tree.nv, "the joint velocities"),
        batching{&q, &v},
        work(tree, forces),
        poses(tree),
        motion(tree) {}
  /// f(i) of each state, without the GIL: functions of Python take it themselves.
  template <class F>
  void each(F&& f) const {
    const GilRelease release;
    for (std::size_t i = 0; i < batching.count; ++i) f(i);
  }
  /// Checks the state and moves the bodies there.
  BodyMotion at(std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    axode::poses(tree, q[i], poses);
    twists(tree, poses, v[i], motion);
    return {poses.T_WB, motion.twists};
  }
  const Tree& tree;
  const Forces forces;  ///< a copy: a signal, or another thread, may add to the original
  const States q, v;
  const Batching batching;
  ForceWork work;
  Poses<double> poses;
  Motion<Rep::body> motion;
  const OutsideRun outside{};
};

nb::object add_forces_at(nb::handle tree, const PyForces& f, double t, nb::handle q, nb::handle v) {
  Evaluation e(tree, f, q, v);
  const std::size_t nv = e.tree.nv, bodies = e.tree.size();
  const Output tau(e.batching, {nv}), wrenches(e.batching, {bodies, 6});
  std::vector<Wrench<Rep::body>> sums(bodies);
  e.each([&](std::size_t i) {
    const BodyMotion moved = e.at(i);
    std::fill(tau[i].begin(), tau[i].end(), 0.0);
    std::fill(sums.begin(), sums.end(), Wrench<Rep::body>{});
    add_forces(e.tree, e.forces, t, e.q[i], e.v[i], moved, e.work, tau[i], sums);
    for (std::size_t b = 0; b < bodies; ++b) write_six(sums[b].six(), wrenches[i].data() + 6 * b);
  });
  return result("ForceTerms", tau.array, wrenches.array);
}

nb::object derivatives_at(nb::handle tree, const PyForces& f, double t, nb::handle q,
                          nb::handle v) {
  Evaluation e(tree, f, q, v);
  const std::size_t nv = e.tree.nv;
  const Output by_q(e.batching, {nv, nv}), by_v(e.batching, {nv, nv});
  e.each([&](std::size_t i) {
    e.at(i);
    ForceDerivatives d(e.tree);
    add_force_derivatives(e.tree, e.forces, t, e.q[i], e.v[i], e.work, d);
    for (std::size_t j = 0; j < nv; ++j)
      for (std::size_t k = 0; k < nv; ++k) {
        by_q[i][j * nv + k] = d.by_q(static_cast<int>(j), static_cast<int>(k));
        by_v[i][j * nv + k] = d.by_v(static_cast<int>(j), static_cast<int>(k));
      }
  });
  return result("ForceDerivatives", by_q.array, by_v.array);
}

nb::object energies(Evaluation& e, double t, bool rate) {
  const Output energy(e.batching, {});
  e.each([&](std::size_t i) {
    const BodyMotion moved = e.at(i);
    energy.data[i] = rate ? stored_energy_rate(e.tree, e.forces, t, e.q[i], e.v[i], moved, e.work)
                          : stored_energy(e.tree, e.forces, t, e.q[i], moved, e.work);
  });
  if (e.batching.batched) return energy.array;
  return nb::float_(energy.data[0]);
}

}  // namespace

void bind_force_functions(nb::module_& m) {
  m.def(
      "check_forces",
      [](nb::handle tree, const PyForces& f) { check_forces(tree_of(tree), f.forces); },
      nb::arg("tree"), nb::arg("forces"),
      nb::sig("def check_forces(tree: Tree, forces: Forces) -> None"),
      "Raises Error if something of the forces is out of range or on no body of the tree.");
  m.def("add_forces", &add_forces_at, nb::arg("tree"), nb::arg("forces"), nb::arg("t"),
        nb::arg("q"), nb::arg("v"),
        nb::sig("def add_forces(tree: Tree, forces: Forces, t: float, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike) -> axode._results.ForceTerms"),
        "The forces at time t [s] and state (q, v): joint forces tau (nv,) [N m, N] and wrenches "
        "(bodies, 6) in the body frames, angular part first [N m, N].");
  m.def(
      "add_force_derivatives", &derivatives_at, nb::arg("tree"), nb::arg("forces"), nb::arg("t"),
      nb::arg("q"), nb::arg("v"),
      nb::sig("def add_force_derivatives(tree: Tree, forces: Forces, t: float, "
              "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike) -> "
              "axode._results.ForceDerivatives"),
      "Derivatives (nv, nv) of the generalized force along the tangent of q and by v, without the "
      "part of wrenches held in body axes; exact but for Python functions (central differences).");
  m.def(
      "stored_energy",
      [](nb::handle tree, const PyForces& f, double t, nb::handle q) {
        const std::vector<double> rest(tree_of(tree).nv, 0.0);
        Evaluation e(tree, f, q, array(rest));
        return energies(e, t, false);
      },
      nb::arg("tree"), nb::arg("forces"), nb::arg("t"), nb::arg("q"),
      nb::sig("def stored_energy(tree: Tree, forces: Forces, t: float, "
              "q: axode.typing.ArrayLike) -> float | axode.typing.Array"),
      "Energy [J] in joint springs, stops, point springs and contacts.");
  m.def(
      "stored_energy_rate",
      [](nb::handle tree, const PyForces& f, double t, nb::handle q, nb::handle v) {
        Evaluation e(tree, f, q, v);
        return energies(e, t, true);
      },
      nb::arg("tree"), nb::arg("forces"), nb::arg("t"), nb::arg("q"), nb::arg("v"),
      nb::sig("def stored_energy_rate(tree: Tree, forces: Forces, t: float, "
              "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike) -> "
              "float | axode.typing.Array"),
      "Its rate [W]: minus the power of the elastic parts of the forces.");
  m.def(
      "next_discontinuity",
      [](const PyForces& f, double t) { return next_discontinuity(f.forces, t); },
      nb::arg("forces"), nb::arg("t"),
      nb::sig("def next_discontinuity(forces: Forces, t: float) -> float"),
      "The smallest time > t [s] at which a signal, controller or reference switches, or "
      "infinity.");
}

}  // namespace axode::python
