#include "axode/mechanism/equations/system.hpp"

#include <cmath>

#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

MechanismSystem::MechanismSystem(MechanismEquations equations)
    : eq_(std::move(equations)),
      bodies_(eq_.bodies.size()),
      nodes_(eq_.nodes.size()),
      scalars_(eq_.scalars.size()),
      drivers_(eq_.mechanism.drivers.size()),
      Q_(eq_.group.nv) {
  for (std::size_t i = 0; i < eq_.nodes.size(); ++i) {
    const Node& node = eq_.nodes[i];
    const int index = static_cast<int>(i);
    if (node.kind == Node::Kind::fixed) nodes_[i].at = node.local;
    if (node.kind == Node::Kind::coordinates)
      coordinate_nodes_.push_back({index, node.x, node.v, node.size});
    if (node.kind == Node::Kind::on_body) {
      const Vec3<double>& reference = eq_.bodies[node.body].reference;
      body_nodes_.push_back(
          {index, node.body, node.is_point, node.is_point ? node.local - reference : node.local});
    }
    if (node.kind == Node::Kind::combination) combinations_.push_back(index);
    for (const Node::Part& part : node.parts)
      combination_parts_.push_back({index, part.node, part.factor});
  }
  for (std::size_t k = 0; k < eq_.equations.size(); ++k)
    if (eq_.equations[k].choice != Equation::Choice::first)
      chosen_rows_.push_back(static_cast<int>(k));
  natural_bodies_ = !eq_.mechanism.loads.empty() || !body_nodes_.empty();
  for (std::size_t b = 0; b < eq_.bodies.size(); ++b)
    if (eq_.bodies[b].kind != BodyCoordinates::Kind::tree)
      placed_bodies_.push_back(static_cast<int>(b));
  flatten_rows();
  if (eq_.tree) {
    poses_.emplace(*eq_.tree);
    motion_.emplace(*eq_.tree);
    tree_columns_.resize(eq_.tree->nv);
    zero_a_.assign(eq_.tree->nv, 0.);
  }
}

double MechanismSystem::value(const Term& term) const noexcept {
  const double f = term.factor;
  const auto s = [&] { return scalars_[term.scalar].value; };
  switch (term.kind) {
    case Term::Kind::component:
      return f * at(term.a)[term.axis];
    case Term::Kind::dot:
      return f * dot(at(term.a), at(term.b));
    case Term::Kind::squared_dot:
      return f * std::pow(dot(at(term.a), at(term.b)), 2);
    case Term::Kind::cross:
      return f * cross(at(term.a), at(term.b))[term.axis];
    case Term::Kind::triple:
      return f * dot(cross(at(term.a), at(term.b)), at(term.c));
    case Term::Kind::scalar:
      return f * s();
    case Term::Kind::square:
      return f * s() * s();
    case Term::Kind::sine:
      return f * std::sin(s());
    case Term::Kind::cosine:
      return f * std::cos(s());
    case Term::Kind::component_sine:
      return f * at(term.a)[term.axis] * std::sin(s());
  }
  return 0;
}

/// The second derivative in time that is left when the coordinates do not accelerate.
double MechanismSystem::second(const Term& term) const noexcept {
  double sum = 0;
  gradient(
      term,
      [&](const Arrow& a, const Vec3<double>& weight, unsigned) { sum += dot(weight, bias(a)); },
      [](int, double) {});
  const double f = term.factor;
  const auto s = [&] { return scalars_[term.scalar]; };
  switch (term.kind) {
    case Term::Kind::component:
    case Term::Kind::scalar:
      return sum;
    case Term::Kind::dot:
      return sum + 2 * f * dot(rate(term.a), rate(term.b));
    case Term::Kind::squared_dot: {
      const Vec3<double> A = at(term.a), B = at(term.b), dA = rate(term.a), dB = rate(term.b);
      const double x = dot(A, B), dx = dot(dA, B) + dot(A, dB);
      return sum + 2 * f * (dx * dx + 2 * x * dot(dA, dB));
    }
    case Term::Kind::cross:
      return sum + 2 * f * cross(rate(term.a), rate(term.b))[term.axis];
    case Term::Kind::triple: {
      const Vec3<double> A = at(term.a), B = at(term.b), C = at(term.c);
      const Vec3<double> dA = rate(term.a), dB = rate(term.b), dC = rate(term.c);
      return sum + 2 * f * (dot(cross(dA, dB), C) + dot(cross(dA, B), dC) + dot(cross(A, dB), dC));
    }
    case Term::Kind::square:
      return sum + 2 * f * s().rate * s().rate;
    case Term::Kind::sine:
      return sum - f * std::sin(s().value) * s().rate * s().rate;
    case Term::Kind::cosine:
      return sum - f * std::cos(s().value) * s().rate * s().rate;
    case Term::Kind::component_sine:
      return sum + f * s().rate *
                       (2 * rate(term.a)[term.axis] * std::cos(s().value) -
                        at(term.a)[term.axis] * std::sin(s().value) * s().rate);
  }
  return sum;
}

/// Copies the terms of the forms in use.
void MechanismSystem::flatten_rows() {
  terms_.clear();
  rows_.clear();
  for (const Equation& e : eq_.equations) {
    const Equation::Form& form = e.forms[e.form];
    rows_.push_back({static_cast<int>(terms_.size()), static_cast<int>(form.terms.size()), e.driver,
                     form.constant});
    terms_.insert(terms_.end(), form.terms.begin(), form.terms.end());
  }
}

double MechanismSystem::row_value(std::size_t row) const noexcept {
  double sum = rows_[row].constant;
  for (const Term& term : terms_of(row)) sum += value(term);
  return sum;
}

double MechanismSystem::row_value(const Equation::Form& form) const noexcept {
  double sum = form.constant;
  for (const Term& term : form.terms) sum += value(term);
  return sum;
}

void MechanismSystem::position(double t, std::span<const double> q, std::span<double> phi) {
  place(t, q);
  for (std::size_t k = 0; k < eq_.equations.size(); ++k) {
    phi[k] = row_value(k);
    const int d = rows_[k].driver;
    if (d >= 0) phi[k] -= drivers_[d].value;
  }
}

void MechanismSystem::jacobian(double t, std::span<const double> q, SparseRows& J) {
  place(t, q);
  J.begin(eq_.rows(), eq_.group.nv);
  for (int k = 0; k < eq_.rows(); ++k)
    row_gradient(eq_.equations[k], [&](int v, double x) { J.add(k, v, x); });
  J.end();
}

void MechanismSystem::time_rate(double t, std::span<const double> q, std::span<double> phi_t) {
  place(t, q);
  for (std::size_t k = 0; k < eq_.equations.size(); ++k) {
    const int d = rows_[k].driver;
    phi_t[k] = d >= 0 ? -drivers_[d].rate : 0;
  }
}

void MechanismSystem::velocity(double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> rates) {
  time_rate(t, q, rates);
  for (std::size_t k = 0; k < eq_.equations.size(); ++k)
    row_gradient(eq_.equations[k], [&](int i, double x) { rates[k] += x * v[i]; });
}

void MechanismSystem::acceleration_right(double t, std::span<const double> q,
                                         std::span<const double> v, std::span<double> c) {
  place(t, q);
  move(v);
  for (std::size_t k = 0; k < eq_.equations.size(); ++k) {
    const int d = rows_[k].driver;
    double sum = d >= 0 ? drivers_[d].acceleration : 0;
    for (const Term& term : terms_of(k)) sum -= second(term);
    c[k] = sum;
  }
}

void MechanismSystem::mass(std::span<const double> q, SparseRows& M) {
  place(t_, q);
  M.begin(eq_.group.nv, eq_.group.nv);
  mass_entries([&](int i, int j, double x) { M.add(i, j, x); });
  idle_mass_entries([&](int i, int j, double x) { M.add(i, j, x); });
  M.end();
}

}  // namespace axode
