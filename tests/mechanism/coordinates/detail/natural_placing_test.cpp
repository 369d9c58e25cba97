// Points and vectors that elements get beyond those of their joints, and the mass matrices on them.
#include "axode/mechanism/coordinates/detail/natural_placing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/coordinates/detail/natural_equations.hpp"
#include "tests/mechanism/natural_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::natural_placing {
namespace {

using namespace natural;

Inertia<double> ball(double m, Vec3<double> com) { return {m, com, {m, m, m, 0, 0, 0}}; }

std::array<int, 2> counts(const MechanismBuilder& builder) {
  const MechanismSystem s = natural_system(builder.build());
  return {s.equations().numbers(), s.constraints()};
}

/// The elements of the book and of dynamics: coordinates and equations of one body.
TEST(NaturalPlacing, OneBody) {
  const auto space = [] { return MechanismBuilder("one"); };
  using Count = std::array<int, 2>;
  // About a fixed axis: one arrow that turns.
  EXPECT_EQ(counts(space()
                       .body("a", ball(1, {1, 0, 0}))
                       .joint("R", PairType::revolute, "world", "a", at({0, 0, 0}, {0, 0, 1}))),
            (Count{3, 2}));
  // About a fixed point: three vectors.
  EXPECT_EQ(counts(space()
                       .body("a", ball(1, {1, 0, 0}))
                       .joint("S", PairType::spherical, "world", "a", at({0, 0, 0}))),
            (Count{9, 6}));
  // On a line, with its attitude: a point on the line.
  EXPECT_EQ(counts(space()
                       .body("a", ball(1, {1, 0, 0}))
                       .joint("P", PairType::prismatic, "world", "a", at({0, 0, 0}, {0, 1, 1}))),
            (Count{3, 2}));
  // Free: point and three vectors.
  EXPECT_EQ(counts(space().body("a", ball(1, {1, 0, 0}))), (Count{12, 6}));
  // On a line without attitude: a constant direction and one arrow that turns about it.
  EXPECT_EQ(counts(space()
                       .body("a", ball(1, {1, 0, 0}))
                       .joint("C", PairType::cylindrical, "world", "a", at({0, 0, 0}, {1, 0, 1}))),
            (Count{6, 4}));
  const auto plane = [] { return MechanismBuilder("one", Space::planar); };
  EXPECT_EQ(counts(plane().body("a", ball(1, {1, 0, 0}))), (Count{4, 1}));
  EXPECT_EQ(counts(plane()
                       .body("a", ball(1, {1, 0, 0}))
                       .joint("P", PairType::prismatic, "world", "a", at({0, 0, 0}, {1, 1, 0}))),
            (Count{2, 1}));
}

/// Two bars between the same points: with mass they need two vectors each for their spin.
TEST(NaturalPlacing, RodsHaveNoSpin) {
  const auto coupler = [](const Inertia<double>& inertia, bool rod) {
    return counts(MechanismBuilder("rssr")
                      .body("a")
                      .body("b", inertia)
                      .rod(rod)
                      .body("c")
                      .joint("1", PairType::revolute, "world", "a", at({0, 0, 0}, {0, 0, 1}))
                      .joint("2", PairType::spherical, "a", "b", at({1, 0, 0}))
                      .joint("3", PairType::spherical, "b", "c", at({2, 1, 1}))
                      .joint("4", PairType::revolute, "c", "world", at({3, 1, 0}, {0, 1, 0})));
  };
  using Count = std::array<int, 2>;
  EXPECT_EQ(coupler({}, false), (Count{6, 5}));
  EXPECT_EQ(coupler(ball(1, {1.5, 0.5, 0.5}), true), (Count{6, 5}));
  EXPECT_EQ(coupler(ball(1, {1.5, 0.5, 0.5}), false), (Count{12, 10}));
  EXPECT_EQ(coupler(ball(1, {1.5, 0.5, 0.7}), true), (Count{12, 10}));  // no rod
}

TEST(NaturalPlacing, NormalVector) {
  std::vector<detail::NaturalArrow> base(2);
  base[0].local = {1, 2, 3};
  base[1].local = {1, 2, 3.001};
  const Vec3<double> n = detail::normal_to(base);
  EXPECT_NEAR(norm(n), 1, 1e-15);
  EXPECT_NEAR(dot(n, base[0].local), 0, 1e-12);
  EXPECT_NEAR(dot(n, base[1].local), 0, 1e-12);
}

/// An element of these points and vectors alone, and its mass matrix by 3x3 (2x2) blocks.
struct Element {
  detail::NaturalMaker maker;
  std::vector<int> basics;

  Element(bool planar, const Inertia<double>& inertia, const std::vector<Vec3<double>>& points,
          const std::vector<Vec3<double>>& vectors) {
    MechanismBuilder builder("element", planar ? Space::planar : Space::spatial);
    maker.maker.eq.mechanism = builder.body("body", inertia).build();
    maker.model.is_planar = planar;
    maker.model.elements.resize(2);
    maker.model.elements[1].bodies = {1};
    maker.model.elements[1].inertia = inertia;
    maker.model.element_of = {0, 1};
    maker.model.T_EB.resize(2);
    for (const Vec3<double>& p : points)
      basics.push_back(detail::add_basic(maker.model, {1, p}, true, "p"));
    for (const Vec3<double>& u : vectors)
      basics.push_back(detail::add_basic(maker.model, {1, u}, false, "u"));
    detail::add_basic_nodes(maker);
    detail::add_element_equations(maker, 1);
    detail::add_natural_mass(maker);
  }
  double entry(int row, int column) const {
    double sum = 0;
    for (const MassEntry& e : maker.maker.eq.mass)
      if (e.row == row && e.column == column) sum += e.value;
    return sum;
  }
};

TEST(NaturalPlacing, PlanarMassMatrix) {
  const json all = data("mass_matrices");
  for (const json& c : all.at("planar_2point")) {
    const double m = c.at("m"), x = c.at("xG"), y = c.at("yG"), about = c.at("I_about_i");
    const Inertia<double> inertia{m, {x, y, 0}, {0, 0, about - m * (x * x + y * y), 0, 0, 0}};
    const Element e(true, inertia, {{0, 0, 0}, {c.at("L"), 0, 0}}, {});
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) EXPECT_NEAR(e.entry(i, j), c.at("M").at(i).at(j), 1e-12 * m);
  }
}

Inertia<double> inertia_of(const json& c) {
  const Vec3<double> com = vec3(c.at("rG_local"));
  const double m = c.at("m");
  const Sym3<double> about = Sym3<double>::of(mat3(c.at("inertia_tensor_about_i")));
  return {m, com, about - minus_skew_squared(com) * m};
}

TEST(NaturalPlacing, SpatialMassMatrices) {
  const json all = data("mass_matrices");
  int seen = 0;
  for (const char* kind : {"spatial_2p2v", "spatial_4points", "spatial_3p1v"})
    for (const json& c : all.at(kind)) {
      std::vector<Vec3<double>> points{{0, 0, 0}}, vectors;
      for (const char* name : {"rij_local", "rik_local", "ril_local"})
        if (c.contains(name)) points.push_back(vec3(c.at(name)));
      for (const char* name : {"u_local", "v_local"})
        if (c.contains(name)) vectors.push_back(vec3(c.at(name)));
      const Element e(false, inertia_of(c), points, vectors);
      EXPECT_EQ(e.maker.maker.eq.rows(), 6);
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
          const double K = c.at("K4x4").at(i / 3).at(j / 3);
          EXPECT_NEAR(e.entry(i, j), i % 3 == j % 3 ? K : 0, 1e-12 * c.at("m").get<double>())
              << kind;
        }
      ++seen;
    }
  EXPECT_GT(seen, 3);
}

}  // namespace
}  // namespace axode::test::natural_placing
