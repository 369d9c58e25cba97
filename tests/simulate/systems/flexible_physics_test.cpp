// Beams against what textbooks know of them: static deflection, damping, the rigid limit, the
// two-link arm [DeLucaSiciliano1991].
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::flexible_physics {
namespace {

constexpr double L = 2, E = 7e10, I = 3e-8, density = 2700, area = 4e-4;

Beam beam() {
  const SectionOutline section = section_numbers({area, I, I, 2 * I});
  return {L, {E, E / 2.6, density}, section, section};
}

/// Deflection of the tip at rest: K q = forces, linear equations.
double static_tip(const FlexibleTree& tree, const FlexibleForces& forces) {
  FlexibleSystem system(tree, forces);
  const std::size_t n = tree.size;
  const std::vector<double> rest(n);
  std::vector<double> a(n);
  system.place(0, rest, rest);
  EXPECT_TRUE(system.evaluate(0));
  Eigen::VectorXd force(tree.size);
  Eigen::MatrixXd K(tree.size, tree.size);
  for (int i = 0; i < tree.size; ++i) {
    const std::size_t row = i;
    force(i) = system.tau()[row] - system.dynamics().forces()[row];
    for (int j = 0; j < tree.size; ++j) K(i, j) = tree.stiffness[row * n + j];
  }
  const Eigen::VectorXd q = K.ldlt().solve(force);
  const std::vector<double> at(q.begin(), q.end());
  EXPECT_TRUE(system.acceleration(0, at, rest, a));  // it is at rest there
  const double frequency_scale = E * I / (density * area * std::pow(L, 4)) * std::abs(at[0]);
  for (const double x : a) EXPECT_LT(std::abs(x), 1e-6 * frequency_scale);
  const StationModes tip = station_modes(*tree.links[0].beam, tree.links[0].modes, L);
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += tip.displacement[k] * at[k];
  return sum;
}

FlexibleForces tip_load(double force) {
  FlexibleForces forces;
  forces.loads = {{.link = 0, .station = L, .wrench = {{}, {0, force, 0}}, .follows = false}};
  return forces;
}

TEST(FlexiblePhysics, StaticDeflectionByPolynomialsIsExact) {
  constexpr double P = 10, weight = density * area * 9.81;
  FlexibleTree tree = polynomial_beam(beam(), 2, FlexibleLink::Joint::fixed);  // x^2, x^3
  tree.gravity = {};
  const double expected = P * std::pow(L, 3) / (3 * E * I);
  EXPECT_NEAR(static_tip(complete(tree), tip_load(P)), expected, 1e-9 * expected);
  tree = polynomial_beam(beam(), 3, FlexibleLink::Joint::fixed);  // up to x^4
  tree.gravity = {0, -9.81, 0};
  const double sag = -weight * std::pow(L, 4) / (8 * E * I);
  EXPECT_NEAR(static_tip(complete(tree), {}), sag, -1e-9 * sag);
}

TEST(FlexiblePhysics, StaticDeflectionConvergesWithTheNumberOfModes) {
  // Clamped-free modes have no shear force at the tip: under a load there n of them reach
  // P L^3/(E I) sum of 4/(b_k L)^4, 97 % with one, 1e-6 only with about 35 (the error falls as
  // n^-3).
  FlexibleTree tree = polynomial_beam(beam(), 1, FlexibleLink::Joint::fixed);
  tree.gravity = {};
  const double unit = 10 * std::pow(L, 3) / (E * I);
  double sum = 0, before = 1;
  int used = 0;
  for (const int modes : {1, 2, 4, 8, 16, 36}) {
    tree.links[0].modes = beam_modes(beam(), ModeDirection::bend_y, modes);
    for (; used < modes; ++used) {
      const double b = tree.links[0].modes[used].shape.wave_number * L;
      sum += 4 / std::pow(b, 4);
    }
    const double tip = static_tip(complete(tree), tip_load(10)) / unit;
    EXPECT_NEAR(tip, sum, 1e-8) << modes;
    const double error = 1. / 3 - tip;
    EXPECT_GT(error, 0);
    EXPECT_LT(error, before / 5);
    before = error;
  }
  EXPECT_LT(3 * before, 1e-6);
}

TEST(FlexiblePhysics, DampedBeamDecaysAsTheOscillatorItIs) {
  for (const bool modal : {true, false}) {
    FlexibleTree tree = polynomial_beam(beam(), 0, FlexibleLink::Joint::fixed);
    tree.gravity = {};
    tree.links[0].modes = beam_modes(beam(), ModeDirection::bend_y, 1);
    const double alpha = 1.5, beta = 2e-4;
    if (modal)
      tree.links[0].damping_ratio = .03;
    else
      tree.links[0].damping_mass = alpha, tree.links[0].damping_stiffness = beta;
    tree = complete(tree);
    // int psi^2 = L, int psi'^2 = 4.6477 / L (b L = 1.8751041, reference vectors of a beam of 3 m)
    const double b = 1.8751040687119611 / L, slopes = 1.5492594395595483 * 3 / L;
    const double m = density * (area * L + I * slopes), k = E * I * std::pow(b, 4) * L;
    // The ratio holds at the frequency of the mode, in which sections have no rotary inertia.
    const double slender = b * b * std::sqrt(E * I / (density * area));
    const double w = std::sqrt(k / m),
                 zeta = modal ? .03 * w / slender : (alpha / w + beta * w) / 2;
    const double wd = w * std::sqrt(1 - zeta * zeta);
    const RunResult result = axode::simulate(
        tree, {}, {{.01}, {0}},
        {.duration = .5, .method = Method::mk5, .rtol = 1e-10, .atol = 1e-14},
        {.sample = [&](const Sample& s) {
          const double expected = .01 * std::exp(-zeta * w * s.t) *
                                  (std::cos(wd * s.t) + zeta * w / wd * std::sin(wd * s.t));
          EXPECT_NEAR(s.q[0], expected, 1e-9);
        }});
    EXPECT_EQ(result.ending, Ending::finished);
    EXPECT_LT(result.energy_drift, 1e-8 * result.energy_scale);
  }
}

/// A rigid tree of the same masses, without modes.
Tree rigid_tree(const FlexibleTree& flexible) {
  TreeBuilder builder("rigid");
  builder.gravity(flexible.gravity);
  for (const FlexibleLink& link : flexible.links) {
    InertiaParameters<> sum = link.rigid;
    SE3<> mount = link.mount;
    if (link.beam) {  // a slender bar with the rotary inertia of its sections
      const Section s = section_of(link.beam->root);
      const double rho = link.beam->material.density, l = link.beam->length, m = rho * s.area * l;
      const Mat3<> about = Mat3<>::diagonal(
          {rho * l * s.polar(), m * l * l / 12 + rho * l * s.Iy, m * l * l / 12 + rho * l * s.Iz});
      sum = parameters(Inertia<>{m, {l / 2, 0, 0}, Sym3<>::of(about)});
    }
    if (link.parent >= 0 && flexible.links[link.parent].beam)
      mount = SE3<>{{}, {link.station, 0, 0}} * mount;
    builder.body(link.name, inertia_from_parameters(sum));
    if (link.parent >= 0) builder.on(flexible.links[link.parent].name);
    builder.joint("joint of " + link.name, revolute({.axis = link.axis}), body_screws(mount));
  }
  return builder.build();
}

TEST(FlexiblePhysics, WithoutModesItIsTheRigidTree) {
  FlexibleTree tree = reference_chain("arm4");
  for (FlexibleLink& link : tree.links) link.modes.clear();
  tree = complete(tree);
  ASSERT_EQ(tree.size, 4);
  const Tree rigid = rigid_tree(tree);
  for_random_cases(20, [&](Random& random) {
    std::vector<double> q(4), v(4), tau(4), a(4);
    for (auto* numbers : {&q, &v, &tau})
      for (double& x : *numbers) x = random.uniform(-2, 2);
    const std::vector<double> expected = reference::forward_dynamics(rigid, q, v, tau);
    for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
      FlexibleDynamics dynamics(tree, {model, {}, false});
      ASSERT_TRUE(dynamics.acceleration(q, v, tau, a));
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], expected[i], 1e-10);
    }
  });
}

TEST(FlexiblePhysics, StiffLinksMoveAsRigidOnes) {
  FlexibleTree given = reference_chain("pendulum1");
  FlexibleTree rigid = given;
  rigid.links[0].modes.clear();
  rigid = complete(rigid);
  SimulateOptions options{.duration = 1, .method = Method::arkode, .rtol = 1e-9, .atol = 1e-12};
  options.flexible.dynamics.model = FlexibleModel::nonlinear;
  const double expected = axode::simulate(rigid, {}, {{0}, {0}}, options).last.q[0];
  double before = 1;
  for (const double stiffer : {1., 1e2, 1e4}) {
    FlexibleTree tree = given;
    tree.links[0].beam->material.E *= stiffer;
    tree.links[0].damping_ratio = .5;  // what is left is what the deflection at rest does
    const RunResult result = axode::simulate(complete(tree), {}, {{0, 0, 0}, {0, 0, 0}}, options);
    const double difference = std::abs(result.last.q[0] - expected);
    EXPECT_LT(difference, before / 30);  // it falls as 1/E
    before = difference;
  }
  EXPECT_LT(before, 1e-7);
}

TEST(FlexiblePhysics, TwoLinkArmHasThePublishedInertia) {
  const double l = .5, m = .1, mh2 = 1, mp = .1, Jh = .1, Jp = 5e-4, Jo = m * l * l / 3;
  const auto turning = [](double mass, double J) {
    return parameters(Inertia<>{mass, {}, Sym3<>::of(Mat3<>::diagonal({J, J, J}))});
  };
  const SectionOutline section = section_numbers({1e-4, 1e-18, 1e-18, 1e-18});  // slender
  const Beam arm{l, {1e18, 1e18, 2000}, section, section};
  FlexibleTree tree;
  tree.name = "two links";
  for (int i = 0; i < 3; ++i) {
    FlexibleLink link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.station = l;
    if (i < 2) link.beam = arm;
    link.joint = i < 2 ? FlexibleLink::Joint::revolute : FlexibleLink::Joint::fixed;
    link.rigid = i == 0 ? turning(0, Jh) : i == 1 ? turning(mh2, Jh) : turning(mp, Jp);
    tree.links.push_back(link);
  }
  tree.links[0].station = 0;
  tree = complete(tree);
  FlexibleDynamics dynamics(tree);
  for (const double angle : {0., .7, 2.}) {
    const std::vector<double> q{.3, angle}, v{0, 0};
    dynamics.evaluate(q, v);
    const double coupling = (m * l / 2 + mp * l) * l * std::cos(angle);
    const double b22 = Jh + Jo + Jp + mp * l * l;
    const double b11 =
        Jh + Jo + Jh + mh2 * l * l + Jo + m * l * l + Jp + mp * 2 * l * l + 2 * coupling;
    EXPECT_NEAR(dynamics.mass()[0], b11, 1e-12);
    EXPECT_NEAR(dynamics.mass()[1], b22 + coupling, 1e-12);
    EXPECT_NEAR(dynamics.mass()[3], b22, 1e-12);
  }
}

}  // namespace
}  // namespace axode::test::flexible_physics
