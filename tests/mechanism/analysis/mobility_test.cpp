#include "axode/mechanism/analysis/mobility.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::mobility {
namespace {

using namespace mechanisms;

MobilityResult mobility_of(const Mechanism& m, const FormulationOptions& o) {
  MechanismSystem system(make_equations(m, o));
  return axode::mobility(system, 0, system.from_poses(reference_poses(m)));
}

TEST(Mobility, FourBar) {
  for (const auto& o : formulations(true)) {
    const MobilityResult r = mobility_of(four_bar(FourBar{}), o);
    EXPECT_EQ(r.mobility, 1) << label(o);
    EXPECT_EQ(r.gruebler, 1);
    EXPECT_EQ(r.redundant, 0);
    EXPECT_FALSE(r.instantaneous);
    EXPECT_GT(r.smallest_kept, 1e-3);
  }
}

/// Neighbours are near by the size of the model, whatever it is.
TEST(Mobility, SmallAndLargeOnesAlike) {
  for (const double size : {1e-5, 1e-2, 1.0, 1e3}) {
    FourBar f;
    f.B = {4 * size, 0};
    f.L2 *= size;
    f.L3 *= size;
    f.L4 *= size;
    f.c2 = f.c3 = f.c4 = {0.5 * size, 0};
    for (const auto& o : formulations(true)) {
      const MobilityResult r = mobility_of(four_bar(f), o);
      EXPECT_EQ(r.mobility, 1) << label(o) << size;
      EXPECT_FALSE(r.instantaneous) << label(o) << size << r.message;
      EXPECT_EQ(r.finite_mobility, 1) << label(o) << size;
    }
  }
}

TEST(Mobility, ParallelogramsLieFlat) {
  const auto data = read_json("mechanisms/overconstrained.json");
  ASSERT_FALSE(data["mechanisms"].empty());
  for (const auto& item : data["mechanisms"]) {
    if (item["name"] != "N_four_bar_rank") continue;
    for (const auto& c : item["cases"]) {
      const Mechanism m = n_four_bar(c["N"], c["phi"], false);
      for (const auto& o : formulations(true)) {
        const MobilityResult r = mobility_of(m, o);
        EXPECT_EQ(r.mobility, c["mobility"].get<int>()) << label(o) << c.dump();
        EXPECT_EQ(r.instantaneous, c["label"] == "horizontal_singular") << r.message;
        // Of 2^40 branches that meet in the flat position, natural coordinates reach none.
        if (c["N"] < 40 || o.family != CoordinateFamily::natural) {
          EXPECT_EQ(r.finite_mobility, 1) << label(o) << c.dump();
        }
        if (c["label"] == "horizontal_singular") {
          EXPECT_EQ(r.mobility, c["N"].get<int>() + 1) << label(o);
        }
      }
    }
  }
}

/// Redundant equations have names, belong to joints of the loop and follow from equations of others.
void expect_named(const Mechanism& m, const MobilityResult& r, const std::string& what) {
  ASSERT_EQ(r.redundant_equations.size(), static_cast<std::size_t>(r.redundant)) << what;
  int by_joints = 0;
  for (const auto& redundant : r.redundant_equations) {
    EXPECT_FALSE(redundant.name.empty()) << what;
    EXPECT_FALSE(redundant.with.empty()) << what << redundant.name;
    for (const int other : redundant.with) EXPECT_NE(other, redundant.equation) << what;
    if (!redundant.joint.empty()) {
      EXPECT_NO_THROW(joint_index(m, redundant.joint)) << what;
      ++by_joints;
    }
  }
  for (const auto& joint : r.joints) {
    EXPECT_LE(joint.redundant, joint.equations) << what << joint.name;
    by_joints -= joint.redundant;
  }
  EXPECT_EQ(by_joints, 0) << what;
  EXPECT_NE(r.message.find("over-constrained"), std::string::npos) << r.message;
}

TEST(Mobility, BennettAndBricardAreOverconstrained) {
  const auto items = read_json("mechanisms/overconstrained.json")["mechanisms"];
  for (const auto& state : items[0]["states"]) {
    const double a = items[0]["params"]["a"], b = items[0]["b"];
    const double alpha = items[0]["params"]["alpha"], beta = items[0]["params"]["beta"];
    const Mechanism m = revolute_loop({a, b, a, b}, {alpha, beta, alpha, beta},
                                      state["pos"]["theta"].get<std::vector<double>>());
    for (const auto& o : formulations(false)) {
      const MobilityResult r = mobility_of(m, o);
      EXPECT_EQ(r.mobility, 1) << label(o);
      EXPECT_EQ(r.gruebler, -2);
      EXPECT_FALSE(r.instantaneous) << r.message;
      expect_named(m, r, label(o));
      if (o.family == CoordinateFamily::reference_point) {
        EXPECT_EQ(r.redundant, 3) << label(o);
        EXPECT_FALSE(r.joints.empty());
      }
    }
  }
  ASSERT_EQ(items[1]["name"], "bricard_6R_threefold_trihedral");
  for (const auto& state : items[1]["states"]) {
    const double a = items[1]["params"]["a"], h = M_PI / 2;
    const auto theta = state["pos"]["theta"].get<std::vector<double>>();
    const Mechanism m = revolute_loop({a, a, a, a, a, a}, {h, -h, h, -h, h, -h}, theta);
    for (const auto& o : formulations(false)) {
      const MobilityResult r = mobility_of(m, o);
      EXPECT_EQ(r.mobility, 1) << label(o) << state["pos"].dump();
      EXPECT_EQ(r.gruebler, 0);
      expect_named(m, r, label(o));
      if (o.family == CoordinateFamily::reference_point) {
        EXPECT_EQ(r.redundant, 1) << label(o);
      }
      EXPECT_FALSE(r.instantaneous) << label(o) << r.message;
    }
  }
}

/// A bar between two pins that can only turn to first order: two bars in line, ends held.
TEST(Mobility, ShakyBarsMoveOnlyToFirstOrder) {
  Mechanism m = empty_mechanism("bars", true);
  const int left = add_body(m, "left", planar_place({0, 0}, 0));
  const int right = add_body(m, "right", planar_place({1, 0}, 0));
  add_pin(m, "A", {0, left}, {0, 0}, {0, 0});
  add_pin(m, "C", {left, right}, {1, 0}, {0, 0});
  add_pin(m, "B", {0, right}, {2, 0}, {1, 0});
  for (const auto& o : formulations(true)) {
    const MobilityResult r = mobility_of(m, o);
    EXPECT_EQ(r.mobility, 1) << label(o);
    EXPECT_EQ(r.gruebler, 0);
    EXPECT_TRUE(r.instantaneous) << r.message;
    EXPECT_EQ(r.finite_mobility, 0);
  }
}

}  // namespace
}  // namespace axode::test::mobility
