#include "axode/flexible/link/linear_link.hpp"

#include <gtest/gtest.h>

#include "axode/flexible/link/link_terms.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test::linear_link {

FlexibleTree beam_with_all_modes(SectionRotation order, bool stiffening) {
  FlexibleTree tree = reference_chain("arm4", order);
  FlexibleLink& link = tree.links[1];
  link.beam->tip = section_numbers({.002, 8e-6, 1.1e-5, 1.4e-5});  // tapered
  for (const BeamMode& mode : beam_modes(*link.beam, ModeDirection::axial, 2))
    link.modes.push_back(mode);
  tree.stiffening = stiffening;
  return complete(tree);
}

/// The exact terms in dual numbers, elastic motion in the dual part, know nothing of the constants.
TEST(LinearLink, IsTheExactOneToFirstOrder) {
  using D = Dual<double>;
  for (const bool stiffening : {false, true})
    for (const SectionRotation order :
         {SectionRotation::zyx, SectionRotation::xyz, SectionRotation::exp}) {
      const FlexibleTree tree = beam_with_all_modes(order, stiffening);
      const FlexibleLink& link = tree.links[1];
      const std::vector<double> e{.2, -.1, .5, .3, -.4, .2, .1, -.3},
          r{.3, .1, -.4, .2, .5, -.1, .6, .2};
      ASSERT_EQ(link.invariants.modes, 8);
      const Vec3<D> w{{.7, .2}, {-.4, .3}, {1.1, -.5}};
      std::vector<D> e_dual, r_dual;
      for (std::size_t k = 0; k < 8; ++k) {
        e_dual.emplace_back(0, e[k]);
        r_dual.emplace_back(0, r[k]);
      }
      LinkTerms<FirstOrder> linear = make_link_terms<FirstOrder>(tree, link);
      link_terms<FirstOrder>(tree, link, w, e, r, linear);
      LinkTerms<Exact<D>> exact = make_link_terms<Exact<D>>(tree, link);
      link_terms<Exact<D>>(tree, link, w, e_dual, r_dual, exact);
      const auto expect = [&](const D& a, const D& b, const char* what) {
        EXPECT_NEAR(a.real, b.real, 1e-10) << what << name(order) << stiffening;
        EXPECT_NEAR(a.dual, b.dual, 1e-10) << what << name(order) << stiffening;
      };
      for (int i = 0; i < 3; ++i) {
        expect(linear.inertia.first_moment[i], exact.inertia.first_moment[i], "moment ");
        for (int j = 0; j < 3; ++j)
          expect(linear.inertia.about_origin.matrix()(i, j),
                 exact.inertia.about_origin.matrix()(i, j), "inertia ");
      }
      for (int i = 0; i < 6; ++i) expect(linear.bias[i], exact.bias[i], "bias ");
      for (std::size_t k = 0; k < 8; ++k) {
        expect(linear.modal_bias[k], exact.modal_bias[k], "modal bias ");
        for (int i = 0; i < 6; ++i)
          expect(linear.momentum[k][i], exact.momentum[k][i], "momentum ");
        for (std::size_t j = 0; j < 8; ++j)
          expect(linear.modal_mass[k * 8 + j], exact.modal_mass[k * 8 + j], "modal mass ");
      }
    }
}

}  // namespace axode::test::linear_link
