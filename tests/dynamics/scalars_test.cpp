// Scalars that the library does not compile for itself: the definitions in any_scalar/ serve them all.
#include <gtest/gtest.h>

#include "axode/dynamics/any_scalar/forward_dynamics.hpp"
#include "axode/dynamics/any_scalar/inverse_derivatives.hpp"
#include "axode/dynamics/any_scalar/inverse_dynamics.hpp"
#include "axode/kinematics/any_scalar/poses.hpp"
#include "axode/model/any_scalar/joint_map.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::scalars_test {
namespace {

std::vector<float> in_float(const std::vector<double>& x) { return {x.begin(), x.end()}; }

/// Largest difference relative to the size of the numbers.
double difference(const std::vector<float>& a, const std::vector<double>& b) {
  double size = 1, worst = 0;
  for (const double x : b) size = max(size, std::abs(x));
  for (std::size_t k = 0; k < b.size(); ++k) worst = max(worst, std::abs(a[k] - b[k]));
  return worst / size;
}

TEST(Scalars, SinglePrecision) {
  double worst = 0;
  for_random_cases(20, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 12));
    const std::vector<float> q = in_float(r.q), v = in_float(r.v), a = in_float(r.a);
    Poses<float> p(r.tree);
    poses<float>(r.tree, q, p);
    InverseDynamics<Rep::hybrid, float> inverse(r.tree);
    std::vector<float> tau(v.size()), again(v.size());
    inverse_dynamics<Rep::hybrid, float>(r.tree, p, v, a, inverse, tau);
    ForwardDynamics<Rep::body, float> forward(r.tree);
    EXPECT_TRUE((forward_dynamics<Rep::body, float>(r.tree, p, v, tau, forward, again).ok()));
    InverseDynamicsDerivatives<float> d(r.tree);
    InverseDerivativesWork<float> work(r.tree);
    inverse_dynamics_derivatives<float>(r.tree, p, v, a, work, d);

    const InverseDynamicsDerivatives<double> exact =
        reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
    const double error =
        max(difference(tau, exact.tau),
            max(difference(d.tau, exact.tau), max(difference(d.by_q.values, exact.by_q.values),
                                                  difference(d.by_v.values, exact.by_v.values))));
    // Twelve bodies, some ten roundings in each, twice: 1e-5 is a hundred times epsilon.
    EXPECT_LT(error, 1e-5);
    worst = max(worst, error);
    // Accelerations are as sensitive as the mass matrix is; that they cause these forces is not.
    std::vector<float> forces(v.size());
    inverse_dynamics<Rep::hybrid, float>(r.tree, p, v, again, inverse, forces);
    const DenseMatrix<double> M = reference::mass_matrix(r.tree, r.q);
    double size = 1;
    for (int j = 0; j < r.tree.nv; ++j) {
      double sum = std::abs(exact.tau[j]);
      for (int k = 0; k < r.tree.nv; ++k) sum += std::abs(M(j, k) * again[k]);
      size = max(size, sum);
    }
    for (std::size_t j = 0; j < tau.size(); ++j)
      EXPECT_LT(std::abs(forces[j] - tau[j]), 1e-5 * size);
  });
  record("worst_relative_error", worst);
}

}  // namespace
}  // namespace axode::test::scalars_test
