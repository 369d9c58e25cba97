/// Equations of joints, between nodes of their two bodies, in forms that keep their rank
/// [GarciaBayo (2.10)-(2.16), (2.48)-(2.51), (2.56)-(2.59), (2.66), Ex. 2.5, Ex. 2.6, Ex. 2.7,
/// problems 2/2, 2/3, 2/13, 2/14, 2/15].
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/mechanism/detail/equation_parts.hpp"

namespace axode {

using namespace detail;

namespace {

constexpr const char* axis_text[] = {"x", "y", "z"};

struct Ends {
  int point_i, point_j, axis_i, axis_j;
  Arrow between() const { return {point_j, point_i}; }
};

}  // namespace

void add_coincidence(EquationMaker& maker, const Equation& origin, int a, int b) {
  if (a == b) return;
  // r_i + A_i s_i' - r_j - A_j s_j' = 0  [GarciaBayo (2.10)-(2.12), (2.48)-(2.50)]
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
  // Two of the three rows of a x b = 0: for u_i = u_j  [GarciaBayo (2.13)], for the lines of
  // [GarciaBayo (2.14)-(2.15), corrected: docs/errata.md], and r_ij x u = 0  [GarciaBayo (2.51)].
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

/// Keeps the angle between the vectors `zero` of a joint. Bodies whose attitude is free to ask for
/// any vector take one that is normal to the other in the right position: never singular.
void add_kept_angle(EquationMaker& maker, const Equation& origin, const MechanismJoint& j,
                    double angle) {
  MechanismEquations& eq = maker.eq;
  const bool planar = eq.mechanism.is_planar;
  if (planar && maker.planar_angle) {
    // psi_j - psi_i = const  [GarciaBayo Ex. 2.5, corrected: docs/errata.md]
    const int scalar = maker.planar_angle(j.body[0], j.body[1]);
    if (scalar >= 0) {
      const double shift =
          std::atan2(j.zero[1].y, j.zero[1].x) - std::atan2(j.zero[0].y, j.zero[0].x);
      const double now = start_angle(maker, j.body[1]) - start_angle(maker, j.body[0]) + shift;
      eq.equations.push_back(row(origin, "angle kept",
                                 {form({scalar_term(Term::Kind::scalar, scalar, 1)},
                                       nearest_turn(now, angle) - now + shift - angle)}));
      return;
    }
  }
  const Vec3<double> u = planar ? Vec3<double>{0, 0, 1} : j.axis[0];
  const Vec3<double> normal = exp(u * angle) * cross(u, j.zero[0]);
  // a_i . a_j = 0 with a_i normal to a_j in the right position: slope one
  // [GarciaBayo (2.16), corrected: docs/errata.md]
  if (eq.how.family != CoordinateFamily::natural) {
    add_dot(maker, origin, alone(maker.node(j.body[0], normal, false)),
            alone(maker.node(j.body[1], j.zero[1], false)), 0, "angle kept");
    return;
  }
  // r_im . r_jn = const as cosine or as sine  [GarciaBayo (2.56)-(2.58), corrected: docs/errata.md]
  const Arrow a = alone(maker.node(j.body[0], j.zero[0], false)),
              b = alone(maker.node(j.body[1], j.zero[1], false));
  eq.equations.push_back(angle_equation(origin, "angle kept", a, b,
                                        planar ? -1 : maker.node(j.body[0], u, false), -1, angle));
}

void add_rolling(EquationMaker& maker, const Equation& origin, const MechanismJoint& j, int joint,
                 const Ends& ends) {
  MechanismEquations& eq = maker.eq;
  // a x r_ij = rho, a . r_ij + rho psi = const  [GarciaBayo problems 2/2, 2/3]
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
  const MechanismJoint j = eq.mechanism.joints[joint];
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
        // a . d - s0 - n psi = 0  [GarciaBayo (2.66)]
        const int angle = scalar_of(maker, coordinate_of(eq.mechanism, joint, 0));
        eq.equations.push_back(row(origin, "advance",
                                   {form({dot_term(alone(axis(0)), between()),
                                          scalar_term(Term::Kind::scalar, angle, -j.pitch)},
                                         -j.offset)}));
      }
      break;
    case PairType::universal:
      coincide();
      // u^m . u^n = 0  [GarciaBayo (2.59)]
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
      // r_ij . u = c  [GarciaBayo problem 2/13]
      add_dot(maker, origin, alone(axis(0)), between(), j.value, "on the plane");
      break;
    case PairType::point_line_distance:
      if (planar)
        eq.equations.push_back(row(origin, "distance from the line",
                                   {form({cross_term(alone(axis(0)), between(), 2)}, -j.value)}));
      else
        eq.equations.push_back(
            row(origin, "distance from the line",
                // r_ij . r_ij - (r_ij . u)^2 = rho^2  [GarciaBayo problem 2/14]
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

}  // namespace axode
