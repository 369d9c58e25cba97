#include "axode/kinematics/jacobian.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {
namespace {

template <class S>
SE3<S> pose_of(const Poses<S>& poses, const Frame& frame) noexcept {
  const SE3<S> T_BF = detail::cast<S>(frame.T_BF);
  return frame.body < 0 ? T_BF : poses.T_WB.data()[frame.body] * T_BF;
}

// --- columns: the representation is chosen by the type of the twist ------------------------------

template <class S>
Twist<Rep::body, S> column(Twist<Rep::body, S>, const SE3<S>& T_WF, const SE3<S>& T_WB,
                           const Vec6<S>& screw) noexcept {
  // Ad_{C_ij} X_j  [MuellerKin (16)]
  const Vec6<S> J = Ad(inverse_times(T_WF, T_WB), screw);
  return {J.angular, J.linear};
}
template <class S>
Twist<Rep::spatial, S> column(Twist<Rep::spatial, S>, const SE3<S>&, const SE3<S>& T_WB,
                              const Vec6<S>& screw) noexcept {
  // Ad_{C_j} X_j  [MuellerKin (28)]
  const Vec6<S> J = Ad(T_WB, screw);
  return {J.angular, J.linear};
}
template <class S>
Twist<Rep::hybrid, S> column(Twist<Rep::hybrid, S>, const SE3<S>& T_WF, const SE3<S>& T_WB,
                             const Vec6<S>& screw) noexcept {
  // Ad_{r_ij} 0X_j, 0X_j = Ad_{R_j} X_j  [MuellerKin (38), (40)]
  const Vec3<S> e = T_WB.R * screw.angular, eta = T_WB.R * screw.linear;
  return {e, eta + cross(T_WB.p - T_WF.p, e)};
}
template <class S>
Twist<Rep::mixed, S> column(Twist<Rep::mixed, S>, const SE3<S>& T_WF, const SE3<S>& T_WB,
                            const Vec6<S>& screw) noexcept {
  // [R_i^T 0; r~_ij I] 0X_j  [MuellerKin (50)]
  const Vec3<S> e = T_WB.R * screw.angular, eta = T_WB.R * screw.linear;
  return {inverse_times(T_WF.R, e), eta + cross(T_WB.p - T_WF.p, e)};
}

// --- the twist of a frame on a body from the body's, in the same representation -------------------

template <class S>
Twist<Rep::body, S> frame_twist(const SE3<S>&, const SE3<S>& T_BF,
                                const Twist<Rep::body, S>& V) noexcept {
  const Vec6<S> V_F = Ad_inverse(T_BF, V.six());
  return {V_F.angular, V_F.linear};
}
template <class S>
Twist<Rep::spatial, S> frame_twist(const SE3<S>&, const SE3<S>&,
                                   const Twist<Rep::spatial, S>& V) noexcept {
  return V;
}
template <class S>
Twist<Rep::hybrid, S> frame_twist(const SE3<S>& T_WB, const SE3<S>& T_BF,
                                  const Twist<Rep::hybrid, S>& V) noexcept {
  return {V.angular, V.linear + cross(V.angular, T_WB.R * T_BF.p)};
}
template <class S>
Twist<Rep::mixed, S> frame_twist(const SE3<S>& T_WB, const SE3<S>& T_BF,
                                 const Twist<Rep::mixed, S>& V) noexcept {
  return {inverse_times(T_BF.R, V.angular), V.linear + T_WB.R * cross(V.angular, T_BF.p)};
}

// --- rates of columns: V_F of the frame, V_j of the joint's body, `rate` = dS_j/dt -----------------

template <class S>
Acceleration<Rep::body, S> column_rate(const SE3<S>& T_WF, const Twist<Rep::body, S>& V_F,
                                       const SE3<S>& T_WB, const Twist<Rep::body, S>& V_j,
                                       const Vec6<S>& screw, const Vec6<S>& rate) noexcept {
  const SE3<S> T_FB = inverse_times(T_WF, T_WB);
  // J'_ij = [J_ij, V_i - Ad_{C_ij} V_j], the sum of [J_ij, J_ik] v_k beyond j  [MuellerDyn (5)]
  const Vec6<S> J = ad(Ad(T_FB, screw), V_F.six() - Ad(T_FB, V_j.six())) + Ad(T_FB, rate);
  return {J.angular, J.linear};
}
template <class S>
Acceleration<Rep::spatial, S> column_rate(const SE3<S>&, const Twist<Rep::spatial, S>&,
                                          const SE3<S>& T_WB, const Twist<Rep::spatial, S>& V_j,
                                          const Vec6<S>& screw, const Vec6<S>& rate) noexcept {
  // J'_j = [V_j, J_j]  [MuellerDyn (16)]
  const Vec6<S> J = ad(V_j.six(), Ad(T_WB, screw)) + Ad(T_WB, rate);
  return {J.angular, J.linear};
}
template <class S>
Acceleration<Rep::hybrid, S> column_rate(const SE3<S>& T_WF, const Twist<Rep::hybrid, S>& V_F,
                                         const SE3<S>& T_WB, const Twist<Rep::hybrid, S>& V_j,
                                         const Vec6<S>& screw, const Vec6<S>& rate) noexcept {
  const Vec3<S> e = T_WB.R * screw.angular, eta = T_WB.R * screw.linear;
  const Vec3<S> e_rate = cross(V_j.angular, e) + T_WB.R * rate.angular;
  const Vec3<S> eta_rate = cross(V_j.angular, eta) + T_WB.R * rate.linear;
  return {e_rate, eta_rate + cross(V_j.linear - V_F.linear, e) + cross(T_WB.p - T_WF.p, e_rate)};
}
template <class S>
Acceleration<Rep::mixed, S> column_rate(const SE3<S>& T_WF, const Twist<Rep::mixed, S>& V_F,
                                        const SE3<S>& T_WB, const Twist<Rep::mixed, S>& V_j,
                                        const Vec6<S>& screw, const Vec6<S>& rate) noexcept {
  const Vec3<S> e = T_WB.R * screw.angular, eta = T_WB.R * screw.linear;
  const Vec3<S> w_j = T_WB.R * V_j.angular, w_F = T_WF.R * V_F.angular;
  const Vec3<S> e_rate = cross(w_j, e) + T_WB.R * rate.angular;
  const Vec3<S> eta_rate = cross(w_j, eta) + T_WB.R * rate.linear;
  return {inverse_times(T_WF.R, e_rate - cross(w_F, e)),
          eta_rate + cross(V_j.linear - V_F.linear, e) + cross(T_WB.p - T_WF.p, e_rate)};
}

// --- joints ---------------------------------------------------------------------------------------

/// The screws of a joint and, behind them, their time derivatives.
template <class S>
using ScrewsAndRates = std::array<Vec6<S>, 12>;

template <class S>
ScrewsAndRates<S> screws_and_rates(const Tree& tree, const Poses<S>& poses, In<S> v,
                                   int j) noexcept {
  const Link& link = tree.links[j];
  ScrewsAndRates<S> both;
  std::copy_n(poses.screws.data() + link.v, link.nv, both.data());
  if (has_constant_screws(link)) {
    std::fill_n(both.data() + link.nv, link.nv, Vec6<S>{});
  } else {
    const S* velocity = v.data();
    joint_screw_derivatives<S>(tree, j, poses.q.data(), {&velocity, 1}, 1, both.data());
  }
  return both;
}

/// Calls take(k, dJ_k/dt) for the velocities k on the path to the frame.
template <Rep rep, class S, class Take>
void for_column_rates(const Tree& tree, const Poses<S>& poses, const Motion<rep, S>& motion,
                      In<S> v, const Frame& frame, Take&& take) noexcept {
  if (frame.body < 0) return;
  const SE3<S> T_WF = pose_of(poses, frame);
  const Twist<rep, S> V_F = frame_twist(poses.T_WB.data()[frame.body], detail::cast<S>(frame.T_BF),
                                        motion.twists.data()[frame.body]);
  for (int j = frame.body; j >= 0; j = tree.links[j].parent) {
    const Link& link = tree.links[j];
    const ScrewsAndRates<S> both = screws_and_rates(tree, poses, v, j);
    for (int k = 0; k < link.nv; ++k)
      take(link.v + k, column_rate(T_WF, V_F, poses.T_WB.data()[j], motion.twists.data()[j],
                                   both.data()[k], both.data()[link.nv + k]));
  }
}

}  // namespace

template <Rep rep, class S>
void jacobian(const Tree& tree, const Poses<S>& poses, const Frame& frame,
              Out<Twist<rep, S>> columns) noexcept {
  assert(static_cast<int>(columns.size()) == tree.nv);
  std::fill(columns.begin(), columns.end(), Twist<rep, S>{Vec6<S>{}.angular, Vec6<S>{}.linear});
  const SE3<S> T_WF = pose_of(poses, frame);
  for (int j = frame.body; j >= 0; j = tree.links[j].parent) {
    const Link& link = tree.links[j];
    for (int k = link.v; k < link.v + link.nv; ++k)
      columns.data()[k] =
          column(Twist<rep, S>{}, T_WF, poses.T_WB.data()[j], poses.screws.data()[k]);
  }
}

template <Rep rep, class S>
void jacobian_rate(const Tree& tree, const Poses<S>& poses, const Motion<rep, S>& motion, In<S> v,
                   const Frame& frame, Out<Acceleration<rep, S>> columns) noexcept {
  assert(static_cast<int>(columns.size()) == tree.nv && static_cast<int>(v.size()) == tree.nv);
  std::fill(columns.begin(), columns.end(),
            Acceleration<rep, S>{Vec6<S>{}.angular, Vec6<S>{}.linear});
  for_column_rates(tree, poses, motion, v, frame,
                   [&](int k, const Acceleration<rep, S>& rate) { columns.data()[k] = rate; });
}

template <Rep rep, class S>
Acceleration<rep, S> jacobian_rate_times_velocity(const Tree& tree, const Poses<S>& poses,
                                                  const Motion<rep, S>& motion, In<S> v,
                                                  const Frame& frame) noexcept {
  assert(static_cast<int>(v.size()) == tree.nv);
  Acceleration<rep, S> sum{Vec6<S>{}.angular, Vec6<S>{}.linear};
  for_column_rates(tree, poses, motion, v, frame,
                   [&](int k, const Acceleration<rep, S>& rate) { sum += rate * v.data()[k]; });
  return sum;
}

template <class S>
void spatial_columns(const Tree& tree, const Poses<S>& poses,
                     Out<Twist<Rep::spatial, S>> columns) noexcept {
  assert(static_cast<int>(columns.size()) == tree.nv);
  for (int j = 0; j < tree.size(); ++j) {
    const Link& link = tree.links[j];
    for (int k = link.v; k < link.v + link.nv; ++k)
      columns.data()[k] =
          column(Twist<Rep::spatial, S>{}, {}, poses.T_WB.data()[j], poses.screws.data()[k]);
  }
}
template <class S>
void spatial_column_rates(const Tree& tree, const Poses<S>& poses,
                          const Motion<Rep::spatial, S>& motion, In<S> v,
                          Out<Acceleration<Rep::spatial, S>> columns) noexcept {
  assert(static_cast<int>(columns.size()) == tree.nv && static_cast<int>(v.size()) == tree.nv);
  for (int j = 0; j < tree.size(); ++j) {
    const Link& link = tree.links[j];
    const ScrewsAndRates<S> both = screws_and_rates(tree, poses, v, j);
    for (int k = 0; k < link.nv; ++k)
      columns.data()[link.v + k] =
          column_rate({}, {}, poses.T_WB.data()[j], motion.twists.data()[j], both.data()[k],
                      both.data()[link.nv + k]);
  }
}

template void jacobian<Rep::body>(const Tree&, const Poses<double>&, const Frame&,
                                  Out<Twist<Rep::body, double>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<double>&, const Motion<Rep::body, double>&,
                            In<double>, const Frame&,
                            Out<Acceleration<Rep::body, double>>) noexcept;
template Acceleration<Rep::body, double> jacobian_rate_times_velocity(
    const Tree&, const Poses<double>&, const Motion<Rep::body, double>&, In<double>,
    const Frame&) noexcept;
template void jacobian<Rep::spatial>(const Tree&, const Poses<double>&, const Frame&,
                                     Out<Twist<Rep::spatial, double>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<double>&, const Motion<Rep::spatial, double>&,
                            In<double>, const Frame&,
                            Out<Acceleration<Rep::spatial, double>>) noexcept;
template Acceleration<Rep::spatial, double> jacobian_rate_times_velocity(
    const Tree&, const Poses<double>&, const Motion<Rep::spatial, double>&, In<double>,
    const Frame&) noexcept;
template void jacobian<Rep::hybrid>(const Tree&, const Poses<double>&, const Frame&,
                                    Out<Twist<Rep::hybrid, double>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<double>&, const Motion<Rep::hybrid, double>&,
                            In<double>, const Frame&,
                            Out<Acceleration<Rep::hybrid, double>>) noexcept;
template Acceleration<Rep::hybrid, double> jacobian_rate_times_velocity(
    const Tree&, const Poses<double>&, const Motion<Rep::hybrid, double>&, In<double>,
    const Frame&) noexcept;
template void jacobian<Rep::mixed>(const Tree&, const Poses<double>&, const Frame&,
                                   Out<Twist<Rep::mixed, double>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<double>&, const Motion<Rep::mixed, double>&,
                            In<double>, const Frame&,
                            Out<Acceleration<Rep::mixed, double>>) noexcept;
template Acceleration<Rep::mixed, double> jacobian_rate_times_velocity(
    const Tree&, const Poses<double>&, const Motion<Rep::mixed, double>&, In<double>,
    const Frame&) noexcept;
template void spatial_columns(const Tree&, const Poses<double>&,
                              Out<Twist<Rep::spatial, double>>) noexcept;
template void spatial_column_rates(const Tree&, const Poses<double>&,
                                   const Motion<Rep::spatial, double>&, In<double>,
                                   Out<Acceleration<Rep::spatial, double>>) noexcept;
template void jacobian<Rep::body>(const Tree&, const Poses<Dual<double>>&, const Frame&,
                                  Out<Twist<Rep::body, Dual<double>>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<Dual<double>>&,
                            const Motion<Rep::body, Dual<double>>&, In<Dual<double>>, const Frame&,
                            Out<Acceleration<Rep::body, Dual<double>>>) noexcept;
template Acceleration<Rep::body, Dual<double>> jacobian_rate_times_velocity(
    const Tree&, const Poses<Dual<double>>&, const Motion<Rep::body, Dual<double>>&,
    In<Dual<double>>, const Frame&) noexcept;
template void jacobian<Rep::spatial>(const Tree&, const Poses<Dual<double>>&, const Frame&,
                                     Out<Twist<Rep::spatial, Dual<double>>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<Dual<double>>&,
                            const Motion<Rep::spatial, Dual<double>>&, In<Dual<double>>,
                            const Frame&, Out<Acceleration<Rep::spatial, Dual<double>>>) noexcept;
template Acceleration<Rep::spatial, Dual<double>> jacobian_rate_times_velocity(
    const Tree&, const Poses<Dual<double>>&, const Motion<Rep::spatial, Dual<double>>&,
    In<Dual<double>>, const Frame&) noexcept;
template void jacobian<Rep::hybrid>(const Tree&, const Poses<Dual<double>>&, const Frame&,
                                    Out<Twist<Rep::hybrid, Dual<double>>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<Dual<double>>&,
                            const Motion<Rep::hybrid, Dual<double>>&, In<Dual<double>>,
                            const Frame&, Out<Acceleration<Rep::hybrid, Dual<double>>>) noexcept;
template Acceleration<Rep::hybrid, Dual<double>> jacobian_rate_times_velocity(
    const Tree&, const Poses<Dual<double>>&, const Motion<Rep::hybrid, Dual<double>>&,
    In<Dual<double>>, const Frame&) noexcept;
template void jacobian<Rep::mixed>(const Tree&, const Poses<Dual<double>>&, const Frame&,
                                   Out<Twist<Rep::mixed, Dual<double>>>) noexcept;
template void jacobian_rate(const Tree&, const Poses<Dual<double>>&,
                            const Motion<Rep::mixed, Dual<double>>&, In<Dual<double>>, const Frame&,
                            Out<Acceleration<Rep::mixed, Dual<double>>>) noexcept;
template Acceleration<Rep::mixed, Dual<double>> jacobian_rate_times_velocity(
    const Tree&, const Poses<Dual<double>>&, const Motion<Rep::mixed, Dual<double>>&,
    In<Dual<double>>, const Frame&) noexcept;
template void spatial_columns(const Tree&, const Poses<Dual<double>>&,
                              Out<Twist<Rep::spatial, Dual<double>>>) noexcept;
template void spatial_column_rates(const Tree&, const Poses<Dual<double>>&,
                                   const Motion<Rep::spatial, Dual<double>>&, In<Dual<double>>,
                                   Out<Acceleration<Rep::spatial, Dual<double>>>) noexcept;

}  // namespace axode
