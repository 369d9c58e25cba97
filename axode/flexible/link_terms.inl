#pragma once
#include "axode/flexible/link_terms.hpp"

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
/// kappa of the three pairs of axes: entries of Jd + J B + B^T J per unit of the third angle, as factors
/// of (Jp, Iy, Iz).
struct RotaryPairs {
  Vec3<> xy, xz, yz;
};
inline RotaryPairs rotary_pairs(SectionRotation order) noexcept {
  const Mat3<> x = first_order_rate(order, Vec3<>{1, 0, 0}),
               y = first_order_rate(order, Vec3<>{0, 1, 0}),
               z = first_order_rate(order, Vec3<>{0, 0, 1});
  return {{1 + z(0, 1), -1 + z(1, 0), 0},
          {-1 + y(0, 2), 0, 1 + y(2, 0)},
          {0, 1 + x(1, 2), -1 + x(2, 1)}};
}

/// Sums of modal coordinates with weights, by the axis that modes turn about.
struct AxisSums {
  Vec3<> of[3];  ///< weighted with Jp, Iy, Iz
};
inline AxisSums axis_sums(const ModalInvariants& b, const double* const (&row)[3],
                          std::span<const Dual<double>> e) noexcept {
  AxisSums sum;
  for (int d = 0; d < 3; ++d) {
    const int axis = rotation_axis(static_cast<ModeDirection>(d));
    for (int c = 0; c < 3; ++c) {
      double s = 0;
      for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) s += row[c][k] * e[at(k)].dual;
      sum.of[c][axis] = s;
    }
  }
  return sum;
}
/// First-order torque of sections that turn: J (w x t') + w x J t' + t' x J w, J in the sums.
inline Vec3<> rotary_coriolis(const Vec3<>& w, const AxisSums& rate) noexcept {
  const Vec3<>&p = rate.of[0], &y = rate.of[1], &z = rate.of[2];
  const Vec3<> turned{w.y * p.z - w.z * p.y, w.z * y.x - w.x * y.z, w.x * z.y - w.y * z.x};
  const Vec3<> gyro{w.z * z.y - w.y * y.z, w.x * p.z - w.z * z.x, w.y * y.x - w.x * p.y};
  return turned + cross(w, {p.x, y.y, z.z}) + gyro;
}
/// Jd of turned sections: theta~ J - J theta~.
inline Sym3<> turned_inertia(const AxisSums& t) noexcept {
  const Vec3<>&p = t.of[0], &y = t.of[1], &z = t.of[2];
  return {0, 0, 0, p.z - y.z, z.y - p.y, y.x - z.x};
}

/// Modes whose momentum is taken by invariants: c_k, momenta, inertia, centrifugal and Coriolis forces.
template <class P>
void translation_terms(const ModalInvariants& b, const Vec3<typename P::Scalar>& w,
                       LinkTerms<P>& t) noexcept {
  using S = typename P::Scalar;
  const int m = b.modes;
  const S w2 = squared_norm(w), two(2);
  S moment[3] = {S(b.first_moment), S(0), S(0)};
  Vec3<S> square[3];  // integral mu u_b p, by the direction of the displacement u
  Vec3<S> moment_rate, turned;
  S radial(0);
  for (int d = 1; d < 4; ++d) {
    const int a = displacement_axis(static_cast<ModeDirection>(d));
    for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) {
      Vec3<S> c{S(b.lever[at(k)]), S(0), S(0)}, c_rate;
      for (int f = 1; f < 4; ++f) {
        const int axis = displacement_axis(static_cast<ModeDirection>(f));
        S sum(0), rate(0);
        for (int j = b.first[at(f)]; j < b.first[at(f + 1)]; ++j) {
          const double product = b.product[at(k * m + j)];
          sum += t.e[at(j)] * product;
          rate += t.r[at(j)] * product;
        }
        c[axis] += sum;
        c_rate[axis] = rate;
      }
      Vec3<S> along;
      along[a] = S(1);
      const S mean(b.mean[at(k)]), &ek = t.e[at(k)], &rk = t.r[at(k)];
      t.momentum[at(k)] = {cross(c, along), along * mean};
      moment[a] += ek * mean;
      moment_rate[a] += rk * mean;
      square[a] += ek * c;
      const S wc = dot(w, c);
      turned[a] += rk * wc;
      radial += rk * c[a];
      t.modal_bias[at(k)] = w[a] * wc - w2 * c[a] + two * cross(w, c_rate)[a];
    }
  }
  S xx = S(b.second_moment) + square[0].x;
  for (int k = b.first[3]; k < b.first[4]; ++k) xx += t.e[at(k)] * b.lever[at(k)];
  const S &yy = square[1].y, &zz = square[2].z;
  t.inertia.mass = S(b.mass);
  t.inertia.first_moment = {moment[0], moment[1], moment[2]};
  t.inertia.about_origin = {yy + zz, xx + zz, xx + yy, -square[1].x, -square[2].x, -square[2].y};
  const Vec3<S>& s = t.inertia.first_moment;
  t.bias = {cross(w, t.inertia.about_origin * w) + (w * radial - turned) * two,
            cross(w, cross(w, s) + moment_rate * two)};
}

/// Rotary inertia to first order, from invariants.
inline void rotary_terms(const FlexibleTree& tree, const ModalInvariants& b,
                         const Vec3<Dual<double>>& w_, LinkTerms<FirstOrder>& t) noexcept {
  const int m = b.modes;
  const Vec3<> w = real_part(w_);
  const double* const link_row[3] = {b.angle[0].data(), b.angle[1].data(), b.angle[2].data()};
  const AxisSums turn = axis_sums(b, link_row, t.e), rate = axis_sums(b, link_row, t.r);
  const Sym3<> J = Sym3<>::diagonal(b.rotary), Jd = turned_inertia(turn);
  const Sym3<Dual<double>> inertia{{J.xx, 0},     {J.yy, 0},     {J.zz, 0},
                                   {0, Jd.xy}, {0, Jd.xz}, {0, Jd.yz}};
  t.inertia.about_origin = t.inertia.about_origin + inertia;
  t.bias.angular += cross(w_, inertia * w_) + make_dual(Vec3<>{}, rotary_coriolis(w, rate));

  const Vec3<Dual<double>> products{w_.y * w_.z, w_.z * w_.x, w_.x * w_.y};
  const Vec3<> order_0 = real_part(products);
  for (int d = 0; d < 3; ++d) {
    const int axis = rotation_axis(static_cast<ModeDirection>(d));
    for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) {
      const double* const row[3] = {&b.angle_product[0][at(k * m)], &b.angle_product[1][at(k * m)],
                                    &b.angle_product[2][at(k * m)]};
      const AxisSums turn_k = axis_sums(b, row, t.e), rate_k = axis_sums(b, row, t.r);
      Vec3<> B[3];  // column of B that this mode has, with each weight
      for (int c = 0; c < 3; ++c) B[c] = first_order_rate(tree.rotation, turn_k.of[c]).column(axis);
      const Vec3<> mean{b.angle[0][at(k)], b.angle[1][at(k)], b.angle[2][at(k)]};
      // w x J w = ((Iz - Iy) wy wz, (Jp - Iz) wz wx, (Iy - Jp) wx wy)
      const Vec3<> differences{mean.z - mean.y, mean.x - mean.z, mean.y - mean.x};
      const double from_B = order_0.x * (B[2].x - B[1].x) + order_0.y * (B[0].y - B[2].y) +
                            order_0.z * (B[1].z - B[0].z);
      const Vec3<> torque = cross(w, turned_inertia(turn_k) * w) + rotary_coriolis(w, rate_k);
      t.modal_bias[at(k)] += products[axis] * differences[axis];
      t.modal_bias[at(k)].dual += torque[axis] + from_B;
      // J alpha_k about the axis, and (Jd + J B) alpha_k
      const Sym3<> turned = turned_inertia(turn_k);
      Vec3<> momentum = turned.matrix().column(axis);
      for (int c = 0; c < 3; ++c) momentum[c] += B[c][c];
      Vec3<> order_zero;
      order_zero[axis] = mean[axis];
      t.momentum[at(k)].angular += make_dual(order_zero, momentum);
    }
  }
  for (int d = 0; d < 3; ++d)
    for (int j = b.first[at(d)]; j < b.first[at(d + 1)]; ++j)
      for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) {
        const int axis = rotation_axis(static_cast<ModeDirection>(d));
        t.modal_mass[at(j * m + k)].real += b.angle_product[at(axis)][at(j * m + k)];
      }
  const int nt = b.first[1], ny = b.first[2] - b.first[1], nz = b.first[3] - b.first[2];
  const auto add = [&](int j, int k, double value) {
    t.modal_mass[at(j * m + k)].dual += value;
    t.modal_mass[at(k * m + j)].dual += value;
  };
  for (int i = 0, n = 0; i < nt; ++i)
    for (int y = b.first[1]; y < b.first[1] + ny; ++y)
      for (int z = b.first[2]; z < b.first[2] + nz; ++z, ++n) {
        add(i, z, t.pair_xy[at(n)] * t.e[at(y)].dual);
        add(i, y, t.pair_xz[at(n)] * t.e[at(z)].dual);
        add(z, y, t.pair_yz[at(n)] * t.e[at(i)].dual);
      }
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
    const Vec3<S> torque = J * (cross(w, turn.spin) + turn.spin_bias) + cross(spin, J * spin);
    const Vec3<S> modal = transpose_times(turn.gamma, torque);
    t.inertia.about_origin = t.inertia.about_origin + J;
    t.bias.angular += torque;
    for (int d = 0; d < 3; ++d) {
      const int axis = rotation_axis(static_cast<ModeDirection>(d));
      for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) {
        const double angle = node.at.angle[at(k)];
        t.momentum[at(k)].angular += JG.column(axis) * S(angle);
        t.modal_bias[at(k)] += modal[axis] * S(angle);
        for (int f = 0; f < 3; ++f) {
          const S factor = GJG(axis, rotation_axis(static_cast<ModeDirection>(f))) * S(angle);
          for (int j = b.first[at(f)]; j < b.first[at(f + 1)]; ++j)
            t.modal_mass[at(k * m + j)] += factor * S(node.at.angle[at(j)]);
        }
      }
    }
  }
}

/// Displacements with their shortening, exactly, at Gauss points: replaces translation_terms.
template <class S>
void shortened_terms(const FlexibleTree& tree, const ModalInvariants& b, const Vec3<S>& w,
                     LinkTerms<Exact<S>>& t) noexcept {
  const std::size_t m = at(b.modes);
  for (const ModalInvariants::Node& node : b.nodes) {
    const SectionMotion<Exact<S>> s =
        section_motion<Exact<S>>(tree, b, node.at, std::span<const S>(t.e), std::span<const S>(t.r));
    const S mass(node.mass);
    const Vec3<S> a = cross(w, cross(w, s.p)) + cross(w, s.p_rate) * S(2) + s.p_bias;
    t.inertia.mass += mass;
    t.inertia.first_moment += s.p * mass;
    t.inertia.about_origin = t.inertia.about_origin + minus_skew_squared(s.p) * mass;
    t.bias += Vec6<S>{cross(s.p, a), a} * mass;
    for (int d = 1; d < 4; ++d)
      for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k) {
        Vec3<S>& column = t.lever[at(k)];
        column = {-row_times<S>(node.at.shortening, k, t.e), S(0), S(0)};
        column[displacement_axis(static_cast<ModeDirection>(d))] += S(node.at.displacement[at(k)]);
      }
    for (std::size_t k = at(b.first[1]); k < m; ++k) {
      const Vec3<S> momentum = t.lever[k] * mass;
      t.momentum[k] += Vec6<S>{cross(s.p, momentum), momentum};
      t.modal_bias[k] += dot(momentum, a);
      for (std::size_t j = at(b.first[1]); j < m; ++j)
        t.modal_mass[k * m + j] += dot(momentum, t.lever[j]);
    }
  }
}
/// Shortening to first order: it adds to what modes move along x.
inline void shortening_terms(const ModalInvariants& b, const Vec3<Dual<double>>& w,
                             LinkTerms<FirstOrder>& t) noexcept {
  const double across = w.y.real * w.y.real + w.z.real * w.z.real;
  const std::size_t m = at(b.modes);
  for (std::size_t k = at(b.first[1]); k < at(b.first[3]); ++k) {
    double short_by = 0, lever = 0;
    for (std::size_t j = at(b.first[1]); j < at(b.first[3]); ++j) {
      short_by += b.shortening[k * m + j] * t.e[j].dual;
      lever += b.shortening_lever[k * m + j] * t.e[j].dual;
    }
    t.momentum[k].linear.x.dual -= short_by;
    t.modal_bias[k].dual += across * lever;
  }
}

/// The masses of modes in displacement, which do not change.
template <class P>
void start_modal_mass(const ModalInvariants& b, LinkTerms<P>& t) noexcept {
  using S = typename P::Scalar;
  const int m = b.modes;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < m; ++k) t.modal_mass[at(j * m + k)] = S(0);
  for (int d = 1; d < 4; ++d)
    for (int j = b.first[at(d)]; j < b.first[at(d + 1)]; ++j)
      for (int k = b.first[at(d)]; k < b.first[at(d + 1)]; ++k)
        t.modal_mass[at(j * m + k)] = S(b.product[at(j * m + k)]);
}

}  // namespace detail

template <class P>
LinkTerms<P> make_link_terms(const FlexibleTree& tree, const FlexibleLink& link) {
  using detail::at;
  using S = typename P::Scalar;
  const ModalInvariants& b = link.invariants;
  const std::size_t m = at(b.modes);
  LinkTerms<P> t;
  t.inertia = {S(link.rigid.mass), detail::constant<S>(link.rigid.first_moment),
               detail::constant<S>(link.rigid.about_origin)};
  t.momentum.resize(m);
  t.modal_mass.resize(m * m);
  t.modal_bias.resize(m);
  t.e.resize(m);
  t.r.resize(m);
  t.lever.resize(m);
  const detail::RotaryPairs pairs = detail::rotary_pairs(tree.rotation);
  const std::size_t n = b.angle_triple[0].size();
  for (auto [target, kappa] : {std::pair{&t.pair_xy, pairs.xy}, std::pair{&t.pair_xz, pairs.xz},
                               std::pair{&t.pair_yz, pairs.yz}}) {
    target->resize(n);
    for (std::size_t i = 0; i < n; ++i)
      (*target)[i] = kappa.x * b.angle_triple[0][i] + kappa.y * b.angle_triple[1][i] +
                     kappa.z * b.angle_triple[2][i];
  }
  return t;
}

template <class P>
void link_terms(const FlexibleTree& tree, const FlexibleLink& link,
                const Vec3<typename P::Scalar>& w, std::span<const typename P::Coordinate> e,
                std::span<const typename P::Coordinate> r, LinkTerms<P>& t) noexcept {
  using S = typename P::Scalar;
  const ModalInvariants& b = link.invariants;
  const InertiaParameters<S> rigid{S(link.rigid.mass), detail::constant<S>(link.rigid.first_moment),
                                   detail::constant<S>(link.rigid.about_origin)};
  const Vec6<S> rigid_bias{cross(w, rigid.about_origin * w), cross(w, cross(w, rigid.first_moment))};
  if (!link.beam) {
    t.inertia = rigid;
    t.bias = rigid_bias;
    return;
  }
  for (std::size_t k = 0; k < e.size(); ++k) {
    t.e[k] = P::elastic(e[k]);
    t.r[k] = P::elastic(r[k]);
    t.momentum[k] = {};
    t.modal_bias[k] = S(0);
  }
  bool shortened = false;
  if constexpr (!std::is_same_v<P, FirstOrder>) {
    if (tree.stiffening) {
      t.inertia = {};
      t.bias = {};
      std::fill(t.modal_mass.begin(), t.modal_mass.end(), S(0));
      detail::shortened_terms(tree, b, w, t);
      shortened = true;
    }
  }
  if (!shortened) {
    detail::start_modal_mass(b, t);
    detail::translation_terms(b, w, t);
  }
  if constexpr (std::is_same_v<P, FirstOrder>) {
    if (tree.stiffening) detail::shortening_terms(b, w, t);
  }
  detail::rotary_terms(tree, b, w, t);
  t.inertia.mass += rigid.mass;
  t.inertia.first_moment += rigid.first_moment;
  t.inertia.about_origin = t.inertia.about_origin + rigid.about_origin;
  t.bias += rigid_bias;
}

}  // namespace axode
