/// Values and gradients of terms, and how gradients by nodes become entries of the Jacobian.
/// Included by the sources of MechanismSystem.
#pragma once
#include "axode/mechanism/equations/system.hpp"

namespace axode {

namespace detail {
inline constexpr unsigned all_components = 7;
inline Vec3<double> unit_vector(int axis) noexcept {
  return {axis == 0 ? 1. : 0., axis == 1 ? 1. : 0., axis == 2 ? 1. : 0.};
}
inline unsigned only(int axis) noexcept { return 1u << static_cast<unsigned>(axis); }
}  // namespace detail

inline Vec3<double> MechanismSystem::at(const Arrow& a) const noexcept {
  const Vec3<double>& head = nodes_[a.head].at;
  return a.tail < 0 ? head : head - nodes_[a.tail].at;
}
inline Vec3<double> MechanismSystem::rate(const Arrow& a) const noexcept {
  const Vec3<double>& head = nodes_[a.head].velocity;
  return a.tail < 0 ? head : head - nodes_[a.tail].velocity;
}
inline Vec3<double> MechanismSystem::bias(const Arrow& a) const noexcept {
  const Vec3<double>& head = nodes_[a.head].bias;
  return a.tail < 0 ? head : head - nodes_[a.tail].bias;
}

/// Calls to_arrow(arrow, derivative, mask of components that may differ from zero) and
/// to_scalar(scalar, derivative).
template <class ToArrow, class ToScalar>
void MechanismSystem::gradient(const Term& term, ToArrow&& to_arrow,
                               ToScalar&& to_scalar) const noexcept {
  using detail::all_components, detail::only, detail::unit_vector;
  const double f = term.factor;
  const auto s = [&] { return scalars_[term.scalar].value; };
  switch (term.kind) {
    case Term::Kind::component:
      to_arrow(term.a, unit_vector(term.axis) * f, only(term.axis));
      break;
    case Term::Kind::dot:
      to_arrow(term.a, at(term.b) * f, all_components);
      to_arrow(term.b, at(term.a) * f, all_components);
      break;
    case Term::Kind::squared_dot: {
      const Vec3<double> A = at(term.a), B = at(term.b);
      const double g = 2 * f * dot(A, B);
      to_arrow(term.a, B * g, all_components);
      to_arrow(term.b, A * g, all_components);
      break;
    }
    case Term::Kind::cross: {
      const Vec3<double> e = unit_vector(term.axis) * f;
      const unsigned mask = all_components & ~only(term.axis);
      to_arrow(term.a, cross(at(term.b), e), mask);
      to_arrow(term.b, cross(e, at(term.a)), mask);
      break;
    }
    case Term::Kind::triple: {
      const Vec3<double> A = at(term.a), B = at(term.b), C = at(term.c);
      to_arrow(term.a, cross(B, C) * f, all_components);
      to_arrow(term.b, cross(C, A) * f, all_components);
      to_arrow(term.c, cross(A, B) * f, all_components);
      break;
    }
    case Term::Kind::scalar:
      to_scalar(term.scalar, f);
      break;
    case Term::Kind::square:
      to_scalar(term.scalar, 2 * f * s());
      break;
    case Term::Kind::sine:
      to_scalar(term.scalar, f * cos(s()));
      break;
    case Term::Kind::cosine:
      to_scalar(term.scalar, -f * sin(s()));
      break;
    case Term::Kind::component_sine:
      to_arrow(term.a, unit_vector(term.axis) * (f * sin(s())), only(term.axis));
      to_scalar(term.scalar, f * at(term.a)[term.axis] * cos(s()));
      break;
  }
}

/// The derivative of weight . node: add(velocity, value).
template <class Add>
void MechanismSystem::to_node(int index, const Vec3<double>& weight, unsigned mask,
                              Add&& add) const noexcept {
  const Node& node = eq_.nodes[index];
  switch (node.kind) {
    case Node::Kind::fixed:
      return;
    case Node::Kind::coordinates:
      for (int k = 0; k < node.size; ++k)
        if (mask & detail::only(k)) add(node.v + k, weight[k]);
      return;
    case Node::Kind::on_body: {
      const BodyNow& body = bodies_[node.body];
      const Vec3<double>& now = nodes_[index].at;
      // weight . (omega x s) = omega . (s x weight), s = A s': of Euler parameters -2 s~ G
      // [GarciaBayo (2.78)]
      const Vec3<double> torque = cross(node.is_point ? now - body.p : now, weight);
      for (int c = body.first; c < body.first + body.count; ++c) {
        const Column& column = columns_[c];
        if (column.axis >= 0) {
          if (node.is_point && (mask & detail::only(column.axis)))
            add(column.v, weight[column.axis]);
        } else {
          const double moved = node.is_point ? dot(column.linear, weight) : 0;
          add(column.v, dot(column.omega, torque) + moved);
        }
      }
      return;
    }
    case Node::Kind::combination:
      for (const Node::Part& part : node.parts) {
        const Mat3<double>& F = part.factor;
        const bool scaling =
            F.x.y == 0 && F.x.z == 0 && F.y.x == 0 && F.y.z == 0 && F.z.x == 0 && F.z.y == 0;
        to_node(part.node, transpose_times(F, weight), scaling ? mask : detail::all_components,
                add);
      }
      return;
  }
}

/// All entries of a row, in an order that does not depend on values: add(velocity, value).
template <class Add>
void MechanismSystem::row_gradient(const Equation& equation, Add&& add) const noexcept {
  for (const Term& term : terms_of(&equation - eq_.equations.data()))
    gradient(
        term,
        [&](const Arrow& a, const Vec3<double>& weight, unsigned mask) {
          to_node(a.head, weight, mask, add);
          if (a.tail >= 0) to_node(a.tail, -weight, mask, add);
        },
        [&](int scalar, double weight) {
          for (const Scalar::Part& part : eq_.scalars[scalar].parts)
            add(part.v, weight * part.factor);
        });
}

/// All entries of the mass matrix: add(row, column, value).
template <class Add>
void MechanismSystem::mass_entries(Add&& add) const noexcept {
  for (const MassEntry& entry : eq_.mass) add(entry.row, entry.column, entry.value);
  for (std::size_t b = 1; b < bodies_.size(); ++b) {
    if (!eq_.mass_by_motion[b]) continue;
    const BodyNow& body = bodies_[b];
    const Inertia<double>& inertia = eq_.mechanism.bodies[b].inertia;
    const Mat3<double> J = body.R.matrix * inertia.about_com.matrix() * transpose(body.R.matrix);
    for (int i = body.first; i < body.first + body.count; ++i)
      for (int j = body.first; j < body.first + body.count; ++j) {
        const Column &a = columns_[i], &c = columns_[j];
        if (a.axis >= 0 && c.axis >= 0) {
          if (a.axis == c.axis) add(a.v, c.v, inertia.mass);
        } else if (a.axis < 0 && c.axis < 0) {  // others: turning does not move the centre of mass
          add(a.v, c.v, inertia.mass * dot(a.linear, c.linear) + dot(a.omega, J * c.omega));
        }
      }
  }
}

/// The same of the small inertia of idle spins.
template <class Add>
void MechanismSystem::idle_mass_entries(Add&& add) const noexcept {
  for (const IdleSpin& spin : eq_.idle_spins) {
    const BodyNow& body = bodies_[spin.body];
    const Vec3<double> u = line_of(spin);
    for (int i = body.first; i < body.first + body.count; ++i)
      for (int j = body.first; j < body.first + body.count; ++j) {
        const Column &a = columns_[i], &c = columns_[j];
        if (a.axis < 0 && c.axis < 0)
          add(a.v, c.v, spin.inertia * dot(u, a.omega) * dot(u, c.omega));
      }
  }
}

}  // namespace axode
