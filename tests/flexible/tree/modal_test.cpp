#include "axode/flexible/tree/modal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "axode/core/error.hpp"
#include "axode/dynamics/derivatives/oscillations.hpp"
#include "axode/flexible/tree/recursive.hpp"
#include "tests/flexible/random_flexible_tree.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::flexible_modal {

using Joints = FlexibleModesOptions::Joints;

/// A cantilever of unit mass and stiffness with 12 clamped polynomials in each plane; rotary
/// inertia is negligible. Joint about z.
FlexibleTree cantilever(double tip_mass, double tip_inertia = 0) {
  FlexibleTree tree;
  tree.name = "cantilever";
  tree.gravity = {};
  FlexibleLink beam;
  beam.name = "beam";
  const Section section{1, 1e-12, 1e-12, 1e-12};
  beam.beam = Beam{1, {1e12, 1e12, 1}, section_numbers(section), section_numbers(section)};
  for (const ModeDirection direction : {ModeDirection::bend_y, ModeDirection::bend_z})
    for (std::size_t n = 0; n < 12; ++n) {
      ModeShape shape;
      shape.kind = ModeShape::Kind::legendre;
      shape.integrations = 2;
      shape.numbers.assign(n + 1, 0);
      shape.numbers[n] = 1;
      beam.modes.push_back({direction, shape, 0});
    }
  tree.links.push_back(beam);
  if (tip_mass > 0) {
    FlexibleLink tip;
    tip.name = "tip";
    tip.parent = 0;
    tip.station = 1;
    tip.joint = FlexibleLink::Joint::fixed;
    tip.rigid = parameters(
        Inertia<>{tip_mass, {}, Sym3<>::diagonal({tip_inertia, tip_inertia, tip_inertia})});
    tree.links.push_back(tip);
  }
  return complete(tree);
}
/// Roots of a characteristic equation next to each start, by bisection.
template <class F>
double root(F f, double a, double b) {
  for (int i = 0; i < 100; ++i) {
    const double middle = (a + b) / 2;
    ((f(a) < 0) == (f(middle) < 0) ? a : b) = middle;
  }
  return (a + b) / 2;
}

TEST(FlexibleModal, CantileverHasItsAnalyticFrequencies) {
  for (const auto& [mass, inertia] :
       {std::pair{0.0, 0.0}, std::pair{0.7, 0.0}, std::pair{5.0, 0.3}}) {
    const FlexibleTree tree = cantilever(mass, inertia);
    const auto modes = flexible_modes(tree, std::vector<double>(tree.size));
    const auto equation = [mu = mass, ka = inertia](double b) {
      const double s = std::sin(b), c = std::cos(b), sh = std::sinh(b), ch = std::cosh(b);
      return (1 + c * ch) - mu * b * (s * ch - c * sh) - ka * b * b * b * (s * ch + c * sh) +
             mu * ka * b * b * b * b * (1 - c * ch);
    };
    double from = 0.1;
    for (std::size_t k = 0; k < 3; ++k) {
      double to = from + 0.05;
      while ((equation(from) < 0) == (equation(to) < 0)) to += 0.05;
      const double b = root(equation, from, to);
      EXPECT_NEAR(modes[2 * k].frequency / (b * b), 1, 1e-8) << mass << " " << k;
      EXPECT_NEAR(modes[2 * k + 1].frequency / (b * b), 1, 1e-8) << mass << " " << k;
      EXPECT_EQ(modes[2 * k].damping_ratio, 0);
      from = to;
    }
  }
}

TEST(FlexibleModal, FreeJointLeavesARigidBodyModeAndPinnedFrequencies) {
  const FlexibleTree tree = cantilever(0);
  FlexibleModesOptions free;
  free.joints = Joints::free;
  for (const FlexibleModel model : {FlexibleModel::nonlinear, FlexibleModel::linear}) {
    free.model = model;
    const auto modes = flexible_modes(tree, std::vector<double>(tree.size), free);
    ASSERT_EQ(modes.size(), static_cast<std::size_t>(tree.size));
    EXPECT_EQ(modes[0].frequency, 0);
    EXPECT_NEAR(std::abs(modes[0].shape[0]), 1, 1e-12);
    // clamped in the x-z plane, pinned in x-y: tan b = tanh b
    const double pinned = root([](double b) { return std::tan(b) - std::tanh(b); }, 3.5, 4.2);
    EXPECT_NEAR(modes[1].frequency, std::pow(1.8751040687119611, 2), 1e-8 * 3.5);
    EXPECT_NEAR(modes[2].frequency, pinned * pinned, 1e-8 * 15);
  }
}

TEST(FlexibleModal, ReferenceArmLockedAndFree) {
  const FlexibleTree tree = reference_chain("arm4");
  const nlohmann::json given = read_json("flexible/params_arm4.json");
  std::vector<double> q(tree.size);
  const std::vector<double> q0 = flat(given["q0"]);
  std::copy(q0.begin(), q0.end(), q.begin());
  for (const FlexibleModel model : {FlexibleModel::nonlinear, FlexibleModel::linear})
    for (const bool locked : {true, false}) {
      FlexibleModesOptions options;
      options.model = model;
      options.joints = locked ? Joints::locked : Joints::free;
      options.gravity = false;
      const auto modes = flexible_modes(tree, q, options);
      const std::vector<double> expected =
          flat(given["freqs_at_q0"][locked ? "locked_joints_Hz" : "free_joints_Hz"]);
      ASSERT_EQ(modes.size(), expected.size());
      for (std::size_t k = 0; k < modes.size(); ++k)
        EXPECT_NEAR(modes[k].frequency / (2 * std::numbers::pi), expected[k], 1e-8 * 517) << k;
    }
}

double distance_to(const std::vector<std::complex<double>>& all, std::complex<double> wanted) {
  double least = INFINITY;
  for (const auto& value : all) least = std::min(least, std::abs(value - wanted));
  return least;
}
TEST(FlexibleModal, ClosedLoopSpectraMeetReferences) {
  const FlexibleTree tree = reference_chain("arm4");
  const nlohmann::json given = read_json("flexible/params_arm4.json");
  const nlohmann::json spectra = read_json("flexible/spectrum_arm4.json");
  const std::array<std::string, 3> points{"hold", "phase2", "final"};
  for (std::size_t point = 0; point < 3; ++point)
    for (const bool exact : {true, false}) {
      const nlohmann::json& expected = spectra[points[point] + (exact ? "_nl" : "_lin")];
      const std::vector<double> q = flat(expected["equilibrium"]), still(q.size());
      const std::vector<double> target = flat(given["manoeuvre"][point]["qd"]);
      FlexibleLinearizeOptions options;
      options.dynamics.model = exact ? FlexibleModel::nonlinear : FlexibleModel::linear;
      options.kp = flat(given["PD"]["Kp"]);
      options.kd = flat(given["PD"]["Kd"]);
      options.tau.resize(q.size());
      for (std::size_t i = 0; i < 4; ++i) options.tau[i] = options.kp[i] * (target[i] - q[i]);
      const FlexibleLinearization system = linearize(tree, q, still, options);
      ASSERT_TRUE(system.solved);
      for (const double a : system.a) EXPECT_NEAR(a, 0, 1e-6);
      std::vector<std::complex<double>> values;
      for (const Oscillation& o : oscillations(system.A)) values.push_back(o.eigenvalue);
      const std::vector<double> re = flat(expected["eig_re"]), im = flat(expected["eig_im"]);
      ASSERT_EQ(values.size(), re.size());
      for (std::size_t k = 0; k < re.size(); ++k) {
        const std::complex<double> wanted(re[k], im[k]);
        EXPECT_LE(distance_to(values, wanted), 1e-6 + 1e-8 * std::abs(wanted)) << wanted;
      }

      // the same by modes about the equilibrium with servos
      FlexibleModesOptions servo;
      servo.model = options.dynamics.model;
      servo.joints = Joints::servo;
      servo.kp = options.kp;
      servo.kd = options.kd;
      servo.settle = false;
      for (const FlexibleMode& mode : flexible_modes(tree, q, servo))
        EXPECT_LE(distance_to(values, mode.eigenvalue), 1e-6 + 1e-8 * mode.frequency);
    }
}

template <class P>
std::vector<double> accelerations(const FlexibleTree& tree, const std::vector<double>& q,
                                  const std::vector<double>& v, const std::vector<double>& tau) {
  std::vector<double> rates(q.size());
  RecursiveWork<P> work = make_recursive_work<P>(tree);
  EXPECT_TRUE(recursive_acceleration<P>(tree, q, v, tau, work, rates).solved);
  return rates;
}
template <class P>
void expect_state_space(const FlexibleTree& tree, FlexibleModel model, std::vector<double> q,
                        std::vector<double> v, std::vector<double> tau) {
  FlexibleLinearizeOptions options{.tau = tau};
  options.dynamics.model = model;
  const FlexibleLinearization system = linearize(tree, q, v, options);
  ASSERT_TRUE(system.solved);
  const int n = tree.size;
  const double h = 1e-6;
  const auto here = accelerations<P>(tree, q, v, tau);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(here[i], system.a[i], 1e-9 * (1 + std::abs(here[i])));
  for (int k = 0; k < 3 * n; ++k) {
    double& number = k < n ? q[k] : k < 2 * n ? v[k - n] : tau[k - 2 * n];
    const double kept = number;
    number = kept + h;
    const auto b = accelerations<P>(tree, q, v, tau);
    number = kept - h;
    const auto a = accelerations<P>(tree, q, v, tau);
    number = kept;
    double scale = 1, worst = 0;
    for (int i = 0; i < n; ++i) {
      const double found = k < 2 * n ? system.A(n + i, k) : system.B(n + i, k - 2 * n);
      scale = std::max(scale, std::abs(found));
      worst = std::max(worst, std::abs(found - (b[i] - a[i]) / (2 * h)));
      if (k < 2 * n) {
        EXPECT_EQ(system.A(i, k), k == n + i ? 1 : 0);
      }
    }
    for (const double f : here) scale = std::max(scale, std::abs(f));
    EXPECT_LE(worst, 1e-7 * scale) << k;
  }
  // M (lower half of A) = -(K, D)
  const double largest = *std::ranges::max_element(system.K.values);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2 * n; ++k) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += system.M(i, j) * system.A(n + j, k);
      EXPECT_NEAR(-sum, k < n ? system.K(i, k) : system.D(i, k - n), 1e-9 * largest);
    }
}
TEST(FlexibleModal, WithoutForcesItIsLinearizedAboutTheStaticDeflection) {
  const FlexibleTree tree = reference_chain("arm4");
  const std::vector<double> q = {0.4, -0.7, 0.3, 0.2}, zero(tree.size);
  std::vector<double> bent(tree.size);
  std::ranges::copy(q, bent.begin());
  const StaticDeflection rest = static_deflection(tree, bent);
  const FlexibleLinearization held = linearize(tree, bent, zero);
  ASSERT_TRUE(held.solved) << held.message;
  EXPECT_EQ(held.q, rest.q);
  EXPECT_TRUE(std::ranges::equal(std::span(held.tau).first(4), rest.joint_forces));
  EXPECT_LE(max_abs(held.a), 1e-6) << "at rest";
  // the same state and forces written out, and a moving state that nothing holds
  const FlexibleLinearization given = linearize(tree, held.q, zero, {.tau = held.tau});
  EXPECT_EQ(given.A.values, held.A.values);
  std::vector<double> v(tree.size);
  v[0] = 0.1;
  const FlexibleLinearization moving = linearize(tree, bent, v);
  EXPECT_EQ(moving.q, bent);
  EXPECT_EQ(moving.tau, zero);
  expect_says(message([&] {
                (void)linearize(tree, bent, zero, {.tau = {1, 2}});
              }),
              "2 numbers of tau");
}

TEST(FlexibleModal, StateSpaceMeetsCentralDifferences) {
  RandomFlexible by;
  for (int trial = 0; trial < 6; ++trial) {
    const FlexibleTree tree =
        random_flexible_tree(by, 4, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    const auto q = random_coordinates(by, tree, 2, 0.01), v = random_coordinates(by, tree, 1, 0.1),
               tau = random_coordinates(by, tree, 5, 1);
    expect_state_space<Exact<double>>(tree, FlexibleModel::nonlinear, q, v, tau);
    expect_state_space<FirstOrder>(tree, FlexibleModel::linear, q, v, tau);
  }
}

TEST(FlexibleModal, StateSpaceIsThatOfTheDynamicsWithCoordinatesKeptExact) {
  const FlexibleTree tree = reference_chain("arm4");
  const nlohmann::json states = read_json("flexible/vectors_arm4.json")["states"];
  for (const auto& state : states) {
    const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
    std::vector<double> tau = flat(state["T"]), rates(q.size());
    tau.resize(q.size());
    FlexibleLinearizeOptions options{.tau = tau};
    options.dynamics.model = FlexibleModel::linear;
    options.dynamics.exact_coordinates = {6, 8, 12};
    const FlexibleLinearization system = linearize(tree, q, v, options);
    FlexibleDynamics dynamics(tree, options.dynamics);
    ASSERT_EQ(system.solved, dynamics.acceleration(q, v, tau, rates));
    double scale = 1;
    for (const double a : rates) scale = std::max(scale, std::abs(a));
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(system.a[i], rates[i], 1e-9 * scale);
  }
}

TEST(FlexibleModal, StructuralDampingOfOneModeHasItsRatio) {
  FlexibleTree tree = cantilever(0);
  tree.links[0].modes.resize(1);
  tree.links[0].damping_ratio = 0.03;
  tree = complete(tree);
  const auto modes = flexible_modes(tree, std::vector<double>(2));
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].damping_ratio, 0.03, 1e-9);
  FlexibleModesOptions undamped;
  undamped.damping = false;
  EXPECT_NEAR(flexible_modes(tree, std::vector<double>(2), undamped)[0].frequency,
              modes[0].frequency, 1e-9 * modes[0].frequency);
}

TEST(FlexibleModal, StaticDeflectionIsThatOfAHeavyBeam) {
  FlexibleTree tree = cantilever(0);
  tree.gravity = {0, -1e-3, 0};
  const std::vector<double> q(tree.size);
  for (const FlexibleModel model : {FlexibleModel::nonlinear, FlexibleModel::linear}) {
    const StaticDeflection rest = static_deflection(tree, q, model);
    ASSERT_TRUE(rest.converged);
    // w L^4 / 8 EI, and the moment w L^2 / 2 about z
    double tip = 0;
    const StationModes end = station_modes(*tree.links[0].beam, tree.links[0].modes, 1);
    for (std::size_t k = 0; k < 24; ++k) tip += end.displacement[k] * rest.q[k + 1];
    EXPECT_NEAR(tip, -1e-3 / 8, 1e-12);
    EXPECT_NEAR(rest.joint_forces[0], 1e-3 / 2, 1e-12);
  }
}

TEST(FlexibleModal, InvertedPendulumGrowsAndHangingOneSwings) {
  FlexibleTree tree = cantilever(0);
  tree.links[0].modes.resize(3);
  tree = complete(tree);
  tree.gravity = {1e-4, 0, 0};
  const std::vector<double> q(tree.size);
  FlexibleModesOptions free;
  free.joints = Joints::free;
  const double swing = std::sqrt(1.5e-4);
  const auto hanging = flexible_modes(tree, q, free);
  EXPECT_NEAR(hanging[0].frequency, swing, 1e-4 * swing);
  EXPECT_EQ(hanging[0].damping_ratio, 0);
  tree.gravity.x = -1e-4;
  const auto inverted = flexible_modes(tree, q, free);
  EXPECT_NEAR(inverted[0].eigenvalue.real(), swing, 1e-4 * swing);
  EXPECT_EQ(inverted[0].damping_ratio, -1);
  EXPECT_THROW(flexible_modes(tree, std::vector<double>(2), free), Error);
  free.joints = Joints::servo;
  free.kp = {1, 2};
  EXPECT_THROW(flexible_modes(tree, q, free), Error);
}

}  // namespace axode::test::flexible_modal
