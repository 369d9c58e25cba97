/// Poses, motion and terms of all links of a flexible tree at a state: what both the dense and the
/// recursive equations are made from.
///
/// The pass goes from the world outwards. Angular velocity w, angular acceleration and acceleration of
/// the origin are those with all v' = 0, the world accelerated by -g where gravity is wanted:
/// there are no wrenches of gravity as in [CibicikEgeland (123)-(124)]. How links follow one another:
/// [CibicikEgeland (30)-(41)].
/// Cost O(n + modes^2 per link).
/// Tests: tests/flexible/detail/motion_test.cpp
#pragma once
#include "axode/flexible/link/link_terms.hpp"

namespace axode {

template <class P>
struct LinkMotion {
  using S = typename P::Scalar;
  typename P::Rotation R;      ///< axes of the link in those of its parent
  Vec3<S> origin;              ///< in the parent's frame: section.p + arm
  SectionMotion<P> section;    ///< of the parent that carries the link; at its origin if rigid
  Vec3<S> arm;                 ///< from that section to the origin, in the parent's axes
  std::vector<Vec6<S>> mount;  ///< twists by unit rates of the parent's modes, see section_twists
  std::vector<double>
      shortening;       ///< FirstOrder: of the section by unit rates of the parent's modes
  Vec3<S> w, alpha, a;  ///< in the link's axes
  LinkTerms<P> terms;
};

template <class P>
struct FlexibleMotion {
  std::vector<typename P::Coordinate> still;  ///< zeros
  bool wants_mounts = true;                   ///< false: LinkMotion::mount is left as it is
  std::vector<LinkMotion<P>> links;
};
template <class P>
FlexibleMotion<P> make_motion(const FlexibleTree& tree);

/// What is to be in the accelerations: gravity alone (v taken as zero), velocities alone, or both.
enum class Effect : std::uint8_t { all, gravity, velocity };

template <class P>
void flexible_motion(const FlexibleTree& tree, std::span<const typename P::Coordinate> q,
                     std::span<const typename P::Coordinate> v, FlexibleMotion<P>& motion,
                     Effect effect = Effect::all) noexcept;

}  // namespace axode
