#include "axode/mechanism/detail/equation_parts.hpp"

#include <cmath>

namespace axode::detail {

Equation row(const Equation& origin, const std::string& text, std::vector<Equation::Form> forms) {
  Equation e = origin;
  e.name = origin.name + ": " + text;
  e.forms = std::move(forms);
  return e;
}

Equation angle_equation(const Equation& origin, const std::string& text, const Arrow& a,
                        const Arrow& b, int axis_node, int scalar, double angle) {
  // a . b - cos psi = 0  [GarciaBayo (2.63)], (a x b) . u - sin psi = 0  [GarciaBayo (2.65)] with
  // h = 0, L = 1; in the plane u = z  [GarciaBayo (2.1)-(2.2)]. choose_forms takes one of them.
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

}  // namespace axode::detail
