// Definitions of motion.hpp for any scalar; motion.cpp has the instances of the library.
#pragma once
#include "axode/flexible/any_scalar/link_terms.hpp"
#include "axode/flexible/any_scalar/section_motion.hpp"
#include "axode/flexible/detail/motion.hpp"

namespace axode {
namespace detail {

template <class S>
constexpr Vec3<Dual<S>> inverse_times(const G1<S>& X, const Vec3<Dual<S>>& v) noexcept {
  // R^-1 a = (A^T r; A^T (d - theta x r))  [CibicikEgeland (32), (40)]
  const Vec3<S> r = real_part(v);
  return make_dual(axode::inverse_times(X.A, r),
                   axode::inverse_times(X.A, dual_part(v) - cross(X.theta, r)));
}
using axode::inverse_times;

/// A rotation after the one of a section.
inline G1<double> after(const G1<double>& section, const SO3<double>& R) noexcept {
  return {R, section.theta};  // the section's own A is the identity
}
template <class S>
SO3<S> after(const SO3<S>& section, const SO3<S>& R) noexcept {
  return section * R;
}
/// A vector of order 0 turned by the section.
inline Vec3<Dual<double>> turned(const G1<double>& section, const Vec3<double>& v) noexcept {
  // R v = v + eps theta x v  [CibicikEgeland (39)]
  return make_dual(v, cross(section.theta, v));
}
template <class S>
Vec3<S> turned(const SO3<S>& section, const Vec3<S>& v) noexcept {
  return section * v;
}

/// Where a joint puts its link on the section of the parent, in the parent's axes.
template <class P>
struct Placement {
  typename P::Rotation R;
  Vec3<typename P::Scalar> arm;  ///< from the section to the link's origin
};
inline bool turns(const FlexibleLink& link) noexcept {
  return link.joint == FlexibleLink::Joint::revolute || link.joint == FlexibleLink::Joint::helical;
}
inline bool slides(const FlexibleLink& link) noexcept {
  return link.joint == FlexibleLink::Joint::prismatic || link.joint == FlexibleLink::Joint::helical;
}
/// Displacement along the axis for each unit of the coordinate.
inline double advance(const FlexibleLink& link) noexcept {
  return link.joint == FlexibleLink::Joint::helical ? link.pitch : 1;
}
template <class P>
Placement<P> placement(const FlexibleLink& link, const typename P::Rotation& section,
                       std::span<const typename P::Coordinate> q) noexcept {
  using J = decltype(P::joint(q[0]));
  const J angle = link.coordinate >= 0 ? P::joint(q[link.coordinate]) : J(0);
  const Vec3<J> axis = constant<J>(link.axis);
  const Mat3<J> fixed{constant<J>(link.mount.R.matrix.x), constant<J>(link.mount.R.matrix.y),
                      constant<J>(link.mount.R.matrix.z)};
  SO3<J> R{fixed};
  if (turns(link)) R = R * exp(axis * angle);
  Vec3<J> from_section = constant<J>(link.mount.p);
  if (slides(link)) from_section += fixed * (axis * (angle * J(advance(link))));
  // R_ji = R_jj' R_j'i  [CibicikEgeland (30)-(31)]
  return {after(section, R), turned(section, from_section)};
}

}  // namespace detail

template <class P>
FlexibleMotion<P> make_motion(const FlexibleTree& tree) {
  FlexibleMotion<P> motion;
  motion.still.resize(tree.size);
  motion.links.reserve(tree.links.size());
  for (const FlexibleLink& link : tree.links) {
    LinkMotion<P>& m = motion.links.emplace_back();
    m.mount.resize(link.mount_modes.angle.size());
    if (tree.stiffening && std::is_same_v<P, FirstOrder>) m.shortening.resize(m.mount.size());
    m.terms = make_link_terms<P>(tree, link);
  }
  return motion;
}

template <class P>
void flexible_motion(const FlexibleTree& tree, std::span<const typename P::Coordinate> q,
                     std::span<const typename P::Coordinate> v, FlexibleMotion<P>& motion,
                     Effect effect) noexcept {
  using detail::inverse_times;
  using S = typename P::Scalar;
  using C = typename P::Coordinate;
  if (effect == Effect::gravity) v = motion.still;
  // the ground accelerated by -g: no wrenches of gravity  [CibicikEgeland (123)-(124)]
  const Vec3<S> lift = effect == Effect::velocity ? Vec3<S>{} : -detail::constant<S>(tree.gravity);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    LinkMotion<P>& m = motion.links[i];

    // The section the link is mounted on, in the parent's frame.
    SectionMotion<P>& section = m.section;
    Vec3<S> w, alpha, a = lift;
    if (link.parent >= 0) {
      const FlexibleLink& parent = tree.links[link.parent];
      const LinkMotion<P>& p = motion.links[link.parent];
      w = p.w;
      alpha = p.alpha;
      a = p.a;
      if (parent.beam) {
        const auto e = q.subspan(parent.first_mode, parent.invariants.modes);
        const auto r = v.subspan(parent.first_mode, parent.invariants.modes);
        section = section_motion<P>(tree, parent.invariants, link.mount_modes, e, r);
        if (motion.wants_mounts)
          section_twists<P>(tree, parent.invariants, link.mount_modes, e, section,
                            std::span<Vec6<S>>(m.mount));
        if constexpr (std::is_same_v<P, FirstOrder>)
          for (std::size_t k = 0; k < m.shortening.size(); ++k)
            m.shortening[k] =
                detail::row_times<double>(link.mount_modes.shortening, static_cast<int>(k), e);
        // a_jj' = a_j + alpha x p + w x (w x p) + 2 w x p' + p''; then of the section itself
        // w_jj' = Gamma theta', alpha_jj' = w x w_jj' + Gamma' theta'
        const Vec3<S> swing = cross(w, section.p);
        a += cross(alpha, section.p) + cross(w, swing + section.p_rate * S(2)) + section.p_bias;
        alpha += cross(w, section.spin) + section.spin_bias;
        w += section.spin;
      }
    }

    // The joint.
    using J = decltype(P::joint(q[0]));
    const J rate = link.coordinate >= 0 ? P::joint(v[link.coordinate]) : J(0);
    const detail::Placement<P> placed = detail::placement<P>(link, section.R, q);
    m.R = placed.R;
    const Vec3<S>& arm = m.arm = placed.arm;
    m.origin = section.p + arm;
    a += cross(alpha, arm) + cross(w, cross(w, arm));
    const Vec3<S> own = inverse_times(m.R, w);
    m.w = own;
    m.alpha = inverse_times(m.R, alpha);
    m.a = inverse_times(m.R, a);
    // w_i = R_ji^T (w_j + w_jj') + axis q'  [CibicikEgeland (34)-(36)]
    const Vec3<S> joint_rate = detail::constant<S>(link.axis) * S(rate);
    if (detail::turns(link)) {
      m.w += joint_rate;
      m.alpha += cross(own, joint_rate);
    }
    if (detail::slides(link)) m.a += cross(own, joint_rate) * S(2 * detail::advance(link));

    const auto e = q.subspan(link.first_mode, link.invariants.modes);
    const auto r = v.subspan(link.first_mode, link.invariants.modes);
    link_terms<P>(tree, link, m.w, std::span<const C>(e), std::span<const C>(r), m.terms);
  }
}

}  // namespace axode
