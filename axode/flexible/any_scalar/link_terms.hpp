// Definitions of link_terms.hpp for any scalar; link_terms.cpp has the instances of the library.
#pragma once
#include "axode/flexible/any_scalar/section_motion.hpp"
#include "axode/flexible/link/link_terms.hpp"

namespace axode {
namespace detail {

template <class S>
constexpr Vec3<S> constant(const Vec3<>& a) noexcept {
  return {S(a.x), S(a.y), S(a.z)};
}
template <class S>
constexpr Sym3<S> constant(const Sym3<>& a) noexcept {
  return {S(a.xx), S(a.yy), S(a.zz), S(a.xy), S(a.xz), S(a.yz)};
}
/// The masses of modes in displacement, which do not change.
template <class S>
void start_modal_mass(const ModalInvariants& b, LinkTerms<Exact<S>>& t) noexcept {
  const int m = b.modes;
  for (int d = 1; d < 4; ++d)
    for (int j = b.first[d]; j < b.first[d + 1]; ++j)
      for (int k = b.first[d]; k < b.first[d + 1]; ++k)
        t.modal_mass[j * m + k] = S(b.product[j * m + k]);
}

/// Modes whose momentum is taken by invariants: c_k, momenta, inertia, centrifugal and Coriolis forces.
template <class S>
void translation_terms(const ModalInvariants& b, const Vec3<S>& w,
                       LinkTerms<Exact<S>>& t) noexcept {
  const int m = b.modes;
  start_modal_mass(b, t);
  const S w2 = squared_norm(w), two(2);
  S moment[3] = {S(b.first_moment), S(0), S(0)};
  Vec3<S> square[3];  // integral mu u_b p, by the direction of the displacement u
  Vec3<S> moment_rate, turned;
  S radial(0);
  for (int d = 1; d < 4; ++d) {
    const int a = displacement_axis(static_cast<ModeDirection>(d));
    for (int k = b.first[d]; k < b.first[d + 1]; ++k) {
      Vec3<S> c{S(b.lever[k]), S(0), S(0)}, c_rate;
      for (int f = 1; f < 4; ++f) {
        const int axis = displacement_axis(static_cast<ModeDirection>(f));
        S sum(0), rate(0);
        for (int j = b.first[f]; j < b.first[f + 1]; ++j) {
          const double product = b.product[k * m + j];
          sum += t.e[j] * product;
          rate += t.r[j] * product;
        }
        c[axis] += sum;
        c_rate[axis] = rate;
      }
      Vec3<S> along;
      along[a] = S(1);
      const S mean(b.mean[k]), &ek = t.e[k], &rk = t.r[k];
      t.momentum[k] = {cross(c, along), along * mean};
      moment[a] += ek * mean;
      moment_rate[a] += rk * mean;
      square[a] += ek * c;
      const S wc = dot(w, c);
      turned[a] += rk * wc;
      radial += rk * c[a];
      // integral mu psi_k a . (w x (w x p) + 2 w x p')  [CibicikEgeland (104)], second row
      t.modal_bias[k] = w[a] * wc - w2 * c[a] + two * cross(w, c_rate)[a];
    }
  }
  S xx = S(b.second_moment) + square[0].x;
  for (int k = b.first[3]; k < b.first[4]; ++k) xx += t.e[k] * b.lever[k];
  const S &yy = square[1].y, &zz = square[2].z;
  t.inertia.mass = S(b.mass);
  t.inertia.first_moment = {moment[0], moment[1], moment[2]};
  t.inertia.about_origin = {yy + zz, xx + zz, xx + yy, -square[1].x, -square[2].x, -square[2].y};
  const Vec3<S>& s = t.inertia.first_moment;
  t.bias = {cross(w, t.inertia.about_origin * w) + (w * radial - turned) * two,
            cross(w, cross(w, s) + moment_rate * two)};
}

/// Rotary inertia exactly, at Gauss points.
template <class S>
void rotary_terms(const FlexibleTree& tree, const ModalInvariants& b, const Vec3<S>& w,
                  LinkTerms<Exact<S>>& t) noexcept {
  const int m = b.modes;
  for (const ModalInvariants::Node& node : b.nodes) {
    const auto place = station_sums<S>(b, node.at, t.e), rate = station_sums<S>(b, node.at, t.r);
    const SectionTurn<S> turn = section_turn(tree.rotation, place.angle, rate.angle);
    const Sym3<S> J = congruence(turn.R.matrix, Sym3<S>::diagonal(constant<S>(node.inertia)));
    const Mat3<S> JG{J * turn.gamma.x, J * turn.gamma.y, J * turn.gamma.z};
    const Mat3<S> GJG = transpose_times(turn.gamma, JG);
    const Vec3<S> spin = w + turn.spin;
    // J w_e' + J (w x w_e) + w_e x J w_e where nothing accelerates, J = R J_0 R^T as it turns
    // [CibicikEgeland (104), (107), corrected: docs/errata.md]; projected on modes by Gamma^T
    const Vec3<S> torque = J * (cross(w, turn.spin) + turn.spin_bias) + cross(spin, J * spin);
    const Vec3<S> modal = transpose_times(turn.gamma, torque);
    t.inertia.about_origin = t.inertia.about_origin + J;
    t.bias.angular += torque;
    for (int d = 0; d < 3; ++d) {
      const int axis = rotation_axis(static_cast<ModeDirection>(d));
      for (int k = b.first[d]; k < b.first[d + 1]; ++k) {
        const double angle = node.at.angle[k];
        t.momentum[k].angular += JG.column(axis) * S(angle);
        t.modal_bias[k] += modal[axis] * S(angle);
        for (int f = 0; f < 3; ++f) {
          const S factor = GJG(axis, rotation_axis(static_cast<ModeDirection>(f))) * S(angle);
          for (int j = b.first[f]; j < b.first[f + 1]; ++j)
            t.modal_mass[k * m + j] += factor * S(node.at.angle[j]);
        }
      }
    }
  }
}

/// Displacements with their shortening, exactly, at Gauss points: replaces translation_terms.
template <class S>
void shortened_terms(const FlexibleTree& tree, const ModalInvariants& b, const Vec3<S>& w,
                     LinkTerms<Exact<S>>& t) noexcept {
  const std::size_t m = b.modes;
  for (const ModalInvariants::Node& node : b.nodes) {
    const SectionMotion<Exact<S>> s = section_motion<Exact<S>>(
        tree, b, node.at, std::span<const S>(t.e), std::span<const S>(t.r));
    const S mass(node.mass);
    // acceleration of the section where modes do not accelerate; p has the shortening in it
    const Vec3<S> a = cross(w, cross(w, s.p)) + cross(w, s.p_rate) * S(2) + s.p_bias;
    t.inertia.mass += mass;
    t.inertia.first_moment += s.p * mass;
    t.inertia.about_origin = t.inertia.about_origin + minus_skew_squared(s.p) * mass;
    t.bias += Vec6<S>{cross(s.p, a), a} * mass;
    for (int d = 1; d < 4; ++d)
      for (int k = b.first[d]; k < b.first[d + 1]; ++k) {
        Vec3<S>& column = t.columns[k];
        column = {-row_times<S>(node.at.shortening, k, t.e), S(0), S(0)};
        column[displacement_axis(static_cast<ModeDirection>(d))] += S(node.at.displacement[k]);
      }
    for (std::size_t k = b.first[1]; k < m; ++k) {
      const Vec3<S> momentum = t.columns[k] * mass;
      t.momentum[k] += Vec6<S>{cross(s.p, momentum), momentum};
      t.modal_bias[k] += dot(momentum, a);
      for (std::size_t j = b.first[1]; j < m; ++j)
        t.modal_mass[k * m + j] += dot(momentum, t.columns[j]);
    }
  }
}
}  // namespace detail

template <class P>
LinkTerms<P> make_link_terms(const FlexibleTree& tree, const FlexibleLink& link) {
  const std::size_t m = link.invariants.modes;
  LinkTerms<P> t;
  t.momentum.resize(m);
  t.modal_mass.resize(m * m);
  t.modal_bias.resize(m);
  if constexpr (std::is_same_v<P, FirstOrder>) {
    t.constants = linear_link_constants(tree, link.invariants);
  } else {
    t.e.resize(m);
    t.r.resize(m);
    t.columns.resize(m);
  }
  return t;
}

template <class P>
void link_terms(const FlexibleTree& tree, const FlexibleLink& link,
                const Vec3<typename P::Scalar>& w, std::span<const typename P::Coordinate> e,
                std::span<const typename P::Coordinate> r, LinkTerms<P>& t) noexcept {
  using S = typename P::Scalar;
  const ModalInvariants& b = link.invariants;
  t.inertia = {};
  t.bias = {};
  if (link.beam) {
    if constexpr (std::is_same_v<P, FirstOrder>) {
      linear_link_terms(tree, b, t.constants, w, e, r,
                        {t.inertia, t.momentum, t.modal_mass, t.bias, t.modal_bias});
    } else {
      std::copy(e.begin(), e.end(), t.e.begin());
      std::copy(r.begin(), r.end(), t.r.begin());
      std::fill(t.momentum.begin(), t.momentum.end(), Vec6<S>{});
      std::fill(t.modal_bias.begin(), t.modal_bias.end(), S(0));
      std::fill(t.modal_mass.begin(), t.modal_mass.end(), S(0));
      if (tree.stiffening)
        detail::shortened_terms(tree, b, w, t);
      else
        detail::translation_terms(b, w, t);
      detail::rotary_terms(tree, b, w, t);
    }
  }
  const Vec3<S> moment = detail::constant<S>(link.rigid.first_moment);
  const Sym3<S> inertia = detail::constant<S>(link.rigid.about_origin);
  t.inertia.mass += S(link.rigid.mass);
  t.inertia.first_moment += moment;
  t.inertia.about_origin = t.inertia.about_origin + inertia;
  // W_r D_r t = (w x I w; w x (w x s)) about the origin of the link  [CibicikEgeland (97)-(98)]
  t.bias += Vec6<S>{cross(w, inertia * w), cross(w, cross(w, moment))};
}

}  // namespace axode
