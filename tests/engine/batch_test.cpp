// Results of batches against the functions of dynamics/ and kinematics/ on one state after the other,
// for all instruction sets, layouts, and numbers of states that do not fill the lanes.
#include "axode/engine/batch.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/lie/adjoint.hpp"
#include "tests/engine/batch_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::batch_test {
namespace {

/// Calls check(batch, arranged) for all instruction sets and layouts.
template <class F>
void for_all_ways(const BatchCase& c, F&& check) {
  for (const batch::BatchKernels* table : batch_tables()) {
    Batch b = batch_with(c.tree, *table);
    for (const Layout layout : both_layouts) {
      SCOPED_TRACE(table->lanes);
      SCOPED_TRACE(layout == Layout::by_state ? "by state" : "by number");
      check(b, Arranged(c, layout));
    }
  }
}

Numbers1 flat(const Poses<double>& p) {
  Numbers1 x;
  for (const SE3<double>& T : p.T_WB) {
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) x.push_back(T.R.matrix.column(j)[k]);
    for (int k = 0; k < 3; ++k) x.push_back(T.p[k]);
  }
  return x;
}
/// The screws in the world, six numbers each.
Numbers1 flat_screws(const Tree& tree, const Poses<double>& p) {
  Numbers1 x(6 * p.screws.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    for (int k = tree.links[i].v; k < tree.links[i].v + tree.links[i].nv; ++k) {
      const std::size_t g = k;
      const Vec6<double> X = Ad(p.T_WB[i], p.screws[g]);
      for (int m = 0; m < 6; ++m) x[6 * g + m] = m < 3 ? X.angular[m] : X.linear[m - 3];
    }
  return x;
}

TEST(BatchPoses, EqualThoseOfEachState) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const BatchCase c = random_batch(random);
    for_all_ways(c, [&](Batch& b, const Arranged& x) {
      Guarded T(12 * c.tree.links.size(), c.states()), same = T;
      Guarded screws(6 * c.tree.dofs.size(), c.states());
      poses(b, x.q, T, x.options());
      poses_and_screws(b, x.q, same, screws, x.options());
      EXPECT_TRUE(T.intact() && same.intact() && screws.intact());
      EXPECT_TRUE(T.same_as(same));
      for (std::size_t k = 0; k < c.states(); ++k) {
        const Poses<double> expected = poses(c.tree, c.q[k]);
        const double error =
            std::max(relative_difference(T.state(k, x.layout), flat(expected)),
                     relative_difference(screws.state(k, x.layout), flat_screws(c.tree, expected)));
        EXPECT_LT(error, 16 * path_rounding(b));
        worst = std::max(worst, error / path_rounding(b));
      }
    });
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

/// Joint forces, and the largest wrench a joint bears: their rounding errors are relative to that.
struct Forces {
  Numbers1 tau;
  double size = 1;
};
Forces reference_forces(const BatchCase& c, std::size_t k, const Numbers1& a,
                        const Effects& effects, bool loads) {
  InverseDynamics<Rep::body> work(c.tree);
  Forces forces{Numbers1(a.size())};
  const auto external = loads ? c.wrenches(k) : std::vector<Wrench<Rep::body>>{};
  inverse_dynamics<Rep::body, double>(c.tree, poses(c.tree, c.q[k]), c.v[k], a, work, forces.tau,
                                      external, effects);
  for (const Wrench<Rep::body>& W : work.joint_wrenches)
    forces.size = std::max(forces.size, max_abs(W.six()));
  return forces;
}

TEST(BatchInverseDynamics, EqualsThatOfEachState) {
  double worst = 0;
  for_random_cases(80, [&](Random& random) {
    const BatchCase c = random_batch(random);
    const Effects effects = random_effects(random);
    const bool loads = random.integer(0, 1) == 0;
    for_all_ways(c, [&](Batch& b, const Arranged& x) {
      Guarded tau(c.tree.dofs.size(), c.states());
      inverse_dynamics(b, x.q, x.v, x.a, tau, x.options(effects, loads));
      EXPECT_TRUE(tau.intact());
      for (std::size_t k = 0; k < c.states(); ++k) {
        const Forces expected = reference_forces(c, k, c.a[k], effects, loads);
        const double error =
            relative_difference(tau.state(k, x.layout), expected.tau, expected.size) /
            path_rounding(b);
        EXPECT_LT(error, 64);
        worst = std::max(worst, error);
      }
    });
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

/// Largest sum of |M_ij a_j|.
double largest_sum(const DenseMatrix<double>& M, const Numbers1& a) {
  double most = 0;
  for (int i = 0; i < M.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < M.rows; ++j) sum += std::abs(M(i, j) * a[j]);
    most = std::max(most, sum);
  }
  return most;
}

TEST(BatchForwardDynamics, UndoesInverseDynamics) {
  double worst = 0, worst_identity = 0;
  for_random_cases(80, [&](Random& random) {
    const BatchCase c = random_batch(random);
    Effects effects = random_effects(random);
    effects.armature = true;  // some bodies have no mass
    const bool loads = random.integer(0, 1) == 0;
    for_all_ways(c, [&](Batch& b, const Arranged& x) {
      Guarded a(c.tree.dofs.size(), c.states());
      EXPECT_EQ(forward_dynamics(b, x.q, x.v, x.tau, a, x.options(effects, loads)).singular_state,
                -1);
      EXPECT_TRUE(a.intact());
      Numbers1 in_place = x.tau;
      EXPECT_TRUE(
          forward_dynamics(b, x.q, x.v, in_place, in_place, x.options(effects, loads)).ok());
      EXPECT_TRUE(std::ranges::equal(in_place, a.values()));
      for (std::size_t k = 0; k < c.states(); ++k) {
        const Numbers1 own = a.state(k, x.layout);
        const Forces back = reference_forces(c, k, own, effects, loads);
        const double size =
            std::max(back.size, largest_sum(reference::mass_matrix(c.tree, c.q[k]), own));
        const double identity = relative_difference(back.tau, c.tau[k], size) / path_rounding(b);
        EXPECT_LT(identity, 16);
        worst_identity = std::max(worst_identity, identity);
        ForwardDynamics<Rep::body> work(c.tree);
        Numbers1 expected(own.size());
        const auto external = loads ? c.wrenches(k) : std::vector<Wrench<Rep::body>>{};
        EXPECT_TRUE(
            (forward_dynamics<Rep::body, double>(c.tree, poses(c.tree, c.q[k]), c.v[k], c.tau[k],
                                                 work, expected, external, effects)
                 .ok()));
        const double error = relative_difference(own, expected);
        EXPECT_LT(error, 1e-9);
        worst = std::max(worst, error);
      }
    });
  });
  record("worst_relative_error", worst);
  record("worst_identity_in_roundings_of_the_path", worst_identity);
}

TEST(BatchMassMatrix, EqualsThatOfEachState) {
  double worst = 0;
  for_random_cases(80, [&](Random& random) {
    const BatchCase c = random_batch(random);
    const Effects effects = random_effects(random);
    for_all_ways(c, [&](Batch& b, const Arranged& x) {
      const PathMatrix<double> pattern(c.tree);
      ASSERT_EQ(mass_matrix_size(b), pattern.values.size());
      for (const bool long_paths : {false, true}) {
        b.long_paths = long_paths;
        Guarded M(pattern.values.size(), c.states());
        mass_matrix(b, x.q, M, x.options(effects));
        EXPECT_TRUE(M.intact());
        for (std::size_t k = 0; k < c.states(); ++k) {
          PathMatrix<double> own = pattern;
          own.values = M.state(k, x.layout);
          const double error = relative_difference(
              dense(own).values, reference::mass_matrix(c.tree, c.q[k], effects).values);
          EXPECT_LT(error, 64 * path_rounding(b));
          worst = std::max(worst, error / path_rounding(b));
        }
      }
    });
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

}  // namespace
}  // namespace axode::test::batch_test
