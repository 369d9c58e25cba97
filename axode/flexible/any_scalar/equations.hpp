// Definitions of equations.hpp for any scalar; equations.cpp has the instances of the library.
#pragma once
#include "axode/flexible/any_scalar/motion.hpp"
#include "axode/flexible/detail/mass_columns.hpp"
#include "axode/flexible/tree/equations.hpp"

namespace axode {
namespace detail {

/// Orders 0 and 1 together; of an exact number, itself.
inline double total(const Dual<double>& a, FirstOrder) noexcept { return a.real + a.dual; }
template <class S>
const S& total(const S& a, Exact<S>) noexcept {
  return a;
}
/// total(dot(a, b)): the product by the matrix of orders [CibicikEgeland (99)-(100)].
inline double total_dot(const Vec6<Dual<double>>& a, const Vec6<Dual<double>>& b,
                        FirstOrder) noexcept {
  // h^T I^ m = h_0 (m_0 + m_1) + h_1 m_0  [CibicikEgeland (99)]
  double sum = 0;
  const auto add = [&](const Dual<double>& x, const Dual<double>& y) {
    sum += x.real * (y.real + y.dual) + x.dual * y.real;
  };
  add(a.angular.x, b.angular.x);
  add(a.angular.y, b.angular.y);
  add(a.angular.z, b.angular.z);
  add(a.linear.x, b.linear.x);
  add(a.linear.y, b.linear.y);
  add(a.linear.z, b.linear.z);
  return sum;
}
template <class S>
S total_dot(const Vec6<S>& a, const Vec6<S>& b, Exact<S>) noexcept {
  return dot(a, b);
}

template <class S>
Sym3<S> congruence_of(const SO3<S>& R, const Sym3<S>& a) noexcept {
  return congruence(R.matrix, a);
}
/// A J A^T, and to first order theta~ J - J theta~ more.
inline Sym3<Dual<double>> congruence_of(const G1<double>& X, const Sym3<Dual<double>>& a) noexcept {
  const Sym3<> r = congruence(
      X.A.matrix, Sym3<>{a.xx.real, a.yy.real, a.zz.real, a.xy.real, a.xz.real, a.yz.real});
  const Sym3<> d = congruence(
      X.A.matrix, Sym3<>{a.xx.dual, a.yy.dual, a.zz.dual, a.xy.dual, a.xz.dual, a.yz.dual});
  const auto& [x, y, z] = X.theta;
  // J_d = theta~ J - J theta~ in the dual part  [CibicikEgeland (107), corrected: docs/errata.md]
  return {{r.xx, d.xx + 2 * (y * r.xz - z * r.xy)},
          {r.yy, d.yy + 2 * (z * r.xy - x * r.yz)},
          {r.zz, d.zz + 2 * (x * r.yz - y * r.xz)},
          {r.xy, d.xy + y * r.yz - z * (r.yy - r.xx) - x * r.xz},
          {r.xz, d.xz + y * (r.zz - r.xx) - z * r.yz + x * r.xy},
          {r.yz, d.yz + z * r.xz - x * (r.zz - r.yy) - y * r.xy}};
}

/// The inertia of a body about a point from which its own point is at p.
template <class S>
InertiaParameters<S> shifted(const Vec3<S>& p, const InertiaParameters<S>& I) noexcept {
  const Vec3<S>&s = I.first_moment, sp = s + p * I.mass;
  const Sym3<S>& J = I.about_origin;
  // J + 2 (s.p) - s p^T - p s^T + m (p.p - p p^T), in its symmetric entries
  const S xx = p.x * (s.x + sp.x), yy = p.y * (s.y + sp.y), zz = p.z * (s.z + sp.z);
  return {I.mass,
          sp,
          {J.xx + yy + zz, J.yy + xx + zz, J.zz + xx + yy, J.xy - p.x * s.y - sp.x * p.y,
           J.xz - p.x * s.z - sp.x * p.z, J.yz - p.y * s.z - sp.y * p.z}};
}
template <class S, class Rotation>
InertiaParameters<S> turned(const Rotation& R, const InertiaParameters<S>& I) noexcept {
  return {I.mass, R * I.first_moment, congruence_of(R, I.about_origin)};
}
template <class S>
Vec6<S> momentum_of(const InertiaParameters<S>& I, const Vec6<S>& twist) noexcept {
  return {I.about_origin * twist.angular + cross(I.first_moment, twist.linear),
          twist.linear * I.mass + cross(twist.angular, I.first_moment)};
}
template <class S, class Rotation>
Vec6<S> wrench_seen_from(const Rotation& R, const Vec3<S>& p, const Vec6<S>& f) noexcept {
  const Vec3<S> linear = R * f.linear;
  return {R * f.angular + cross(p, linear), linear};
}
/// The joint's screw in the link's frame [CibicikEgeland (57)-(58)].
inline Vec6<> joint_screw(const FlexibleLink& link) noexcept {
  // (a; 0), (0; a), (a; h a), a the axis  [CibicikEgeland (58)]
  switch (link.joint) {
    case FlexibleLink::Joint::revolute:
      return {link.axis, {}};
    case FlexibleLink::Joint::prismatic:
      return {{}, link.axis};
    case FlexibleLink::Joint::helical:
      return {link.axis, link.axis * link.pitch};
    case FlexibleLink::Joint::fixed:
      break;
  }
  return {};
}
template <class S>
Vec6<S> constant(const Vec6<>& a) noexcept {
  return {constant<S>(a.angular), constant<S>(a.linear)};
}

/// A column of M on the way to the world: entries with all joints and modes of the ancestors.
template <class P>
void move_inwards(const FlexibleTree& tree, const FlexibleWork<P>& work, std::size_t link,
                  Vec6<typename P::Scalar> momentum, int column,
                  std::span<typename P::Coordinate> mass) noexcept {
  using S = typename P::Scalar;
  const std::size_t n = tree.size;
  const auto put = [&](int row, const typename P::Coordinate& value) {
    mass[std::size_t(row) * n + column] = mass[std::size_t(column) * n + row] = value;
  };
  for (std::size_t i = link;;) {
    const FlexibleLink& here = tree.links[i];
    if (i != link && here.coordinate >= 0)
      put(here.coordinate, total_dot(constant<S>(joint_screw(here)), momentum, P{}));
    if (here.parent < 0) return;
    const LinkMotion<P>& m = work.motion.links[i];
    momentum = wrench_seen_from(m.R, m.origin, momentum);
    const FlexibleLink& parent = tree.links[here.parent];
    for (std::size_t k = 0; k < m.mount.size(); ++k)
      put(parent.first_mode + static_cast<int>(k), total_dot(m.mount[k], momentum, P{}));
    i = here.parent;
  }
}

/// Rows and columns of one link: its joint and its modes with each other and all before them.
template <class P>
void link_columns(const FlexibleTree& tree, FlexibleWork<P>& work, std::size_t i,
                  std::span<typename P::Coordinate> mass) noexcept {
  using S = typename P::Scalar;
  const FlexibleLink& link = tree.links[i];
  const std::size_t n = tree.size, m = link.invariants.modes, first = link.first_mode;
  const LinkTerms<P>& terms = work.motion.links[i].terms;
  const Vec6<S> screw = constant<S>(joint_screw(link));
  for (std::size_t k = 0; k < m; ++k) {
    // M = sum P~^T D P~: momenta D P~ of unit rates, of the link and all it carries
    // [CibicikEgeland (112)]
    work.column[k] = terms.momentum[k];
    for (std::size_t j = 0; j <= k; ++j)
      mass[(first + k) * n + first + j] = total(terms.modal_mass[k * m + j], P{});
  }
  for (const int child : link.children) {
    const std::vector<Vec6<S>>& mount = work.motion.links[child].mount;
    for (std::size_t k = 0; k < m; ++k) {
      const Vec6<S> momentum = momentum_of(work.moved[child], mount[k]);
      work.column[k] += momentum;
      for (std::size_t j = 0; j <= k; ++j)
        mass[(first + k) * n + first + j] += total_dot(mount[j], momentum, P{});
    }
  }
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < k; ++j)
      mass[(first + j) * n + first + k] = mass[(first + k) * n + first + j];
    if (link.coordinate >= 0)
      mass[std::size_t(link.coordinate) * n + first + k] = mass[(first + k) * n + link.coordinate] =
          total_dot(screw, work.column[k], P{});
    move_inwards(tree, work, i, work.column[k], link.first_mode + static_cast<int>(k), mass);
  }
  if (link.coordinate < 0) return;
  const Vec6<S> momentum = momentum_of(work.composite[i], screw);
  mass[std::size_t(link.coordinate) * (n + 1)] = total_dot(screw, momentum, P{});
  move_inwards(tree, work, i, momentum, link.coordinate, mass);
}

}  // namespace detail

template <class P>
FlexibleWork<P> make_flexible_work(const FlexibleTree& tree) {
  FlexibleWork<P> work;
  work.motion = make_motion<P>(tree);
  work.motion.wants_mounts = !std::is_same_v<P, FirstOrder>;
  work.composite.resize(tree.links.size());
  work.moved.resize(tree.links.size());
  work.wrench.resize(tree.links.size());
  std::size_t most = 0;
  for (const FlexibleLink& link : tree.links)
    most = std::max(most, std::size_t(link.invariants.modes));
  work.column.resize(most + 1);
  return work;
}

template <class P>
void flexible_equations(const FlexibleTree& tree, std::span<const typename P::Coordinate> q,
                        std::span<const typename P::Coordinate> v, FlexibleWork<P>& work,
                        std::span<typename P::Coordinate> mass,
                        std::span<typename P::Coordinate> forces, Effect effect) noexcept {
  using S = typename P::Scalar;
  flexible_motion<P>(tree, q, v, work.motion, effect);
  std::fill(mass.begin(), mass.end(), typename P::Coordinate(0));
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const LinkMotion<P>& m = work.motion.links[i];
    work.composite[i] = m.terms.inertia;
    // D t' + W D t where v' = 0  [CibicikEgeland (101), (106), corrected: docs/errata.md]
    work.wrench[i] = detail::momentum_of(m.terms.inertia, Vec6<S>{m.alpha, m.a}) + m.terms.bias;
    const FlexibleLink& link = tree.links[i];
    for (std::size_t k = 0; k < m.terms.momentum.size(); ++k)
      forces[link.first_mode + k] = detail::total(
          m.terms.modal_bias[k] + dot(m.terms.momentum[k], Vec6<S>{m.alpha, m.a}), P{});
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const FlexibleLink& link = tree.links[i];
    const LinkMotion<P>& m = work.motion.links[i];
    if (link.coordinate >= 0)
      forces[link.coordinate] =
          // P~^T (D t' + W D t): joints here, modes below  [CibicikEgeland (110)]
          detail::total_dot(detail::constant<S>(detail::joint_screw(link)), work.wrench[i], P{});
    if constexpr (std::is_same_v<P, FirstOrder>)
      linear_mass_columns(tree, work.motion, work.composite, work.moved, static_cast<int>(i),
                          work.column, mass);
    else
      detail::link_columns(tree, work, i, mass);
    if (link.parent < 0) continue;
    const FlexibleLink& parent = tree.links[link.parent];
    const InertiaParameters<S> at_section =
        detail::shifted(m.arm, detail::turned(m.R, work.composite[i]));
    const InertiaParameters<S> at_parent = detail::shifted(m.section.p, at_section);
    InertiaParameters<S>& sum = work.composite[link.parent];
    sum.mass += at_parent.mass;
    sum.first_moment += at_parent.first_moment;
    sum.about_origin = sum.about_origin + at_parent.about_origin;
    const Vec6<S> wrench = detail::wrench_seen_from(m.R, m.origin, work.wrench[i]);
    work.wrench[link.parent] += wrench;
    if constexpr (std::is_same_v<P, FirstOrder>) {
      work.moved[i] = at_section;
      linear_mode_forces(parent, link.mount_modes, m, wrench,
                         forces.subspan(parent.first_mode, parent.invariants.modes));
    } else {
      work.moved[i] = at_parent;
      for (std::size_t k = 0; k < m.mount.size(); ++k)
        forces[parent.first_mode + k] += detail::total_dot(m.mount[k], wrench, P{});
    }
  }
}

}  // namespace axode
