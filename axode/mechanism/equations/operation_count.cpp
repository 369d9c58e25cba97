#include "axode/mechanism/equations/operation_count.hpp"

#include <map>
#include <set>
#include <utility>

namespace axode {

namespace {

/// What a body costs: its rotation matrix, one vector turned by it, the derivative of one by the
/// coordinates of the attitude, and how many these are.
struct BodyCost {
  int matrix, trigonometric, vector, block, columns;
};

struct Counter {
  const MechanismEquations& eq;
  JacobianOperations sum{};
  std::set<int> values{}, blocks{}, matrices{};  ///< nodes, nodes, bodies that were counted
  std::set<std::pair<int, int>> arrows{};
  std::map<int, int> depth{};  ///< of bodies of a tree: degrees of freedom on the path

  BodyCost cost(int body) {
    const BodyCoordinates& b = eq.bodies[body];
    switch (b.kind) {
      case BodyCoordinates::Kind::euler_parameters:
        return {31, 0, 15, 60, 4};
      case BodyCoordinates::Kind::euler_angles:
        return {16, 6, 15, 21, 3};  // three products of angles; z x s is free, two cross products
      case BodyCoordinates::Kind::quasi_velocities:
        return {31, 0, 15, 18, 3};  // A times skew(s')
      case BodyCoordinates::Kind::planar:
        return {0, 2, 6, 0, 1};  // the derivative is the vector turned by 90 degrees
      case BodyCoordinates::Kind::tree: {
        const int n = path_dofs(b.tree_body);
        // A product of poses and one sine and cosine; a cross product per degree of freedom.
        const bool planar = eq.mechanism.is_planar;
        return {planar ? 6 : 63, 2, planar ? 6 : 15, (planar ? 2 : 9) * n, n};
      }
      default:
        return {};
    }
  }

  int path_dofs(int tree_body) {
    if (!eq.tree || tree_body < 0) return 0;
    if (const auto known = depth.find(tree_body); known != depth.end()) return known->second;
    int n = 0;
    for (int i = tree_body; i >= 0; i = eq.tree->links[i].parent) n += eq.tree->links[i].nv;
    return depth[tree_body] = n;
  }

  bool on_body(int node) const { return eq.nodes[node].kind == Node::Kind::on_body; }
  bool moves(const Arrow& a) const {
    const auto fixed = [&](int node) {
      return node < 0 || eq.nodes[node].kind == Node::Kind::fixed;
    };
    return !(fixed(a.head) && fixed(a.tail));
  }
  void need_value(int node) {
    if (node < 0 || !values.insert(node).second) return;
    const Node& n = eq.nodes[node];
    const int size = eq.mechanism.is_planar ? 2 : 3;
    if (n.kind == Node::Kind::combination)
      sum.operations += static_cast<long>(n.parts.size()) * 2 * size - size;
    if (n.kind != Node::Kind::on_body) return;
    const BodyCost c = cost(n.body);
    if (matrices.insert(n.body).second) {
      sum.operations += c.matrix;
      sum.trigonometric += c.trigonometric;
    }
    sum.operations += c.vector;
  }
  /// The value of an arrow: r_j + s_j - r_i - s_i, or a plain difference.
  void need(const Arrow& a) {
    need_value(a.head);
    need_value(a.tail);
    const int size = eq.mechanism.is_planar ? 2 : 3;
    if (a.tail < 0 || !arrows.insert({a.head, a.tail}).second) return;
    const auto apart = [&](int node) { return on_body(node) && eq.nodes[node].is_point ? 1 : 0; };
    sum.operations += long{size} * (1 + apart(a.head) + apart(a.tail));
  }
  /// The derivative of an arrow times what the term has for each row entry; `entry` operations each
  /// (0: the derivative itself). Counts the blocks by body, to find sums.
  void derivative(const Arrow& a, int entry, std::map<int, int>& bodies) {
    for (const int node : {a.head, a.tail}) {
      if (node < 0 || !on_body(node)) continue;
      const int body = eq.nodes[node].body;
      const BodyCost c = cost(body);
      if (blocks.insert(node).second) {
        sum.operations += c.block;
        if (c.block == 0) need_value(node);  // planar: the vector itself
      }
      sum.operations += static_cast<long>(entry) * c.columns;
      ++bodies[body];
    }
  }

  void row(const Equation& e) {
    std::map<int, int> bodies;
    const bool planar = eq.mechanism.is_planar;
    for (const Term& term : e.forms[e.form].terms) {
      switch (term.kind) {
        case Term::Kind::component:
          derivative(term.a, 0, bodies);
          break;
        case Term::Kind::dot:
        case Term::Kind::cross: {
          // A row of a skew matrix has two entries, a vector three.
          const int entry = planar || term.kind == Term::Kind::cross ? 3 : 5;
          if (moves(term.b)) need(term.a);
          if (!(term.a == term.b) && moves(term.a)) need(term.b);
          derivative(term.a, entry, bodies);
          if (!(term.a == term.b)) derivative(term.b, entry, bodies);
          break;
        }
        case Term::Kind::squared_dot:
          need(term.a);
          need(term.b);
          sum.operations += 5 + 6;
          derivative(term.a, 5, bodies);
          derivative(term.b, 5, bodies);
          break;
        case Term::Kind::triple:
          for (const Arrow& a : {term.a, term.b, term.c}) need(a);
          sum.operations += 27;
          for (const Arrow& a : {term.a, term.b, term.c}) derivative(a, 5, bodies);
          break;
        case Term::Kind::sine:
        case Term::Kind::cosine:
          sum.trigonometric += 1;
          sum.operations += 1;
          break;
        case Term::Kind::component_sine:
          sum.trigonometric += 2;
          sum.operations += 2;
          derivative(term.a, 1, bodies);
          break;
        case Term::Kind::scalar:
        case Term::Kind::square:
          break;
      }
    }
    for (const auto& [body, times] : bodies)
      sum.operations += static_cast<long>(times - 1) * cost(body).columns;
  }
};

}  // namespace

JacobianOperations jacobian_operations(const MechanismEquations& equations) {
  Counter counter{equations};
  for (const Equation& e : equations.equations) counter.row(e);
  return counter.sum;
}

}  // namespace axode
