#include "axode/mechanism/equation_maker.hpp"

#include <cmath>

#include "axode/error.hpp"

namespace axode {

namespace {

Equation::Form form(std::vector<Term> terms, double constant = 0) {
  return {std::move(terms), constant};
}

Equation row(const Equation& origin, const std::string& text, std::vector<Equation::Form> forms) {
  Equation e = origin;
  e.name = origin.name + ": " + text;
  e.forms = std::move(forms);
  return e;
}

Term dot_term(const Arrow& a, const Arrow& b, double factor = 1) {
  return {Term::Kind::dot, factor, a, b, {}, 0, -1};
}
Term cross_term(const Arrow& a, const Arrow& b, int axis, double factor = 1) {
  return {Term::Kind::cross, factor, a, b, {}, axis, -1};
}
Term scalar_term(Term::Kind kind, int scalar, double factor) {
  return {kind, factor, {}, {}, {}, 0, scalar};
}

constexpr const char* axis_text[] = {"x", "y", "z"};

struct Ends {
  int point_i, point_j, axis_i, axis_j;
  Arrow between() const { return {point_j, point_i}; }
};

Arrow alone(int node) { return {node, -1}; }

/// The angle between the vectors `zero` of a joint, as form with the cosine and form with the sine.
/// The scalar is the angle, or it is a constant.
Equation angle_equation(const Equation& origin, const std::string& text, const Arrow& a,
                        const Arrow& b, int axis_node, int scalar, double angle) {
  Term sine = cross_term(a, b, 2);
  if (axis_node >= 0) sine = {Term::Kind::triple, 1, a, b, alone(axis_node), 0, -1};
  Equation e = row(origin, text, {});
  if (scalar >= 0) {
    e.forms = {form({dot_term(a, b), scalar_term(Term::Kind::cosine, scalar, -1)}),
               form({sine, scalar_term(Term::Kind::sine, scalar, -1)})};
  } else {
    e.forms = {form({dot_term(a, b)}, -std::cos(angle)), form({sine}, -std::sin(angle))};
    e.form = std::abs(std::sin(angle)) >= std::abs(std::cos(angle)) ? 0 : 1;
  }
  e.choice = Equation::Choice::angle;
  e.by = a;
  e.by2 = b;
  e.angle = scalar;
  return e;
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
  const auto c = static_cast<std::size_t>(coordinate);
  if (maker.eq.mixed[c] >= 0) return maker.eq.mixed[c];
  const int own = maker.own_scalar(coordinate);
  return own >= 0 ? own : mixed_coordinate(maker, coordinate);
}

int mixed_coordinate(EquationMaker& maker, int coordinate) {
  MechanismEquations& eq = maker.eq;
  const auto c = static_cast<std::size_t>(coordinate);
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
  const MechanismCoordinate what = eq.mechanism.coordinates[static_cast<std::size_t>(coordinate)];
  const bool planar = eq.mechanism.is_planar;
  const auto push = [&](Equation e) { eq.equations.push_back(std::move(e)); };
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
    if (what.kind == MechanismCoordinate::Kind::distance)
      push(row(origin, "distance",
               {form({dot_term(d, d), scalar_term(Term::Kind::square, scalar, -1)})}));
    else
      along(alone(fixed_node(eq, what.axis, false, what.name + " axis")), d);
    return;
  }
  const MechanismJoint j = eq.mechanism.joints[static_cast<std::size_t>(what.joint)];
  const auto direction = [&](int end, const Vec3<double>& local) {
    return maker.node(j.body[static_cast<std::size_t>(end)], local, false);
  };
  const auto between = [&] {
    const int pi = maker.node(j.body[0], j.point[0], true);
    return Arrow{maker.node(j.body[1], j.point[1], true), pi};
  };
  if (what.is_angle) {
    Vec3<double> from = j.zero[0], to = j.zero[1], about = j.axis[0];
    int from_end = 0, to_end = 1, about_end = 0;
    if (j.type == PairType::universal && what.which == 0) to = j.axis[1];
    if (j.type == PairType::universal && what.which == 1) {
      from = j.axis[0];
      about = j.axis[1];
      about_end = 1;
    }
    const Arrow a = alone(direction(from_end, from)), b = alone(direction(to_end, to));
    push(angle_equation(origin, "angle", a, b, planar ? -1 : direction(about_end, about), scalar,
                        0));
    return;
  }
  Vec3<double> axis = j.axis[0];
  if (j.type == PairType::planar) axis = what.which == 0 ? j.zero[0] : cross(j.axis[0], j.zero[0]);
  along(alone(direction(0, axis)), between());
}

void add_coincidence(EquationMaker& maker, const Equation& origin, int a, int b) {
  if (a == b) return;
  for (int k = 0; k < (maker.eq.mechanism.is_planar ? 2 : 3); ++k)
    maker.eq.equations.push_back(
        row(origin, std::string("same point ") + axis_text[k],
            {form({{Term::Kind::component, 1, Arrow{b, a}, {}, {}, k, -1}})}));
}

void add_parallel(EquationMaker& maker, const Equation& origin, const Arrow& a, const Arrow& b,
                  const std::string& text) {
  if (a == b) return;
  if (maker.eq.mechanism.is_planar) {
    maker.eq.equations.push_back(row(origin, text, {form({cross_term(a, b, 2)})}));
    return;
  }
  for (int r = 0; r < 2; ++r) {
    Equation e = row(origin, text + (r == 0 ? " (1)" : " (2)"), {});
    for (int k = 0; k < 3; ++k) e.forms.push_back(form({cross_term(a, b, k)}));
    e.form = r;
    e.choice = Equation::Choice::component;
    e.row = r;
    e.by = a;
    maker.eq.equations.push_back(std::move(e));
  }
}

void add_dot(EquationMaker& maker, const Equation& origin, const Arrow& a, const Arrow& b,
             double value, const std::string& text) {
  maker.eq.equations.push_back(row(origin, text, {form({dot_term(a, b)}, -value)}));
}

namespace {

/// The angle of a planar body at the start, as from_poses has it.
double turned(const EquationMaker& maker, int body) {
  return maker.eq.bodies[static_cast<std::size_t>(body)].start_angle;
}

/// Keeps the angle between the vectors `zero` of a joint. Bodies whose attitude is free to ask for
/// any vector take one that is normal to the other in the right position: never singular.
void add_kept_angle(EquationMaker& maker, const Equation& origin, const MechanismJoint& j,
                    double angle) {
  MechanismEquations& eq = maker.eq;
  const bool planar = eq.mechanism.is_planar;
  if (planar && maker.planar_angle) {
    const int scalar = maker.planar_angle(j.body[0], j.body[1]);
    if (scalar >= 0) {
      const double shift =
          std::atan2(j.zero[1].y, j.zero[1].x) - std::atan2(j.zero[0].y, j.zero[0].x);
      const double now = turned(maker, j.body[1]) - turned(maker, j.body[0]) + shift;
      eq.equations.push_back(row(origin, "angle kept",
                                 {form({scalar_term(Term::Kind::scalar, scalar, 1)},
                                       nearest_turn(now, angle) - now + shift - angle)}));
      return;
    }
  }
  const Vec3<double> u = planar ? Vec3<double>{0, 0, 1} : j.axis[0];
  const Vec3<double> normal = exp(u * angle) * cross(u, j.zero[0]);
  if (eq.family != CoordinateFamily::natural) {
    add_dot(maker, origin, alone(maker.node(j.body[0], normal, false)),
            alone(maker.node(j.body[1], j.zero[1], false)), 0, "angle kept");
    return;
  }
  const Arrow a = alone(maker.node(j.body[0], j.zero[0], false)),
              b = alone(maker.node(j.body[1], j.zero[1], false));
  eq.equations.push_back(angle_equation(origin, "angle kept", a, b,
                                        planar ? -1 : maker.node(j.body[0], u, false), -1, angle));
}

void add_rolling(EquationMaker& maker, const Equation& origin, const MechanismJoint& j, int joint,
                 const Ends& ends) {
  MechanismEquations& eq = maker.eq;
  const Arrow along = alone(ends.axis_i);
  eq.equations.push_back(
      row(origin, "touches", {form({cross_term(along, ends.between(), 2)}, -j.value)}));
  const int angle = scalar_of(maker, coordinate_of(eq.mechanism, joint, 1));
  eq.equations.push_back(
      row(origin, "rolls",
          {form({dot_term(along, ends.between()), scalar_term(Term::Kind::scalar, angle, j.value)},
                -j.offset)}));
}

}  // namespace

void add_joint_equations(EquationMaker& maker, int joint) {
  MechanismEquations& eq = maker.eq;
  const MechanismJoint j = eq.mechanism.joints[static_cast<std::size_t>(joint)];
  const bool planar = eq.mechanism.is_planar;
  Equation origin;
  origin.index = joint;
  origin.name = maker.naming = j.name;
  const auto point = [&](std::size_t end) { return maker.node(j.body[end], j.point[end], true); };
  const auto axis = [&](std::size_t end) { return maker.node(j.body[end], j.axis[end], false); };
  const auto coincide = [&] { add_coincidence(maker, origin, point(0), point(1)); };
  const auto same_axis = [&] {
    add_parallel(maker, origin, alone(axis(0)), alone(axis(1)), "parallel axes");
  };
  const auto between = [&] {
    const int tail = point(0);
    return Arrow{point(1), tail};
  };
  const auto on_line = [&] {
    const Arrow d = between();
    if (d.head != d.tail) add_parallel(maker, origin, alone(axis(0)), d, "on the line");
  };
  switch (j.type) {
    case PairType::weld:
      coincide();
      if (!planar) same_axis();
      add_kept_angle(maker, origin, j, 0);
      break;
    case PairType::revolute:
      coincide();
      if (!planar) same_axis();
      break;
    case PairType::spherical:
      coincide();
      break;
    case PairType::cylindrical:
    case PairType::prismatic:
    case PairType::helical:
      if (!planar) same_axis();
      on_line();
      if (j.type == PairType::prismatic) add_kept_angle(maker, origin, j, j.angle);
      if (j.type == PairType::helical) {
        const int angle = scalar_of(maker, coordinate_of(eq.mechanism, joint, 0));
        eq.equations.push_back(row(origin, "advance",
                                   {form({dot_term(alone(axis(0)), between()),
                                          scalar_term(Term::Kind::scalar, angle, -j.pitch)},
                                         -j.offset)}));
      }
      break;
    case PairType::universal:
      coincide();
      add_dot(maker, origin, alone(axis(0)), alone(axis(1)), 0, "crossing axes");
      break;
    case PairType::planar:
      same_axis();
      add_dot(maker, origin, alone(axis(0)), between(), j.value, "in the plane");
      break;
    case PairType::point_on_line:
      on_line();
      break;
    case PairType::point_on_plane:
      add_dot(maker, origin, alone(axis(0)), between(), j.value, "on the plane");
      break;
    case PairType::point_line_distance:
      if (planar)
        eq.equations.push_back(row(origin, "distance from the line",
                                   {form({cross_term(alone(axis(0)), between(), 2)}, -j.value)}));
      else
        eq.equations.push_back(
            row(origin, "distance from the line",
                {form({dot_term(between(), between()),
                       {Term::Kind::squared_dot, -1, between(), alone(axis(0)), {}, 0, -1}},
                      -j.value * j.value)}));
      break;
    case PairType::rod:
      add_dot(maker, origin, between(), between(), j.value * j.value, "length");
      break;
    case PairType::rolling:
      add_rolling(maker, origin, j, joint, {point(0), point(1), axis(0), -1});
      break;
    case PairType::gear:
      throw Error("a gear between bodies must be resolved before equations are made", j.name,
                  "build the mechanism with MechanismBuilder or a file");
  }
}

void add_couplings(EquationMaker& maker) {
  const std::size_t n = maker.eq.mechanism.couplings.size();
  for (std::size_t i = 0; i < n; ++i) {
    const MechanismCoupling coupling = maker.eq.mechanism.couplings[i];
    Equation origin;
    origin.origin = Equation::Origin::coupling;
    origin.index = static_cast<int>(i);
    origin.name = coupling.name;
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
  const MechanismBody& b = maker.eq.mechanism.bodies[static_cast<std::size_t>(body)];
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
  const MechanismCoordinate& c = m.coordinates[static_cast<std::size_t>(coordinate)];
  if (!m.is_planar || !c.is_angle || !maker.planar_angle) return -1;
  std::array<int, 2> body = c.body;
  double shift = 0;
  if (c.kind == MechanismCoordinate::Kind::joint) {
    const MechanismJoint& j = m.joints[static_cast<std::size_t>(c.joint)];
    body = j.body;
    shift = std::atan2(j.zero[1].y, j.zero[1].x) - std::atan2(j.zero[0].y, j.zero[0].x);
  }
  const int scalar = maker.planar_angle(body[0], body[1]);
  if (scalar < 0) return scalar;
  if (!maker.start.empty()) {  // on the turn that is told or measured there
    const double now = turned(maker, body[1]) - turned(maker, body[0]) + shift;
    shift += nearest_turn(now, measure_with_turns(m, coordinate, maker.start)) - now;
  }
  maker.eq.scalars[static_cast<std::size_t>(scalar)].constant += shift;
  return scalar;
}

}  // namespace axode
