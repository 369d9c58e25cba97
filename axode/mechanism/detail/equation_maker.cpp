#include "axode/mechanism/detail/equation_maker.hpp"

#include <cmath>

#include "axode/mechanism/detail/equation_parts.hpp"

namespace axode {

using namespace detail;

namespace {

/// Planar: about -z the angle of j against i is that of i against j about z.
bool turns_backward(const MechanismJoint& joint) {
  return joint.type == PairType::revolute && joint.axis[0].z < 0;
}

}  // namespace

NewCoordinates add_coordinates(MechanismEquations& eq, const std::vector<std::string>& names) {
  const NewCoordinates first{eq.group.nx, eq.group.nv};
  eq.group.real(static_cast<int>(names.size()));
  for (const std::string& name : names) {
    eq.coordinate_names.push_back(name);
    eq.velocity_names.push_back(name);
  }
  return first;
}

int fixed_node(MechanismEquations& eq, const Vec3<double>& at, bool is_point, std::string name) {
  Node node;
  node.is_point = is_point;
  node.local = at;
  node.name = std::move(name);
  eq.nodes.push_back(std::move(node));
  return static_cast<int>(eq.nodes.size()) - 1;
}

int scalar_of(EquationMaker& maker, int coordinate) {
  const std::size_t c = coordinate;
  if (maker.eq.mixed[c] >= 0) return maker.eq.mixed[c];
  const int own = maker.own_scalar(coordinate);
  return own >= 0 ? own : mixed_coordinate(maker, coordinate);
}

int mixed_coordinate(EquationMaker& maker, int coordinate) {
  MechanismEquations& eq = maker.eq;
  const std::size_t c = coordinate;
  if (eq.mixed[c] >= 0) return eq.mixed[c];
  const int own = maker.own_scalar(coordinate);
  const MechanismCoordinate& what = eq.mechanism.coordinates[c];
  const NewCoordinates first = add_coordinates(eq, {what.name});
  eq.scalars.push_back({{{first.x, first.v, 1}}, 0, what.name});
  const int scalar = static_cast<int>(eq.scalars.size()) - 1;
  eq.mixed[c] = scalar;
  Equation origin;
  origin.origin = Equation::Origin::coordinate;
  origin.index = coordinate;
  origin.name = maker.naming = what.name;
  if (own >= 0) {
    eq.equations.push_back(row(origin, "definition",
                               {form({scalar_term(Term::Kind::scalar, scalar, 1),
                                      scalar_term(Term::Kind::scalar, own, -1)})}));
    return scalar;
  }
  add_coordinate_definition(maker, origin, coordinate, scalar);
  return scalar;
}

void add_coordinate_definition(EquationMaker& maker, const Equation& origin, int coordinate,
                               int scalar) {
  MechanismEquations& eq = maker.eq;
  const MechanismCoordinate what = eq.mechanism.coordinates[coordinate];
  const bool planar = eq.mechanism.is_planar;
  const auto push = [&](Equation e) { eq.equations.push_back(std::move(e)); };
  // u . r_ij - s = 0, signed and regular at 0  [GarciaBayo (2.61), corrected: docs/errata.md]
  const auto along = [&](const Arrow& u, const Arrow& d) {
    push(row(origin, "distance",
             {form({dot_term(u, d), scalar_term(Term::Kind::scalar, scalar, -1)})}));
  };
  if (what.kind == MechanismCoordinate::Kind::angle) {
    const Arrow a = alone(maker.node(what.body[0], {1, 0, 0}, false)),
                b = alone(maker.node(what.body[1], {1, 0, 0}, false));
    push(angle_equation(origin, "angle", a, b, -1, scalar, 0));
    return;
  }
  if (what.kind != MechanismCoordinate::Kind::joint) {
    const Arrow d{maker.node(what.body[1], what.point[1], true),
                  maker.node(what.body[0], what.point[0], true)};
    // r_ij . r_ij - s^2 = 0  [GarciaBayo (2.61)]
    if (what.kind == MechanismCoordinate::Kind::distance)
      push(row(origin, "distance",
               {form({dot_term(d, d), scalar_term(Term::Kind::square, scalar, -1)})}));
    else
      along(alone(fixed_node(eq, what.axis, false, what.name + " axis")), d);
    return;
  }
  const MechanismJoint j = eq.mechanism.joints[what.joint];
  const auto direction = [&](int end, const Vec3<double>& local) {
    return maker.node(j.body[end], local, false);
  };
  const auto between = [&] {
    const int pi = maker.node(j.body[0], j.point[0], true);
    return Arrow{maker.node(j.body[1], j.point[1], true), pi};
  };
  // cosine or sine of psi from i to j about the axis  [GarciaBayo (2.62)-(2.65)]; between bodies in
  // the plane, above  [GarciaBayo Ex. 2.9]
  if (what.is_angle) {
    Vec3<double> from = j.zero[0], to = j.zero[1], about = j.axis[0];
    int from_end = 0, to_end = 1, about_end = 0;
    if (j.type == PairType::universal && what.which == 0) to = j.axis[1];
    if (j.type == PairType::universal && what.which == 1) {
      from = j.axis[0];
      about = j.axis[1];
      about_end = 1;
    }
    if (planar && turns_backward(j)) std::swap(from_end, to_end), std::swap(from, to);
    const Arrow a = alone(direction(from_end, from)), b = alone(direction(to_end, to));
    push(angle_equation(origin, "angle", a, b, planar ? -1 : direction(about_end, about), scalar,
                        0));
    return;
  }
  Vec3<double> axis = j.axis[0];
  if (j.type == PairType::planar) axis = what.which == 0 ? j.zero[0] : cross(j.axis[0], j.zero[0]);
  along(alone(direction(0, axis)), between());
}

void add_couplings(EquationMaker& maker) {
  const std::size_t n = maker.eq.mechanism.couplings.size();
  for (std::size_t i = 0; i < n; ++i) {
    const MechanismCoupling coupling = maker.eq.mechanism.couplings[i];
    Equation origin;
    origin.origin = Equation::Origin::coupling;
    origin.index = static_cast<int>(i);
    origin.name = coupling.name;
    // sum f_k x_k = const, of gears psi_2 + n psi_1 = psi_20  [GarciaBayo (2.67)]
    std::vector<Term> terms;
    for (const MechanismCoupling::Part& part : coupling.parts)
      terms.push_back(
          scalar_term(Term::Kind::scalar, scalar_of(maker, part.coordinate), part.factor));
    maker.eq.equations.push_back(row(origin, "coupling", {form(terms, -coupling.constant)}));
  }
}

void add_drivers(EquationMaker& maker) {
  const std::size_t n = maker.eq.mechanism.drivers.size();
  for (std::size_t i = 0; i < n; ++i) {
    const MechanismDriver& driver = maker.eq.mechanism.drivers[i];
    Equation origin;
    origin.origin = Equation::Origin::driver;
    origin.index = static_cast<int>(i);
    origin.name = driver.name;
    origin.driver = static_cast<int>(i);
    // x_k - f(t) = 0; f is subtracted where rows are evaluated
    const int scalar = scalar_of(maker, driver.coordinate);
    maker.eq.equations.push_back(
        row(origin, "driver", {form({scalar_term(Term::Kind::scalar, scalar, 1)})}));
  }
}

void add_loads(EquationMaker& maker) {
  const Mechanism mechanism = maker.eq.mechanism;
  LoadNodes loads;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Inertia<double>& inertia = mechanism.bodies[b].inertia;
    const bool heavy = b > 0 && inertia.mass != 0;
    loads.weight.push_back(heavy ? maker.node(static_cast<int>(b), inertia.com, true) : -1);
  }
  for (const PointSpring& s : mechanism.springs) {
    maker.naming = s.name;
    const int first = maker.node(s.body[0], s.point[0], true);
    loads.springs.push_back({first, maker.node(s.body[1], s.point[1], true)});
  }
  for (const BodyLoad& load : mechanism.loads) {
    maker.naming = load.name;
    loads.loads.push_back(maker.node(load.body, load.point, true));
  }
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    loads.coordinate_forces.push_back(scalar_of(maker, force.coordinate));
  maker.eq.loads = std::move(loads);
}

std::string detail::node_name(const EquationMaker& maker, int body, const Vec3<double>& local,
                              bool is_point) {
  const MechanismBody& b = maker.eq.mechanism.bodies[body];
  for (const NamedVector& named : is_point ? b.points : b.vectors)
    if (named.at == local) return b.name + "." + named.name;
  if (is_point && local == b.inertia.com) return b.name + ".com";
  return b.name + "." + maker.naming + (is_point ? "" : ".axis");
}

int detail::on_body_node(EquationMaker& maker, int body, const Vec3<double>& local, bool is_point) {
  const auto [entry, is_new] =
      maker.known.try_emplace({body, is_point, local.x, local.y, local.z}, 0);
  if (is_new) {
    Node node;
    node.kind = body == 0 ? Node::Kind::fixed : Node::Kind::on_body;
    node.is_point = is_point;
    node.body = body;
    node.local = local;
    node.name = node_name(maker, body, local, is_point);
    maker.eq.nodes.push_back(std::move(node));
    entry->second = static_cast<int>(maker.eq.nodes.size()) - 1;
  }
  return entry->second;
}

int detail::planar_own_scalar(EquationMaker& maker, int coordinate) {
  const Mechanism& m = maker.eq.mechanism;
  const MechanismCoordinate& c = m.coordinates[coordinate];
  if (!m.is_planar || !c.is_angle || !maker.planar_angle) return -1;
  std::array<int, 2> body = c.body;
  double shift = 0;
  if (c.kind == MechanismCoordinate::Kind::joint) {
    const MechanismJoint& j = m.joints[c.joint];
    body = j.body;
    shift = std::atan2(j.zero[1].y, j.zero[1].x) - std::atan2(j.zero[0].y, j.zero[0].x);
    if (turns_backward(j)) std::swap(body[0], body[1]), shift = -shift;
  }
  const int scalar = maker.planar_angle(body[0], body[1]);
  if (scalar < 0) return scalar;
  if (!maker.start.empty()) {  // on the turn that is told or measured there
    const double now = start_angle(maker, body[1]) - start_angle(maker, body[0]) + shift;
    shift += nearest_turn(now, measure_with_turns(m, coordinate, maker.start)) - now;
  }
  maker.eq.scalars[scalar].constant += shift;
  return scalar;
}

}  // namespace axode
