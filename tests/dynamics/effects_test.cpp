#include "axode/dynamics/effects.hpp"

#include <gtest/gtest.h>

#include <array>

#include "axode/dynamics/contact/contact_dynamics.hpp"
#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/derivatives/mass_matrix_derivatives.hpp"
#include "axode/dynamics/derivatives/taylor_dynamics.hpp"
#include "axode/dynamics/derivatives/time_derivatives.hpp"
#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/matrices/closed_form.hpp"
#include "axode/dynamics/matrices/momentum_form.hpp"
#include "axode/dynamics/matrices/moving_base.hpp"
#include "axode/dynamics/parameters/regressor.hpp"
#include "axode/dynamics/parameters/sensitivity.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/engine/calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/near.hpp"

namespace axode::test::effects_test {
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
    return reference::inverse_dynamics(tree, q, v, a, Rep::body, {.effects = effects});
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

// --- all combinations, in all that take effects --------------------------------------------------

using Vector = std::vector<double>;

/// A tree in motion with all effects, and what belongs to each by its definition.
struct Scene {
  explicit Scene(const MovingTree& moving, Random& random)
      : r(moving), p(poses(r.tree, r.q)), external(random_wrenches(random, r.tree)) {
    jerk = random_velocities(random, r.tree);
    snap = random_velocities(random, r.tree);
    inertial = inverse(r.v, r.a, no_effects, external);
    gravity = gravity_forces(r.tree, r.q);
    gravity_rates = gravity;
    std::fill(gravity_rates.begin(), gravity_rates.end(), 0.);
    for (int k = 0; k < r.tree.nv; ++k) {
      gravity_by_q.push_back(five_point_derivative(
          r, By::q, k, [](const MovingTree& x) { return gravity_forces(x.tree, x.q); }));
      for (std::size_t i = 0; i < r.v.size(); ++i)
        gravity_rates[i] += gravity_by_q.back()[i] * r.v[k];
    }
  }
  Vector inverse(const Vector& v, const Vector& a, const Effects& e,
                 In<Wrench<Rep::body>> W = {}) const {
    Vector tau(v.size());
    InverseDynamics<Rep::body> work(r.tree);
    inverse_dynamics<Rep::body, double>(r.tree, p, v, a, work, tau, W, e);
    return tau;
  }
  template <class F>
  Vector by_dof(F&& f) const {
    Vector result;
    for (std::size_t k = 0; k < r.v.size(); ++k) result.push_back(f(r.tree.dofs[k], k));
    return result;
  }
  Vector tau(const Effects& e) const {
    return by_dof([&](const Dof& dof, std::size_t k) {
      return inertial[k] + e.gravity * gravity[k] + e.armature * dof.armature * r.a[k] +
             e.damping * dof.damping * r.v[k] + e.friction * std::copysign(dof.friction, r.v[k]);
    });
  }
  /// Derivatives of the losses and the drives, the n-th of motion = v, a, ...
  Vector added_rate(const Vector& base, const Effects& e, const Vector& damped,
                    const Vector& driven) const {
    return by_dof([&](const Dof& dof, std::size_t k) {
      return base[k] + e.damping * dof.damping * damped[k] + e.armature * dof.armature * driven[k];
    });
  }

  MovingTree r;
  Poses<double> p;
  std::vector<Wrench<Rep::body>> external;
  Vector jerk, snap, inertial, gravity, gravity_rates;
  std::vector<Vector> gravity_by_q;  ///< by velocity: columns, by differences
};

Scene scene(Random& random, bool free_base) {
  MovingTree r = random_moving_tree(random, 5);
  if (free_base) {
    const Inertia<double> I{1, {.1, -.05, .2}, {.1, .2, .25, .01, .02, -.01}};
    r.tree = TreeBuilder{}
                 .body("base", I)
                 .joint("free", free_joint({.velocity = Rep::hybrid}))
                 .body("arm", I)
                 .on("base")
                 .joint("hinge", revolute({.axis = {0, 1, 0}, .point = {.1, .2, .3}}))
                 .body("ball", I)
                 .on("arm")
                 .joint("socket", spherical())
                 .build();
    r.q = random_coordinates(random, r.tree);
    r.v = random_velocities(random, r.tree);
    r.a = random_velocities(random, r.tree);
  }
  for (Dof& dof : r.tree.dofs)
    dof = {.damping = random.uniform(.5, 1),
           .friction = random.uniform(.5, 1),
           .armature = random.uniform(.5, 1)};
  return Scene(r, random);
}
Effects combination(int mask) {
  return {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0};
}
/// Calls check(scene, effects) for all sixteen combinations on some trees.
template <class Check>
void for_all_effects(Check&& check) {
  Random random(12);
  for (int tree = 0; tree < 4; ++tree) {
    const Scene s = scene(random, tree == 0);
    for (int mask = 0; mask < 16; ++mask) {
      SCOPED_TRACE(testing::Message() << "tree " << tree << ", effects " << mask);
      check(s, combination(mask));
    }
  }
}
void expect_same(std::span<const double> a, std::span<const double> b, double tolerance = 1e-11) {
  EXPECT_LT(relative_difference(a, b), tolerance);
}
template <Rep rep>
void check_inverse(const Scene& s, const Effects& e, const Vector& tau) {
  Vector found(tau.size());
  InverseDynamics<rep> work(s.r.tree);
  inverse_dynamics<rep, double>(s.r.tree, s.p, s.r.v, s.r.a, work, found, s.external, e);
  expect_same(found, tau);
}
template <Rep rep>
void check_forward(const Scene& s, const Effects& e, const Vector& tau) {
  Vector found(tau.size());
  ForwardDynamics<rep> work(s.r.tree);
  EXPECT_TRUE(
      (forward_dynamics<rep, double>(s.r.tree, s.p, s.r.v, tau, work, found, s.external, e).ok()));
  expect_same(found, s.r.a, 1e-9);
}
DenseMatrix<double> with_armature(const Scene& s, const Effects& e) {
  DenseMatrix<double> M = reference::mass_matrix(s.r.tree, s.r.q, no_effects);
  for (int k = 0; k < M.rows; ++k) M(k, k) += e.armature * s.r.tree.dofs[k].armature;
  return M;
}

TEST(EffectsInAll, InverseAndForwardDynamics) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    const Vector tau = s.tau(e);
    check_inverse<Rep::body>(s, e, tau);
    check_inverse<Rep::spatial>(s, e, tau);
    check_inverse<Rep::hybrid>(s, e, tau);
    check_inverse<Rep::mixed>(s, e, tau);
    Vector x(tau.size());
    const SystemJacobian<Rep::body> J(tree, s.p);
    ClosedForm<double> closed(tree);
    inverse_dynamics_by_projection<double>(J, s.r.v, s.r.a, closed, x, s.external, e);
    expect_same(x, tau);
    check_forward<Rep::body>(s, e, tau);
    check_forward<Rep::spatial>(s, e, tau);
    check_forward<Rep::hybrid>(s, e, tau);
    expect_same(
        contact_dynamics(tree, s.r.q, s.r.v, tau, {}, {.body_wrenches = s.external, .effects = e})
            .a,
        s.r.a, 1e-9);
    // The regressor holds gravity, but neither drives nor losses.
    expect_same(times(regressor(tree, s.r.q, s.r.v, s.r.a, e), inertia_parameter_list(tree)),
                s.inverse(s.r.v, s.r.a, {e.gravity, false, false, false}));
  });
}

TEST(EffectsInAll, MassMatrices) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    const DenseMatrix<double> M = with_armature(s, e);
    expect_same(reference::mass_matrix(tree, s.r.q, e).values, M.values);
    const Vector Ma = times(M, s.r.a);
    Vector x(Ma.size());
    const SystemJacobian<Rep::body> J(tree, s.p);
    ClosedForm<double> closed(tree);
    multiply_mass_matrix<double>(J, s.r.a, closed, x, e);
    expect_same(x, Ma);
    expect_same(times(reference::inverse_mass_matrix(tree, s.r.q, e), Ma), s.r.a, 1e-9);
    // M dM^-1/dq_m M a = -dM/dq_m a
    const DenseTensor<double> by_q = mass_matrix_derivatives(tree, s.r.q);
    const DenseTensor<double> inverse = inverse_mass_matrix_derivatives(tree, s.r.q, e);
    for (int m = 0; m < tree.nv; ++m) {
      DenseMatrix<double> A = M, B = M;
      for (int i = 0; i < tree.nv; ++i)
        for (int j = 0; j < tree.nv; ++j) {
          A(i, j) = by_q(i, j, m);
          B(i, j) = -inverse(i, j, m);
        }
      expect_same(times(M, times(B, Ma)), times(A, s.r.a), 1e-9);
    }
  });
}

TEST(EffectsInAll, Derivatives) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    const auto d =
        reference::inverse_dynamics_derivatives(tree, s.r.q, s.r.v, s.r.a, s.external, e);
    auto expected =
        reference::inverse_dynamics_derivatives(tree, s.r.q, s.r.v, s.r.a, s.external, no_effects);
    for (int k = 0; k < tree.nv; ++k) {
      const std::size_t g = k;
      expected.by_v(k, k) += e.damping * tree.dofs[g].damping;
      for (int i = 0; i < tree.nv; ++i) expected.by_q(i, k) += e.gravity * s.gravity_by_q[g][i];
    }
    const DenseMatrix<double> M = with_armature(s, e);
    expect_same(d.tau, s.tau(e));
    expect_same(d.by_q.values, expected.by_q.values, 1e-9);  // differences
    expect_same(d.by_v.values, expected.by_v.values);
    expect_same(dense(d.by_a).values, M.values);
    // M (da/dq, da/dv, da/dtau) = (-dtau/dq, -dtau/dv, 1)
    const auto f =
        reference::forward_dynamics_derivatives(tree, s.r.q, s.r.v, s.tau(e), s.external, e);
    expect_same(f.a, s.r.a, 1e-9);
    for (int k = 0; k < tree.nv; ++k) {
      const auto check = [&](const DenseMatrix<double>& A, auto&& entry) {
        Vector column, right;
        for (int i = 0; i < tree.nv; ++i) {
          column.push_back(A(i, k));
          right.push_back(entry(i));
        }
        expect_same(times(M, column), right, 1e-9);
      };
      check(f.by_q, [&](int i) { return -d.by_q(i, k); });
      check(f.by_v, [&](int i) { return -d.by_v(i, k); });
      check(f.by_tau, [&](int i) { return i == k ? 1. : 0; });
    }
  });
}

TEST(EffectsInAll, MomentumForm) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    Composite<double> composite(tree);
    composite_momenta<double>(tree, s.p, s.r.v, composite);
    Vector p(s.r.v.size()), x(p.size()), free(p.size());
    generalized_momenta<double>(tree, composite, s.r.v, p, e);
    expect_same(p, times(with_armature(s, e), s.r.v));
    MomentumForm<double> work(tree);
    EXPECT_TRUE(velocities_from_momenta<double>(tree, s.p, p, work, x, e).ok());
    expect_same(x, s.r.v, 1e-9);
    // p' of the motion does not depend on what gravity and losses the forces overcome.
    momentum_rates<double>(tree, s.p, s.r.v, s.tau(e), work, x, s.external, e);
    momentum_rates<double>(tree, s.p, s.r.v, s.inertial, work, free, s.external, no_effects);
    expect_same(x, s.added_rate(free, {.armature = e.armature, .damping = false}, s.r.v, s.r.a));
    double twice = 0;
    for (std::size_t k = 0; k < p.size(); ++k) twice += p[k] * s.r.v[k];
    EXPECT_NEAR(hamiltonian<double>(tree, s.p, p, s.r.v, e),
                twice / 2 + e.gravity * potential_energy(tree, s.r.q), 1e-11 * (1 + twice));
  });
}

TEST(EffectsInAll, MovingBase) {
  Random random(13);
  const Scene s = scene(random, true);
  for (int mask = 0; mask < 16; ++mask)
    for (const Rep form : {Rep::body, Rep::spatial, Rep::hybrid, Rep::mixed}) {
      SCOPED_TRACE(mask);
      const Effects e = combination(mask);
      const auto d = moving_base_dynamics(s.r.tree, s.r.q, s.r.v, form, e);
      Vector force(s.r.v.size()), a(force.size()), gravity(force.size());
      for (std::size_t k = 0; k < force.size(); ++k) gravity[k] = e.gravity * s.gravity[k];
      change_force<double>(d.change, gravity, gravity);
      expect_same(d.gravity, gravity);
      change_acceleration<double>(d.change, d.nu, s.r.a, a);
      multiply<double>(d.M, a, force);
      for (std::size_t k = 0; k < force.size(); ++k) force[k] += d.coriolis[k] + d.gravity[k];
      Vector tau = s.inverse(s.r.v, s.r.a, e);
      change_force<double>(d.change, tau, tau);
      expect_same(force, tau);
      // And the mass matrix by itself.
      DenseMatrix<double> M = with_armature(s, e);
      change_mass_matrix<double>(d.change, M);
      expect_same(dense(d.M).values, M.values);
    }
}

TEST(EffectsInAll, RatesOfForces) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    const JointMotion<double> motion{s.r.v, s.r.a, s.jerk, s.snap};
    const std::array<Vector, 4> velocities{s.r.v, s.r.a, s.jerk, s.snap};
    const Effects only_gravity{e.gravity, false, false, false};
    const JointForceRates found = inverse_dynamics_rates(tree, s.r.q, motion, {}, e);
    const std::vector<Vector> taylor = inverse_dynamics_rates(tree, s.r.q, velocities, e);
    const JointForceRates bare = inverse_dynamics_rates(tree, s.r.q, motion, {}, no_effects);
    const JointForceRates rest = inverse_dynamics_rates(tree, s.r.q, motion, {}, only_gravity);
    const Vector tau = s.inverse(s.r.v, s.r.a, e);
    Vector first = s.added_rate(bare.first, e, s.r.a, s.jerk);
    for (std::size_t k = 0; k < first.size(); ++k) first[k] += e.gravity * s.gravity_rates[k];
    const Vector second = s.added_rate(rest.second, e, s.jerk, s.snap);
    expect_same(found.tau, tau);
    expect_same(found.first, first, 1e-9);  // differences
    expect_same(found.second, second, 1e-10);
    expect_same(taylor[0], tau);
    expect_same(taylor[1], first, 1e-9);
    expect_same(taylor[2], second, 1e-10);
  });
}

TEST(EffectsInAll, GeometricSensitivity) {
  for_all_effects([](const Scene& s, const Effects& e) {
    const Tree& tree = s.r.tree;
    const std::vector<GeometricVariation> variations = six_variations(2);
    const Vector zero(s.r.v.size());
    const auto all = force_sensitivities(tree, s.r.q, s.r.v, s.r.a, variations, s.external, e);
    const auto bare =
        force_sensitivities(tree, s.r.q, s.r.v, s.r.a, variations, s.external, no_effects);
    const auto weight = force_sensitivities(tree, s.r.q, zero, zero, variations);
    const auto rest = force_sensitivities(tree, s.r.q, zero, zero, variations, {}, e);
    for (std::size_t m = 0; m < all.size(); ++m) {
      Vector sum = bare[m], still = weight[m];
      for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += e.gravity * weight[m][k];
        still[k] *= e.gravity;
      }
      expect_same(all[m], sum);
      expect_same(rest[m], still);
    }
  });
}

TEST(EffectsInAll, Power) {
  for_all_effects([](const Scene& s, const Effects& e) {
    Motion<Rep::body> motion(s.r.tree);
    twists<Rep::body, double>(s.r.tree, s.p, s.r.v, motion);
    double losses = 0;
    for (std::size_t k = 0; k < s.r.v.size(); ++k)
      losses -= e.damping * s.r.tree.dofs[k].damping * s.r.v[k] * s.r.v[k] +
                e.friction * s.r.tree.dofs[k].friction * std::abs(s.r.v[k]);
    const Power<double> found = power<double>(s.r.tree, motion, s.r.v, s.tau(e), s.external, e);
    EXPECT_NEAR(found.losses, losses, 1e-13 * (1 + std::abs(losses)));
  });
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
}  // namespace axode::test::effects_test
