// Ranks of the conditions of elements and joints at configurations where some of them degenerate.
#include "axode/mechanism/coordinates/detail/natural_equations.hpp"

#include <gtest/gtest.h>

#include <map>

#include "axode/linalg/rank.hpp"
#include "tests/mechanism/natural_cases.hpp"

namespace axode::test::natural_equations {
namespace {

using namespace natural;

/// Equations between points and vectors that are coordinates, by the primitives of the book.
struct Primitives {
  MechanismEquations eq;
  std::vector<double> q;
  std::map<std::string, int> node;

  explicit Primitives(const json& variables) {
    const bool planar = variables.begin().value().size() == 2;
    eq.mechanism = MechanismBuilder("primitives", planar ? Space::planar : Space::spatial).build();
    eq.how.family = CoordinateFamily::natural;
    eq.bodies.resize(1);
    eq.mass_by_motion = {false};
    eq.loads.weight = {-1};
    for (const auto& [name, at] : variables.items()) {
      const int size = static_cast<int>(at.size());
      const NewCoordinates first = add_coordinates(eq, std::vector<std::string>(at.size(), name));
      node[name] = static_cast<int>(eq.nodes.size());
      eq.nodes.push_back(
          {.kind = Node::Kind::coordinates, .x = first.x, .v = first.v, .size = size});
      for (const json& x : at) q.push_back(x);
    }
  }
  void row(std::vector<Term> terms) {
    Equation e;
    e.forms = {{std::move(terms), 0}};
    eq.equations.push_back(std::move(e));
  }
  void dot_row(const Arrow& a, const Arrow& b) { row({{.kind = Term::Kind::dot, .a = a, .b = b}}); }
  void cross_rows(const Arrow& a, const Arrow& b, int from, int to) {
    for (int k = from; k < to; ++k) row({{.kind = Term::Kind::cross, .a = a, .b = b, .axis = k}});
  }
  void linear_rows(const std::vector<std::pair<Arrow, double>>& parts, int rows) {
    for (int k = 0; k < rows; ++k) {
      std::vector<Term> terms;
      for (const auto& [a, f] : parts)
        terms.push_back({.kind = Term::Kind::component, .factor = f, .a = a, .axis = k});
      row(terms);
    }
  }
  /// A point between two others.
  int between(int i, int j, double part) {
    const auto f = [](double x) { return Mat3<double>::diagonal({x, x, x}); };
    eq.nodes.push_back(
        {.kind = Node::Kind::combination, .parts = {{i, f(1 - part)}, {j, f(part)}}});
    return static_cast<int>(eq.nodes.size()) - 1;
  }
  void add(const json& constraint);
};

void Primitives::add(const json& c) {
  const auto n = [&](std::size_t k) { return node.at(c.at("args").at(k)); };
  const auto p = [&](std::size_t k) { return c.at("params").at(k).get<double>(); };
  const auto between_args = [&](std::size_t i, std::size_t j) { return Arrow{n(j), n(i)}; };
  const auto alone = [&](std::size_t k) { return Arrow{n(k), -1}; };
  const std::string type = c.at("type");
  if (type == "dist2" || type == "dist3") {
    dot_row(between_args(0, 1), between_args(0, 1));
  } else if (type == "dot2") {
    dot_row(between_args(0, 1), between_args(2, 3));
  } else if (type == "dot3_pp_v") {
    dot_row(between_args(0, 1), alone(2));
  } else if (type == "dot3_vv") {
    dot_row(alone(0), alone(1));
  } else if (type == "unit3") {
    dot_row(alone(0), alone(0));
  } else if (type == "point_plane") {
    dot_row(between_args(0, 2), alone(1));
  } else if (type == "area2") {
    cross_rows(between_args(0, 1), between_args(0, 2), 2, 3);
  } else if (type == "cross3_pp_v") {
    cross_rows(between_args(0, 1), alone(2), 0, 3);
  } else if (type == "cross3_ppp") {
    cross_rows(between_args(0, 1), between_args(0, 2), 0, 3);
  } else if (type == "collinear2_lin") {
    linear_rows({{between_args(0, 1), 1}, {between_args(0, 2), -p(0)}}, 2);
  } else if (type == "lincomb2") {
    linear_rows({{between_args(0, 3), 1}, {between_args(0, 2), -p(0)}, {between_args(0, 1), -p(1)}},
                2);
  } else if (type == "point_line_dist") {
    row({{.kind = Term::Kind::dot, .a = between_args(0, 2), .b = between_args(0, 2)},
         {.kind = Term::Kind::squared_dot, .factor = -1, .a = between_args(0, 2), .b = alone(1)}});
  } else if (type == "gear_axes") {  // (2.70)-(2.75)
    const Arrow pq{between(n(2), n(3), p(1)), between(n(0), n(1), p(0))};
    dot_row(pq, pq);
    dot_row(pq, between_args(0, 1));
    dot_row(pq, between_args(2, 3));
    dot_row(between_args(0, 1), between_args(2, 3));
  } else {
    ADD_FAILURE() << "no such primitive: " << type;
  }
}

TEST(NaturalEquations, PrimitivesOfTheBook) {
  const json all = data("rank_degeneracies");
  int seen = 0;
  for (const json& c : all.at("cases")) {
    Primitives primitives(c.at("variables"));
    for (const json& constraint : c.at("constraints")) primitives.add(constraint);
    MechanismSystem s(primitives.eq);
    EXPECT_EQ(s.equations().numbers(), c.at("n_vars").get<int>());
    EXPECT_EQ(s.constraints(), c.at("n_equations").get<int>()) << c.at("name");
    SparseRows J;
    s.jacobian(0, primitives.q, J);
    EXPECT_EQ(matrix_rank(J).rank, c.at("rank").get<int>()) << c.at("name");
    ++seen;
  }
  EXPECT_EQ(seen, 35);
}

/// One element alone: what we write for it has full rank, also where the book's products have not.
struct Shape {
  const char* what;
  bool planar;
  std::vector<Vec3<double>> points, vectors;
  int rows;
};

TEST(NaturalEquations, ElementsOfAnyShape) {
  const Vec3<double> j{1, 0.2, 0.1}, m = normalized(Vec3<double>{0.2, 1, 0.3}),
                                     n = normalized(Vec3<double>{-0.3, 0.1, 1});
  const Vec3<double> flat = normalized(j * 0.7 - m * 1.1);
  const std::vector<Shape> shapes{
      {"planar, 2 points", true, {{}, {1, 1, 0}}, {}, 1},
      {"planar, 3 points", true, {{}, {1, 0.2, 0}, {0.3, 0.8, 0}}, {}, 3},
      {"planar, 3 collinear", true, {{}, {1, 1, 0}, {2, 2, 0}}, {}, 3},
      {"planar, 4 points", true, {{}, {1, 0.1, 0}, {0.2, 0.9, 0}, {1, 1, 0}}, {}, 5},
      {"rod", false, {{}, j}, {}, 1},
      {"3 points", false, {{}, j, {0.3, 0.9, 0.4}}, {}, 3},
      {"3 collinear", false, {{}, j, j * 2.0}, {}, 4},
      {"2 points, vector", false, {{}, j}, {m}, 3},
      {"aligned vector", false, {{}, m * 1.7}, {m}, 4},
      {"2 points, 2 vectors", false, {{}, j}, {m, n}, 6},
      {"coplanar vectors", false, {{}, j}, {m, flat}, 6},
      {"1 point, 2 vectors", false, {{}}, {m, n}, 3},
      {"4 points", false, {{}, j, {0.3, 0.9, 0.4}, {0.1, 0.1, 1}}, {}, 6},
      {"4 coplanar points", false, {{}, j, m, j + m}, {}, 6},
      {"3 points, 3 vectors", false, {{}, j, {0.3, 0.9, 0.4}}, {m, n, flat}, 12}};
  for (const Shape& shape : shapes) {
    detail::NaturalMaker maker;
    MechanismEquations& eq = maker.maker.eq;
    eq.mechanism = MechanismBuilder("x", shape.planar ? Space::planar : Space::spatial).build();
    eq.mechanism.bodies.push_back({.name = "body"});
    eq.how.family = CoordinateFamily::natural;
    maker.model.is_planar = shape.planar;
    maker.model.elements.resize(2);
    maker.model.elements[1].bodies = {1};
    maker.model.element_of = {0, 1};
    maker.model.T_EB.resize(2);
    for (const Vec3<double>& p : shape.points) detail::add_basic(maker.model, {1, p}, true, "p");
    for (const Vec3<double>& u : shape.vectors) detail::add_basic(maker.model, {1, u}, false, "u");
    detail::add_basic_nodes(maker);
    detail::add_element_equations(maker, 1);
    detail::add_natural_bodies(maker);
    eq.mass_by_motion = {false, false};
    eq.loads.weight = {-1, -1};
    MechanismSystem s(eq);
    // Anywhere: turned and moved.
    const SE3<double> pose{exp(shape.planar ? Vec3<double>{0, 0, 2} : Vec3<double>{1, -2, 0.5}),
                           {3, 1, 0}};
    const std::vector<SE3<double>> poses{SE3<double>{}, pose};
    const std::vector<double> q = s.from_poses(poses);
    std::vector<double> phi(s.constraints());
    s.position(0, q, phi);
    for (const double x : phi) EXPECT_NEAR(x, 0, 1e-14) << shape.what;
    SparseRows J;
    s.jacobian(0, q, J);
    EXPECT_EQ(s.constraints(), shape.rows) << shape.what;
    EXPECT_EQ(matrix_rank(J).rank, shape.rows) << shape.what;
    if (eq.bodies[1].base_count == 1 && !shape.planar) continue;  // no spin
    std::vector<SE3<double>> found(2);
    s.poses(q, found);
    EXPECT_LT(distance(found[1], pose, 1), 1e-14) << shape.what;
  }
}

}  // namespace
}  // namespace axode::test::natural_equations
