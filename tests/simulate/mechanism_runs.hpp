/// Mechanisms of the reference files, followed by IDA and generalized-alpha in absolute
/// coordinates.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/systems/absolute_system.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::mechanism_runs {

using Json = nlohmann::json;
using List = std::vector<double>;

/// A body turning about z, which moves in the plane; com in its frame, at the joint.
inline void add_link(TreeBuilder& b, const std::string& name, const std::string& parent, double x,
                     double y, double mass, const Vec3<double>& com, double J) {
  b.body(name, {mass, com, {J, J, J, 0, 0, 0}}).on(parent);
  b.joint("j" + name, revolute({}), body_screws(translation(Vec3<double>{x, y, 0})));
}
inline Vec3<double> plane(const Json& a) {
  return {a.at(0).get<double>(), a.at(1).get<double>(), 0};
}

/// A pin of a planar loop: the four motions out of the plane or about z are free, or constraints
/// would be stated twice.
inline LoopJoint pin(int a, int b, const Vec3<double>& on_a, const Vec3<double>& on_b) {
  const std::vector<Vec6<double>> screws{
      {{}, {0, 0, 1}}, {{0, 0, 1}, {}}, {{0, 1, 0}, {}}, {{1, 0, 0}, {}}};
  return {a, b, translation(on_a), translation(on_b), screws_joint(screws)};
}

using Check =
    std::function<void(const Json& row, std::span<const double> q, std::span<const double> v)>;
/// Of positions, and of velocities in relation to the largest.
inline double largest_constraint(const GeneralizedAlpha& method, AbsoluteSystem& system) {
  const std::size_t nx = system.configuration().nx;
  List force(system.configuration().nv);
  List phi(system.constraints()), rate = phi;
  const auto v = system.velocity(method.state());
  system.residual(
      {method.time(), method.state().first(nx), v, method.acceleration(), method.multipliers()},
      {force, phi, rate});
  double fastest = 1, worst = 0;
  for (const double e : v) fastest = std::max(fastest, std::abs(e));
  for (std::size_t k = 0; k < phi.size(); ++k)
    worst = std::max({worst, std::abs(phi[k]), std::abs(rate[k]) / fastest});
  return worst;
}

template <class Method>
void follow(Method& method, AbsoluteSystem& system, const List& q, const List& v,
            const Json& trajectory, const Check& check) {
  method.start(system, 0, system.state(q, v));
  for (const Json& row : trajectory) {
    if (is_sanitized() && method.time() > 0) break;  // the first piece is enough there
    const double t = row.at("t").get<double>();
    while (method.time() < t)
      ASSERT_EQ(method.advance(system, t), StepVerdict::ok) << method.time();
    if constexpr (std::is_same_v<Method, GeneralizedAlpha>) {
      EXPECT_LT(largest_constraint(method, system), 1e-12);
    }
    check(row, system.tree_q(method.state()), system.tree_v(system.velocity(method.state())));
  }
}

using ErrorOf =
    std::function<double(const Json&, std::span<const double>, std::span<const double>)>;
template <class Method>
double worst_error(Method method, AbsoluteSystem& system, const List& q, const List& v,
                   const Json& trajectory, const ErrorOf& error) {
  double worst = 0;
  follow(method, system, q, v, trajectory,
         [&](const Json& row, auto x, auto w) { worst = std::max(worst, error(row, x, w)); });
  return worst;
}
inline GeneralizedAlpha second_order() {
  return GeneralizedAlpha({.step = {.rtol = 1e-7, .atol = 1e-7}});
}

/// The largest errors: IDA to a tight tolerance, generalized-alpha to what order 2 gives in time.
struct Worst {
  double ida = 0, alpha = 0;
};
inline Worst follow_both(AbsoluteSystem& system, const List& q, const List& v,
                         const Json& trajectory, const ErrorOf& error, double rtol = 1e-11) {
  const Worst worst{
      worst_error(Ida({.rtol = rtol, .atol = rtol / 10}), system, q, v, trajectory, error),
      worst_error(second_order(), system, q, v, trajectory, error)};
  record("ida_error", worst.ida);
  record("generalized_alpha_error", worst.alpha);
  return worst;
}
inline double far(double a, double b) { return std::abs(a - b); }
inline double number(const Json& j, const char* key) { return j.at(key).get<double>(); }

}  // namespace axode::test::mechanism_runs
