#include "axode/simulate/run/method.hpp"

#include <algorithm>

#include "axode/core/error.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::method {
namespace {

TEST(Method, NamesReadBack) {
  for (const ModelKind kind : {ModelKind::tree, ModelKind::mechanism, ModelKind::flexible_tree}) {
    EXPECT_EQ(methods_of(kind).front(), Method::automatic);
    for (const Method m : methods_of(kind)) {
      EXPECT_EQ(method_named(name(m), kind), m) << name(m);
      EXPECT_NO_THROW(check_method(m, kind)) << name(m);
    }
  }
  for (const Formulation f : {Formulation::relative, Formulation::absolute})
    EXPECT_EQ(formulation_named(name(f)), f);
  EXPECT_EQ(method_named("generalized_alpha"), Method::generalized_alpha);
  EXPECT_EQ(method_named("semi_implicit"), Method::semi_implicit);
  EXPECT_THROW(method_named("rk4"), Error);
  EXPECT_THROW(formulation_named("natural"), Error);
}

TEST(Method, BelongsToKindsOfModels) {
  const auto has = [](ModelKind kind, Method m) {
    return std::ranges::find(methods_of(kind), m) != methods_of(kind).end();
  };
  EXPECT_EQ(methods_of(ModelKind::tree).size(), 15U);
  EXPECT_EQ(methods_of(ModelKind::flexible_tree).size(), 14U);
  EXPECT_EQ(methods_of(ModelKind::mechanism).size(), 8U);
  EXPECT_TRUE(has(ModelKind::mechanism, Method::null_space));
  EXPECT_FALSE(has(ModelKind::tree, Method::null_space));
  EXPECT_FALSE(has(ModelKind::flexible_tree, Method::momentum_preserving));
  expect_says(message([] { check_method(Method::mk5, ModelKind::mechanism); }),
              "choose generalized-alpha, ida, projection, baumgarte, augmented-lagrangian");
  expect_says(message([] { check_method(Method::null_space, ModelKind::tree); }),
              "does not exist for a tree");
  expect_says(message([] { method_named("null-space"); }), "there is no method 'null-space'");
  EXPECT_EQ(method_named("null_space", ModelKind::mechanism), Method::null_space);
}

TEST(Method, BelongsToOneFormulation) {
  EXPECT_EQ(method_for(Method::automatic, Formulation::relative), Method::mk5);
  EXPECT_EQ(method_for(Method::automatic, Formulation::absolute), Method::generalized_alpha);
  for (const Method m : methods_of(ModelKind::tree)) {
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
