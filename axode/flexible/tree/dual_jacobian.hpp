/// The dual screws of [CibicikEgeland (52)-(96), (113)-(122)] as objects to look at: lines, elastic
/// screws, the two projection matrices, their derivatives.
///
///   t = P^ v             dual twist of a point of link i, in the link's axes      (91), (92)
///   P~                   projecting form: modes keep orders 0 and 1               (93), (95)
///   S^ = eps S~          Jacobian and projecting form of an elastic screw         (70), with B
///   V = Ad(R_ij, p_aj)   screw transformation: other axes, other reference point  (60)-(66)
///   dL/dt = Delta L      Delta = [w^ 0; -v^ w^], w = w_ij,                        (76)-(79)
///                        v = w_ij x p_aj - dp_aj/dt
/// 12-vectors are (w_r, w_d, v_r, v_d). For inspection and tests; the equations of motion are made
/// by flexible_equations and flexible_recursive without these matrices. Cost O(N) for each body.
/// Tests: tests/flexible/tree/dual_jacobian_test.cpp
#pragma once
#include <array>
#include <span>
#include <vector>

#include "axode/flexible/tree/loads.hpp"

namespace axode {

/// A point of a link: fixed in a rigid one, or the section of an elastic one.
struct DualPoint {
  int link = 0;
  double station = 0;  ///< of an elastic link [m]
  Vec3<> point;        ///< of a rigid link, in its frame [m]
};
/// Centre of mass of a rigid link (its origin if it has no mass), tip of an elastic one.
DualPoint usual_point(const FlexibleTree& tree, int link);

/// First-order poses and velocities of all links.
struct DualMotion {
  std::vector<G2<>> poses;                ///< T_0i
  std::vector<DualTwist<double>> twists;  ///< of the link's frame, at its origin and in its axes
};
DualMotion dual_motion(const FlexibleTree& tree, std::span<const double> q,
                       std::span<const double> v);

/// A column: where it comes from, and its screw in the frame of that link, at its origin.
struct DualScrew {
  int link = 0;                  ///< j
  DualTwist<double> projecting;  ///< L^, or S~
  DualTwist<double> jacobian;    ///< L^, or S^ = eps S~
};
/// The screw of a coordinate for what is beyond it on the way to the point; zero if it does not
/// move it.
DualScrew dual_screw(const FlexibleTree& tree, std::span<const double> q, int coordinate,
                     const DualPoint& point);

/// Pose Y = (R_ij, p_aj) of link j seen from the point a of link i, in the axes of i; V = Ad(Y).
G2<> screw_transformation(const FlexibleTree& tree, const DualMotion& motion,
                          std::span<const double> q, const DualPoint& point, int j);

/// The operator of (76)-(79) for screws fixed in link j, seen from the point.
struct DualDifferentiation {
  DualVector<double> w;  ///< angular velocity of j relative to i, in the axes of i
  DualVector<double> v;  ///< upsilon
};
DualDifferentiation dual_differentiation(const FlexibleTree& tree, const DualMotion& motion,
                                         std::span<const double> q, std::span<const double> v,
                                         const DualPoint& point, int j);
DualTwist<double> derivative(const DualDifferentiation& d, const DualTwist<double>& screw) noexcept;
std::array<std::array<double, 12>, 12> matrix(const DualDifferentiation& d) noexcept;

struct DualJacobian {
  int size = 0;                                     ///< N
  std::vector<DualTwist<double>> hat, breve, rate;  ///< columns of P^, P~ and dP^/dt
};
DualJacobian dual_jacobian(const FlexibleTree& tree, std::span<const double> q,
                           std::span<const double> v, const DualPoint& point);
/// The 12 x N matrix by rows of columns such as those above.
std::vector<double> rows_of(const std::vector<DualTwist<double>>& columns);

}  // namespace axode
