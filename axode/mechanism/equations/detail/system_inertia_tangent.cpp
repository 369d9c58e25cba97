/// How the forces of inertia of bodies change with position and velocity. Twists S_c of the columns
/// are taken at the reference point p where it is now, a point at rest. Of a chain of joints,
///
///   V = sum S_c v_c,   V' = sum S_c a_c + [V_c, S_c] v_c,   V_c: of what carries column c
///   dV/dq_l = [S_l, V - V_l],   dV'/dq_l = [S_l, V' - V_l'] + [[V_l, S_l], V - V_l]
///   dV'/dv_l = [V_l, S_l] + [S_l, V - V_l+],   V_l+: with the joint of l
///
/// since coordinate l moves all that comes after it as a rigid whole [MuellerDyn (15)]; columns of
/// quaternions are fixed in what they carry and move each other.
#include "axode/lie/adjoint.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {
namespace {

/// omega of Euler parameters at unit rate: half of the derivative by e_c of what e_l turns.
Vec3<double> turned_by(int l, int c) noexcept {
  const double p0 = l == 0 ? 1 : 0, v0 = c == 0 ? 1 : 0;
  const Vec3<double> p = detail::unit_vector(l - 1), v = detail::unit_vector(c - 1);
  return v * p0 - p * v0 + cross(p, v);
}

}  // namespace

/// The derivative of column i by coordinate j, at a point at rest.
Vec6<double> MechanismSystem::column_rate(const BodyCoordinates& b, const BodyNow& body, int i,
                                          int j) const noexcept {
  const Column &moved = columns_[i], &by = columns_[j];
  if (b.kind == BodyCoordinates::Kind::euler_parameters) {
    const int c = i - body.first - 3, l = j - body.first - 3;
    const double f = 2 / body.length, n = l == 0 ? body.e.w : body.e.v[l - 1];
    return {turned_by(l, c) * (f / body.length) - moved.omega * (f * n), {}};
  }
  // dJ_i/dq_j = [J_j, J_i] for j before i, else 0; those of one quaternion move each other
  // [MuellerDyn (15)]
  if (j > i && by.group != moved.group) return {};
  return ad(Vec6<double>{by.omega, by.linear}, Vec6<double>{moved.omega, moved.linear});
}

/// V, V' and what they are of the carriers of each column.
void MechanismSystem::follow_chain(const BodyNow& body, const ConstrainedPoint& p) {
  chain_.resize(body.count + 1);
  Vec6<double> V{}, rate{};
  Carrier carrier;
  for (int k = 0; k < body.count; ++k) {
    const Column& column = columns_[body.first + k];
    const std::size_t v = column.v;
    const Vec6<double> S{column.omega, column.linear};
    if (k == 0 || columns_[body.first + k - 1].group != column.group) carrier = {V, rate, {}};
    chain_[k] = carrier;
    V += S * p.v[v];
    rate += S * (p.a.empty() ? 0 : p.a[v]) + ad(carrier.twist, S) * p.v[v];
  }
  chain_.back() = {V, rate, V};
  for (int k = body.count - 1; k >= 0; --k) {
    const std::size_t now = k;
    const bool last =
        k + 1 == body.count || columns_[body.first + k].group != columns_[body.first + k + 1].group;
    chain_[now].with = last ? chain_[now + 1].twist : chain_[now + 1].with;
  }
}

/// Of twist and acceleration by coordinate and velocity l, of a chain.
MechanismSystem::MotionSlope MechanismSystem::chain_slope(const Column& column,
                                                          int k) const noexcept {
  const Carrier &carrier = chain_[k], &whole = chain_.back();
  const Vec6<double> S{column.omega, column.linear}, dS = ad(carrier.twist, S);
  const Vec6<double> rest = whole.twist - carrier.twist;
  return {ad(S, rest), ad(S, whole.rate - carrier.rate) + ad(dS, rest),
          dS + ad(S, whole.twist - carrier.with)};
}

/// The same of Euler parameters: omega = 2 B(e, v)/|e|^2, alpha = 2 B(e, a)/|e|^2 - 2 e.v/|e|^2
/// omega.
MechanismSystem::MotionSlope MechanismSystem::parameter_slope(const BodyCoordinates& b,
                                                              const BodyNow& body,
                                                              const ConstrainedPoint& p,
                                                              int l) const noexcept {
  const double f = 2 / body.length, n = l == 0 ? body.e.w : body.e.v[l - 1];
  Vec3<double> by_v{}, by_a{}, turning{};
  double along = 0;
  for (int c = 0; c < 4; ++c) {
    const std::size_t v = b.v + 3 + c;
    const double a = p.a.empty() ? 0 : p.a[v];
    by_v += turned_by(l, c) * p.v[v];
    by_a += turned_by(l, c) * a;
    turning += columns_[body.first + 3 + c].omega * a;
    along += f * (c == 0 ? body.e.w : body.e.v[c - 1]) * p.v[v];
  }
  const Vec3<double> domega = by_v * (f / body.length) - body.omega * (f * n);
  const double dalong = f / body.length * p.v[b.v + 3 + l] - f * n * along;
  const Column& column = columns_[body.first + 3 + l];
  return {{domega, {}},
          {by_a * (f / body.length) - turning * (f * n) - body.omega * dalong - domega * along, {}},
          {body.omega * (-f * n) - column.omega * along, {}}};
}

/// The angular acceleration, after follow_chain.
Vec3<double> MechanismSystem::alpha_of(const BodyCoordinates& b, const BodyNow& body,
                                       const ConstrainedPoint& p) const noexcept {
  if (b.kind != BodyCoordinates::Kind::euler_parameters) return chain_.back().rate.angular;
  Vec3<double> alpha = body.alpha;
  for (int c = 3; c < 7; ++c) {
    const Column& column = columns_[body.first + c];
    if (!p.a.empty()) alpha += column.omega * p.a[column.v];
  }
  return alpha;
}

/// Adds stiffness dF/dq + damping dF/dv of F = what acceleration and turning of a body need.
template <class Add>
void MechanismSystem::inertia_slopes(std::size_t index, const ConstrainedPoint& p,
                                     const TangentScale& scale, Add&& add) {
  const BodyCoordinates& b = eq_.bodies[index];
  const BodyNow& body = bodies_[index];
  const bool parameters = b.kind == BodyCoordinates::Kind::euler_parameters;
  const Inertia<double>& inertia = eq_.mechanism.bodies[index].inertia;
  const Mat3<double> J = body.R.matrix * inertia.about_com.matrix() * transpose(body.R.matrix);
  follow_chain(body, p);
  const Vec6<double> V = chain_.back().twist;
  const Vec3<double>& w = V.angular;
  const Vec3<double> alpha = alpha_of(b, body, p);
  const Vec3<double> A = chain_.back().rate.linear + cross(w, V.linear), Jw = J * w, Ja = J * alpha;
  const Vec6<double> wrench{Ja + cross(w, Jw), A * inertia.mass};
  for (int k = 0; k < body.count; ++k) {
    const Column& by = columns_[body.first + k];
    if (by.axis >= 0) continue;
    const MotionSlope d = parameters ? parameter_slope(b, body, p, k - 3) : chain_slope(by, k);
    const Vec3<double>& u = by.omega;
    const Vec3<double> dw = d.twist.angular;
    const Vec3<double> dA = d.rate.linear + cross(alpha, by.linear) + cross(dw, V.linear) +
                            cross(w, d.twist.linear + cross(w, by.linear));
    const Vec3<double> dN = cross(u, Ja) + J * (d.rate.angular - cross(u, alpha)) + cross(dw, Jw) +
                            cross(w, cross(u, Jw) + J * (dw - cross(u, w)));
    const Vec6<double> by_q{dN + cross(by.linear, wrench.linear), dA * inertia.mass};
    const Vec6<double> by_v{
        J * d.rate_by_v.angular + cross(u, Jw) + cross(w, J * u),
        (d.rate_by_v.linear + cross(u, V.linear) + cross(w, by.linear)) * inertia.mass};
    const Vec6<double> sum = by_q * scale.stiffness + by_v * scale.damping;
    for (int i = body.first; i < body.first + body.count; ++i) {
      const Column& on = columns_[i];
      if (on.axis >= 0) continue;
      add(on.v, by.v,
          dot(Vec6<double>{on.omega, on.linear}, sum) +
              scale.stiffness * dot(column_rate(b, body, i, body.first + k), wrench));
    }
  }
}

void MechanismSystem::add_inertia_slopes(const ConstrainedPoint& p, const TangentScale& scale,
                                         SparseAssembly& m) {
  for (std::size_t b = 1; b < bodies_.size(); ++b)
    if (eq_.mass_by_motion[b])
      inertia_slopes(b, p, scale, [&](int i, int j, double x) { m.add(i, j, x); });
  add_idle_slopes(p, scale, m);
}

/// The same of the force I u . alpha along u of idle spins, and of u u . torque that loads lose.
void MechanismSystem::add_idle_slopes(const ConstrainedPoint& p, const TangentScale& scale,
                                      SparseAssembly& m) {
  for (const IdleSpin& spin : eq_.idle_spins) {
    const BodyCoordinates& b = eq_.bodies[spin.body];
    const BodyNow& body = bodies_[spin.body];
    const bool parameters = b.kind == BodyCoordinates::Kind::euler_parameters;
    follow_chain(body, p);
    const Vec3<double> u = line_of(spin), alpha = alpha_of(b, body, p);
    // All along u: u u . whole, but for what changes with a and v.
    const Vec3<double> whole = alpha * spin.inertia + torque_of_loads(spin.body, p.t);
    const Vec3<double> force = u * (spin.inertia * dot(u, alpha));
    for (int k = 0; k < body.count; ++k) {
      const Column& by = columns_[body.first + k];
      if (by.axis >= 0) continue;
      const MotionSlope d = parameters ? parameter_slope(b, body, p, k - 3) : chain_slope(by, k);
      const Vec3<double> du = cross(by.omega, u);
      const Vec3<double> dalpha =
          d.rate.angular * scale.stiffness + d.rate_by_v.angular * scale.damping;
      const Vec3<double> sum = (du * dot(u, whole) + u * dot(du, whole)) * scale.stiffness +
                               u * (spin.inertia * dot(u, dalpha));
      for (int i = body.first; i < body.first + body.count; ++i) {
        const Column& on = columns_[i];
        if (on.axis >= 0) continue;
        const Vec3<double> don = column_rate(b, body, i, body.first + k).angular;
        m.add(on.v, by.v, dot(on.omega, sum) + scale.stiffness * dot(don, force));
      }
    }
  }
}

}  // namespace axode
