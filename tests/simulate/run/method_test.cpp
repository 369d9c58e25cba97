#include "axode/simulate/run/method.hpp"

#include "axode/core/error.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::method {
namespace {

TEST(Method, NamesReadBack) {
  EXPECT_EQ(all_methods().front(), Method::automatic);
  EXPECT_EQ(all_methods().back(), Method::ida);
  for (const Method m : all_methods()) EXPECT_EQ(method_named(name(m)), m) << name(m);
  for (const Formulation f : {Formulation::relative, Formulation::absolute})
    EXPECT_EQ(formulation_named(name(f)), f);
  EXPECT_EQ(method_named("generalized_alpha"), Method::generalized_alpha);
  EXPECT_EQ(method_named("semi_implicit"), Method::semi_implicit);
  EXPECT_THROW(method_named("rk4"), Error);
  EXPECT_THROW(formulation_named("natural"), Error);
}

TEST(Method, BelongsToOneFormulation) {
  EXPECT_EQ(method_for(Method::automatic, Formulation::relative), Method::mk5);
  EXPECT_EQ(method_for(Method::automatic, Formulation::absolute), Method::generalized_alpha);
  for (const Method m : all_methods()) {
    if (m == Method::automatic) continue;
    const bool absolute = m == Method::generalized_alpha || m == Method::ida;
    const Formulation own = absolute ? Formulation::absolute : Formulation::relative,
                      other = absolute ? Formulation::relative : Formulation::absolute;
    EXPECT_EQ(method_for(m, own), m);
    EXPECT_THROW(method_for(m, other), Error);
  }
  EXPECT_TRUE(has_fixed_step(Method::variational));
  EXPECT_FALSE(has_fixed_step(Method::mk5));
}

}  // namespace
}  // namespace axode::test::method
