/// The terms of equations against primitives of the reference, written with them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "axode/mechanism/equations/system.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::system_terms {
namespace {

using Json = nlohmann::json;
using List = std::vector<double>;

/// Coordinates in blocks: points and vectors are nodes, blocks of one number are scalars.
struct Blocks {
  MechanismEquations eq;
  std::vector<int> of;  ///< node or scalar of each block

  explicit Blocks(const std::vector<int>& dims) {
    eq.mechanism.bodies.resize(1);
    eq.bodies.resize(1);
    eq.mass_by_motion = {false};
    eq.loads.weight = {-1};
    for (const int d : dims) {
      if (d == 1) {
        eq.scalars.push_back({{{eq.group.nx, eq.group.nv, 1}}, 0, "s"});
        of.push_back(static_cast<int>(eq.scalars.size()) - 1);
      } else {
        Node node;
        node.kind = Node::Kind::coordinates;
        node.x = eq.group.nx;
        node.v = eq.group.nv;
        node.size = d;
        eq.nodes.push_back(node);
        of.push_back(static_cast<int>(eq.nodes.size()) - 1);
      }
      eq.group.real(d);
    }
  }
  Arrow arrow(int head, int tail = -1) const { return {of[head], tail < 0 ? -1 : of[tail]}; }
  int s(int block) const { return of[block]; }
  void row(std::vector<Term> terms, double constant = 0) {
    Equation e;
    e.forms = {{std::move(terms), constant}};
    eq.equations.push_back(e);
  }
};

Term dots(const Arrow& a, const Arrow& b, double f = 1) { return {Term::Kind::dot, f, a, b}; }
Term across(const Arrow& a, const Arrow& b, int k, double f = 1) {
  return {Term::Kind::cross, f, a, b, {}, k};
}
Term part(const Arrow& a, int k, double f = 1) { return {Term::Kind::component, f, a, {}, {}, k}; }
Term of_scalar(Term::Kind kind, int s, double f) { return {kind, f, {}, {}, {}, 0, s}; }

/// The equations of one primitive of the reference, in terms.
void write(Blocks& b, const std::string& type, const std::map<std::string, double>& p) {
  const auto A = [&](int head, int tail = -1) { return b.arrow(head, tail); };
  const auto P = [&](const char* name) { return p.at(name); };
  using K = Term::Kind;
  if (type == "dist2" || type == "dist3") {
    b.row({dots(A(1, 0), A(1, 0))}, -P("L") * P("L"));
  } else if (type == "area2") {
    b.row({across(A(2, 0), A(1, 0), 2)}, -P("twoA"));
  } else if (type == "dot2") {
    b.row({dots(A(1, 0), A(3, 2))}, -P("C"));
  } else if (type == "collinear2_lin") {
    for (int k = 0; k < 2; ++k) b.row({part(A(1, 0), k), part(A(2, 0), k, -P("C"))});
  } else if (type == "lincomb2") {
    for (int k = 0; k < 2; ++k)
      b.row({part(A(3, 0), k), part(A(2, 0), k, -P("alpha")), part(A(1, 0), k, -P("beta"))});
  } else if (type == "angle2_dot_mixed") {
    b.row({dots(A(1, 0), A(2, 1)), of_scalar(K::cosine, b.s(3), -P("La") * P("Lb"))});
  } else if (type == "angle2_cross_mixed") {
    b.row({across(A(1, 0), A(2, 1), 2), of_scalar(K::sine, b.s(3), -P("La") * P("Lb"))});
  } else if (type == "dist2_mixed" || type == "dist3_mixed") {
    b.row({dots(A(1, 0), A(1, 0)), of_scalar(K::square, b.s(2), -1)});
  } else if (type == "dot3_pp_v") {
    b.row({dots(A(1, 0), A(2))}, -P("C"));
  } else if (type == "dot3_vv") {
    b.row({dots(A(0), A(1))}, -P("C"));
  } else if (type == "unit3") {
    b.row({dots(A(0), A(0))}, -1);
  } else if (type == "lincomb3") {
    for (int k = 0; k < 3; ++k)
      b.row({part(A(0), k), part(A(2, 1), k, -P("a1")), part(A(3, 1), k, -P("a2")),
             part(A(4), k, -P("a3"))});
  } else if (type == "cross3_pp_v") {
    for (int k = 0; k < 3; ++k) b.row({across(A(1, 0), A(2), k)});
  } else if (type == "cross3_ppp") {
    for (int k = 0; k < 3; ++k) b.row({across(A(1, 0), A(2, 0), k)});
  } else if (type == "rev_angle_dot") {
    b.row({dots(A(0, 2), A(1, 2)), of_scalar(K::cosine, b.s(3), -P("Li") * P("Lj"))},
          -P("hi") * P("hj"));
  } else if (type == "rev_angle_cross") {
    for (int k = 0; k < 3; ++k) {
      Term sine = of_scalar(K::component_sine, b.s(4), -P("Li") * P("Lj"));
      sine.a = A(3);
      sine.axis = k;
      b.row({across(A(0, 2), A(1, 2), k), across(A(3), A(1, 2), k, -P("hi")),
             across(A(0, 2), A(3), k, -P("hj")), sine});
    }
  } else if (type == "helical") {
    b.row({of_scalar(K::scalar, b.s(0), 1), of_scalar(K::scalar, b.s(1), -P("n"))}, -P("s0"));
  } else if (type == "gear") {
    b.row({of_scalar(K::scalar, b.s(1), 1), of_scalar(K::scalar, b.s(0), P("n"))}, -P("psi20"));
  } else if (type == "point_plane") {
    b.row({dots(A(2, 0), A(1))}, -P("c"));
  } else if (type == "point_line_dist") {
    b.row({dots(A(2, 0), A(2, 0)), {K::squared_dot, -1, A(2, 0), A(1)}}, -P("d") * P("d"));
  } else if (type == "gear_axes") {
    // Points p and q on the axes are combinations of their ends.
    const auto on_line = [&](int from, int to, double at) {
      Node node;
      node.kind = Node::Kind::combination;
      const Mat3<double> one = Mat3<double>::identity();
      node.parts = {{b.of[from], one * (1 - at)}, {b.of[to], one * at}};
      b.eq.nodes.push_back(node);
      return static_cast<int>(b.eq.nodes.size()) - 1;
    };
    const int first = on_line(0, 1, P("alpha")), second = on_line(2, 3, P("beta"));
    const Arrow pq{second, first}, ji = A(0, 1), lk = A(2, 3);
    b.row({dots(pq, pq)}, -P("C1"));
    b.row({dots(pq, ji)}, -P("C2"));
    b.row({dots(pq, lk)}, -P("C3"));
    b.row({dots(ji, lk)}, -P("C4"));
  }
}

List numbers(const Json& a) { return a.get<List>(); }

void expect_near(const List& is, const List& wanted, const std::string& what) {
  ASSERT_EQ(is.size(), wanted.size()) << what;
  double size = 1;
  for (const double x : wanted) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], wanted[i], 1e-13 * size) << what << " " << i;
}

TEST(SystemTerms, ReproduceThePrimitivesOfTheReference) {
  int compared = 0;
  const Json file = read_json("mechanisms/constraint_primitives.json");
  for (const Json& entry : file.at("entries")) {
    const auto type = entry.at("type").get<std::string>();
    Blocks blocks(entry.at("dims").get<std::vector<int>>());
    std::map<std::string, double> p;
    for (std::size_t i = 0; i < entry.at("params").size(); ++i)
      p[entry.at("param_names").at(i)] = entry.at("params").at(i);
    write(blocks, type, p);
    if (blocks.eq.equations.empty()) continue;  // of bodies and trees: compared elsewhere
    MechanismSystem system(blocks.eq);
    const List q = numbers(entry.at("q")), v = numbers(entry.at("qd"));
    List phi(system.constraints()), rate = phi, c = phi;
    system.position(0, q, phi);
    expect_near(phi, numbers(entry.at("phi")), type);
    system.velocity(0, q, v, rate);
    expect_near(rate, numbers(entry.at("phidot")), type + " rate");
    system.acceleration_right(0, q, v, c);
    for (double& x : c) x = -x;
    expect_near(c, numbers(entry.at("Jdot_qd")), type + " second");
    SparseRows J;
    system.jacobian(0, q, J);
    for (int k = 0; k < J.rows; ++k) {
      List row(q.size(), 0.);
      for (int e = J.start[k]; e < J.start[k + 1]; ++e) row[J.column[e]] = J.value[e];
      expect_near(row, numbers(entry.at("jac").at(k)), type + " Jacobian");
    }
    ++compared;
  }
  EXPECT_EQ(compared, 69);
}

}  // namespace
}  // namespace axode::test::system_terms
