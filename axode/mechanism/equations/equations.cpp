#include "axode/mechanism/equations/equations.hpp"

#include <fmt/format.h>

#include <cmath>

namespace axode {

namespace {

constexpr char axis_names[] = "xyz";

/// A number in few digits, as much as a reader wants.
std::string number(double x) { return fmt::format("{:.6g}", x); }

std::string text(const MechanismEquations& eq, const Arrow& a, bool in_product) {
  const std::string& head = eq.nodes[a.head].name;
  if (a.tail < 0) return head;
  const std::string both = head + " - " + eq.nodes[a.tail].name;
  return in_product ? "(" + both + ")" : both;
}

std::string text(const MechanismEquations& eq, const Term& term) {
  const auto a = [&] { return text(eq, term.a, true); };
  const auto b = [&] { return text(eq, term.b, true); };
  const auto s = [&] {
    const Scalar& scalar = eq.scalars[term.scalar];
    return scalar.parts.size() > 1 ? "(" + scalar.name + ")" : scalar.name;
  };
  const char axis = axis_names[term.axis];
  switch (term.kind) {
    case Term::Kind::component:
      return fmt::format("{}_{}", a(), axis);
    case Term::Kind::dot:
      if (term.a == term.b) return fmt::format("|{}|^2", text(eq, term.a, false));
      return fmt::format("{} . {}", a(), b());
    case Term::Kind::squared_dot:
      return fmt::format("({} . {})^2", a(), b());
    case Term::Kind::cross:
      return fmt::format("({} x {})_{}", a(), b(), axis);
    case Term::Kind::triple:
      return fmt::format("{} x {} . {}", a(), b(), text(eq, term.c, true));
    case Term::Kind::scalar:
      return s();
    case Term::Kind::square:
      return fmt::format("{}^2", s());
    case Term::Kind::sine:
      return fmt::format("sin {}", s());
    case Term::Kind::cosine:
      return fmt::format("cos {}", s());
    case Term::Kind::component_sine:
      return fmt::format("{}_{} sin {}", a(), axis, s());
  }
  return {};
}

/// " + 3 " or the like before what follows.
std::string sign_and_factor(double factor, bool first) {
  const std::string sign = factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  return std::abs(factor) == 1 ? sign : sign + number(std::abs(factor)) + " ";
}

}  // namespace

std::string_view name(CoordinateFamily family) noexcept {
  switch (family) {
    case CoordinateFamily::relative:
      return "relative";
    case CoordinateFamily::reference_point:
      return "reference point";
    case CoordinateFamily::natural:
      break;
  }
  return "natural";
}

std::string equation_text(const MechanismEquations& equations, int row) {
  const Equation& e = equations.equations[row];
  const Equation::Form& form = e.forms[e.form];
  std::string result;
  for (const Term& term : form.terms)
    result += sign_and_factor(term.factor, result.empty()) + text(equations, term);
  if (form.constant != 0)
    result += (form.constant < 0 ? " - " : " + ") + number(std::abs(form.constant));
  if (e.driver >= 0) result += " - f(t)";
  return result + " = 0";
}

}  // namespace axode
