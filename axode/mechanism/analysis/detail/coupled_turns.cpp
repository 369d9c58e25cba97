#include "axode/mechanism/analysis/detail/coupled_turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "axode/mechanism/analysis/start_poses.hpp"

namespace axode {
namespace {

constexpr double turn = 2 * std::numbers::pi;
using Kind = MechanismCoordinate::Kind;

double value_of(const Scalar& scalar, std::span<const double> q) {
  double value = scalar.constant;
  for (const Scalar::Part& part : scalar.parts) value += part.factor * q[part.x];
  return value;
}

/// Coordinates whose turns count.
std::vector<char> with_turns(const Mechanism& m) {
  std::vector<char> counts(m.coordinates.size(), 0);
  for (const MechanismDriver& driver : m.drivers) counts[driver.coordinate] = 1;
  for (const MechanismCoupling& coupling : m.couplings)
    for (const MechanismCoupling::Part& part : coupling.parts) counts[part.coordinate] = 1;
  return counts;
}

/// By number of q: whether an equation other than couplings is linear in it.
std::vector<char> tied_numbers(const MechanismEquations& eq) {
  std::vector<char> tied(eq.numbers(), 0);
  for (const Equation& e : eq.equations) {
    if (e.origin == Equation::Origin::coupling) continue;
    for (const Equation::Form& form : e.forms)
      for (const Term& term : form.terms) {
        if (term.kind != Term::Kind::scalar && term.kind != Term::Kind::square) continue;
        for (const Scalar::Part& part : eq.scalars[term.scalar].parts) tied[part.x] = 1;
      }
  }
  // In a tree the angle of a screw joint is its advance.
  for (std::size_t b = 0; b < eq.tree_joints.size(); ++b) {
    const int joint = eq.tree_joints[b];
    if (joint < 0 || eq.mechanism.joints[joint].type != PairType::helical) continue;
    tied[eq.tree->links[b].q] = 1;
  }
  return tied;
}

/// Joints that keep an angle, and angles that are driven or coupled.
std::vector<CoupledTurns::Relation> planar_relations(const MechanismEquations& eq,
                                                     const std::vector<char>& tied) {
  const Mechanism& m = eq.mechanism;
  std::vector<CoupledTurns::Relation> relations;
  const std::vector<SE3<double>> start = start_poses(m);
  const std::vector<char> counts = with_turns(m);
  for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
    if (!counts[c] || eq.mixed[c] < 0 || !m.coordinates[c].is_angle) continue;
    const bool of_joint = m.coordinates[c].kind == Kind::joint;
    const MechanismJoint* joint = of_joint ? &m.joints[m.coordinates[c].joint] : nullptr;
    const bool about_axis = of_joint && joint->type == PairType::revolute;
    const double sign = about_axis ? joint->axis[0].z : 1;
    const int x = eq.scalars[eq.mixed[c]].parts[0].x;
    relations.push_back({.body = of_joint ? joint->body : m.coordinates[c].body,
                         .scalar = eq.mixed[c],
                         .sign = sign,
                         .constant = -sign * measure_with_turns(m, static_cast<int>(c), start),
                         .free = tied[x] ? -1 : x});
  }
  for (const MechanismJoint& joint : m.joints) {
    if (joint.type != PairType::prismatic && joint.type != PairType::weld) continue;
    const Vec3<double> a = start[joint.body[0]].R * joint.zero[0],
                       b = start[joint.body[1]].R * joint.zero[1];
    const double kept = joint.type == PairType::prismatic ? joint.angle : 0;
    const double now = std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
    relations.push_back({.body = joint.body, .constant = std::remainder(kept - now, turn)});
  }
  std::ranges::stable_sort(relations, {}, [](const auto& r) { return r.free >= 0; });
  return relations;
}

}  // namespace

CoupledTurns coupled_turns(const MechanismEquations& equations) {
  CoupledTurns turns;
  const Mechanism& m = equations.mechanism;
  if (m.couplings.empty()) return turns;
  const std::vector<char> tied = tied_numbers(equations);
  if (m.is_planar && equations.how.family == CoordinateFamily::natural)
    turns.relations = planar_relations(equations, tied);
  for (int i = 0; i < equations.rows(); ++i) {
    const Equation& e = equations.equations[i];
    if (e.origin != Equation::Origin::coupling) continue;
    CoupledTurns::Coupling coupling{.row = i};
    const auto& parts = m.couplings[e.index].parts;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!m.coordinates[parts[k].coordinate].is_angle) continue;
      const Term& term = e.forms[0].terms[k];
      for (const Scalar::Part& part : equations.scalars[term.scalar].parts)
        if (!tied[part.x]) coupling.free.push_back({part.x, term.factor * part.factor});
    }
    turns.couplings.push_back(std::move(coupling));
  }
  return turns;
}

namespace {

/// Bodies in sets, of which it is known how far each has turned against the others.
struct TurnedBodies {
  std::vector<int> set;
  std::vector<double> turned;
  explicit TurnedBodies(std::size_t bodies) : set(bodies), turned(bodies, 0) {
    std::iota(set.begin(), set.end(), 0);
  }
  /// How far off a relation is from what is known; it is known from now on.
  double add(const CoupledTurns::Relation& r, const MechanismEquations& eq,
             std::span<const double> q) {
    const std::size_t i = r.body[0], j = r.body[1];
    const double angle = r.scalar < 0 ? 0 : r.sign * value_of(eq.scalars[r.scalar], q);
    const double off = turned[i] + r.constant + angle - turned[j];
    if (set[i] == set[j]) return off;
    const int moved = set[j], to = set[i];
    for (std::size_t b = 0; b < set.size(); ++b)
      if (set[b] == moved) set[b] = to, turned[b] += off;
    return 0;
  }
};

}  // namespace

bool turns_agree(const CoupledTurns& turns, const MechanismEquations& equations,
                 std::span<const double> q) {
  TurnedBodies bodies(equations.mechanism.bodies.size());
  return std::ranges::all_of(turns.relations, [&](const CoupledTurns::Relation& r) {
    return std::abs(bodies.add(r, equations, q)) < turn / 2;
  });
}

void turn_to_agree(const CoupledTurns& turns, const MechanismEquations& equations,
                   std::span<double> q) {
  TurnedBodies bodies(equations.mechanism.bodies.size());
  for (const CoupledTurns::Relation& r : turns.relations) {
    const double off = bodies.add(r, equations, q);
    if (r.free >= 0) q[r.free] -= r.sign * turn * std::round(off / turn);
  }
}

void turn_coupled(const CoupledTurns& turns, const MechanismEquations& equations,
                  std::span<double> q, const std::function<int()>& some) {
  for (const CoupledTurns::Coupling& coupling : turns.couplings) {
    if (coupling.free.empty()) continue;
    for (std::size_t k = 0; k + 1 < coupling.free.size(); ++k)
      q[coupling.free[k].x] += turn * some();
    const Equation::Form& form = equations.equations[coupling.row].forms[0];
    double residual = form.constant;
    for (const Term& term : form.terms)
      residual += term.factor * value_of(equations.scalars[term.scalar], q);
    const CoupledTurns::Free& last = coupling.free.back();
    q[last.x] -= turn * std::round(residual / (turn * last.factor));
  }
}

}  // namespace axode
