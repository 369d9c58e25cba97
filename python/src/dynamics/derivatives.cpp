/// First derivatives of joint forces and accelerations.
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

/// Numbers of one state, and its three matrices.
struct Outputs {
  Outputs(const Batching& b, std::size_t n)
      : value(b, {n}), by_q(b, {n, n}), by_v(b, {n, n}), by_third(b, {n, n}) {}
  /// Throws Error if a number is not finite, naming the state of a batch.
  nb::object tuple(const char* type, const Motions& at) const {
    return result(type, at.finished(value), at.finished(by_q), at.finished(by_v),
                  at.finished(by_third));
  }
  Output value, by_q, by_v, by_third;
};

/// Numbers of those states.
template <class Number>
std::span<Number> of_states(std::span<Number> all, std::size_t each, std::size_t first,
                            std::size_t states) {
  return all.subspan(first * each, states * each);
}

/// Many states on all lanes and threads, without the GIL.
void inverse_derivatives_batch(Workspace& work, Motions& at, Wrenches& wrenches,
                               const Effects& effects, const Outputs& out) {
  const std::size_t count = at.batching().count, nv = out.value.each;
  RunErrors errors;
  const GilRelease release;
  at.check_quaternions();
  const auto all_q = at.states(0).repeated(count);
  const auto all_v = at.states(1).repeated(count), all_a = at.states(2).repeated(count);
  const auto all_external = wrenches.all(at.batching(), all_q, work, errors);
  const std::size_t nq = all_q.size() / count, six = all_external.size() / count;
  const auto& pattern = work.get<PathMatrix<double>>();
  const std::size_t rows = pattern.values.size();
  std::vector<double> by_a;
  in_parts(count, nv, errors, [&](std::size_t first, std::size_t states) {
    const auto q = of_states(all_q, nq, first, states), v = of_states(all_v, nv, first, states),
               a = of_states(all_a, nv, first, states),
               external = of_states(all_external, six, first, states);
    const std::span<double> tau = of_states(out.value.all(), nv, first, states);
    by_a.resize(states * rows);
    inverse_dynamics_derivatives(work.batch(), q, v, a, tau,
                                 of_states(out.by_q.all(), nv * nv, first, states),
                                 of_states(out.by_v.all(), nv * nv, first, states), by_a,
                                 {.effects = effects, .external = external});
    if (!all_finite(work.batch(), {q, v, a, external, tau})) at.explain(nv, out.value.all());
    for (std::size_t i = 0; i < states; ++i)
      spread(pattern, by_a.data() + i * rows, out.by_third[first + i]);
  });
}

nb::object inverse_derivatives(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                               nb::handle wrenches_argument, bool gravity, bool armature,
                               bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q, {{"v", v}, {"a", a}}, &wrenches);
  const Outputs out(at.batching(), velocities_of(tree));
  const Borrowed work(py);
  if (out.value.size == 0) return out.tuple("InverseDynamicsDerivatives", at);
  if (!at.batching().batched) {
    at.check(0);
    if (wrenches.by_name()) work->poses(at.q(0));
    auto& d = work->get<InverseDynamicsDerivatives<double>>();
    inverse_dynamics_derivatives(work->engine(), at.q(0), at(0, 0), at(1, 0), d,
                                 {effects, wrenches(0, work->poses())});
    write(d.tau, out.value.all());
    write(d.by_q, out.by_q.all());
    write(d.by_v, out.by_v.all());
    spread(d.by_a, d.by_a.values.data(), out.by_third.all());
  } else {
    inverse_derivatives_batch(*work, at, wrenches, effects, out);
  }
  return out.tuple("InverseDynamicsDerivatives", at);
}

/// Throws the SingularError.
void refuse(const Tree& tree, const Motions& at, In<Wrench<Rep::body>> wrenches,
            const Effects& effects, std::size_t state) {
  reference::forward_dynamics_derivatives(tree, at.q(state), at(0, state), at(1, state), wrenches,
                                          effects);
  throw SingularError("the mass matrix is singular to rounding", "forward dynamics derivatives",
                      "give bodies mass and inertia, or joints an armature");
}

In<Wrench<Rep::body>> wrenches_at(const Tree& tree, Workspace& work, const Motions& at,
                                  Wrenches& wrenches, std::size_t state) {
  if (wrenches.by_name()) work.poses(at.q(state));
  return wrenches(state, work.poses());
}

/// Many states on all lanes and threads, without the GIL.
void forward_derivatives_batch(const Tree& tree, Workspace& work, Motions& at, Wrenches& wrenches,
                               const Effects& effects, const Outputs& out) {
  const std::size_t count = at.batching().count, nv = out.value.each, square = nv * nv;
  RunErrors errors;
  const GilRelease release;
  at.check_quaternions();
  const auto refuse_state = [&](std::size_t state) {
    refuse(tree, at, wrenches_at(tree, work, at, wrenches, state), effects, state);
  };
  at.check_couplings("forward dynamics derivatives");
  const auto all_q = at.states(0).repeated(count);
  const auto all_v = at.states(1).repeated(count), all_tau = at.states(2).repeated(count);
  const auto all_external = wrenches.all(at.batching(), all_q, work, errors);
  const std::size_t nq = all_q.size() / count, six = all_external.size() / count;
  std::ptrdiff_t singular = -1;
  in_parts(count, nv, errors, [&](std::size_t first, std::size_t states) {
    const auto q = of_states(all_q, nq, first, states), v = of_states(all_v, nv, first, states),
               tau = of_states(all_tau, nv, first, states),
               external = of_states(all_external, six, first, states);
    const std::span<double> a = of_states(out.value.all(), nv, first, states);
    const BatchOutcome found = forward_dynamics_derivatives(
        work.batch(), q, v, tau, a, of_states(out.by_q.all(), square, first, states),
        of_states(out.by_v.all(), square, first, states),
        of_states(out.by_third.all(), square, first, states),
        {.effects = effects, .external = external});
    if (!all_finite(work.batch(), {q, v, tau, external, a})) at.explain(nv, out.value.all());
    if (!found.ok() && singular < 0)
      singular = static_cast<std::ptrdiff_t>(first) + found.singular_state;
  });
  if (singular < 0) return;
  try {
    at.check(static_cast<std::size_t>(singular));
    refuse_state(static_cast<std::size_t>(singular));
  } catch (const Error&) {
    rethrow_naming_state(static_cast<std::size_t>(singular));
  }
}

nb::object forward_derivatives(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                               nb::handle wrenches_argument, bool gravity, bool armature,
                               bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  const Outputs out(at.batching(), velocities_of(tree));
  const Borrowed work(py);
  if (out.value.size == 0) return out.tuple("ForwardDynamicsDerivatives", at);
  if (!at.batching().batched) {
    at.check(0);
    const In<Wrench<Rep::body>> external = wrenches_at(tree, *work, at, wrenches, 0);
    at.check_couplings("forward dynamics derivatives");
    auto& d = work->get<ForwardDynamicsDerivatives<double>>();
    if (!forward_dynamics_derivatives(work->engine(), at.q(0), at(0, 0), at(1, 0), d,
                                      {effects, external})
             .ok())
      refuse(tree, at, external, effects, 0);
    write(d.a, out.value.all());
    write(d.by_q, out.by_q.all());
    write(d.by_v, out.by_v.all());
    write(d.by_tau, out.by_third.all());
  } else {
    forward_derivatives_batch(tree, *work, at, wrenches, effects, out);
  }
  return out.tuple("ForwardDynamicsDerivatives", at);
}

}  // namespace

void bind_dynamics_derivatives(nb::module_& m) {
  const std::string rest = wrenches_signature + ", " + effects_signature;
  def_with_effects(
      m, "inverse_dynamics_derivatives",
      signature("inverse_dynamics_derivatives", {"q", "v", "a"}, rest,
                "axode._results.InverseDynamicsDerivatives"),
      "Joint forces of the motion (q, v, a) and their analytic derivatives by q, v and a (the mass "
      "matrix). Derivatives by q are along the tangent, d/dt of tau(plus(q, e_k t), v, a): nv "
      "columns "
      "also for quaternions. Wrenches are held in the body frames, friction is constant.",
      &inverse_derivatives, nb::arg("q"), nb::arg("v"), nb::arg("a"),
      nb::arg("wrenches") = nb::none());
  def_with_effects(
      m, "forward_dynamics_derivatives",
      signature("forward_dynamics_derivatives", {"q", "v", "tau"}, rest,
                "axode._results.ForwardDynamicsDerivatives"),
      "Accelerations that the joint forces tau cause and their analytic derivatives by q, v and "
      "tau "
      "(the inverse mass matrix), as those of inverse_dynamics_derivatives. Couplings of joints "
      "are "
      "kept: columns are by each joint on its own, times expansion(tree) by the independent ones. "
      "Raises SingularError, naming the joint.",
      &forward_derivatives, nb::arg("q"), nb::arg("v"), nb::arg("tau"),
      nb::arg("wrenches") = nb::none());
}

}  // namespace axode::python
