// The engine against reference vectors of 50 digits and a moving base, for all instruction sets.
#include <gtest/gtest.h>

#include "axode/dynamics/external_wrench.hpp"
#include "axode/engine/engine.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_reference_test {
namespace {

using nlohmann::json;

constexpr Effects gravity_only{true, false, false, false};

/// One state: results against those of the file, the largest relative error.
class ReferenceState {
 public:
  ReferenceState(const Tree& tree, const engine::Kernels& table, std::vector<double> q,
                 std::vector<double> v, std::vector<double> a)
      : engine(engine_with(tree, table)),
        q_(std::move(q)),
        v_(std::move(v)),
        a_(std::move(a)),
        zero_(v_.size(), 0.) {}

  void compare(std::span<const double> found, const json& expected, const char* what) {
    const double error = relative_difference(found, flat(expected));
    EXPECT_LT(error, 1e-12) << what << ' ' << engine.kernels->lanes;
    worst = std::max(worst, error);
  }
  void forces(const std::vector<double>& v, const std::vector<double>& a, const EngineOptions& o,
              const json& expected, const char* what) {
    std::vector<double> tau(v_.size());
    inverse_dynamics(engine, q_, v, a, tau, o);
    compare(tau, expected, what);
  }
  void accelerations(const std::vector<double>& tau, const EngineOptions& o, const json& expected,
                     const char* what) {
    std::vector<double> a(v_.size());
    EXPECT_EQ(forward_dynamics(engine, q_, v_, tau, a, o).singular_body, -1);
    compare(a, expected, what);
  }
  void all_forces(const json& output, const Wrenches& applied) {
    forces(zero_, zero_, {.effects = gravity_only}, output.at("gravity_vector"), "g");
    forces(v_, zero_, {.effects = no_effects}, output.at("coriolis_vector"), "c");
    forces(v_, a_, {.effects = gravity_only}, output.at("Q"), "Q");
    forces(v_, a_, {gravity_only, applied}, output.at("Q_total"), "Q_total");
    const json& f = output.at("forward_dynamics");
    accelerations(flat(f.at("Q_in")), {}, f.at("qdd_no_wrench"), "qdd");
    accelerations(flat(f.at("Q_in")), {.external = applied}, f.at("qdd_with_wrench"), "qdd, W");
  }
  void matrices(const json& output) {
    PathMatrix<double> M(*engine.tree);
    mass_matrix(engine, q_, M);
    compare(dense(M).values, output.at("M"), "M");
    DenseMatrix<double> X = dense(M);
    EXPECT_EQ(inverse_mass_matrix(engine, q_, X).singular_velocity, -1);
    compare(X.values, output.at("forward_dynamics").at("Minv"), "Minv");
    for (double& x : X.values) x = 0;
    coriolis_matrix(engine, q_, v_, X);
    compare(times(X, v_), output.at("coriolis_vector"), "C v");
    InverseDynamicsDerivatives<double> d(*engine.tree);
    inverse_dynamics_derivatives(engine, q_, v_, a_, d);
    compare(d.tau, output.at("Q"), "Q of derivatives");
    compare(d.by_q.values, output.at("dQ_dq"), "dQ/dq");
    compare(d.by_v.values, output.at("dQ_dqd"), "dQ/dv");
    compare(dense(d.by_a).values, output.at("M"), "dQ/da");
  }
  void places(const json& expected) {
    std::vector<SE3<double>> T_WB(engine.tree->links.size());
    poses(engine, q_, T_WB);
    for (std::size_t i = 0; i < T_WB.size(); ++i) expect_near(T_WB[i], pose(expected.at(i)), 1e-13);
  }

  Engine engine;
  double worst = 0;

 private:
  std::vector<double> q_, v_, a_, zero_;
};

TEST(EngineReference, ChainsTreesAndMultipleFreedoms) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    SCOPED_TRACE(file);
    const json data = read_json(std::string(file) + ".json");
    for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::joint_frames}) {
      const Tree tree = tree_from_reference(data.at("model"), form);
      for (const auto& state : data.at("states")) {
        const json& input = state.at("input");
        Wrenches applied;
        for (const auto& w : input.at("Wapp_body"))
          applied.push_back({vec6(w).angular, vec6(w).linear});
        for (const engine::Kernels* table : kernel_tables()) {
          ReferenceState s(tree, *table, flat(input.at("q")), flat(input.at("qd")),
                           flat(input.at("qdd")));
          s.all_forces(state.at("output"), applied);
          s.matrices(state.at("output"));
          s.places(state.at("output").at("C"));
          worst = std::max(worst, s.worst);
        }
      }
    }
  }
  record("worst_relative_error", worst);
}

/// The wrenches on the links of the moving base, those of its contacts among them.
Wrenches wrenches_on_links(const Tree& tree, const Poses<double>& at, const json& input) {
  std::vector<ExternalWrench<>> all;
  all.reserve(tree.links.size());
  for (int i = 0; i < tree.size(); ++i)
    all.push_back({i,
                   vec6_linear_first(input.at("link_wrench_L").at(std::size_t(i))),
                   {Frame{i, {}}, Frame{i, {}}}});
  for (const auto& contact : input.at("contacts")) {
    const int link = contact.at("link").get<int>();
    all.push_back({link,
                   vec6_linear_first(contact.at("f_CA")),
                   {Frame{link, pose(contact.at("L_H_C"))}, Frame{}}});
  }
  Wrenches sums(tree.links.size());
  add_external_wrenches<double>(at, all, sums);
  return sums;
}

TEST(EngineReference, MovingBaseInAllFormsOfItsVelocity) {
  const json data = read_json("moving_base.json");
  double worst = 0;
  for (const auto& state : data.at("states"))
    for (const Rep velocity : {Rep::body, Rep::hybrid, Rep::spatial}) {
      const char* key = velocity == Rep::body     ? "body"
                        : velocity == Rep::hybrid ? "mixed"
                                                  : "inertial";
      SCOPED_TRACE(key);
      const json &input = state.at("input"), &base = state.at("output").at("base").at(key);
      const Tree tree =
          tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
      const std::vector<double> q = moving_base_configuration(input);
      const auto numbers = [&](const char* what) { return base_angular_first(base.at(what)); };
      const std::vector<double> v = numbers("nu"), a = numbers("nudot"), zero(v.size(), 0.);
      const Wrenches applied = wrenches_on_links(tree, poses(tree, q), input);
      std::vector<double> tau(6, 0);
      for (const auto& t : input.at("tau_forward")) tau.push_back(t.get<double>());
      for (const engine::Kernels* table : kernel_tables()) {
        ReferenceState s(tree, *table, q, v, a);
        s.forces(zero, zero, {.effects = gravity_only}, numbers("G"), "g");
        s.forces(v, zero, {.effects = no_effects}, numbers("C_nu"), "c");
        s.forces(v, a, {.effects = gravity_only}, numbers("generalized_inertial_force"), "tau");
        s.forces(v, a, {gravity_only, applied}, numbers("residual"), "tau, W");
        s.accelerations(tau, {.external = applied}, numbers("nudot_forward"), "accelerations");
        DenseMatrix<double> C{tree.nv, tree.nv, std::vector<double>(v.size() * v.size())};
        coriolis_matrix(s.engine, q, v, C);
        s.compare(times(C, v), numbers("C_nu"), "C v");
        worst = std::max(worst, s.worst);
      }
    }
  record("worst_relative_error", worst);
}

}  // namespace
}  // namespace axode::test::engine_reference_test
