#include "axode/flexible/link/link_terms.hpp"

#include <gtest/gtest.h>

#include "tests/flexible/small_pieces.hpp"

namespace axode::test::link_terms {

/// A beam cut into many rigid pieces has the same inertia, momenta, masses and forces.
TEST(LinkTerms, AreThoseOfManySmallPieces) {
  for (const bool stiffening : {false, true})
    for (const SectionRotation order :
         {SectionRotation::zyx, SectionRotation::xyz, SectionRotation::exp}) {
      FlexibleTree tree = reference_chain("arm4", order);
      tree.stiffening = stiffening;
      const FlexibleLink& link = tree.links[1];
      const std::vector<double> e{.02, -.01, .05, .003, -.04, .002}, r{.3, .1, -.4, .2, .5, -.1};
      const Vec3<> w{.7, -.4, 1.1};
      using P = Exact<double>;
      LinkTerms<P> terms = make_link_terms<P>(tree, link);
      axode::link_terms<P>(tree, link, w, e, r, terms);
      const Pieces pieces = small_pieces(tree, link, w, e, r);
      EXPECT_NEAR(terms.inertia.mass, pieces.mass, 1e-9 * pieces.mass);
      EXPECT_LT(max_abs(terms.inertia.first_moment - pieces.first_moment), 1e-5);
      EXPECT_LT(max_abs((terms.inertia.about_origin - pieces.inertia).matrix()), 1e-4);
      EXPECT_LT(max_abs(terms.bias - pieces.bias), 1e-4);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_LT(max_abs(terms.momentum[k] - pieces.momentum[k]), 1e-4) << k;
        EXPECT_NEAR(terms.modal_bias[k], pieces.modal_bias[k], 1e-4) << k;
        for (std::size_t j = 0; j < 6; ++j)
          EXPECT_NEAR(terms.modal_mass[k * 6 + j], pieces.modal_mass[k * 6 + j], 1e-4);
      }
    }
}

}  // namespace axode::test::link_terms
