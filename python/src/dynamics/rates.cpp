/// Time derivatives of joint forces, of order two and of any.
#include "axode/dynamics/derivatives/taylor_dynamics.hpp"
#include "axode/dynamics/derivatives/time_derivatives.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

using Rates = ExternalWrenchRates<double>;

/// Wrenches on the bodies or a time derivative of them, in the body frames alone.
Wrenches body_wrenches(const Tree& tree, nb::handle value, const char* argument) {
  Wrenches wrenches(tree, value);
  if (wrenches.by_name())
    throw Error("their rates depend on how the named frames move", argument,
                "give an array (bodies, 6) in the frames of the bodies");
  return wrenches;
}

template <Rep rep>
void evaluate(const Tree& tree, const Borrowed& work, In<double> q,
              const JointMotion<double>& motion, const JointForcesOut<double>& forces,
              const Rates& external, const Effects& effects) {
  work->poses(q);
  inverse_dynamics_rates<rep, double>(tree, work->poses(), motion,
                                      work->get<InverseDynamicsRates<rep>>(), forces, external,
                                      effects);
}

nb::object rates_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a, nb::handle jerk,
                    nb::handle snap, nb::handle w0, nb::handle w1, nb::handle w2,
                    std::string_view rep, bool gravity, bool armature, bool damping,
                    bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const bool hybrid = choice(rep, "rep", {"body", "hybrid"}) == 1, second = !snap.is_none();
  Wrenches wrenches = body_wrenches(tree, w0, "wrenches"),
           first_rates = body_wrenches(tree, w1, "wrench_rates"),
           second_rates = body_wrenches(tree, w2, "wrench_second_rates");
  // Without a snap the jerk stands in its place: not used, but of the right shape.
  Motions at(tree, q, {{"v", v}, {"a", a}, {"jerk", jerk}, {"snap", second ? snap : jerk}},
             &wrenches);
  Batching batching = at.batching();
  for (const Wrenches* w : {&first_rates, &second_rates}) w->join(batching);
  if (batching.batched != at.batching().batched || batching.count != at.batching().count)
    throw Error("has states, q has none", "wrench_rates", "give q of as many states");
  const std::size_t n = velocities_of(tree);
  const Output tau(batching, {n}), first(batching, {n}), by_second(batching, {n});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    first_rates.check(i);
    second_rates.check(i);
    JointMotion<double> motion{at(0, i), at(1, i), at(2, i)};
    JointForcesOut<double> forces{tau[i], first[i]};
    if (second) motion.snap = at(3, i), forces.second = by_second[i];
    const Rates external{wrenches(i, work->poses()), first_rates(i, work->poses()),
                         second_rates(i, work->poses())};
    if (hybrid)
      evaluate<Rep::hybrid>(tree, work, at.q(i), motion, forces, external, effects);
    else
      evaluate<Rep::body>(tree, work, at.q(i), motion, forces, external, effects);
  });
  return result("JointForceRates", finished(batching, tau), finished(batching, first),
                second ? finished(batching, by_second) : nb::object(nb::none()));
}

nb::object rates_of_any_order(PyTree& py, nb::handle q_argument, nb::handle velocities_argument,
                              bool gravity, bool armature, bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const States q(q_argument, "q", tree.nq, "the tree's coordinates");
  const Numbers all(velocities_argument, "velocities");
  const auto shape = all.shape();
  if (q.batched() || shape.size() != 2 || shape[1] != velocities_of(tree))
    throw Error("has another shape than (order + 2, " + std::to_string(tree.nv) + ")", "velocities",
                "give v and its time derivatives, one in a row, of one state");
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < shape[0]; ++k) {
    const auto row = all.all().subspan(k * shape[1], shape[1]);
    rows.emplace_back(row.begin(), row.end());
  }
  const std::vector<std::vector<double>> tau = inverse_dynamics_rates(tree, q[0], rows, effects);
  const Output forces({tau.size(), velocities_of(tree)});
  for (std::size_t k = 0; k < tau.size(); ++k)
    write(tau[k], forces.all().subspan(k * velocities_of(tree), velocities_of(tree)));
  check_result(forces.all());
  return forces.array;
}

}  // namespace

void bind_dynamics_rates(nb::module_& m) {
  const std::string rates = "axode.typing.ArrayLike | None = None";
  def_with_effects(
      m, "inverse_dynamics_rates",
      signature("inverse_dynamics_rates", {"q", "v", "a", "jerk"},
                "snap: " + rates + ", wrenches: " + rates + ", wrench_rates: " + rates +
                    ", wrench_second_rates: " + rates + ", rep: typing.Literal['body', 'hybrid'] " +
                    "= 'body', " + effects_signature,
                "axode._results.JointForceRates"),
      "Joint forces and their first two time derivatives [N m/s^k, N/s^k], (nv,) each, along the "
      "motion with the derivatives v, a, jerk and snap; without snap only the first.\n\n"
      "`wrenches` on the bodies and the rates of their components are (bodies, 6) in the body "
      "frames; "
      "what is None is zero. Friction is constant where a joint moves. `rep` is the representation "
      "of "
      "the recursion.",
      &rates_of, nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("jerk"),
      nb::arg("snap") = nb::none(), nb::arg("wrenches") = nb::none(),
      nb::arg("wrench_rates") = nb::none(), nb::arg("wrench_second_rates") = nb::none(),
      nb::arg("rep") = "body");
  def_with_effects(m, "inverse_dynamics_rates",
                   signature("inverse_dynamics_rates", {"q", "velocities"}, effects_signature),
                   "Joint forces and their time derivatives to any order from 1 to 6, (order + 1, "
                   "nv), from v and "
                   "its time derivatives, (order + 2, nv), of one state.",
                   &rates_of_any_order, nb::arg("q"), nb::arg("velocities"));
}

}  // namespace axode::python
