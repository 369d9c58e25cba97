#include "axode/flexible/tree/tangent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "tests/flexible/random_flexible_tree.hpp"

namespace axode::test::flexible_tangent {

struct Equations {
  std::vector<double> mass, forces;
};
template <class P>
Equations equations(const FlexibleTree& tree, const std::vector<double>& q,
                    const std::vector<double>& v) {
  Equations e{std::vector<double>(q.size() * q.size()), std::vector<double>(q.size())};
  FlexibleWork<P> work = make_flexible_work<P>(tree);
  axode::flexible_equations<P>(tree, q, v, work, e.mass, e.forces);
  return e;
}
double largest(const std::vector<double>& a) {
  double most = 1;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

template <class P>
void expect_derivatives(const FlexibleTree& tree, FlexibleModel model, const std::vector<double>& q,
                        const std::vector<double>& v) {
  TangentEquations tangent(tree, model);
  const Equations here = equations<P>(tree, q, v);
  const double h = 1e-5, force_scale = largest(here.forces), mass_scale = largest(here.mass);
  for (int k = 0; k < tree.size; ++k)
    for (const bool speed : {false, true}) {
      const FlexibleTangent& found = tangent(q, v, {k, speed});
      std::vector<double> more_q = q, less_q = q, more_v = v, less_v = v;
      const std::size_t i = k;
      (speed ? more_v : more_q)[i] += h;
      (speed ? less_v : less_q)[i] -= h;
      const Equations a = equations<P>(tree, less_q, less_v),
                      b = equations<P>(tree, more_q, more_v);
      for (std::size_t j = 0; j < q.size(); ++j) {
        EXPECT_NEAR(found.forces[j], here.forces[j], 1e-12 * force_scale);
        EXPECT_NEAR(found.forces_rate[j], (b.forces[j] - a.forces[j]) / (2 * h), 1e-7 * force_scale)
            << tree.coordinate_names[i] << speed;
      }
      for (std::size_t j = 0; j < q.size() * q.size(); ++j) {
        EXPECT_NEAR(found.mass[j], here.mass[j], 1e-12 * mass_scale);
        EXPECT_NEAR(found.mass_rate[j], (b.mass[j] - a.mass[j]) / (2 * h), 1e-8 * mass_scale)
            << tree.coordinate_names[i] << speed;
      }
    }
}

TEST(FlexibleTangent, MeetsCentralDifferencesInBothModels) {
  RandomFlexible by;
  for (int trial = 0; trial < 6; ++trial) {
    const FlexibleTree tree =
        random_flexible_tree(by, 4, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    const std::vector<double> q = random_coordinates(by, tree, 2, 0.05),
                              v = random_coordinates(by, tree, 1, 0.5);
    expect_derivatives<Exact<double>>(tree, FlexibleModel::nonlinear, q, v);
    expect_derivatives<FirstOrder>(tree, FlexibleModel::linear, q, v);
  }
}

TEST(FlexibleTangent, WithAllCoordinatesKeptExactIsTheExactModel) {
  RandomFlexible by;
  const FlexibleTree tree = random_flexible_tree(by, 4, SectionRotation::zyx, true);
  const std::vector<double> q = random_coordinates(by, tree, 2, 0.05),
                            v = random_coordinates(by, tree, 1, 0.5);
  std::vector<int> all;
  for (int k = tree.joints; k < tree.size; ++k) all.push_back(k);
  TangentEquations exact(tree, FlexibleModel::nonlinear), kept(tree, FlexibleModel::linear, all);
  for (int k = 0; k < tree.size; ++k) {
    const FlexibleTangent &a = exact(q, v, {k, false}), &b = kept(q, v, {k, false});
    for (std::size_t j = 0; j < q.size(); ++j)
      EXPECT_NEAR(a.forces_rate[j], b.forces_rate[j], 1e-12 * largest(a.forces_rate));
  }
  EXPECT_THROW(TangentEquations(tree, FlexibleModel::linear, {0}), Error);
}

}  // namespace axode::test::flexible_tangent
