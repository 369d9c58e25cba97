// The mass matrix of many states, by composite inertias in the bodies' own frames. There a joint
// screw is the z axis, so that the momentum it causes is a column of the inertia, and vectors and
// inertias change frames by two planar rotations. The momentum is carried up the path, which costs
// more for each entry than a product of two screws in world axes (engine/detail/kernels/mass_matrix.hpp), but
// nothing before.
#pragma once
#include "axode/engine/detail/batch/batch_body.hpp"
#include "axode/engine/detail/batch/inverse_dynamics.hpp"
#include "axode/engine/detail/kernels/composite.hpp"

namespace axode::batch {

/// The inertia of a body and of all it carries, in its frame. The mass is constant.
template <class P>
struct Composite {
  Sym3<P> moments;
  Vec3<P> first;  ///< mass times centre of mass
};

/// Rz m Rz^T.
template <class P>
[[gnu::always_inline]] inline Sym3<P> turn_z(const Sym3<P>& m, const P& c, const P& s) noexcept {
  const P w = (m.xx - m.yy) * s + (m.xy + m.xy) * c;
  return {m.xx - s * w, m.yy + s * w, m.zz, c * w - m.xy, c * m.xz - s * m.yz, s * m.xz + c * m.yz};
}
/// m + Rx a Rx^T.
template <class P>
[[gnu::always_inline]] inline Sym3<P> plus_turned_x(const Sym3<P>& m, const Sym3<P>& a, const P& c,
                                                    const P& s) noexcept {
  const P w = (a.yy - a.zz) * s + (a.yz + a.yz) * c;
  return {m.xx + a.xx,
          m.yy + a.yy - s * w,
          m.zz + a.zz + s * w,
          m.xy + c * a.xy - s * a.xz,
          m.xz + s * a.xy + c * a.xz,
          m.yz - a.yz + c * w};
}
/// R m R^T.
template <class P>
[[gnu::always_inline]] inline Sym3<P> turn(const Sym3<P>& m, const Vec3<P>& x, const Vec3<P>& y,
                                           const Vec3<P>& z) noexcept {
  const Vec3<P> a = x * m.xx + y * m.xy + z * m.xz, b = x * m.xy + y * m.yy + z * m.yz,
                c = x * m.xz + y * m.yz + z * m.zz;
  return {a.x * x.x + b.x * y.x + c.x * z.x, a.y * x.y + b.y * y.y + c.y * z.y,
          a.z * x.z + b.z * y.z + c.z * z.z, a.x * x.y + b.x * y.y + c.x * z.y,
          a.x * x.z + b.x * y.z + c.x * z.z, a.y * x.z + b.y * y.z + c.y * z.z};
}

/// m + 2 (p . h) 1 - p h^T - h p^T: moments of inertia of a body at p whose first moment is h.
template <class P>
[[gnu::always_inline]] inline Sym3<P> plus_moved(const Sym3<P>& m, const Vec3<P>& h,
                                                 const Vec3<P>& p) noexcept {
  const Vec3<P> d = h + h;
  return {m.xx + p.y * d.y + p.z * d.z, m.yy + p.x * d.x + p.z * d.z, m.zz + p.x * d.x + p.y * d.y,
          m.xy - p.x * h.y - p.y * h.x, m.xz - p.x * h.z - p.z * h.x, m.yz - p.y * h.z - p.z * h.y};
}

/// `own` and the inertia s of body i, which it carries; with the masses of revolute joints in
/// `own`.
template <class A, class P>
[[gnu::noinline]] Composite<P> plus_other(const engine::Call<P>& c, int i, double mass,
                                          const Composite<P>& own, const Composite<P>& s) noexcept {
  const engine::Place<A> at = engine::place_in_parent<A>(c, i);
  const Vec3<P> h = A::times(at.R, s.first), half = at.r * P(mass / 2);
  return {plus_moved(own.moments + turn(s.moments, at.R.x, at.R.y, at.R.z), h + half, at.r),
          own.first + h + half + half};
}
template <class A, class P>
[[gnu::always_inline]] inline Composite<P> plus_carried(const engine::Call<P>& c, int i,
                                                        const Composite<P>& own,
                                                        const Composite<P>& s) noexcept {
  const EngineBody& b = c.bodies[i];
  const P &cos = c.cosine[i], &sin = c.sine[i];
  const Vec3<P> h = A::up(A::turn(b, cos, sin), s.first);
  const Sym3<P> m = turn_z(s.moments, cos, sin),
                moved = plus_moved(own.moments, h, A::load(b.position));
  if (b.planar)
    return {plus_turned_x(moved, m, P(b.column[1][1]), P(b.column[1][2])), own.first + h};
  return {moved + turn(m, A::load(b.column[0]), A::load(b.column[1]), A::load(b.column[2])),
          own.first + h};
}

/// The momentum W of body i as its parent sees it.
template <class A, class P>
[[gnu::always_inline]] inline engine::Six<A> to_parent(const engine::Call<P>& c, int i,
                                                       const engine::Six<A>& W) noexcept {
  const EngineBody& b = c.bodies[i];
  if (b.joint != EngineJoint::revolute) [[unlikely]] {
    const engine::Six<A> copy = W;  // NOLINT: so that the other needs no address
    return other_to_parent<A>(c, i, copy);
  }
  const typename A::Turn turn = A::turn(b, c.cosine[i], c.sine[i]);
  const Vec3<P> f = A::up(turn, W.linear);
  return {A::up_onto(A::cross_fixed(b.position, f), turn, W.angular), f};
}

/// Writes the products of a momentum with the screws of body i, those of its first `count`
/// velocities, the last one first.
template <class A, class P>
[[gnu::noinline]] void other_entries(const engine::Call<P>& c, const EngineBody& b, int count,
                                     const engine::Six<A>& F, P* to) noexcept {
  const auto own = A::template identity<engine::Axes<A>>();
  while (--count >= 0) *to++ = engine::dot<A>(engine::other_screw<A>(c, b, own, count), F);
}

/// The momentum of body i that a velocity causes, and where the next entry of its row goes.
template <class A>
struct Climbing {
  engine::Six<A> F;
  typename A::Scalar* to;
};
template <class A, class P>
[[gnu::always_inline]] inline void write_entries(const engine::Call<P>& c, const EngineBody& b,
                                                 Climbing<A>& x) noexcept {
  if (b.joint == EngineJoint::revolute) [[likely]] {
    *x.to++ = x.F.angular.z;
    return;
  }
  if (b.joint == EngineJoint::free) {
    A::scatter(x.F.linear, x.to + 2, -1);
    A::scatter(x.F.angular, x.to + 5, -1);
  } else {
    const engine::Six<A> copy = x.F;
    other_entries<A>(c, b, b.nv, copy, x.to);
  }
  x.to += b.nv;
}

/// Writes what follows in a row.
template <class A, class P>
[[gnu::always_inline]] inline void climb(const engine::Call<P>& c, int i, Climbing<A> x) noexcept {
  for (int p; (p = c.bodies[i].parent) >= 0; i = p) {
    x.F = to_parent<A>(c, i, x.F);
    write_entries<A>(c, c.bodies[p], x);
  }
}
/// In two rows: they share what is known of the joints, and neither waits for its own sums.
template <class A, class P>
[[gnu::always_inline]] inline void climb(const engine::Call<P>& c, int i, Climbing<A> x,
                                         Climbing<A> y) noexcept {
  for (int p; (p = c.bodies[i].parent) >= 0; i = p) {
    x.F = to_parent<A>(c, i, x.F);
    y.F = to_parent<A>(c, i, y.F);
    write_entries<A>(c, c.bodies[p], x);
    write_entries<A>(c, c.bodies[p], y);
  }
}

/// The rows of a free body on the world.
template <class P>
void free_rows(const Composite<P>& s, const P& mass, const std::size_t* first, P* values) noexcept {
  const Sym3<P>& m = s.moments;
  const Vec3<P>& h = s.first;
  const P none(0);
  const auto put = [&](int k, auto... entries) {
    P* to = values + first[k];
    ((*to++ = entries), ...);
  };
  put(0, m.xx);
  put(1, m.yy, m.xy);
  put(2, m.zz, m.yz, m.xz);
  put(3, mass, -h.y, h.z, none);
  put(4, mass, none, h.x, none, -h.z);
  put(5, mass, none, none, none, -h.x, h.y);
}

/// The rows of a joint that is not revolute.
template <class A, class P>
[[gnu::noinline]] void other_rows(const engine::Call<P>& c, int i, double mass,
                                  const Composite<P>& s, const engine::Rows<P>& M) noexcept {
  const EngineBody& b = c.bodies[i];
  if (b.joint == EngineJoint::free && b.parent < 0)
    return free_rows(s, P(mass), M.first + b.v, M.values);
  const engine::InertiaSum<A> inertia{s.moments, s.first, P(mass)};
  const auto own = A::template identity<engine::Axes<A>>();
  for (int k = 0; k < b.nv; ++k) {
    const auto F = engine::times<A>(inertia, engine::other_screw<A>(c, b, own, k));
    P* row = M.values + M.first[b.v + k];
    other_entries<A>(c, b, k + 1, F, row);
    climb<A>(c, i, {F, row + k + 1});
  }
}

template <class A, class P>
void mass_matrix(const engine::Call<P>& c, const BatchBody* constants,
                 const engine::Rows<P>& M) noexcept {
  auto* x = static_cast<Composite<P>*>(c.scratch);
  const auto own = [&](int i) -> Composite<P> {
    return {A::symmetric(constants[i].inertia), A::load(constants[i].moment)};
  };
  for (int i = 0; i < c.n; ++i)
    if (c.bodies[i].branches) x[i] = own(i);
  const auto revolute = [&](int i) { return c.bodies[i].joint == EngineJoint::revolute; };
  Composite<P>& next = x[c.n];  // what the next body gets from the one that alone it carries
  bool waiting = false;         // a row for that of the parent
  Climbing<A> first;
  for (int i = c.n - 1; i >= 0; --i) {
    const EngineBody& b = c.bodies[i];
    const bool carries = i + 1 < c.n && c.bodies[i + 1].parent == i;
    const Composite<P> s = b.branches ? x[i] : carries ? next : own(i);
    const int p = b.parent;
    if (p >= 0) {
      const bool shared = c.bodies[p].branches;
      const Composite<P> sum = shared ? x[p] : own(p);
      Composite<P>& to = shared ? x[p] : next;
      if (revolute(i)) [[likely]] {
        to = plus_carried<A>(c, i, sum, s);
      } else {
        const Composite<P> carrying = sum, carried = s;  // NOLINT: as above
        to = plus_other<A>(c, i, constants[i].mass, carrying, carried);
      }
    }
    if (!revolute(i)) [[unlikely]] {
      const Composite<P> copy = s;  // NOLINT: so that the other needs no address
      other_rows<A>(c, i, constants[i].mass, copy, M);
      continue;
    }
    const Sym3<P>& m = s.moments;
    Climbing<A> row{{{m.xz, m.yz, m.zz}, {-s.first.y, s.first.x, P(0)}}, M.values + M.first[b.v]};
    *row.to++ = m.zz;
    if (waiting) {
      climb<A>(c, i, first, row);
      waiting = false;
    } else if (p >= 0 && p == i - 1 && revolute(p) && !c.bodies[p].branches) {
      first = {to_parent<A>(c, i, row.F), row.to};
      *first.to++ = first.F.angular.z;
      waiting = true;
    } else {
      climb<A>(c, i, row);
    }
  }
  for (int k = 0; c.armature && k < c.nv; ++k) M.values[M.first[k]] += P(c.armature[k]);
}

}  // namespace axode::batch
