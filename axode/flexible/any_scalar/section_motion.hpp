// Definitions of section_motion.hpp for any scalar; section_motion.cpp has the instances of the library.
#pragma once
#include "axode/flexible/link/section_motion.hpp"

namespace axode {
namespace detail {

/// Sums over modes of station values times coordinates: displacement (axis by axis) and rotation.
template <class C>
struct StationSums {
  Vec3<C> displacement, angle;
};
template <class C>
StationSums<C> station_sums(const ModalInvariants& beam, const StationModes& at_,
                            std::span<const C> e) noexcept {
  StationSums<C> sum;
  for (int d = 0; d < 4; ++d) {
    C displacement(0), angle(0);
    for (int k = beam.first[d]; k < beam.first[d + 1]; ++k) {
      displacement += e[k] * at_.displacement[k];
      angle += e[k] * at_.angle[k];
    }
    const auto direction = static_cast<ModeDirection>(d);
    if (const int a = displacement_axis(direction); a >= 0) sum.displacement[a] += displacement;
    if (const int b = rotation_axis(direction); b >= 0) sum.angle[b] += angle;
  }
  return sum;
}
/// sum_j H_kj e_j of a symmetric matrix by rows.
template <class C>
C row_times(const std::vector<double>& H, int k, std::span<const C> e) noexcept {
  C sum(0);
  const std::size_t n = e.size();
  for (std::size_t j = 0; j < n; ++j) sum += e[j] * H[std::size_t(k) * n + j];
  return sum;
}

}  // namespace detail

template <class P>
SectionMotion<P> section_motion(const FlexibleTree& tree, const ModalInvariants& beam,
                                const StationModes& at_, std::span<const typename P::Coordinate> e,
                                std::span<const typename P::Coordinate> r) noexcept {
  using C = typename P::Coordinate;
  const auto place = detail::station_sums<C>(beam, at_, e);
  const auto rate = detail::station_sums<C>(beam, at_, r);
  SectionMotion<P> s;
  if constexpr (std::is_same_v<P, FirstOrder>) {
    const Vec3<> none;
    // R = I + eps theta~  [CibicikEgeland (24)], p = (x, 0, 0) + eps d  [CibicikEgeland (45)]
    s.R = {{}, place.angle};
    s.p = make_dual(Vec3<>{at_.x, 0, 0}, place.displacement);
    s.p_rate = make_dual(none, rate.displacement);
    // Gamma = I + eps B: the rates are of order 1, partial velocities of 0 and 1
    // [CibicikEgeland (27), corrected: docs/errata.md]
    const Mat3<> B = first_order_rate(tree.rotation, place.angle), I = Mat3<>::identity();
    s.gamma = {make_dual(I.x, B.x), make_dual(I.y, B.y), make_dual(I.z, B.z)};
    s.spin = make_dual(none, rate.angle);
  } else {
    const SectionTurn<C> turn = section_turn(tree.rotation, place.angle, rate.angle);
    s.R = turn.R;
    s.gamma = turn.gamma;
    s.spin = turn.spin;
    s.spin_bias = turn.spin_bias;
    s.p = place.displacement;
    s.p.x += C(at_.x);
    s.p_rate = rate.displacement;
    if (tree.stiffening)
      for (int k = 0; k < beam.modes; ++k) {
        const C He = detail::row_times<C>(at_.shortening, k, e);
        s.p.x -= e[k] * He * C(0.5);
        s.p_rate.x -= r[k] * He;
        s.p_bias.x -= r[k] * detail::row_times<C>(at_.shortening, k, r);
      }
  }
  return s;
}

template <class P>
void section_twists(const FlexibleTree& tree, const ModalInvariants& beam, const StationModes& at_,
                    std::span<const typename P::Coordinate> e, const SectionMotion<P>& section,
                    std::span<Vec6<typename P::Scalar>> twists) noexcept {
  using S = typename P::Scalar;
  for (int d = 0; d < 4; ++d) {
    const auto direction = static_cast<ModeDirection>(d);
    const int a = displacement_axis(direction), b = rotation_axis(direction);
    for (int k = beam.first[d]; k < beam.first[d + 1]; ++k) {
      Vec6<S> twist;
      if (b >= 0) {
        // S~ = (Gamma Psi_theta; Psi_d), at the link's origin p x Gamma Psi_theta more
        // [CibicikEgeland (71), (94)-(95), corrected: docs/errata.md]
        twist.angular = section.gamma.column(b) * S(at_.angle[k]);
        twist.linear = cross(section.p, twist.angular);
      }
      if (a >= 0) twist.linear[a] += S(at_.displacement[k]);
      if (tree.stiffening)
        twist.linear.x -=
            P::elastic(detail::row_times<typename P::Coordinate>(at_.shortening, k, e));
      twists[k] = twist;
    }
  }
}

}  // namespace axode
