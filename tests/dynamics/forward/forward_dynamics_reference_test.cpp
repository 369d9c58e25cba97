// Forward dynamics against the reference vectors of tests/data.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_dynamics_reference_test {
namespace {

using Wrenches = std::vector<Wrench<Rep::body>>;

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, size = 1;
  for (std::size_t k = 0; k < b.size(); ++k) {
    worst = std::max(worst, largest_difference(a[k], b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return worst / size;
}

TEST(ForwardDynamicsReference, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto& input = state.at("input");
      const auto& output = state.at("output").at("forward_dynamics");
      Wrenches external;
      for (const auto& W : input.at("Wapp_body"))
        external.push_back({vec6(W).angular, vec6(W).linear});
      const std::vector<double> q = flat(input.at("q")), v = flat(input.at("qd"));
      const std::vector<double> tau = flat(output.at("Q_in"));
      for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid}) {
        const double error = std::max(
            relative_error(reference::forward_dynamics(tree, q, v, tau, rep),
                           flat(output.at("qdd_no_wrench"))),
            relative_error(
                reference::forward_dynamics(tree, q, v, tau, rep, {.body_wrenches = external}),
                flat(output.at("qdd_with_wrench"))));
        EXPECT_LT(error, 1e-11) << file << static_cast<int>(rep);
        worst = std::max(worst, error);
      }
    }
  }
  record("worst_relative_error", worst);
}

/// Wrenches on the links, each the sum of that given and of the contacts on it.
Wrenches moving_base_wrenches(const nlohmann::json& input, const Poses<double>& p) {
  Wrenches external;
  for (const auto& W : input.at("link_wrench_L")) {
    const Vec6<double> six = vec6_linear_first(W);
    external.push_back({six.angular, six.linear});
  }
  for (const auto& contact : input.at("contacts")) {
    const auto link = contact.at("link").get<std::size_t>();
    const SE3<double> T_LC = pose(contact.at("L_H_C"));
    const SO3<double>& R_WL = p.T_WB[link].R;
    const Vec6<double> f = vec6_linear_first(contact.at("f_CA"));
    const SE3<double> T_LCA{inverse(R_WL), T_LC.p};  // the axes of the world at the origin of C
    const Vec6<double> W = Ad_inverse_transpose(T_LCA, f);
    external[link] += {W.angular, W.linear};
  }
  return external;
}

TEST(ForwardDynamicsReference, MovingBaseInThreeFormsOfItsVelocity) {
  const nlohmann::json data = read_json("moving_base.json");
  const std::array<std::pair<Rep, const char*>, 3> forms{
      {{Rep::body, "body"}, {Rep::hybrid, "mixed"}, {Rep::spatial, "inertial"}}};
  double worst = 0;
  for (const auto& [form, key] : forms) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, form);
    for (const auto& state : data.at("states")) {
      const auto& input = state.at("input");
      const auto& output = state.at("output").at("base").at(key);
      const std::vector<double> q = moving_base_configuration(input);
      const std::vector<double> v = base_angular_first(output.at("nu"));
      std::vector<double> tau(6, 0);
      for (const auto& t : input.at("tau_forward")) tau.push_back(t.get<double>());
      const Wrenches external = moving_base_wrenches(input, poses(tree, q));
      for (const Rep rep : {Rep::body, Rep::spatial, Rep::hybrid}) {
        const double error = relative_error(
            reference::forward_dynamics(tree, q, v, tau, rep, {.body_wrenches = external}),
            base_angular_first(output.at("nudot_forward")));
        EXPECT_LT(error, 1e-11) << key << static_cast<int>(rep);
        worst = std::max(worst, error);
      }
    }
  }
  record("worst_relative_error", worst);
}

}  // namespace
}  // namespace axode::test::forward_dynamics_reference_test
