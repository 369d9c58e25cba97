#include "axode/flexible/beam/detail/beam_roots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/json_data.hpp"

namespace axode::test::beam_roots {
namespace {

/// Solved with 30 digits from the 2 x 2 determinant of the conditions at the tip.
struct Case {
  bool clamped;
  TipRatios tip;
  std::array<double, 4> roots;
};
constexpr std::array<Case, 16> cases{{
    {true,
     {0, 0},
     {1.8751040687119612, 4.6940911329741746, 7.8547574382376126, 10.995540734875467}},
    {true,
     {1, 0.1},
     {1.1956698310929832, 2.5050600193961759, 4.9750984377933004, 7.9839719519468181}},
    {true,
     {1e6, 0},
     {0.041617912050394269, 3.9266024324779836, 7.0685828165348169, 10.210176171778684}},
    {true,
     {0, 1e6},
     {0.031622776206399086, 2.3650204003599095, 5.4978039220445526, 8.6393798294747463}},
    {true,
     {1e6, 1e6},
     {0.02980266718202175, 0.062451106458986051, 4.7300409583928972, 7.8532047536951195}},
    {true,
     {1e3, 1e-3},
     {0.23402081093663707, 3.8944900859696694, 6.8773405860110478, 9.5523354423352702}},
    {true,
     {1e6, 1},
     {0.041617888640340514, 1.4108443466933276, 4.7395209972229558, 7.8552720981721475}},
    {true,
     {0.3, 100},
     {0.31612896895936476, 2.0516305708769934, 5.0959243023526188, 8.1364285298168211}},
    {false,
     {0, 0},
     {3.9266023120479188, 7.0685827456287321, 10.210176122813031, 13.351768777754093}},
    {false,
     {1, 0.1},
     {2.2336839241283299, 4.2541977705101639, 7.2165351926143482, 10.307519760992674}},
    {false,
     {1e6, 0},
     {3.1415928127447028, 6.2831853867570507, 9.4247780138210243, 12.566370654147907}},
    {false,
     {0, 1e6},
     {1.5707964558010178, 4.712388985162695, 7.8539816350065322, 10.995574287940388}},
    {false,
     {1e6, 1e6},
     {0.049492315855119716, 3.9266025836346994, 7.0685828899316056, 10.210176221694032}},
    {false,
     {1e3, 1e-3},
     {3.1262340247347971, 6.1522272235345631, 8.9215512293820135, 11.348549978242889}},
    {false,
     {1e6, 1},
     {1.309812408149486, 3.9431819022949761, 7.0714189056032252, 10.211116351585458}},
    {false,
     {0.3, 100},
     {1.3980974744589658, 4.3370004525835723, 7.3705020279313611, 10.447507847635037}},
}};

TEST(BeamRoots, LightAndHeavyTips) {
  for (const Case& c : cases)
    for (int k = 1; k <= 4; ++k) {
      const double z = c.clamped ? clamped_root(k, c.tip) : pinned_root(k, c.tip);
      const double expected = c.roots[k - 1];
      EXPECT_NEAR(z, expected, 2e-15 * std::max(1.0, expected) * (expected < 1 ? expected : 1))
          << c.clamped << ' ' << c.tip.mass << ' ' << c.tip.inertia << ' ' << k;
    }
}

TEST(BeamRoots, PublishedTipMasses) {
  const auto data = read_json("flexible/published.json").at("cantilever_tip_mass_beta_L").at("mu");
  for (const auto& [mass, roots] : data.items())
    for (std::size_t k = 0; k < roots.size(); ++k)
      EXPECT_NEAR(clamped_root(static_cast<int>(k) + 1, {std::stod(mass), 0}),
                  roots.at(k).get<double>(), 1e-8);
}

TEST(BeamRoots, RiseWithNumberAndFallWithTheTip) {
  for (const double mass : {0.0, 1e-6, 1e-2, 1.0, 30.0, 1e4, 1e6})
    for (const double inertia : {0.0, 1e-6, 1e-2, 1.0, 30.0, 1e4, 1e6}) {
      double clamped = 0, pinned = 0;
      for (int k = 1; k <= 30; ++k) {
        const TipRatios tip{mass, inertia};
        const double c = clamped_root(k, tip), p = pinned_root(k, tip);
        EXPECT_GT(c, clamped * (1 + 1e-9)) << mass << ' ' << inertia << ' ' << k;
        EXPECT_GT(p, pinned * (1 + 1e-9)) << mass << ' ' << inertia << ' ' << k;
        EXPECT_LE(c, clamped_root(k, {mass / 2, inertia / 2}) * (1 + 1e-14));
        EXPECT_LE(p, pinned_root(k, {mass / 2, inertia / 2}) * (1 + 1e-14));
        clamped = c;
        pinned = p;
      }
    }
}

TEST(BeamRoots, Rods) {
  using std::numbers::pi;
  EXPECT_EQ(rod_root(1, 0), pi / 2);
  EXPECT_EQ(rod_root(3, 0), 2.5 * pi);
  EXPECT_NEAR(rod_root(1, 1), 0.86033358901937976, 1e-15) << "z tan z = 1";
  EXPECT_NEAR(rod_root(2, 1), 3.4256184594817283, 1e-15);
  EXPECT_NEAR(rod_root(1, 1e6), std::sqrt(1 / (1e6 + 1.0 / 3)), 1e-15) << "a third of the rod";
  EXPECT_NEAR(rod_root(1, 1e-9), pi / 2 * (1 - 1e-9), 1e-15);
  EXPECT_NEAR(rod_root(4, 1e6), 3 * pi + 1e-6 / (3 * pi), 1e-14);
}

TEST(BeamRoots, ShapesMeetTheShearAtTheTip) {
  EXPECT_NEAR(clamped_one_minus_sigma(clamped_root(1, {}), 0), 1 - 0.73409551375892, 1e-13);
  // 2.e-300 and the like: the factor of a growing exponential, known by itself
  const double z = clamped_root(10, {});
  EXPECT_NEAR(clamped_one_minus_sigma(z, 0) * std::exp(z) / 2, std::sin(z) + std::cos(z), 1e-12);
  for (const Case& c : cases) {
    if (c.clamped) continue;
    const double p = pinned_root(2, c.tip), h = pinned_tip_sinh(p, c.tip.mass);
    // moment: -sin + h = k (cos + h coth)
    const double k = c.tip.inertia * p * p * p;
    EXPECT_NEAR((h - std::sin(p) - k * (std::cos(p) + h / std::tanh(p))) / (1 + k), 0, 2e-14);
  }
}

TEST(BeamRoots, DuncanFunctions) {
  for (const double z : {0.0, 1e-3, 0.7, 2.0}) {
    const auto f = duncan_functions(z);
    EXPECT_NEAR(f[0], (std::cosh(z) + std::cos(z)) / 2, 1e-15);
    EXPECT_NEAR(f[1], (std::sinh(z) + std::sin(z)) / 2, 1e-15);
    EXPECT_NEAR(f[2], (std::cosh(z) - std::cos(z)) / 2, 1e-15);
    EXPECT_NEAR(f[3], (std::sinh(z) - std::sin(z)) / 2, 1e-15);
  }
  EXPECT_NEAR(duncan_functions(1e-5)[3], 1e-15 / 6, 1e-31);
}

}  // namespace
}  // namespace axode::test::beam_roots
