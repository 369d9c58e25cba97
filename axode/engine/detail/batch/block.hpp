// The states of a block in packs: memory, arguments in, results out. Templates over the pack, so that
// none of it is taken for code of another width.
#pragma once
#include "axode/engine/detail/batch/batch_kernels.hpp"
#include "axode/engine/detail/batch/transpose.hpp"
#include "axode/engine/detail/kernels/general_joints.hpp"
#include "axode/engine/detail/kernels/sincos.hpp"

namespace axode::batch {

/// Hands out parts of the memory of a thread, each at a multiple of 64.
template <class P>
struct Cursor {
  std::uintptr_t at = 0;
  template <class T>
  T* take(std::ptrdiff_t count) noexcept {
    auto* p = reinterpret_cast<T*>(at);  // NOLINT: an address counted on
    at += (std::size_t(count) * sizeof(T) + 63) / 64 * 64;
    return p;
  }
};

/// The packs of a block.
template <class P>
struct Block {
  P *q, *v, *a, *cosine, *sine;
  P *user_external, *external;  ///< on bodies of the tree, on engine bodies
  engine::General<P>* generals;
  P* groups;  ///< memory of forward dynamics for coupled joints
  P *T_WB, *screws, *result, *matrix, *scale;
  P *inverse, *product;        ///< of forward_dynamics_derivatives: M^-1, and what is written
  P *reduced, *reduced_scale;  ///< the matrix of the independent velocities
  P *by_q, *by_v;              ///< in memory that was zero: entries off the paths are never written
  double* rows;                ///< a copy of arguments that end where their memory does
  void* scratch;               ///< of the algorithm
};

/// Numbers a job has for each state.
template <class P>
struct Sizes {
  explicit Sizes(const Job& j) noexcept
      : nq(j.nq),
        nv(j.nv),
        square(nv * nv),
        path(j.first ? static_cast<std::ptrdiff_t>(j.first[j.nv]) : 0),
        reduced(j.reduced.n > 0 ? static_cast<std::ptrdiff_t>(j.reduced.first[j.reduced.n]) : 0),
        external(std::ptrdiff_t{6} * j.user_bodies),
        poses(std::ptrdiff_t{12} * j.user_bodies),
        screws(6 * nv) {}
  std::ptrdiff_t nq, nv, square, path, reduced, external, poses, screws;
};

/// The block whose memory starts there; the cursors end up behind it.
template <class P>
Block<P> make_block(const Job& j, std::ptrdiff_t scratch, Cursor<P>& c, Cursor<P>& zero) noexcept {
  const Sizes<P> s(j);
  const auto packs = [&](bool wanted, std::ptrdiff_t size) {
    return wanted ? c.template take<P>(whole_tiles<P::lanes>(size)) : nullptr;
  };
  std::ptrdiff_t longest = s.nq > s.nv ? s.nq : s.nv;
  if (j.external && s.external > longest) longest = s.external;
  const bool inverts = j.task == Task::forward_dynamics_derivatives;
  Block<P> b{};
  b.q = packs(true, s.nq);
  b.v = packs(true, s.nv);
  b.a = packs(true, s.nv);
  b.cosine = packs(true, j.n);
  b.sine = packs(true, j.n);
  b.user_external = packs(j.external, s.external);
  b.external = packs(j.external, std::ptrdiff_t{8} * j.n);
  b.generals = c.template take<engine::General<P>>(j.generals);
  b.groups = packs(j.accelerations, j.coupled.numbers);
  b.T_WB = packs(j.T_WB, s.poses);
  b.screws = packs(j.screws, s.screws);
  b.result = packs(j.result, s.nv);
  b.matrix = packs(j.matrix, s.path);
  b.scale = packs(j.matrix, s.nv);
  b.inverse = packs(inverts, s.square);
  b.product = packs(inverts, s.square);
  b.reduced = packs(inverts, s.reduced);
  b.reduced_scale = packs(inverts, j.reduced.n);
  b.rows = c.template take<double>(P::lanes * longest + tile_columns<P::lanes>);
  b.scratch = c.template take<char>(scratch);
  if (j.by_q) {
    b.by_q = zero.template take<P>(whole_tiles<P::lanes>(s.square));
    b.by_v = zero.template take<P>(whole_tiles<P::lanes>(s.square));
  }
  return b;
}

/// Which states of the job a block has: `rows` of them from `first` on. Only those before `end` may be
/// looked at: others are those of another thread.
template <class P>
struct Range {
  std::ptrdiff_t first, rows, end;
};

template <class P>
void read_by_number(const Job& j, const Range<P>& r, const double* from, std::ptrdiff_t size,
                    P* to) noexcept {
  const double* p = from + r.first;
  for (std::ptrdiff_t k = 0; k < size; ++k, p += j.states) {
    if (r.rows == P::lanes) [[likely]]
      to[k] = P::load(p);
    else
      for (int l = 0; l < P::lanes; ++l) to[k].set(l, p[l < r.rows ? l : r.rows - 1]);
  }
}
/// Numbers of the block's states, `size` each. Where there are no more states, the last one again.
template <class P>
[[gnu::noinline]] void read(const Job& j, const Block<P>& b, const Range<P>& r, const double* from,
                            std::ptrdiff_t size, P* to) noexcept {
  if (j.by_number) return read_by_number(j, r, from, size, to);
  constexpr int lanes = P::lanes;
  const double* p = from + r.first * size;
  const std::ptrdiff_t end = (r.first + lanes - 1) * size + whole_tiles<lanes>(size);
  if (end > r.end * size) [[unlikely]] {
    for (std::ptrdiff_t l = 0; l < lanes; ++l)
      for (std::ptrdiff_t k = 0; k < size; ++k)
        b.rows[l * size + k] = p[(l < r.rows ? l : r.rows - 1) * size + k];
    p = b.rows;
  }
  read_rows(p, size, to);
}

/// Writes them.
template <class P>
[[gnu::noinline]] void write(const Job& j, const Range<P>& r, const P* from, std::ptrdiff_t size,
                             double* to) noexcept {
  if (!j.by_number) return write_rows(from, size, r.rows, to + r.first * size);
  double* p = to + r.first;
  for (std::ptrdiff_t k = 0; k < size; ++k, p += j.states) {
    if (r.rows == P::lanes) [[likely]]
      from[k].store(p);
    else
      store_first(from[k], p, r.rows);
  }
}

/// The wrenches on the tree's bodies, in the frames of the engine's.
template <class P>
void place_external(const Job& j, const Block<P>& b) noexcept {
  for (int k = 0; k < 8 * j.n; ++k) b.external[k] = P(0);
  for (int i = 0; i < j.user_bodies; ++i) {
    const EnginePlace& place = j.places[i];
    if (place.engine_body < 0) continue;
    const double* T = place.T_EB;
    const auto rotate = [&](const P* a) {
      return Vec3<P>{P(T[0]) * a[0] + P(T[3]) * a[1] + P(T[6]) * a[2],
                     P(T[1]) * a[0] + P(T[4]) * a[1] + P(T[7]) * a[2],
                     P(T[2]) * a[0] + P(T[5]) * a[1] + P(T[8]) * a[2]};
    };
    const P* W = b.user_external + 6 * i;
    const Vec3<P> force = rotate(W + 3);
    const Vec3<P> torque = rotate(W) + cross(Vec3<P>{P(T[9]), P(T[10]), P(T[11])}, force);
    P* to = b.external + 8 * place.engine_body;
    to[0] += torque.x, to[1] += torque.y, to[2] += torque.z;
    to[4] += force.x, to[5] += force.y, to[6] += force.z;
  }
}

template <class P>
[[gnu::always_inline]] inline P angle_of(const Job& j, const Block<P>& b, int i) noexcept {
  const engine::Angles& a = j.angles;
  return j.bodies[i].general >= 0 ? P(0) : b.q[a.q[i]] * P(a.turn[i]) + P(a.angle[i]);
}
/// Those of large angles anew.
template <class P>
[[gnu::noinline]] void large_angles(const Job& j, const Block<P>& b) noexcept {
  using namespace axode::detail;
  for (int i = 0; i < j.n; ++i) {
    const P x = angle_of(j, b, i);
    const SinCos<P> r = sincos_kernel(x);
    const auto is_small = magnitude(x) <= P(largest_fast);
    b.sine[i] = select(is_small, b.sine[i], r.sin);
    b.cosine[i] = select(is_small, b.cosine[i], r.cos);
  }
}
/// Sine and cosine of the joints' angles. What a lane gets does not depend on the others.
template <class P>
void angles(const Job& j, const Block<P>& b) noexcept {
  using namespace axode::detail;
  P sum(0);
  for (int i = 0; i < j.n; ++i) {
    const P x = angle_of(j, b, i);
    const SinCos<P> r = engine::sincos_small(x);
    b.sine[i] = r.sin;
    b.cosine[i] = r.cos;
    sum += magnitude(x);
  }
  if (!all_of(sum <= P(largest_fast))) [[unlikely]]
    large_angles(j, b);
}

/// Arguments of the block's states, and what the algorithms want to know of their joints.
template <class P>
void read_states(const Job& j, const Block<P>& b, const Range<P>& r) noexcept {
  read(j, b, r, j.q, j.nq, b.q);
  if (j.v) read(j, b, r, j.v, j.nv, b.v);
  if (j.a) read(j, b, r, j.a, j.nv, b.a);
  if (j.external) {
    read(j, b, r, j.external, std::ptrdiff_t{6} * j.user_bodies, b.user_external);
    place_external(j, b);
  }
  angles(j, b);
  if (j.generals > 0)
    engine::general_joints<P>(*j.tree, j.bodies, j.n, b.q, j.v ? b.v : nullptr, b.generals);
}

template <class P>
engine::Call<P> call_for(const Job& j, const Block<P>& b) noexcept {
  engine::Call<P> c;
  c.bodies = j.bodies;
  c.centres = j.centres;
  c.n = j.n, c.nv = j.nv, c.path = j.path;
  c.q = b.q, c.v = b.v, c.a = b.a;
  c.cosine = b.cosine, c.sine = b.sine;
  c.generals = b.generals;
  c.external = b.external;
  c.armature = j.armature, c.scale = j.scale;
  for (int k = 0; k < 4; ++k) c.world[k] = j.world[k];
  c.scratch = b.scratch;
  c.coupled = &j.coupled;
  c.group_memory = b.groups;
  return c;
}

/// Damping and friction [effects.hpp] times `sign`, added to joint forces.
template <class P>
void add_losses(const Job& j, const Block<P>& b, double sign, P* tau) noexcept {
  if (j.damping)
    for (int k = 0; k < j.nv; ++k) tau[k] += P(sign * j.damping[k]) * b.v[k];
  if (!j.friction) return;
  for (int k = 0; k < j.nv; ++k) {
    const P f(sign * j.friction[k]), zero(0);
    tau[k] += select(b.v[k] > zero, f, select(b.v[k] < zero, -f, zero));
  }
}
template <class P>
void add_armature(const Job& j, const P* a, P* tau) noexcept {
  if (!j.armature) return;
  for (int k = 0; k < j.nv; ++k) tau[k] += P(j.armature[k]) * a[k];
}

}  // namespace axode::batch
