/// The tangent matrix against central differences of the residual, in all families.
#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/formulate.hpp"
#include "tests/mechanism/dynamic_mechanisms.hpp"
#include "tests/mechanism/mechanism_runs.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::system_tangent {

using namespace dynamic_mechanisms;
using List = std::vector<double>;

struct Forces {
  List force, position, velocity;
};

Forces residual_at(MechanismSystem& system, const ConstrainedPoint& p) {
  Forces r{List(p.v.size()), List(p.lambda.size()), List(p.lambda.size())};
  EXPECT_TRUE(system.residual(p, {r.force, r.position, r.velocity}));
  return r;
}

/// Differences of fourth order of f(step) at 0.
template <class F>
Forces slope(F&& f) {
  const double h = 1e-4;
  const Forces x[] = {f(-2 * h), f(-h), f(h), f(2 * h)};
  const auto of = [&](List Forces::*part) {
    List d((x[0].*part).size());
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] =
          ((x[0].*part)[i] - (x[3].*part)[i] + 8 * ((x[2].*part)[i] - (x[1].*part)[i])) / (12 * h);
    return d;
  };
  return {of(&Forces::force), of(&Forces::position), of(&Forces::velocity)};
}

void expect_near(const List& column, std::size_t first, const List& slopes,
                 const std::string& what) {
  double size = 1;
  for (const double x : column) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < slopes.size(); ++i)
    EXPECT_NEAR(column[first + i], slopes[i], 1e-10 * size) << what << ", row " << i;
}

List some(Random& random, std::size_t n, double size) {
  List x(n);
  for (double& e : x) e = random.uniform(-size, size);
  return x;
}

/// At positions off the reference by `spread`, which need not meet the equations.
void expect_tangent(MechanismSystem& system, Random& random, const std::string& what,
                    double spread) {
  const MechanismEquations& eq = system.equations();
  std::vector<SE3<double>> poses;
  for (const MechanismBody& b : eq.mechanism.bodies) poses.push_back(b.pose);
  const auto nv = static_cast<std::size_t>(eq.velocities()),
             m = static_cast<std::size_t>(eq.rows());
  List q = system.from_poses(poses);
  plus(eq.group, q, some(random, nv, spread), q);
  const List v = some(random, nv, 2), a = some(random, nv, 3), lambda = some(random, m, 2);
  const ConstrainedPoint p{.3, q, v, a, lambda};
  const ConstrainedView of = view(system);
  SparseAssembly A;
  const auto column = [&](std::size_t k, const TangentScale& scale) {
    List unit(nv + m, 0.), result(nv + m);
    unit[k] = 1;
    of.tangent(p, scale, A);
    multiply(A.matrix, unit, result);
    return result;
  };
  const auto along = [&](std::size_t k, double step, double in_q, double in_v, double in_a) {
    List d(nv, 0.), to = q, fast = v, more = a;
    d[k] = in_q * step;
    plus(eq.group, q, d, to);
    fast[k] += in_v * step;
    more[k] += in_a * step;
    return residual_at(system, {p.t, to, fast, more, lambda});
  };
  for (std::size_t k = 0; k < nv; ++k) {
    const std::string by = what + ", by " + eq.velocity_names[k];
    const Forces by_q = slope([&](double h) { return along(k, h, 1, 0, 0); });
    const List whole = column(k, {.stiffness = 1});
    expect_near(whole, 0, by_q.force, by);
    expect_near(whole, nv, by_q.position, by);
    List rate = column(k, {.rate = 1});
    for (std::size_t i = nv; i < nv + m; ++i) rate[i] -= whole[i];
    expect_near(rate, nv, by_q.velocity, by + ", rate");
    expect_near(column(k, {.damping = 1}), 0,
                slope([&](double h) { return along(k, h, 0, 1, 0); }).force, by + ", damping");
    expect_near(column(k, {.mass = 1}), 0,
                slope([&](double h) { return along(k, h, 0, 0, 1); }).force, by + ", mass");
  }
}

/// Four bodies on a ball, a cylindrical joint, a hinge and nothing; rods close loops.
Mechanism with_balls(bool couple) {
  Maker m("balls and rods", false, {.3, -.2, -9.81});
  for (int i = 1; i < 5; ++i) {
    const double f = i;
    m.body("b" + std::to_string(i), {f, {.1 * f, -.2, .3}, {.5 * f, .6, .7, .02, -.01, .03}},
           {{exp(Vec3<double>{.3 * f, -.8, .5}), {.4, .7 * f, -.2}}, {}});
  }
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{.1, .2, -.3}, c{.4, -.3, .2};
  m.joint({.name = "ball", .type = PairType::spherical, .body = {0, 1}, .point = {o, c}}, {});
  m.joint({.name = "cylinder",
           .type = PairType::cylindrical,
           .body = {1, 2},
           .point = {c, o},
           .axis = {y, z},
           .zero = {x, x}},
          {"distance", "angle"});
  m.joint({.name = "hinge", .body = {2, 3}, .point = {o, c}, .axis = {x, y}, .zero = {y, z}},
          {"angle"});
  m.joint({.name = "second ball", .type = PairType::spherical, .body = {3, 4}, .point = {o, c}},
          {});
  m.joint({.name = "rod", .type = PairType::rod, .body = {0, 4}, .point = {c, o}, .value = 2}, {});
  m.joint({.name = "plane",
           .type = PairType::point_on_plane,
           .body = {0, 3},
           .point = {c, o},
           .axis = {normalized(Vec3<double>{1, 2, 3}), z}},
          {});
  m.load("hinge.angle", 3, .4, 5, .2);
  m.result.mechanism.springs.push_back({.name = "spring",
                                        .body = {1, 3},
                                        .point = {c, o},
                                        .stiffness = 30,
                                        .length = .5,
                                        .damping = 4});
  m.result.mechanism.loads.push_back({.name = "load",
                                      .body = 3,
                                      .point = o,
                                      .force = {1, 2, 3},
                                      .torque = couple ? Vec3<double>{3, -1, 2} : Vec3<double>{}});
  return m.result.mechanism;
}

TEST(SystemTangent, SpatialMechanismsInAllFamilies) {
  Random random(11);
  for (const FormulationOptions& f : families(false)) {
    const bool natural = f.family == CoordinateFamily::natural;
    MechanismSystem system(make_equations(with_balls(!natural), f));
    for (int k = 0; k < 3; ++k)
      expect_tangent(system, random,
                     std::string(name(f.family)) + std::to_string(static_cast<int>(f.attitude)),
                     .3);
  }
}

/// A body that only a rod holds hangs in a tree by a free joint.
TEST(SystemTangent, FreeBodies) {
  Random random(12);
  Maker m("free", false, {0, 0, -9.81});
  m.body("b", {2, {.1, -.2, .3}, {.5, .6, .7, .02, -.01, .03}},
         {{exp(Vec3<double>{.3, -.8, .5}), {.4, .7, -.2}}, {}});
  m.joint({.name = "rod",
           .type = PairType::rod,
           .body = {0, 1},
           .point = {Vec3<double>{.1, .2, .3}, Vec3<double>{.4, .5, .6}},
           .value = 1},
          {});
  for (const FormulationOptions& f : families(false)) {
    MechanismSystem system(make_equations(m.result.mechanism, f));
    expect_tangent(system, random, std::string(name(f.family)), .5);
  }
}

TEST(SystemTangent, PlanarMechanismsInAllFamilies) {
  Random random(13);
  for (const DynamicCase& c : {four_bar(2), slider_crank(1), andrews(), n_four_bar(2)})
    for (const FormulationOptions& f : families(true)) {
      MechanismSystem system(make_equations(c.mechanism, f));
      expect_tangent(system, random, c.name + std::string(name(f.family)), .3);
    }
}

}  // namespace axode::test::system_tangent
