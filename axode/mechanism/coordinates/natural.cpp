/// Natural coordinates: points, and in space unit vectors, shared by the bodies of a joint
/// [GarciaBayo 2.1.3, 2.2.3]. What is left to write are the rigid-body conditions of elements and
/// those conditions of joints that sharing does not meet.
#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/mechanism/coordinates/detail/natural_equations.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::detail {

namespace {

bool is_fixed(const MechanismEquations& eq, const Arrow& a) {
  const auto constant = [&](int node) {
    return node < 0 || eq.nodes[node].kind == Node::Kind::fixed;
  };
  return constant(a.head) && constant(a.tail);
}

bool is_constant(const MechanismEquations& eq, const Equation& e) {
  if (e.driver >= 0) return false;
  for (const Equation::Form& form : e.forms)
    for (const Term& t : form.terms)
      if (t.scalar >= 0 || !is_fixed(eq, t.a) || !is_fixed(eq, t.b) || !is_fixed(eq, t.c))
        return false;
  return true;
}

/// The value of a form whose arrows are all constant.
double constant_value(const MechanismEquations& eq, const Equation::Form& form) {
  const auto value = [&](const Arrow& a) {
    Vec3<double> v = eq.nodes[a.head].local;
    if (a.tail >= 0) v -= eq.nodes[a.tail].local;
    return v;
  };
  double sum = form.constant;
  for (const Term& t : form.terms) {
    if (t.kind == Term::Kind::component) sum += t.factor * value(t.a)[t.axis];
    if (t.kind == Term::Kind::dot) sum += t.factor * dot(value(t.a), value(t.b));
    if (t.kind == Term::Kind::squared_dot) {
      const double product = dot(value(t.a), value(t.b));
      sum += t.factor * product * product;
    }
    if (t.kind == Term::Kind::cross) sum += t.factor * cross(value(t.a), value(t.b))[t.axis];
    if (t.kind == Term::Kind::triple)
      sum += t.factor * dot(cross(value(t.a), value(t.b)), value(t.c));
  }
  return sum;
}

/// Equations between constants say nothing, if they hold.
void drop_constant(NaturalMaker& n, std::size_t from) {
  MechanismEquations& eq = n.maker.eq;
  for (std::size_t i = from; i < eq.equations.size();) {
    const Equation& e = eq.equations[i];
    if (!is_constant(eq, e)) {
      ++i;
      continue;
    }
    for (const Equation::Form& form : e.forms)
      if (std::abs(constant_value(eq, form)) > 1e-6 * std::max(1., n.model.size))
        throw Error("cannot be assembled: it joins what the world already fixes otherwise", e.name,
                    "correct its points, axes or angle");
    eq.equations.erase(eq.equations.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Sliding keeps the angle between any two vectors, one of each body: those that the elements have
/// serve as well as those of the user, and need no auxiliary ones [GarciaBayo (2.56)].
MechanismJoint with_own_vectors(const NaturalMaker& n, const MechanismJoint& joint) {
  MechanismJoint result = joint;
  for (std::size_t s = 0; s < 2; ++s) {
    const NaturalPlace zero = natural_place(n.model, joint.body[s], joint.zero[s], false);
    if (find_basic(n.model, zero, false).first >= 0 ||
        natural_sum(n, zero.element, zero.local, false))
      continue;
    const SE3<double>& T = n.model.T_EB[joint.body[s]];
    const Vec3<double> u = normalized(joint.axis[s]);
    Vec3<double> best{};
    for (const NaturalArrow& a : n.model.elements[zero.element].base) {
      const Vec3<double> local = inverse_times(T.R, a.local) / norm(a.local);
      // r_im . r_jn = const: only the parts normal to the axis tell a turn
      // [GarciaBayo (2.56)-(2.58), corrected: docs/errata.md]
      const Vec3<double> normal = local - u * dot(u, local);
      if (norm(normal) > norm(best)) best = normal;
    }
    if (norm(best) < 0.05) continue;
    result.zero[s] = normalized(best);
    // the angle kept changes by the angle between the old and the new vector about u
    const double turn = std::atan2(dot(u, cross(joint.zero[s], result.zero[s])),
                                   dot(joint.zero[s], result.zero[s]));
    result.angle += s == 0 ? -turn : turn;
  }
  return result;
}

void add_joint(NaturalMaker& n, int index) {
  MechanismJoint& joint = n.maker.eq.mechanism.joints[index];
  if (joint.type == PairType::weld) return;  // one element
  const std::size_t before = n.maker.eq.equations.size();
  const MechanismJoint original = joint;
  if (joint.type == PairType::prismatic && !n.model.is_planar) joint = with_own_vectors(n, joint);
  add_joint_equations(n.maker, index);
  n.maker.eq.mechanism.joints[index] = original;
  drop_constant(n, before);
}

}  // namespace

MechanismEquations natural_equations(const Mechanism& mechanism,
                                     const FormulationOptions& options) {
  NaturalMaker n;
  n.model = natural_model(mechanism);
  n.distances_only = options.distances_only;
  MechanismEquations& eq = n.maker.eq;
  eq.mechanism = mechanism;
  eq.how = options;
  eq.mixed.assign(mechanism.coordinates.size(), -1);
  eq.remarks = n.model.remarks;
  n.maker.node = [&n](int body, const Vec3<double>& local, bool is_point) {
    return natural_node(n, body, local, is_point);
  };
  n.maker.own_scalar = [](int) { return -1; };
  add_basic_nodes(n);
  for (int e = 1; e < static_cast<int>(n.model.elements.size()); ++e) add_element_equations(n, e);
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) add_joint(n, j);
  for (const int c : options.mixed) mixed_coordinate(n.maker, c);
  add_couplings(n.maker);
  if (options.with_drivers) add_drivers(n.maker);
  add_loads(n.maker);
  add_natural_bodies(n);
  add_natural_mass(n);
  return std::move(n.maker.eq);
}

}  // namespace axode::detail
