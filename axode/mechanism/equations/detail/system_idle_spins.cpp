/// Idle spins (rod_spin.hpp): rows that tell motions apart, and a force I u . alpha along u. Along the
/// spin nothing else acts, so that u . alpha = 0 and the force is zero, whatever the spin.
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

void MechanismSystem::motion_jacobian(double t, std::span<const double> q, SparseRows& J) {
  place(t, q);
  J.begin(motion_rows(), eq_.group.nv);
  for (int k = 0; k < eq_.rows(); ++k)
    row_gradient(eq_.equations[k], [&](int v, double x) { J.add(k, v, x); });
  int row = eq_.rows();
  for (const IdleSpin& spin : eq_.idle_spins) {
    const BodyNow& body = bodies_[spin.body];
    const Vec3<double> u = line_of(spin);
    for (int c = body.first; c < body.first + body.count; ++c)
      if (columns_[c].axis < 0) J.add(row, columns_[c].v, dot(u, columns_[c].omega));
    ++row;
  }
  J.end();
}

void MechanismSystem::idle_spin_right(std::span<const double> q, std::span<const double> v,
                                      std::span<double> c) {
  if (eq_.idle_spins.empty()) return;
  place(t_, q);
  move(v);
  for (std::size_t k = 0; k < eq_.idle_spins.size(); ++k) {
    const IdleSpin& spin = eq_.idle_spins[k];
    c[k] = -dot(line_of(spin), bodies_[spin.body].alpha);
  }
}

/// - I u . alpha at a = 0.
void MechanismSystem::add_idle_forces(std::span<double> Q) const noexcept {
  for (const IdleSpin& spin : eq_.idle_spins) {
    const BodyNow& body = bodies_[spin.body];
    const Vec3<double> u = line_of(spin);
    const Vec3<double> couple = u * (spin.inertia * dot(u, body.alpha));
    for (int c = body.first; c < body.first + body.count; ++c)
      if (columns_[c].axis < 0) Q[columns_[c].v] -= dot(columns_[c].omega, couple);
  }
}

Vec3<double> MechanismSystem::torque_of_loads(int body, double t) const {
  Vec3<double> sum{};
  for (const BodyLoad& load : eq_.mechanism.loads)
    if (load.body == body)
      sum += load.torque + (load.varying ? load.varying(t).angular : Vec3<double>{});
  return sum;
}

Vec3<double> MechanismSystem::without_idle(int body, const Vec3<double>& torque) const noexcept {
  for (const IdleSpin& spin : eq_.idle_spins) {
    if (spin.body != body) continue;
    const Vec3<double> u = line_of(spin);
    return torque - u * dot(u, torque);
  }
  return torque;
}

}  // namespace axode
