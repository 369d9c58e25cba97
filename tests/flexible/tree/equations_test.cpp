#include "axode/flexible/tree/equations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/flexible/reference_chains.hpp"

namespace axode::test::flexible_equations {

double largest(const std::vector<double>& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

template <class P>
void expect_reference(const FlexibleTree& tree, const nlohmann::json& state,
                      const std::string& key) {
  const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
  const std::size_t n = q.size();
  ASSERT_EQ(static_cast<int>(n), tree.size);
  FlexibleWork<P> work = make_flexible_work<P>(tree);
  std::vector<double> mass(n * n), forces(n);
  axode::flexible_equations<P>(tree, q, v, work, mass, forces, Effect::velocity);
  const nlohmann::json& expected = state[key];
  const std::vector<double> M = flat(expected["M"]), bias = flat(expected["bias"]);
  EXPECT_LE(largest_difference(mass, M), 1e-11 * largest(M)) << tree.name << " M " << key;
  EXPECT_LE(largest_difference(forces, bias), 1e-11 * largest(bias)) << tree.name << " C " << key;
  const std::vector<double> still(n);
  axode::flexible_equations<P>(tree, q, still, work, mass, forces, Effect::gravity);
  for (double& f : forces) f = -f;
  const std::vector<double> gravity = flat(expected["tau_g"]);
  EXPECT_LE(largest_difference(forces, gravity), 1e-11 * largest(gravity)) << tree.name << key;
}

TEST(FlexibleEquations, MeetReferencesInAllRotationOrders) {
  for (const std::string name : {"pendulum1", "planar2", "pendulum1_3d_tipmassmodes", "arm4"}) {
    const nlohmann::json states = read_json("flexible/vectors_" + name + ".json")["states"];
    for (const SectionRotation order :
         {SectionRotation::xyz, SectionRotation::zyx, SectionRotation::exp}) {
      const FlexibleTree tree = reference_chain(name, order);
      for (const auto& state : states) {
        const std::string suffix(axode::name(order));
        expect_reference<FirstOrder>(tree, state, "lin_" + suffix);
        if (order != SectionRotation::zyx)
          expect_reference<Exact<double>>(tree, state, "nonlin_" + suffix);
      }
    }
  }
}

}  // namespace axode::test::flexible_equations
