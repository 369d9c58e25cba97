/// Accelerations that joint forces cause.
#include <nanobind/stl/vector.h>

#include "axode/dynamics/derivatives/linearize.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

constexpr const char* here = "forward dynamics";

/// One state: by the engine, or in the representation asked for by the recursions of dynamics.
void forward_dynamics_state(const Tree& tree, Workspace& work, const Motions& at,
                            Wrenches& wrenches, std::optional<Rep> rep, const Effects& effects,
                            std::size_t i, std::span<double> a) {
  if (wrenches.by_name()) work.poses(at.q(i));
  const auto external = wrenches.none() ? In<Wrench<Rep::body>>{} : wrenches(i, work.poses());
  if (!rep) {
    detail::check_couplings(tree, at.q(i), at(0, i), here);
    const ForwardOutcome found =
        forward_dynamics(work.engine(), at.q(i), at(0, i), at(1, i), a, {effects, external});
    if (!found.ok()) detail::throw_singular(tree, found.singular_body, here);
    return;
  }
  write(reference::forward_dynamics(tree, at.q(i), at(0, i), at(1, i), *rep,
                                    {.body_wrenches = external, .effects = effects}),
        a);
}

/// Many states on all lanes and threads, without the GIL.
void forward_dynamics_batch(const Tree& tree, Workspace& work, Motions& at, Wrenches& wrenches,
                            const Effects& effects, const Output& a) {
  const std::size_t count = at.batching().count;
  RunErrors errors;
  const GilRelease release;
  at.check_quaternions();
  const auto q = at.states(0).repeated(count);
  const auto v = at.states(1).repeated(count), tau = at.states(2).repeated(count);
  const auto external = wrenches.all(at.batching(), q, work, errors);
  const std::size_t nq = tree.nq, nv = velocities_of(tree),
                    each = external.empty() ? 0 : 6 * bodies_of(tree);
  at.check_couplings(here);
  std::ptrdiff_t singular = -1;
  in_parts(count, nv, errors, [&](std::size_t first, std::size_t states) {
    const auto some_q = q.subspan(first * nq, states * nq);
    const auto some_v = v.subspan(first * nv, states * nv),
               some_tau = tau.subspan(first * nv, states * nv),
               some_external = external.subspan(first * each, states * each);
    const std::span<double> some = a.all().subspan(first * nv, states * nv);
    const BatchOutcome found = forward_dynamics(work.batch(), some_q, some_v, some_tau, some,
                                                {.effects = effects, .external = some_external});
    if (!all_finite(work.batch(), {some_q, some_v, some_tau, some_external, some}))
      at.explain(nv, a.all());
    if (!found.ok() && singular < 0)
      singular = static_cast<std::ptrdiff_t>(first) + found.singular_state;
  });
  if (singular < 0) return;
  const std::size_t state = singular;
  try {
    forward_dynamics_state(tree, work, at, wrenches, Rep::body, effects, state, a[state]);
    throw SingularError("the mass matrix is singular to rounding", here,
                        "give bodies mass and inertia, or joints an armature");
  } catch (const Error&) {
    rethrow_naming_state(state);
  }
}

nb::object forward_dynamics_of(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                               nb::handle wrenches_argument, std::string_view rep_name,
                               bool gravity, bool armature, bool damping, bool friction,
                               nb::handle out) {
  const Tree& tree = py.tree;
  const std::optional<Rep> rep = representation_or_auto(rep_name);
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  const Output a(at.batching(), {velocities_of(tree)}, out,
                 {at.states(0).all(), at.states(1).all(), at.states(2).all(), wrenches.memory()});
  const Borrowed work(py);
  if (at.batching().batched && !rep) {
    if (a.size > 0) forward_dynamics_batch(tree, *work, at, wrenches, effects, a);
    return a.array;
  }
  at.each([&](std::size_t i) {
    forward_dynamics_state(tree, *work, at, wrenches, rep, effects, i, a[i]);
  });
  return at.finished(a);
}

/// What is given of each velocity, from the names of joints that move as prescribed.
std::vector<Given> given_argument(const Tree& tree, nb::handle joints) {
  std::vector<std::string> names;
  if (!nb::try_cast(joints, names) || nb::isinstance<nb::str>(joints))
    throw nb::type_error("prescribed: give a list of names of joints");
  const std::vector<std::string_view> views(names.begin(), names.end());
  return given_accelerations(tree, views);
}

nb::object prescribed_dynamics_of(PyTree& py, nb::handle q, nb::handle v, nb::handle prescribed,
                                  nb::handle a_argument, nb::handle tau_argument,
                                  nb::handle wrenches_argument, bool gravity, bool armature,
                                  bool damping, bool friction) {
  const Tree& tree = py.tree;
  const std::vector<Given> given = given_argument(tree, prescribed);
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"a", a_argument}, {"tau", tau_argument}}, &wrenches);
  const Output a(at.batching(), {velocities_of(tree)}), tau(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  DynamicsOptions options{.effects = {gravity, armature, damping, friction}};
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    options.body_wrenches = wrenches(i, work->poses());
    const PrescribedDynamics all =
        prescribed_dynamics(tree, at.q(i), at(0, i), given, at(1, i), at(2, i), options);
    write(all.a, a[i]);
    write(all.tau, tau[i]);
  });
  return result("PrescribedDynamics", at.finished(a), at.finished(tau));
}

/// linearize or linearize_motion.
template <auto function>
nb::object linearization(PyTree& py, nb::handle q, nb::handle v, const char* name,
                         nb::handle argument, nb::handle wrenches_argument,
                         const Effects& effects) {
  const Tree& tree = py.tree;
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {name, argument}}, &wrenches);
  const auto n = static_cast<std::size_t>(independent_nv(tree)), all = velocities_of(tree);
  const Batching& b = at.batching();
  const Output A(b, {2 * n, 2 * n}), B(b, {2 * n, n}), M(b, {n, n}), D(b, {n, n}), K(b, {n, n}),
      G(b, {n, n}), a(b, {all}), tau(b, {all});
  const Borrowed work(py);
  DynamicsOptions options{.effects = effects};
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    options.body_wrenches = wrenches(i, work->poses());
    const Linearization l = function(tree, at.q(i), at(0, i), at(1, i), options);
    write(l.A, A[i]), write(l.B, B[i]), write(l.M, M[i]), write(l.D, D[i]), write(l.K, K[i]);
    write(l.G, G[i]), write(l.a, a[i]), write(l.tau, tau[i]);
  });
  return result("Linearization", at.finished(A), at.finished(B), at.finished(M), at.finished(D),
                at.finished(K), at.finished(G), at.finished(a), at.finished(tau));
}

}  // namespace

void bind_dynamics_forward(nb::module_& m) {
  m.def(
      "forward_dynamics", &forward_dynamics_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::arg("tau"), nb::arg("wrenches") = nb::none(), nb::arg("rep") = "auto", nb::kw_only(),
      nb::arg("gravity") = true, nb::arg("armature") = true, nb::arg("damping") = true,
      nb::arg("friction") = true, nb::arg("out") = nb::none(),
      nb::sig(signature("forward_dynamics", {"q", "v", "tau"},
                        wrenches_signature + ", rep: axode.typing.RepOrAuto = 'auto', " +
                            effects_signature + ", out: axode.typing.Array | None = None")
                  .c_str()),
      "Accelerations [rad/s^2, m/s^2], (nv,), that the joint forces tau [N m, N] cause at (q, "
      "v).\n\n"
      "Couplings of joints are kept. `wrenches`, `out` and the effects are as of inverse_dynamics; "
      "`rep` is 'body', 'spatial', 'hybrid' or the fastest. Raises SingularError if a degree of "
      "freedom "
      "moves "
      "no inertia, naming the joint and in a batch the state.");
  def_with_effects(
      m, "prescribed_dynamics",
      "def prescribed_dynamics(tree: Tree, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
      "prescribed: collections.abc.Sequence[str], a: axode.typing.ArrayLike, "
      "tau: axode.typing.ArrayLike, " +
          wrenches_signature + ", " + effects_signature + ") -> axode._results.PrescribedDynamics",
      "Accelerations and forces of all degrees of freedom, where the joints named in `prescribed` "
      "move with "
      "given accelerations a and the others under given forces tau. Both a and tau are (nv,); the "
      "numbers that are not given are not used. Raises SingularError, naming the body.",
      &prescribed_dynamics_of, nb::arg("q"), nb::arg("v"), nb::arg("prescribed"), nb::arg("a"),
      nb::arg("tau"), nb::arg("wrenches") = nb::none());
  def_with_effects(
      m, "linearize",
      signature("linearize", {"q", "v", "tau"}, wrenches_signature + ", " + effects_signature,
                "axode._results.Linearization"),
      "Equations of motion linearized about the motion that the joint forces tau cause at (q, v).",
      [](PyTree& py, nb::handle q, nb::handle v, nb::handle tau, nb::handle wrenches, bool gravity,
         bool armature, bool damping, bool friction) {
        return linearization<&linearize>(py, q, v, "tau", tau, wrenches,
                                         {gravity, armature, damping, friction});
      },
      nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("wrenches") = nb::none());
  def_with_effects(
      m, "linearize_motion",
      signature("linearize_motion", {"q", "v", "a"}, wrenches_signature + ", " + effects_signature,
                "axode._results.Linearization"),
      "Equations of motion linearized about the motion with accelerations a at (q, v).",
      [](PyTree& py, nb::handle q, nb::handle v, nb::handle a, nb::handle wrenches, bool gravity,
         bool armature, bool damping, bool friction) {
        return linearization<&linearize_motion>(py, q, v, "a", a, wrenches,
                                                {gravity, armature, damping, friction});
      },
      nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("wrenches") = nb::none());
}

}  // namespace axode::python
