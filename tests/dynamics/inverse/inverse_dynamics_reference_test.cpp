// Dynamics against published and computed values: reference vectors of 50 digits, a moving
// base, the PUMA 560 of the Robotics Toolbox, and the worked examples of Modern Robotics.
#include <gtest/gtest.h>

#include <cmath>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::inverse_dynamics_reference_test {
namespace {

using nlohmann::json;

constexpr Effects inertia_only = no_effects;
constexpr Effects gravity_only{true, false, false, false};

struct Call {
  std::vector<double> v, a;
  Effects effects;
  std::vector<Wrench<Rep::body>> external{};
};
template <Rep rep>
double compare(const Tree& tree, const Poses<double>& at, const Call& call, const json& expected,
               InverseDynamics<rep>& work) {
  std::vector<double> tau(call.v.size());
  inverse_dynamics<rep, double>(tree, at, call.v, call.a, work, tau, call.external, call.effects);
  return relative_difference(tau, flat(expected));
}
template <Rep rep>
double compare_wrenches(const Poses<double>& at, const InverseDynamics<rep>& work,
                        const json& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < at.T_WB.size(); ++i) {
    const Vec6<double> W = vec6(expected.at(i));
    const auto found = convert_with_pose<Rep::spatial>(at.T_WB[i], work.joint_wrenches[i]);
    worst = std::max(worst, largest_difference(found.six(), W) / std::max(1., max_abs(W)));
  }
  return worst;
}

template <Rep rep>
double worst_error(const Tree& tree, const json& input, const json& output) {
  const Poses<double> at = poses(tree, flat(input.at("q")));
  const std::vector<double> v = flat(input.at("qd")), a = flat(input.at("qdd")), zero(v.size(), 0.);
  std::vector<Wrench<Rep::body>> applied;
  for (const auto& w : input.at("Wapp_body")) applied.push_back({vec6(w).angular, vec6(w).linear});
  InverseDynamics<rep> work(tree);
  double worst = compare(tree, at, {zero, zero, gravity_only}, output.at("gravity_vector"), work);
  const auto also = [&](double error) { worst = max(worst, error); };
  also(compare(tree, at, {v, zero, inertia_only}, output.at("coriolis_vector"), work));
  also(compare(tree, at, {v, a, gravity_only}, output.at("Q"), work));
  also(compare_wrenches(at, work, output.at("joint_wrench_spatial")));
  also(compare(tree, at, {v, a, gravity_only, applied}, output.at("Q_total"), work));
  also(compare_wrenches(at, work, output.at("joint_wrench_spatial_with_app")));
  for (Wrench<Rep::body>& w : applied) w = -w;  // alone, and in the place of joint forces: J^T W
  also(compare(tree, at, {zero, zero, inertia_only, applied}, output.at("Q_app"), work));
  return worst;
}

TEST(InverseDynamicsReference, ForcesAndJointWrenchesInAllRepresentations) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const json data = read_json(std::string(file) + ".json");
    for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::joint_frames}) {
      const Tree tree = tree_from_reference(data.at("model"), form);
      for (const auto& state : data.at("states"))
        for_representations([&]<Rep rep>() {
          const double error = worst_error<rep>(tree, state.at("input"), state.at("output"));
          EXPECT_LT(error, 1e-12) << file << ' ' << name(rep);
          worst = max(worst, error);
        });
    }
  }
  record("worst_relative_error", worst);
}

/// The wrenches on the links of the moving base, those of its contacts among them.
std::vector<Wrench<Rep::body>> wrenches_on_links(const Tree& tree, const Poses<double>& at,
                                                 const json& input) {
  std::vector<ExternalWrench<>> all;
  for (int i = 0; i < tree.size(); ++i) {
    const Frame link{i, {}};
    all.push_back(
        {i, vec6_linear_first(input.at("link_wrench_L").at(std::size_t(i))), {link, link}});
  }
  for (const auto& contact : input.at("contacts")) {
    const int link = contact.at("link").get<int>();
    all.push_back({link,
                   vec6_linear_first(contact.at("f_CA")),
                   {Frame{link, pose(contact.at("L_H_C"))}, Frame{}}});
  }
  std::vector<Wrench<Rep::body>> sums(tree.links.size());
  add_external_wrenches<double>(at, all, sums);
  return sums;
}

TEST(InverseDynamicsReference, MovingBaseInAllFormsOfItsVelocity) {
  const json data = read_json("moving_base.json");
  double worst = 0;
  for (const auto& state : data.at("states"))
    for (const Rep velocity : {Rep::body, Rep::hybrid, Rep::spatial}) {
      const char* key = velocity == Rep::body     ? "body"
                        : velocity == Rep::hybrid ? "mixed"
                                                  : "inertial";
      const json &input = state.at("input"), &base = state.at("output").at("base").at(key);
      const Tree tree =
          tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
      const Poses<double> at = poses(tree, moving_base_configuration(input));
      const std::vector<double> v = base_angular_first(base.at("nu")),
                                a = base_angular_first(base.at("nudot")), zero(v.size(), 0.);
      const auto numbers = [&](const char* what) {
        return json(base_angular_first(base.at(what)));
      };
      for_representations([&]<Rep rep>() {
        InverseDynamics<rep> work(tree);
        const auto check = [&](const Call& call, const char* what) {
          const double error = compare(tree, at, call, numbers(what), work);
          EXPECT_LT(error, 1e-12) << key << ' ' << name(rep) << ' ' << what;
          worst = max(worst, error);
        };
        check({zero, zero, gravity_only}, "G");
        check({v, zero, inertia_only}, "C_nu");
        check({v, a, gravity_only}, "generalized_inertial_force");
        check({v, a, gravity_only, wrenches_on_links(tree, at, input)}, "residual");
      });
    }
  record("worst_relative_error", worst);
}

// --- PUMA 560 -------------------------------------------------------------------------------------

Tree puma(const json& data) {
  TreeBuilder builder("puma560");
  builder.gravity({0, 0, -9.81});
  for (std::size_t i = 0; i < 6; ++i) {
    const auto number = [&](const char* key) { return data.at(key).at(i).get<double>(); };
    const auto I = [&](std::size_t k) { return data.at("I").at(i).at(k).get<double>(); };
    const double gear = std::abs(number("G"));
    builder.body(numbered("l", i + 1),
                 {number("m"), vec3(data.at("r").at(i)), {I(0), I(1), I(2), I(3), I(5), I(4)}});
    if (i > 0) builder.on(numbered("l", i));
    builder
        .joint(numbered("j", i + 1),
               classic_dh({.d = number("d"), .a = number("a"), .alpha = number("alpha")}))
        .armature(gear * gear * number("Jm"))
        .damping(gear * gear * number("B"))
        .friction(gear * data.at("Tc").at(i).at(0).get<double>());  // all turn forwards below
  }
  return builder.build();
}

class Puma : public ::testing::Test {
 protected:
  void expect(const char* key, const std::vector<double>& v, const std::vector<double>& a,
              const DynamicsOptions& options) {
    expect_near(reference::inverse_dynamics(tree_, qn_, v, a, Rep::body, options),
                flat(data_.at(key)), 5.1e-5, key);
  }
  json data_ = read_json("puma560.json");
  Tree tree_ = puma(data_);
  std::vector<double> qn_ = flat(data_.at("qn")), zero_ = std::vector<double>(6, 0.),
                      one_ = std::vector<double>(6, 1.), several_{1, 2, 3, 1, 2, 3};
};

TEST_F(Puma, JointForcesWithDrivesAndFriction) {
  expect("rne_qn_0_0", zero_, zero_, {});
  expect("rne_qn_0_1", zero_, one_, {});
  expect("rne_qn_1_0", one_, zero_, {});
  expect("rne_qn_1_1", one_, one_, {});
  expect("rne_qn_1_1_no_gravity", one_, one_, {.effects = {.gravity = false}});
  expect("itorque_qn_123123", zero_, several_, {.effects = {.gravity = false}});
}

TEST_F(Puma, PushingWithTheTool) {
  const Vec6<double> push{{1, 2, 3}, {1, 2, 3}};
  expect("rne_qn_0_0_fext_123123", zero_, zero_,
         {.external = {{.on = "l6", .wrench = -push, .expressed_in = "l6"}}});
}

TEST_F(Puma, MassMatrixAndCoriolisForcesByColumns) {
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<double> unit(6, 0.);
    unit[k] = 1;
    expect_near(reference::inverse_dynamics(tree_, qn_, zero_, unit, Rep::body,
                                            {.effects = {.gravity = false}}),
                flat(data_.at("inertia_qn").at(k)), 5.1e-5);
  }
  const std::vector<double> c =
      reference::inverse_dynamics(tree_, qn_, several_, zero_, Rep::body, {.effects = no_effects});
  for (std::size_t i = 0; i < 6; ++i) {  // the printed matrix times the velocities
    double printed = 0;
    for (std::size_t k = 0; k < 6; ++k)
      printed += data_.at("coriolis_qn_123123").at(i).at(k).get<double>() * several_[k];
    EXPECT_NEAR(c[i], printed, 5e-5 * 12);
  }
}

TEST_F(Puma, AccelerationsUnderForces) {
  const std::vector<double> v{.1, .2, .8, .2, .5, 1}, tau{1, 3.2, 1.8, .1, .7, 4.6};
  expect_near(reference::forward_dynamics(tree_, qn_, v, tau), flat(data_.at("accel_qn")), 5.1e-5);
}

TEST_F(Puma, WeightAtTheZeroConfiguration) {
  expect_near(reference::inverse_dynamics(tree_, zero_, zero_, zero_),
              flat(data_.at("gravload_qz")), 5.1e-7);
}

// --- Modern Robotics ------------------------------------------------------------------------------

/// The arm of the examples. Its first axis has length sqrt 2 there: see `scale`.
struct ModernArm {
  explicit ModernArm(const json& input) {
    TreeBuilder builder("modern_robotics");
    if (input.contains("g")) builder.gravity(vec3(input.at("g")));
    SE3<double> A;
    for (std::size_t i = 0; i < 3; ++i) {
      A = A * pose(input.at("Mlist").at(i));
      Vec6<double> screw;
      for (int k = 0; k < 6; ++k)
        screw[k] = input.at("Slist").at(std::size_t(k)).at(i).get<double>();
      scale.push_back(norm(screw.angular));
      screw = screw / scale.back();
      const Mat6<double> G = mat6(input.at("Glist").at(i));
      builder.body(numbered("l", i + 1), {G.ll(0, 0), {}, Sym3<double>::of(G.aa)});
      if (i > 0) builder.on(numbered("l", i));
      builder.joint(numbered("j", i + 1), screws_joint({&screw, 1}), zero_reference(A));
    }
    builder.frame("tip", {.on = "l3", .at = pose(input.at("Mlist").at(3))});
    tree = builder.build();
  }
  std::vector<double> scaled(const std::vector<double>& x) const {
    std::vector<double> y(x);
    for (std::size_t i = 0; i < 3; ++i) y[i] *= scale[i];
    return y;
  }
  std::vector<double> forces(const std::vector<double>& q, const std::vector<double>& v,
                             const std::vector<double>& a, const Vec6<double>& tip,
                             Effects effects) const {
    return scaled(reference::inverse_dynamics(
        tree, scaled(q), scaled(v), scaled(a), Rep::body,
        {.external = {{.on = "tip", .wrench = -tip, .expressed_in = "tip"}}, .effects = effects}));
  }
  std::vector<double> accelerations(const std::vector<double>& q, const std::vector<double>& v,
                                    const std::vector<double>& tau, const Vec6<double>& tip) const {
    return unscaled(reference::forward_dynamics(
        tree, scaled(q), scaled(v), unscaled(tau), Rep::body,
        {.external = {{.on = "tip", .wrench = -tip, .expressed_in = "tip"}},
         .effects = gravity_only}));
  }
  std::vector<double> unscaled(const std::vector<double>& x) const {
    std::vector<double> y(x);
    for (std::size_t i = 0; i < 3; ++i) y[i] /= scale[i];
    return y;
  }
  Tree tree;
  std::vector<double> scale;
};

TEST(ModernRoboticsDynamics, WorkedExamples) {
  const json all = read_json("modern_robotics.json").at("functions");
  const auto check = [&](const char* function, bool moves, bool accelerates, bool tip,
                         Effects effects) {
    const json& input = all.at(function).at("inputs");
    const ModernArm arm(input);
    const std::vector<double> zero(3, 0.);
    expect_near(arm.forces(flat(input.at("thetalist")), moves ? flat(input.at("dthetalist")) : zero,
                           accelerates ? flat(input.at("ddthetalist")) : zero,
                           tip ? vec6(input.at("Ftip")) : Vec6<double>{}, effects),
                flat(all.at(function).at("output_of_reference_implementation")), 1e-13 * 75,
                function);
  };
  check("InverseDynamics", true, true, true, gravity_only);
  check("VelQuadraticForces", true, false, false, inertia_only);
  check("GravityForces", false, false, false, gravity_only);
  check("EndEffectorForces", false, false, true, inertia_only);
}

/// A quintic motion of three seconds, differences for velocities and accelerations.
TEST(ModernRoboticsDynamics, Trajectory) {
  const json example =
      read_json("modern_robotics.json").at("functions").at("InverseDynamicsTrajectory");
  const ModernArm arm(example.at("inputs"));
  constexpr int N = 1000;
  const double dt = 3. / (N - 1);
  const auto angle = [](int i) {
    const double s = static_cast<double>(i) / (N - 1);
    return pi<double> / 2 * (10 * std::pow(s, 3) - 15 * std::pow(s, 4) + 6 * std::pow(s, 5));
  };
  const auto velocity = [&](int i) { return i < 1 ? 0. : (angle(i) - angle(i - 1)) / dt; };
  for (const auto& [row, forces] : example.at("output_of_reference_implementation_rows").items()) {
    const int i = std::stoi(row);
    if (i == 1) continue;  // the reference takes its angles of 2e-8 for zero
    const double acceleration = i < 1 ? 0. : (velocity(i) - velocity(i - 1)) / dt;
    const auto three = [](double x) { return std::vector<double>(3, x); };
    // Rounding of the angles, divided by dt twice, times the inertia.
    expect_near(arm.forces(three(angle(i)), three(velocity(i)), three(acceleration),
                           {{1, 1, 1}, {1, 1, 1}}, gravity_only),
                flat(forces), 3e-9);
  }
}

TEST(ModernRoboticsDynamics, MassMatrix) {
  const json example = read_json("modern_robotics.json").at("functions").at("MassMatrix");
  const ModernArm arm(example.at("inputs"));
  const DenseMatrix<double> M =
      reference::mass_matrix(arm.tree, arm.scaled(flat(example.at("inputs").at("thetalist"))));
  std::vector<double> entries;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      entries.push_back(M(i, j) * arm.scale[std::size_t(i)] * arm.scale[std::size_t(j)]);
  expect_near(entries, flat(example.at("output_of_reference_implementation")), 1e-13 * 23);
}

TEST(ModernRoboticsDynamics, ForwardDynamics) {
  const json example = read_json("modern_robotics.json").at("functions").at("ForwardDynamics");
  const json& input = example.at("inputs");
  const ModernArm arm(input);
  expect_near(arm.accelerations(flat(input.at("thetalist")), flat(input.at("dthetalist")),
                                flat(input.at("taulist")), vec6(input.at("Ftip"))),
              flat(example.at("output_of_reference_implementation")), 1e-12 * 33);
}

/// Euler's method, eight steps for each row of forces.
TEST(ModernRoboticsDynamics, ForwardTrajectory) {
  const json example =
      read_json("modern_robotics.json").at("functions").at("ForwardDynamicsTrajectory");
  const json& input = example.at("inputs");
  const json& output = example.at("output_of_reference_implementation");
  const ModernArm arm(input);
  std::vector<double> q = flat(input.at("thetalist")), v = flat(input.at("dthetalist"));
  const int steps = input.at("intRes").get<int>();
  const double dt = input.at("dt").get<double>() / steps;
  for (std::size_t row = 0; row + 1 < output.at(0).size(); ++row) {
    for (int step = 0; step < steps; ++step) {
      const std::vector<double> a = arm.accelerations(q, v, flat(input.at("taumat").at(row)),
                                                      vec6(input.at("Ftipmat").at(row)));
      for (std::size_t k = 0; k < 3; ++k) {
        q[k] += v[k] * dt;
        v[k] += a[k] * dt;
      }
    }
    expect_near(q, flat(output.at(0).at(row + 1)), 1e-10);
    expect_near(v, flat(output.at(1).at(row + 1)), 1e-9);
  }
}

/// M (Kp e + Ki (sum of e) + Kd e') + forces of the desired acceleration.
TEST(ModernRoboticsDynamics, ComputedTorque) {
  const json example = read_json("modern_robotics.json").at("functions").at("ComputedTorque");
  const json& input = example.at("inputs");
  const auto list = [&](const char* key) { return flat(input.at(key)); };
  const auto gain = [&](const char* key) { return input.at(key).get<double>(); };
  const ModernArm arm(input);
  const std::vector<double> q = list("thetalist"), v = list("dthetalist"), sum = list("eint"),
                            wanted_q = list("thetalistd"), wanted_v = list("dthetalistd");
  std::vector<double> a = list("ddthetalistd");
  for (std::size_t k = 0; k < 3; ++k) {
    const double e = wanted_q[k] - q[k];
    a[k] += gain("Kp") * e + gain("Ki") * (sum[k] + e) + gain("Kd") * (wanted_v[k] - v[k]);
  }
  expect_near(arm.forces(q, v, a, {}, gravity_only),
              flat(example.at("output_of_reference_implementation")), 1e-13 * 133);
}

}  // namespace
}  // namespace axode::test::inverse_dynamics_reference_test
