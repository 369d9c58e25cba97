/// The equations of motion of a flexible tree in dense form: M(q) v' + bias + K q + D v = forces.
///
///   exact      all rotations exact
///   linear     M and forces to first order in elastic coordinates and rates, joints exact
///              [CibicikEgeland (109)-(112), corrected; docs/errata.md]
/// The linear ones are the exact ones in dual numbers, the elastic motion being the dual part: partial
/// velocities of modes (the projecting form) keep orders 0 and 1, velocities have no order 2. Both by
/// composite inertias and the momenta of unit rates moved inwards. Cost O(N d), N coordinates, depth d.
/// Tests: tests/flexible/tree/equations_test.cpp
#pragma once
#include "axode/flexible/detail/motion.hpp"

namespace axode {

/// Scratch of one thread.
template <class P>
struct FlexibleWork {
  using S = typename P::Scalar;
  FlexibleMotion<P> motion;
  std::vector<InertiaParameters<S>> composite, moved;  ///< by link; moved: in the parent's frame
  std::vector<Vec6<S>> wrench, column;
};
template <class P>
FlexibleWork<P> make_flexible_work(const FlexibleTree& tree);

/// M by rows (size x size) and the forces that balance what moves: bias - gravity, so that
/// M v' + forces + K q + D v = tau. For FirstOrder sums of orders 0 and 1. Does not allocate.
template <class P>
void flexible_equations(const FlexibleTree& tree, std::span<const typename P::Coordinate> q,
                        std::span<const typename P::Coordinate> v, FlexibleWork<P>& work,
                        std::span<typename P::Coordinate> mass,
                        std::span<typename P::Coordinate> forces,
                        Effect effect = Effect::all) noexcept;

}  // namespace axode
