/// The tangent matrix of implicit integrators: masses, the Jacobian, the curvature of the
/// constraints under their multipliers, slopes of applied forces and of those of inertia.
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

bool MechanismSystem::residual(const ConstrainedPoint& p, const ConstrainedResidual& r) {
  forces(p.t, p.q, p.v, Q_);
  for (std::size_t i = 0; i < Q_.size(); ++i) r.force[i] = -Q_[i];
  mass_entries([&](int i, int j, double x) { r.force[i] += x * p.a[j]; });
  idle_mass_entries([&](int i, int j, double x) { r.force[i] += x * p.a[j]; });
  bool finite = true;
  for (std::size_t k = 0; k < eq_.equations.size(); ++k) {
    const Equation& e = eq_.equations[k];
    const TimeValue drive = e.driver >= 0 ? drivers_[e.driver] : TimeValue{};
    r.position[k] = row_value(e.forms[e.form]) - drive.value;
    double speed = -drive.rate;
    row_gradient(e, [&](int v, double x) {
      speed += x * p.v[v];
      r.force[v] += x * p.lambda[k];
    });
    r.velocity[k] = speed;
    finite = finite && std::isfinite(r.position[k]) && std::isfinite(speed);
  }
  return finite && all_finite(r.force);
}

void MechanismSystem::constraint_rate(const ConstrainedPoint& p, std::span<double> result) {
  acceleration_right(p.t, p.q, p.v, result);
  for (double& x : result) x = -x;
}

/// d node/dv, times sign, appended.
void MechanismSystem::node_columns(int index, double sign, std::vector<NodeColumn>& columns) const {
  const Node& node = eq_.nodes[index];
  if (node.kind == Node::Kind::coordinates)
    for (int k = 0; k < node.size; ++k)
      columns.push_back({node.v + k, detail::unit_vector(k) * sign});
  if (node.kind == Node::Kind::on_body) {
    const BodyNow& body = bodies_[node.body];
    const Vec3<double>& now = nodes_[index].at;
    const Vec3<double> s = node.is_point ? now - body.p : now;
    for (int c = body.first; c < body.first + body.count; ++c) {
      const Column& column = columns_[c];
      const Vec3<double> moved = node.is_point ? column.linear : Vec3<double>{};
      columns.push_back({column.v, (moved + cross(column.omega, s)) * sign});
    }
  }
  if (node.kind == Node::Kind::combination)
    for (const Node::Part& part : node.parts) {
      const std::size_t first = columns.size();
      node_columns(part.node, sign, columns);
      for (std::size_t k = first; k < columns.size(); ++k)
        columns[k].d = part.factor * columns[k].d;
    }
}

/// Adds factor dA^T H dB for two arrows.
template <class Add>
void MechanismSystem::add_hessian(double factor, const Arrow& a, const Arrow& b,
                                  const Mat3<double>& H, Add&& add) {
  left_.clear();
  right_.clear();
  node_columns(a.head, 1, left_);
  if (a.tail >= 0) node_columns(a.tail, -1, left_);
  node_columns(b.head, 1, right_);
  if (b.tail >= 0) node_columns(b.tail, -1, right_);
  for (const NodeColumn& x : left_)
    for (const NodeColumn& y : right_) add(x.v, y.v, factor * dot(x.d, H * y.d));
}

/// Adds the second derivative of weight . node: how points of turning bodies curve.
template <class Add>
void MechanismSystem::add_curvature(int index, const Vec3<double>& weight, Add&& add) {
  const Node& node = eq_.nodes[index];
  if (node.kind == Node::Kind::combination)
    for (const Node::Part& part : node.parts)
      add_curvature(part.node, transpose_times(part.factor, weight), add);
  if (node.kind != Node::Kind::on_body) return;
  const BodyCoordinates& b = eq_.bodies[node.body];
  const BodyNow& body = bodies_[node.body];
  const Vec3<double>& now = nodes_[index].at;
  const Vec3<double> s = node.is_point ? now - body.p : now;
  for (int i = body.first; i < body.first + body.count; ++i)
    for (int j = body.first; j < body.first + body.count; ++j) {
      const Column &row = columns_[i], &by = columns_[j];
      if (row.axis >= 0 || by.axis >= 0) continue;
      const Vec6<double> d = column_rate(b, body, i, j);
      const Vec3<double> moved = node.is_point ? by.linear : Vec3<double>{};
      const Vec3<double> turned =
          cross(d.angular, s) + cross(row.omega, moved + cross(by.omega, s));
      add(row.v, by.v, dot(weight, node.is_point ? d.linear + turned : turned));
    }
}

/// Adds factor times the second derivative of a term.
template <class Add>
void MechanismSystem::term_hessian(const Term& term, double factor, Add&& add) {
  gradient(
      term,
      [&](const Arrow& a, const Vec3<double>& weight, unsigned) {
        add_curvature(a.head, weight * factor, add);
        if (a.tail >= 0) add_curvature(a.tail, weight * -factor, add);
      },
      [](int, double) {});
  const double f = factor * term.factor;
  const auto both = [&](const Arrow& a, const Arrow& b, const Mat3<double>& H) {
    add_hessian(f, a, b, H, add);
    add_hessian(f, b, a, transpose(H), add);
  };
  const auto on_scalar = [&](double second) {
    const Scalar& s = eq_.scalars[term.scalar];
    for (const Scalar::Part& i : s.parts)
      for (const Scalar::Part& j : s.parts) add(i.v, j.v, f * second * i.factor * j.factor);
  };
  const auto s = [&] { return scalars_[term.scalar].value; };
  switch (term.kind) {
    case Term::Kind::component:
    case Term::Kind::scalar:
      break;
    case Term::Kind::dot:
      both(term.a, term.b, Mat3<double>::identity());
      break;
    case Term::Kind::squared_dot: {
      const Vec3<double> A = at(term.a), B = at(term.b);
      const double x = 2 * dot(A, B);
      add_hessian(2 * f, term.a, term.a, outer(B, B), add);
      add_hessian(2 * f, term.b, term.b, outer(A, A), add);
      both(term.a, term.b, outer(B, A) * 2. + Mat3<double>::identity() * x);
      break;
    }
    case Term::Kind::cross:  // e . A x B = A . (B x e)
      both(term.a, term.b, -skew(detail::unit_vector(term.axis)));
      break;
    case Term::Kind::triple:
      both(term.a, term.b, -skew(at(term.c)));
      both(term.b, term.c, -skew(at(term.a)));
      both(term.c, term.a, -skew(at(term.b)));
      break;
    case Term::Kind::square:
      on_scalar(2);
      break;
    case Term::Kind::sine:
      on_scalar(-std::sin(s()));
      break;
    case Term::Kind::cosine:
      on_scalar(-std::cos(s()));
      break;
    case Term::Kind::component_sine: {
      on_scalar(-std::sin(s()) * at(term.a)[term.axis]);
      left_.clear();
      node_columns(term.a.head, 1, left_);
      if (term.a.tail >= 0) node_columns(term.a.tail, -1, left_);
      for (const NodeColumn& x : left_)
        for (const Scalar::Part& j : eq_.scalars[term.scalar].parts) {
          const double h = f * std::cos(s()) * x.d[term.axis] * j.factor;
          add(x.v, j.v, h);
          add(j.v, x.v, h);
        }
      break;
    }
  }
}

/// - d(couple)/dq.
void MechanismSystem::add_couple_slopes(int index, const Vec3<double>& torque, double stiffness,
                                        SparseAssembly& m) {
  const BodyCoordinates& b = eq_.bodies[index];
  const BodyNow& body = bodies_[index];
  if (b.kind == BodyCoordinates::Kind::natural) return;
  for (int i = body.first; i < body.first + body.count; ++i)
    for (int j = body.first; j < body.first + body.count; ++j) {
      const Column &row = columns_[i], &by = columns_[j];
      if (row.axis < 0 && by.axis < 0)
        m.add(row.v, by.v, -stiffness * dot(torque, column_rate(b, body, i, j).angular));
    }
}

template <class Add>
void MechanismSystem::add_spring_slopes(std::size_t index, const ConstrainedPoint& p,
                                        const TangentScale& scale, Add&& add) {
  const PointSpring& spring = eq_.mechanism.springs[index];
  const auto [n0, n1] = eq_.loads.springs[index];
  const Arrow arrow{n1, n0};
  const Vec3<double> d = at(arrow), speed = rate(arrow);
  const double l = norm(d), inverse = l > 0 ? 1 / l : 0;  // without direction: no force
  const Vec3<double> u = d * inverse;
  double push = -spring.stiffness * (l - spring.length) - spring.damping * dot(u, speed);
  if (spring.force) push += spring.force(p.t);
  const double k = scale.stiffness;
  const Mat3<double> across = (Mat3<double>::identity() - outer(u, u)) * inverse;
  add_hessian(1, arrow, arrow,
              outer(u, u) * (k * spring.stiffness + scale.damping * spring.damping) +
                  outer(u, across * speed) * (k * spring.damping) - across * (k * push),
              add);
  add_curvature(n1, u * (-k * push), add);
  add_curvature(n0, u * (k * push), add);
  if (spring.damping == 0) return;
  // The rate of the length changes with position also by the curvature.
  right_.clear();
  const auto note = [&](int i, int j, double x) { right_.push_back({j, {x * p.v[i], 0, 0}}); };
  add_curvature(n1, u, note);
  add_curvature(n0, -u, note);
  left_.clear();
  node_columns(n1, 1, left_);
  node_columns(n0, -1, left_);
  for (const NodeColumn& x : left_)
    for (const NodeColumn& y : right_) add(x.v, y.v, k * spring.damping * dot(u, x.d) * y.d.x);
}

/// - d(applied forces)/d(q, v): by their sizes, and by the curvature of what they act on.
void MechanismSystem::force_slopes(const ConstrainedPoint& p, const TangentScale& scale,
                                   SparseAssembly& m) {
  const Mechanism& mechanism_ = eq_.mechanism;
  const auto add = [&](int r, int c, double x) { m.add(r, c, x); };
  for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
    if (eq_.loads.weight[b] >= 0)
      add_curvature(eq_.loads.weight[b],
                    mechanism_.gravity * (-scale.stiffness * mechanism_.bodies[b].inertia.mass),
                    add);
  for (std::size_t i = 0; i < mechanism_.loads.size(); ++i) {
    const BodyLoad& load = mechanism_.loads[i];
    Vec6<double> sum{load.torque, load.force};
    if (load.varying) sum = sum + load.varying(p.t);
    add_curvature(eq_.loads.loads[i], sum.linear * -scale.stiffness, add);
    add_couple_slopes(load.body, without_idle(load.body, sum.angular), scale.stiffness, m);
  }
  for (std::size_t i = 0; i < mechanism_.springs.size(); ++i) add_spring_slopes(i, p, scale, add);
  for (std::size_t i = 0; i < mechanism_.coordinate_forces.size(); ++i) {
    const CoordinateForce& force = mechanism_.coordinate_forces[i];
    const double k = scale.stiffness * force.stiffness + scale.damping * force.damping;
    const Scalar& s = eq_.scalars[eq_.loads.coordinate_forces[i]];
    for (const Scalar::Part& a : s.parts)
      for (const Scalar::Part& b : s.parts) m.add(a.v, b.v, k * a.factor * b.factor);
  }
  add_control_slopes(p, scale, m);
}

void MechanismSystem::tangent(const ConstrainedPoint& p, const TangentScale& scale,
                              SparseAssembly& m) {
  place(p.t, p.q);
  move(p.v);
  const int nv = eq_.group.nv;
  for (int i = 0; i < nv; ++i) m.add(i, i, scale.identity);
  mass_entries([&](int i, int j, double x) { m.add(i, j, scale.mass * x); });
  idle_mass_entries([&](int i, int j, double x) { m.add(i, j, scale.mass * x); });
  force_slopes(p, scale, m);
  add_inertia_slopes(p, scale, m);
  for (int k = 0; k < eq_.rows(); ++k) {
    const Equation& e = eq_.equations[k];
    row_gradient(e, [&](int v, double x) {
      m.add(v, nv + k, x);
      m.add(nv + k, v, x);
    });
    const double lambda = p.lambda.empty() ? 0 : p.lambda[k];
    for (const Term& term : e.forms[e.form].terms)
      term_hessian(term, 1, [&](int i, int j, double x) {
        m.add(i, j, scale.stiffness * lambda * x);
        m.add(nv + k, j, scale.rate * p.v[i] * x);
      });
  }
}

}  // namespace axode
