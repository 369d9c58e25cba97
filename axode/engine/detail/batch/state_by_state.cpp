#include "axode/engine/detail/batch/state_by_state.hpp"

#include <limits>
#include <span>

namespace axode::batch {

namespace {

/// Where number i of state k of `size` is.
std::size_t place(const Job& j, std::ptrdiff_t k, std::size_t size, std::size_t i) noexcept {
  const std::size_t state = k, states = j.states;
  return j.by_number ? i * states + state : state * size + i;
}
void read(const Job& j, std::ptrdiff_t k, const double* from, std::span<double> to) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[place(j, k, to.size(), i)];
}
void write(const Job& j, std::ptrdiff_t k, std::span<const double> from, double* to) noexcept {
  for (std::size_t i = 0; i < from.size(); ++i) to[place(j, k, from.size(), i)] = from[i];
}

void read_state(const Job& j, std::ptrdiff_t k, StateByState& work) noexcept {
  read(j, k, j.q, work.q);
  read(j, k, j.v, work.v);
  read(j, k, j.a, work.a);
  poses<double>(*j.tree, work.q, work.poses);
  const auto number = [&](std::size_t body, std::size_t i) {
    return j.external[place(j, k, 6 * work.external.size(), 6 * body + i)];
  };
  if (j.external)
    for (std::size_t i = 0; i < work.external.size(); ++i)
      work.external[i] = {{number(i, 0), number(i, 1), number(i, 2)},
                          {number(i, 3), number(i, 4), number(i, 5)}};
}
In<Wrench<Rep::body, double>> external(const Job& j, const StateByState& work) noexcept {
  if (!j.external) return {};
  return work.external;
}

}  // namespace

StateByState::StateByState(const Tree& tree)
    : q(tree.nq), v(tree.nv), a(v), external(tree.links.size()), poses(tree), forward(tree) {}

bool accelerations_of(const Job& j, std::ptrdiff_t k, StateByState& work, double* a) noexcept {
  read_state(j, k, work);
  return !reference::forward_dynamics(*j.tree, work.poses, work.v, work.a, work.forward,
                                      {a, work.v.size()}, external(j, work), j.effects)
              .ok();
}

void inverse_derivatives_of(const Job& j, std::ptrdiff_t k, StateByState& work) noexcept {
  read_state(j, k, work);
  InverseDynamicsDerivatives<double>& d = work.derivatives->inverse;
  inverse_dynamics_derivatives<double>(*j.tree, work.poses, work.v, work.a,
                                       work.derivatives_work->inverse, d, external(j, work),
                                       j.effects);
  write(j, k, d.tau, j.result);
  write(j, k, d.by_q.values, j.by_q);
  write(j, k, d.by_v.values, j.by_v);
  write(j, k, d.by_a.values, j.matrix);
}

bool forward_derivatives_of(const Job& j, std::ptrdiff_t k, StateByState& work) noexcept {
  read_state(j, k, work);
  ForwardDynamicsDerivatives<double>& d = *work.derivatives;
  const In<Wrench<Rep::body, double>> wrenches = external(j, work);
  ForwardOutcome moved;
  if (j.tree->couplings.empty())
    moved = forward_dynamics<Rep::body, double>(*j.tree, work.poses, work.v, work.a, work.forward,
                                                d.a, wrenches, j.effects);
  const MassOutcome found = reference::forward_dynamics_derivatives(
      *j.tree, work.poses, work.v, work.a, *work.derivatives_work, d, wrenches, j.effects);
  // Where one finds a degree of freedom without inertia, derivatives would not be those of the accelerations.
  const bool singular = !found.ok() || !moved.ok();
  if (singular)
    for (DenseMatrix<double>* matrix : {&d.by_q, &d.by_v, &d.by_tau})
      for (double& x : matrix->values) x = std::numeric_limits<double>::quiet_NaN();
  write(j, k, d.by_q.values, j.by_q);
  write(j, k, d.by_v.values, j.by_v);
  write(j, k, d.by_tau.values, j.matrix);
  return singular;
}

}  // namespace axode::batch
