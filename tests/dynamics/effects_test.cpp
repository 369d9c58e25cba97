#include "axode/dynamics/effects.hpp"

#include <gtest/gtest.h>

#include <array>

#include "axode/dynamics/inverse_dynamics.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test {
namespace {

/// A lift of 2 kg with drive and losses, and a wheel on it.
Tree cart() {
  return TreeBuilder("cart")
      .gravity({0, 0, -10})
      .body("slide", {.mass = 2})
      .joint("rail", prismatic({.axis = {0, 0, 1}}))
      .damping(3)
      .friction(.5)
      .armature(4)
      .body("wheel", {.mass = 0, .about_com = Sym3<double>::diagonal({1, 1, 1})})
      .on("slide")
      .joint("axle", revolute({.axis = {0, 0, 1}}))
      .damping(.1)
      .build();
}

TEST(Effects, EachCanBeLeftOut) {
  const Tree tree = cart();
  const std::vector<double> q{.3, .2}, v{-2, 7}, a{5, 11};
  const auto tau = [&](const Effects& effects) {
    return inverse_dynamics(tree, q, v, a, {.effects = effects});
  };
  // Inertia 2*5 and 1*11; gravity 20; damping -6 and .7; friction -.5; armature 20.
  expect_near(tau(no_effects), std::array{10., 11.}, 1e-14);
  expect_near(tau({}), std::array{10. + 20 - 6 - .5 + 20, 11.7}, 1e-13);
  expect_near(tau({.gravity = false}), std::array{10. - 6 - .5 + 20, 11.7}, 1e-13);
  expect_near(tau({.armature = false}), std::array{10. + 20 - 6 - .5, 11.7}, 1e-13);
  expect_near(tau({.damping = false}), std::array{10. + 20 - .5 + 20, 11.}, 1e-13);
  expect_near(tau({.friction = false}), std::array{10. + 20 - 6 + 20, 11.7}, 1e-13);
}

TEST(Effects, FrictionHasTheSignOfTheVelocityAndVanishesAtRest) {
  const Tree tree = cart();
  const Effects friction{.gravity = false, .armature = false, .damping = false};
  for (const auto& [velocity, force] :
       {std::pair{1e-300, .5}, std::pair{-1e-300, -.5}, std::pair{0., 0.}, std::pair{-0., 0.}}) {
    const std::array v{velocity, 0.};
    std::array<double, 2> tau{1, 2};
    add_losses<double>(tree, friction, v, tau);
    EXPECT_EQ(tau[0], 1 + force);
    EXPECT_EQ(tau[1], 2);
  }
}

TEST(Effects, DerivativesByDualNumbers) {
  using D = Dual<double>;
  const Tree tree = cart();
  const std::array<D, 2> v{D(2, 1), D(-1, 1)}, a{D(0, 1), D(0, 1)};
  std::array<D, 2> tau{};
  add_losses<D>(tree, {}, v, tau);
  EXPECT_EQ(tau[0].real, 3 * 2 + .5);
  EXPECT_EQ(tau[0].dual, 3);
  EXPECT_EQ(tau[1].dual, .1);
  add_armature<D>(tree, {}, a, tau);
  EXPECT_EQ(tau[0].dual, 3 + 4);
}

TEST(Effects, GravityIsAnAccelerationOfTheWorld) {
  const Tree tree = cart();
  expect_near(world_acceleration<double>(tree, {}), Vec3<double>{0, 0, 10}, 0);
  expect_near(world_acceleration<double>(tree, no_effects), Vec3<double>{}, 0);
  EXPECT_EQ(world_acceleration<Dual<double>>(tree, {}).z.dual, 0);
}

TEST(Effects, AllocateNothing) {
  const Tree tree = cart();
  const std::array v{1., 2.};
  std::array<double, 2> tau{};
  EXPECT_EQ(count_allocations([&] {
              add_losses<double>(tree, {}, v, tau);
              add_armature<double>(tree, {}, v, tau);
            }),
            0);
}

}  // namespace
}  // namespace axode::test
