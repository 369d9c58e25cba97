/// Joint forces of a motion.
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/operation_counts.hpp"
#include "axode/engine/calls.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

/// Six numbers each.
void write_wrenches(In<Wrench<Rep::body>> wrenches, std::span<double> numbers) {
  for (std::size_t i = 0; i < wrenches.size(); ++i)
    write_six(wrenches[i].six(), numbers.data() + 6 * i);
}

/// Many states on all lanes and threads, without the GIL.
void inverse_dynamics_batch(PyTree& py, Motions& at, Wrenches& wrenches, const Effects& effects,
                            const Output& tau) {
  const Tree& tree = py.tree;
  const std::size_t count = at.batching().count;
  const Borrowed work(py);
  RunErrors errors;
  const GilRelease release;
  at.check_quaternions();
  const auto q = at.states(0).repeated(count);
  const auto v = at.states(1).repeated(count), a = at.states(2).repeated(count);
  const auto external = wrenches.all(at.batching(), q, *work, errors);
  const std::size_t nq = tree.nq, nv = velocities_of(tree),
                    each = external.empty() ? 0 : 6 * bodies_of(tree);
  in_parts(count, nv, errors, [&](std::size_t first, std::size_t states) {
    const auto some_q = q.subspan(first * nq, states * nq);
    const auto some_v = v.subspan(first * nv, states * nv),
               some_a = a.subspan(first * nv, states * nv),
               some_external = external.subspan(first * each, states * each);
    const std::span<double> forces = tau.all().subspan(first * nv, states * nv);
    inverse_dynamics(work->batch(), some_q, some_v, some_a, forces,
                     {.effects = effects, .external = some_external});
    // Forces need not depend on all of q, v and the wrenches, but do on a, whatever the inertia.
    if (!all_finite(work->batch(), {some_q, some_v, some_external, forces}))
      at.explain(nv, tau.all());
  });
}

nb::object inverse_dynamics_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                               nb::handle a_argument, nb::handle wrenches_argument,
                               std::string_view rep, bool gravity, bool armature, bool damping,
                               bool friction, nb::handle out) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const std::optional<Rep> form = representation_or_auto(rep);
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q_argument, {{"v", v_argument}, {"a", a_argument}}, &wrenches);
  const Output tau(at.batching(), {velocities_of(tree)}, out,
                   {at.states(0).all(), at.states(1).all(), at.states(2).all(), wrenches.memory()});
  if (at.batching().batched && !form) {
    if (tau.size > 0) inverse_dynamics_batch(py, at, wrenches, effects, tau);
    return tau.array;
  }
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    const In<Wrench<Rep::body>> external = wrenches(i, work->poses());
    if (form) {
      write(reference::inverse_dynamics(tree, at.q(i), at(0, i), at(1, i), *form,
                                        {.body_wrenches = external, .effects = effects}),
            tau[i]);
    } else {
      inverse_dynamics(work->engine(), at.q(i), at(0, i), at(1, i), tau[i], {effects, external});
    }
  });
  return at.finished(tau);
}

nb::object joint_forces_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                           nb::handle a_argument, nb::handle wrenches_argument,
                           std::string_view rep, bool gravity, bool armature, bool damping,
                           bool friction) {
  const Tree& tree = py.tree;
  DynamicsOptions options{.effects = {gravity, armature, damping, friction}};
  const Rep form = representation_or_auto(rep).value_or(Rep::body);
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q_argument, {{"v", v_argument}, {"a", a_argument}}, &wrenches);
  const Output tau(at.batching(), {velocities_of(tree)});
  const Output transmitted(at.batching(), {bodies_of(tree), 6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    options.body_wrenches = wrenches(i, work->poses());
    const JointForces forces = joint_forces(tree, at.q(i), at(0, i), at(1, i), form, options);
    write(forces.tau, tau[i]);
    write_wrenches(forces.joint_wrenches, transmitted[i]);
  });
  constexpr const char* names[] = {"body", "spatial", "hybrid", "mixed"};
  return result("JointForces", at.finished(tau), at.finished(transmitted),
                names[std::size_t(form)]);
}

}  // namespace

void bind_dynamics_inverse(nb::module_& m) {
  const std::string rep = wrenches_signature + ", rep: axode.typing.RepOrAuto = 'auto'";
  m.def(
      "inverse_dynamics", &inverse_dynamics_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::arg("a"), nb::arg("wrenches") = nb::none(), nb::arg("rep") = "auto", nb::kw_only(),
      nb::arg("gravity") = true, nb::arg("armature") = true, nb::arg("damping") = true,
      nb::arg("friction") = true, nb::arg("out") = nb::none(),
      nb::sig(signature("inverse_dynamics", {"q", "v", "a"},
                        rep + ", " + effects_signature + ", out: axode.typing.Array | None = None")
                  .c_str()),
      "Joint forces tau [N m, N], (nv,), of the motion (q, v, a).\n\n"
      "`wrenches` act on the bodies, torque [N m] and force [N]: an array (bodies, 6) in the "
      "frames "
      "of the bodies, {name: wrench} each in the body or frame of that name, or a list of "
      "NamedWrench. `rep` is the representation of the recursion, which the result does not depend "
      "on; 'auto' is the fastest. Gravity, armature, damping and friction of the tree can be left "
      "out. `out` is an array to write to. A batch is evaluated on all lanes and threads.");
  def_with_effects(
      m, "joint_forces",
      signature("joint_forces", {"q", "v", "a"}, rep + ", " + effects_signature,
                "axode._results.JointForces"),
      "Joint forces of the motion (q, v, a), and the wrenches that the joints transmit on their "
      "bodies, in the body frames. Arguments as of inverse_dynamics.",
      &joint_forces_of, nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("wrenches") = nb::none(),
      nb::arg("rep") = "auto");
  m.def(
      "inverse_dynamics_operations",
      [](const PyTree& py, std::string_view form) {
        const OperationCount count = inverse_dynamics_operations(py.tree, representation(form));
        return result("OperationCount", count.multiplications, count.additions);
      },
      nb::arg("tree"), nb::arg("rep"),
      nb::sig("def inverse_dynamics_operations(tree: Tree, rep: axode.typing.Rep) -> "
              "axode._results.OperationCount"),
      "Floating-point operations of inverse dynamics in a representation, poses given, without "
      "wrenches, armature, damping and friction.");
}

}  // namespace axode::python
