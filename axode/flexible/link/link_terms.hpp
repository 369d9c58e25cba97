/// What one link brings into the equations of motion, from its modal invariants.
///
/// In the frame of the link, about its origin, for angular velocity w and modal coordinates e, rates r:
///   inertia (mass, first moment, rotational inertia); momentum (angular; linear) of each mode's unit rate;
///   modal masses; wrench and modal forces of all that is quadratic in velocities.
/// Translation comes from invariants exactly, c_k = integral mu psi_k p being linear in e. Rotary inertia
/// is exact at Gauss points, or of first order from invariants [CibicikEgeland (97)-(108), with the
/// inertia of sections turning with them]. Cost: m^2 for m modes.
/// Tests: tests/flexible/link/link_terms_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/flexible/link/linear_link.hpp"

namespace axode {

template <class P>
struct LinkTerms {
  using S = typename P::Scalar;
  InertiaParameters<S> inertia;
  std::vector<Vec6<S>> momentum;  ///< by mode: angular about the origin; linear
  std::vector<S> modal_mass;      ///< by rows
  Vec6<S> bias;                   ///< wrench about the origin where nothing accelerates
  std::vector<S> modal_bias;

  LinearLinkConstants constants;  ///< of FirstOrder
  std::vector<S> e, r;            ///< scratch, of Exact
  std::vector<Vec3<S>> columns;
};

/// Memory for a link, and what is constant.
template <class P>
LinkTerms<P> make_link_terms(const FlexibleTree& tree, const FlexibleLink& link);

/// All terms of a link but those of rigid ones without modes, whose bias alone changes.
template <class P>
void link_terms(const FlexibleTree& tree, const FlexibleLink& link,
                const Vec3<typename P::Scalar>& w, std::span<const typename P::Coordinate> e,
                std::span<const typename P::Coordinate> r, LinkTerms<P>& terms) noexcept;

}  // namespace axode
