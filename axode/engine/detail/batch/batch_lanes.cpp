// Compiled once per instruction set: blocks of AXODE_LANES states.
#include "axode/engine/detail/batch/block.hpp"
#include "axode/engine/detail/batch/inverse_dynamics.hpp"
#include "axode/engine/detail/batch/mass_matrix.hpp"
#include "axode/engine/detail/batch/path_inverse.hpp"
#include "axode/engine/detail/batch/reduced_mass.hpp"
#include "axode/engine/detail/kernels/derivatives.hpp"
#include "axode/engine/detail/kernels/forward_dynamics.hpp"
#include "axode/engine/detail/kernels/mass_matrix.hpp"
#include "axode/engine/detail/kernels/poses.hpp"

namespace axode::batch {

namespace {

using P = Pack<double, AXODE_LANES>;
using Many = ManyStates<P>;
constexpr std::ptrdiff_t lanes = AXODE_LANES;

/// Bytes the algorithm of the job works in.
std::ptrdiff_t scratch_bytes(const Job& j) noexcept {
  using namespace engine;
  const std::size_t n = j.n, nv = j.nv, length = j.path + 1;
  const std::size_t articulated =
      (n + 2) * (sizeof(ArticulatedBody<Many>) + sizeof(ArticulatedInertia<Many>)) +
      nv * sizeof(DofTerms<Many>);
  const std::size_t sums =
      n * sizeof(MotionSum<Many>) + length * (stack_components * sizeof(P) + sizeof(int));
  std::size_t bytes = 0;
  switch (j.task) {
    case Task::poses:
      break;
    case Task::inverse_dynamics:
      bytes = (n + 1) * sizeof(Moving<Many>) + n * sizeof(Six<Many>);
      break;
    case Task::forward_dynamics:
      bytes = articulated;
      break;
    case Task::mass_matrix:
      bytes =
          j.long_paths ? mass_matrix_bytes<Many>(n, nv, length) : (n + 1) * sizeof(Composite<P>);
      break;
    case Task::inverse_dynamics_derivatives:
      bytes = sums;
      break;
    case Task::forward_dynamics_derivatives:
      bytes = articulated > sums ? articulated : sums;
      break;
  }
  return static_cast<std::ptrdiff_t>(bytes);
}

std::size_t bytes(const Job& j) noexcept {
  Cursor<P> memory, zero;
  make_block(j, scratch_bytes(j), memory, zero);
  return memory.at;
}
std::size_t zero_bytes(const Job& j) noexcept {
  Cursor<P> memory, zero;
  make_block(j, scratch_bytes(j), memory, zero);
  return zero.at;
}

void inverse_dynamics(const Job& j, const Block<P>& b, const engine::Call<P>& c) noexcept {
  inverse_dynamics<Many>(c, j.batch_bodies, b.result);
  add_losses(j, b, 1, b.result);
  add_armature(j, b.a, b.result);
}

/// The first state that is singular, or -1. States that are not `sure` are done one by one.
std::ptrdiff_t forward_dynamics(const Job& j, const Block<P>& b, const engine::Call<P>& c,
                                const Range<P>& r, void* one_state, P::Mask& sure) noexcept {
  add_losses(j, b, -1, b.a);
  sure = j.coupled.bodies ? engine::coupled_forward_dynamics<Many>(c, b.result)
                          : engine::forward_dynamics<Many>(c, b.result);
  if (all_of(sure)) [[likely]]
    return -1;
  std::ptrdiff_t singular = -1;
  for (int l = static_cast<int>(r.rows) - 1; l >= 0; --l) {
    if (sure.v[l]) continue;
    if (j.accelerations(j, r.first + l, one_state, b.rows)) singular = r.first + l;
    for (int k = 0; k < j.nv; ++k) b.result[k].set(l, b.rows[k]);
  }
  return singular;
}

void derivatives(const Job& j, const Block<P>& b, const engine::Call<P>& c, P* tau) noexcept {
  engine::derivatives<Many>(c, {tau, b.by_q, b.by_v, {b.matrix, j.first, b.scale}});
  if (!j.damping) return;
  for (std::ptrdiff_t k = 0; k < j.nv; ++k) b.by_v[k * (j.nv + 1)] += P(j.damping[k]);
}

/// M^-1, of coupled joints that of the independent velocities. The lanes in which M may be singular.
P::Mask invert_mass(const Job& j, const Block<P>& b) noexcept {
  if (j.reduced.n == 0) {
    const Paths paths{j.nv, j.first, j.parent};
    const P::Mask unsure = factorize(paths, b.matrix, b.scale);
    invert(paths, b.matrix, b.inverse);
    return unsure;
  }
  reduce(j, b.matrix, b.scale, b.reduced, b.reduced_scale);
  const P::Mask unsure = factorize(j.reduced, b.reduced, b.reduced_scale);
  invert(j.reduced, b.reduced, b.product);
  expand_inverse(j, b.product, b.inverse);
  return unsure;
}

std::ptrdiff_t forward_derivatives(const Job& j, const Block<P>& b, const engine::Call<P>& c,
                                   const Range<P>& r, void* one_state) noexcept {
  P::Mask sure;
  forward_dynamics(j, b, c, r, one_state, sure);
  engine::Call<P> at = c;
  at.a = b.result;
  derivatives(j, b, at, nullptr);
  const P::Mask unsure = invert_mass(j, b) || !sure;
  write(j, r, b.result, j.nv, j.result);
  const std::ptrdiff_t square = std::ptrdiff_t{j.nv} * j.nv;
  write(j, r, b.inverse, square, j.matrix);
  multiply_negative(j, b.inverse, b.by_q, b.product);
  write(j, r, b.product, square, j.by_q);
  multiply_negative(j, b.inverse, b.by_v, b.product);
  write(j, r, b.product, square, j.by_v);
  std::ptrdiff_t singular = -1;
  if (any_of(unsure)) [[unlikely]]
    for (std::ptrdiff_t l = r.rows - 1; l >= 0; --l)
      if (unsure.v[l] && j.matrices(j, r.first + l, one_state)) singular = r.first + l;
  return singular;
}

std::ptrdiff_t evaluate(const Job& j, const Block<P>& b, const engine::Call<P>& c,
                        const Range<P>& r, void* one_state) noexcept {
  const Sizes<P> s(j);
  std::ptrdiff_t singular = -1;
  P::Mask sure;
  switch (j.task) {
    case Task::poses:
      engine::poses<Many>(c, {j.steps, j.user_bodies, j.joint_screws}, b.T_WB, b.T_WB, b.screws);
      write(j, r, b.T_WB, s.poses, j.T_WB);
      if (j.screws) write(j, r, b.screws, s.screws, j.screws);
      break;
    case Task::inverse_dynamics:
      inverse_dynamics(j, b, c);
      write(j, r, b.result, s.nv, j.result);
      break;
    case Task::forward_dynamics:
      singular = forward_dynamics(j, b, c, r, one_state, sure);
      write(j, r, b.result, s.nv, j.result);
      break;
    case Task::mass_matrix:
      if (j.long_paths)
        engine::mass_matrix<Many>(c, {b.matrix, j.first, b.scale});
      else
        mass_matrix<Many>(c, j.batch_bodies, {b.matrix, j.first, nullptr});
      write(j, r, b.matrix, s.path, j.matrix);
      break;
    case Task::inverse_dynamics_derivatives:
      derivatives(j, b, c, b.result);
      add_losses(j, b, 1, b.result);
      add_armature(j, b.a, b.result);
      write(j, r, b.result, s.nv, j.result);
      write(j, r, b.by_q, s.square, j.by_q);
      write(j, r, b.by_v, s.square, j.by_v);
      write(j, r, b.matrix, s.path, j.matrix);
      break;
    case Task::forward_dynamics_derivatives:
      singular = forward_derivatives(j, b, c, r, one_state);
      break;
  }
  return singular;
}

std::ptrdiff_t run(const Job& j, std::ptrdiff_t first, std::ptrdiff_t last, void* memory,
                   void* zero_memory, void* one_state) noexcept {
  Cursor<P> start{reinterpret_cast<std::uintptr_t>(memory)},
      zero{reinterpret_cast<std::uintptr_t>(zero_memory)};
  const Block<P> b = make_block(j, scratch_bytes(j), start, zero);
  const engine::Call<P> c = call_for(j, b);
  std::ptrdiff_t singular = -1;
  const std::ptrdiff_t end = last * lanes < j.states ? last * lanes : j.states;
  for (std::ptrdiff_t k = first; k < last; ++k) {
    const std::ptrdiff_t left = end - k * lanes;
    const Range<P> r{k * lanes, left < lanes ? left : lanes, end};
    read_states(j, b, r);
    const std::ptrdiff_t found = evaluate(j, b, c, r, one_state);
    if (singular < 0) singular = found;
  }
  return singular;
}

}  // namespace

namespace detail {
template <>
const BatchKernels& batch_kernels_for<AXODE_LANES>() noexcept {
  static const BatchKernels table{AXODE_LANES, strip_width, bytes, zero_bytes, run};
  return table;
}
}  // namespace detail

}  // namespace axode::batch
