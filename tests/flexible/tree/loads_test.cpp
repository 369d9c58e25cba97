#include "axode/flexible/tree/loads.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/tree/equations.hpp"
#include "tests/flexible/random_flexible_tree.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/allocations.hpp"

namespace axode::test::flexible_loads {

double distance(const Mat3<>& a, const Mat3<>& b) { return max_abs(a - b); }

TEST(FlexibleLoads, PosesMeetReferences) {
  for (const std::string name : {"pendulum1", "planar2", "pendulum1_3d_tipmassmodes", "arm4"}) {
    const FlexibleTree tree = reference_chain(name);
    const nlohmann::json data = read_json("flexible/vectors_" + name + ".json");
    const nlohmann::json given = read_json("flexible/params_" + name + ".json")["chain"]["links"];
    for (const auto& state : data["states"]) {
      const std::vector<double> q = flat(state["q"]);
      std::vector<SE3<>> exact(tree.links.size());
      std::vector<G2<>> dual(tree.links.size());
      link_poses(tree, q, std::span(exact));
      link_poses(tree, q, std::span(dual));
      for (std::size_t i = 0; i < tree.links.size(); ++i)
        for (const bool distal : {false, true}) {
          if (distal) {
            const int link = static_cast<int>(i);
            const bool elastic = given[i]["type"] == "elastic";
            const Vec3<> end = elastic ? Vec3<>{} : vec3(given[i]["distal"]);
            const double at = elastic ? tree.links[i].beam->length : 0;
            exact[i] = section_pose(tree, q, link, at) * translation(end);
            dual[i] = dual_section_pose(tree, q, link, at) * G2<>{{}, make_dual(end, {})};
          }
          const std::string frame = std::to_string(i + 1) + (distal ? "'" : "");
          const auto& nonlinear = state["nonlin_frames"][frame];
          EXPECT_LE(distance(exact[i].R.matrix, mat3(nonlinear["R"])), 1e-12) << name << frame;
          EXPECT_LE(max_abs(exact[i].p - vec3(nonlinear["p"])), 1e-12) << name << frame;
          const auto& orders = state["dual_frames"][frame];
          const Mat3<Dual<double>> R = to_dual(dual[i].X).matrix;
          EXPECT_LE(distance(real_part(R), mat3(orders["R_real"])), 1e-12) << name << frame;
          EXPECT_LE(distance(dual_part(R), mat3(orders["R_dual"])), 1e-12) << name << frame;
          EXPECT_LE(max_abs(real_part(dual[i].v) - vec3(orders["p_real"])), 1e-12);
          EXPECT_LE(max_abs(dual_part(dual[i].v) - vec3(orders["p_dual"])), 1e-12);
          const auto& linear = state["lin_frames"][frame];
          EXPECT_LE(distance(sum_of_orders(dual[i]).R.matrix, mat3(linear["R"])), 1e-12);
          EXPECT_LE(max_abs(sum_of_orders(dual[i]).p - vec3(linear["p"])), 1e-12);
        }
    }
  }
}

template <class P>
std::vector<double> forces_of(const FlexibleTree& tree, const std::vector<double>& q,
                              const std::vector<FlexibleLoad>& loads) {
  FlexibleLoads<P> made = make_flexible_loads<P>(tree, loads);
  std::vector<double> tau(q.size());
  add_load_forces(tree, q, made, std::span(tau));
  return tau;
}
std::vector<FlexibleLoad> random_loads(RandomFlexible& by, const FlexibleTree& tree) {
  std::vector<FlexibleLoad> loads;
  for (int i = 0; i < 3; ++i) {
    const int link = by.below(static_cast<int>(tree.links.size()));
    const auto& beam = tree.links[link].beam;
    loads.push_back({link,
                     beam ? by.in(0, beam->length) : by.in(-1, 1),
                     {by.vector(1), by.vector(1)},
                     by.below(2) == 0});
  }
  return loads;
}

TEST(FlexibleLoads, DoTheWorkOfTheirSections) {
  RandomFlexible by;
  for (int trial = 0; trial < 12; ++trial) {
    const FlexibleTree tree =
        random_flexible_tree(by, 5, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    const std::vector<double> q = random_coordinates(by, tree, 2, 0.1);
    const std::vector<FlexibleLoad> loads = random_loads(by, tree);
    const std::vector<double> tau = forces_of<Exact<double>>(tree, q, loads);
    const double h = 1e-5;
    for (std::size_t k = 0; k < q.size(); ++k) {
      std::vector<double> more = q, less = q;
      more[k] += h;
      less[k] -= h;
      double work = 0;
      for (const FlexibleLoad& load : loads) {
        const SE3<> T = section_pose(tree, q, load.link, load.station);
        const SE3<> a = section_pose(tree, less, load.link, load.station);
        const SE3<> b = section_pose(tree, more, load.link, load.station);
        Vec6<> wrench = load.wrench;
        if (load.follows) wrench = {T.R * wrench.angular, T.R * wrench.linear};
        const Vec3<> turn = unskew((b.R.matrix - a.R.matrix) * transpose(T.R.matrix));
        work += dot(wrench.angular, turn) + dot(wrench.linear, b.p - a.p);
      }
      EXPECT_NEAR(tau[k], work / (2 * h), 1e-8) << tree.coordinate_names[k];
    }
  }
}

TEST(FlexibleLoads, OfFirstOrderAreTheExactOnesExpanded) {
  RandomFlexible by;
  for (int trial = 0; trial < 12; ++trial) {
    const FlexibleTree tree =
        random_flexible_tree(by, 5, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    const std::vector<double> q = random_coordinates(by, tree, 2, 0.1);
    const std::vector<FlexibleLoad> loads = random_loads(by, tree);
    const double h = 1e-4;
    std::vector<double> none = q, more = q, less = q;
    for (std::size_t k = tree.joints; k < q.size(); ++k) {
      none[k] = 0;
      more[k] = h * q[k];
      less[k] = -h * q[k];
    }
    const auto order_0 = forces_of<Exact<double>>(tree, none, loads);
    const auto a = forces_of<Exact<double>>(tree, less, loads);
    const auto b = forces_of<Exact<double>>(tree, more, loads);
    const auto linear = forces_of<FirstOrder>(tree, q, loads);
    for (std::size_t k = 0; k < q.size(); ++k)
      EXPECT_NEAR(linear[k], order_0[k] + (b[k] - a[k]) / (2 * h), 1e-9)
          << tree.coordinate_names[k];
  }
}

template <class P>
void expect_gravity(const FlexibleTree& tree, const std::vector<double>& q) {
  std::vector<FlexibleLoad> loads;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    const int number = static_cast<int>(i);
    for (const auto& node : link.invariants.nodes)
      loads.push_back({number, node.at.x, {{}, tree.gravity * node.mass}, false});
    if (link.rigid.mass > 0 && !link.beam)
      loads.push_back({number,
                       link.rigid.first_moment.x / link.rigid.mass,
                       {{}, tree.gravity * link.rigid.mass},
                       false});
  }
  const std::vector<double> tau = forces_of<P>(tree, q, loads), still(q.size());
  FlexibleWork<P> work = make_flexible_work<P>(tree);
  std::vector<double> mass(q.size() * q.size()), forces(q.size());
  axode::flexible_equations<P>(tree, q, still, work, mass, forces, Effect::gravity);
  for (std::size_t k = 0; k < q.size(); ++k)
    EXPECT_NEAR(tau[k], -forces[k], 1e-10) << tree.coordinate_names[k];
}
TEST(FlexibleLoads, WeightsOfAllSectionsAreGravity) {
  RandomFlexible by;
  for (int trial = 0; trial < 6; ++trial) {
    FlexibleTree tree =
        random_flexible_tree(by, 5, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    for (FlexibleLink& link : tree.links)
      if (link.beam) link.rigid = {};
    tree = complete(tree);
    const std::vector<double> q = random_coordinates(by, tree, 2, 0.1);
    expect_gravity<Exact<double>>(tree, q);
    expect_gravity<FirstOrder>(tree, q);
  }
}

TEST(FlexibleLoads, DoNotAllocateOnceMade) {
  RandomFlexible by;
  const FlexibleTree tree = random_flexible_tree(by, 6, SectionRotation::xyz, true);
  const std::vector<double> q = random_coordinates(by, tree, 2, 0.1);
  FlexibleLoads<FirstOrder> loads = make_flexible_loads<FirstOrder>(tree, random_loads(by, tree));
  std::vector<double> tau(q.size());
  std::vector<SE3<>> poses(tree.links.size());
  EXPECT_EQ(count_allocations([&] {
              add_load_forces(tree, q, loads, std::span(tau));
              link_poses(tree, q, std::span(poses));
            }),
            0);
}

TEST(FlexibleLoads, RefuseWhatIsNotThere) {
  const FlexibleTree tree = reference_chain("pendulum1");
  EXPECT_THROW(make_flexible_loads<FirstOrder>(tree, {{1, 0, {}, false}}), Error);
  EXPECT_THROW(make_flexible_loads<FirstOrder>(tree, {{0, 99, {}, false}}), Error);
  EXPECT_THROW(make_flexible_loads<FirstOrder>(tree, {{0, 1, {{NAN, 0, 0}, {}}, false}}), Error);
  EXPECT_THROW(section_pose(tree, std::vector<double>{0}, 0, 1), Error);
}

}  // namespace axode::test::flexible_loads
