/// First derivatives of joint forces and accelerations.
#include "axode/dynamics/derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/forward_derivatives.hpp"
#include "src/dynamics.hpp"

namespace axode::python {
namespace {

/// Numbers of one state, and its three matrices.
struct Outputs {
  Outputs(const Batching& b, std::size_t n)
      : value(b, {n}), by_q(b, {n, n}), by_v(b, {n, n}), by_third(b, {n, n}) {}
  bool finite() const {
    return all_finite(value.all()) && all_finite(by_q.all()) && all_finite(by_v.all()) &&
           all_finite(by_third.all());
  }
  nb::object tuple(const char* type) const {
    return result(type, value.array, by_q.array, by_v.array, by_third.array);
  }
  Output value, by_q, by_v, by_third;
};

/// Says why a batch has results that are not finite.
[[noreturn]] void explain(const Motions& at, const Outputs& out) {
  for (const Output* o : {&out.value, &out.by_q, &out.by_v, &out.by_third})
    if (!all_finite(o->all())) at.explain(o->each, o->all());
  throw Error("the result is not finite");
}

nb::object inverse_derivatives(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                               nb::handle wrenches_argument, bool gravity, bool armature,
                               bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q, {{"v", v}, {"a", a}}, &wrenches);
  const Outputs out(at.batching(), velocities(tree));
  const Borrowed work(py);
  if (out.value.size == 0) return out.tuple("InverseDynamicsDerivatives");
  if (!at.batching().batched) {
    at.check(0);
    if (wrenches.by_name()) poses<double>(tree, at.q(0), work->poses());
    auto& d = work->get<EngineDerivatives>();
    inverse_dynamics_derivatives(work->engine(), at.q(0), at(0, 0), at(1, 0), d,
                                 {effects, wrenches(0, work->poses())});
    write(d.tau, out.value.all());
    write(d.by_q, out.by_q.all());
    write(d.by_v, out.by_v.all());
    spread(d.by_a, d.by_a.values.data(), out.by_third.all());
  } else {
    const std::size_t count = at.batching().count;
    const nb::gil_scoped_release release;
    at.check_quaternions();
    const auto all_q = at.states(0).repeated(count);
    const auto& pattern = work->get<PathMatrix<double>>();
    const std::size_t rows = pattern.values.size();
    std::vector<double> by_a(count * rows);
    inverse_dynamics_derivatives(
        work->batch(), all_q, at.states(1).repeated(count), at.states(2).repeated(count),
        out.value.all(), out.by_q.all(), out.by_v.all(), by_a,
        {.effects = effects, .external = wrenches.all(at.batching(), all_q, work->poses())});
    for (std::size_t i = 0; i < count; ++i)
      spread(pattern, by_a.data() + i * rows, out.by_third[i]);
    if (!out.finite()) explain(at, out);
  }
  return out.tuple("InverseDynamicsDerivatives");
}

/// Throws the SingularError, or that the tree has couplings, which these derivatives do not see.
void refuse(const Tree& tree, const Motions& at, In<Wrench<Rep::body>> wrenches,
            const Effects& effects, std::size_t state) {
  forward_dynamics_derivatives(tree, at.q(state), at(0, state), at(1, state), wrenches, effects);
  throw SingularError("the mass matrix is singular to rounding", "forward dynamics derivatives",
                      "give bodies mass and inertia, or joints an armature");
}

nb::object forward_derivatives(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                               nb::handle wrenches_argument, bool gravity, bool armature,
                               bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  const Outputs out(at.batching(), velocities(tree));
  const Borrowed work(py);
  if (out.value.size == 0) return out.tuple("ForwardDynamicsDerivatives");
  const auto external = [&](std::size_t i) {
    if (wrenches.by_name()) poses<double>(tree, at.q(i), work->poses());
    return wrenches(i, work->poses());
  };
  if (!at.batching().batched) {
    at.check(0);
    if (!tree.couplings.empty()) refuse(tree, at, external(0), effects, 0);
    auto& d = work->get<EngineForwardDerivatives>();
    if (forward_dynamics_derivatives(work->engine(), at.q(0), at(0, 0), at(1, 0), d,
                                     {effects, external(0)}) >= 0)
      refuse(tree, at, external(0), effects, 0);
    write(d.a, out.value.all());
    write(d.by_q, out.by_q.all());
    write(d.by_v, out.by_v.all());
    write(d.by_tau, out.by_third.all());
  } else {
    const std::size_t count = at.batching().count;
    const nb::gil_scoped_release release;
    at.check_quaternions();
    if (!tree.couplings.empty()) refuse(tree, at, external(0), effects, 0);
    const auto all_q = at.states(0).repeated(count);
    const std::ptrdiff_t singular = forward_dynamics_derivatives(
        work->batch(), all_q, at.states(1).repeated(count), at.states(2).repeated(count),
        out.value.all(), out.by_q.all(), out.by_v.all(), out.by_third.all(),
        {.effects = effects, .external = wrenches.all(at.batching(), all_q, work->poses())});
    if (!all_finite(out.value.all())) at.explain(out.value.each, out.value.all());
    if (singular >= 0) {
      const auto state = static_cast<std::size_t>(singular);
      try {
        at.check(state);
        refuse(tree, at, external(state), effects, state);
      } catch (const Error&) {
        rethrow_naming_state(state);
      }
    }
    if (!out.finite()) explain(at, out);
  }
  return out.tuple("ForwardDynamicsDerivatives");
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
      "(the inverse mass matrix), as those of inverse_dynamics_derivatives. Raises SingularError, "
      "naming the joint, and Error if joints are coupled: linearize sees couplings.",
      &forward_derivatives, nb::arg("q"), nb::arg("v"), nb::arg("tau"),
      nb::arg("wrenches") = nb::none());
}

}  // namespace axode::python
