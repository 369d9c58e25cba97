/// Accelerations of chains and trees of many elastic links in O(n): the articulated-body recursion
/// with modes, for the exact and the linear model.
///
/// Per link, inwards: bodies beyond it as they are felt (articulated inertia, bias), the modes
/// eliminated, then the joint; outwards the accelerations. The linear model's M, truncated at order
/// 1, is
///   M = sum P~^T D P~      with twists (V_r; V_d) of 12 numbers     [CibicikEgeland (97)-(112)]
///   D = [I0 + I1, I0; I0, 0]
/// and is eliminated in the same way in blocks of 12: twists are dual vectors V, wrenches dual
/// vectors g = (1 + eps) f with power = dual part of V.g. Pivots are those of M: where one is not
/// positive, M is not positive definite, and the link is named. Cost O(links m^3), m modes of a
/// link.
/// Tests: tests/flexible/tree/recursive_test.cpp
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "axode/flexible/tree/equations.hpp"

namespace axode {

/// Numbers of a twist: 6, or 12 to first order; and their type.
template <class P>
struct RecursiveBlock {
  static constexpr std::size_t size = 6;
  using Number = typename P::Scalar;
};
template <>
struct RecursiveBlock<FirstOrder> {
  static constexpr std::size_t size = 12;
  using Number = double;
};

template <class P>
struct ArticulatedLink {
  using N = typename RecursiveBlock<P>::Number;
  static constexpr std::size_t D = RecursiveBlock<P>::size;
  using Vector = std::array<N, D>;
  std::array<Vector, D> inertia{};  ///< articulated, in the link's frame
  Vector bias{}, joint_column{}, twist{};
  N joint_pivot{}, joint_force{};
  std::vector<Vector> coupling,
      solved;                  ///< by mode: wrench of its unit rate; the same over the factor
  std::vector<Vector> mount;   ///< twists of the parent's modes, see LinkMotion
  std::vector<N> mass, force;  ///< modal masses, by rows, then their factor; modal forces
};
template <class P>
struct RecursiveWork {
  FlexibleMotion<P> motion;
  std::vector<ArticulatedLink<P>> links;
};
template <class P>
RecursiveWork<P> make_recursive_work(const FlexibleTree& tree);

/// Where a pivot was not positive, if one was.
struct [[nodiscard]] RecursiveOutcome {
  bool solved = true;
  int link = -1;
  int coordinate = -1;  ///< whose pivot it was
};
/// "link 'arm': ..." in words; empty if solved.
std::string message(const FlexibleTree& tree, const RecursiveOutcome& outcome);

/// v' at (q, v) for the generalized forces tau: M v' = tau - forces - K q - D v. Does not allocate.
template <class P>
RecursiveOutcome recursive_acceleration(const FlexibleTree& tree,
                                        std::span<const typename P::Coordinate> q,
                                        std::span<const typename P::Coordinate> v,
                                        std::span<const typename P::Coordinate> tau,
                                        RecursiveWork<P>& work,
                                        std::span<typename P::Coordinate> rates) noexcept;

}  // namespace axode
