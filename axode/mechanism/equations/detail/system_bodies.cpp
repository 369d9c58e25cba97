#include <cmath>

#include "axode/lie/rotation.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

namespace {

Vec3<double> three(std::span<const double> q, int x) noexcept {
  const std::size_t i = x;
  return {q[i], q[i + 1], q[i + 2]};
}

}  // namespace

void MechanismSystem::add_column(BodyNow& now, int v, const Vec3<double>& omega,
                                 const Vec3<double>& linear, int axis, int group) {
  columns_.push_back({v, axis, group < 0 ? v : group, omega, linear});
  ++now.count;
}

/// Reference point and attitude of a body in space, with a column for each coordinate.
void MechanismSystem::place_spatial(const BodyCoordinates& b, std::span<const double> q,
                                    BodyNow& now) {
  now.p = three(q, b.x);
  for (int k = 0; k < 3; ++k) add_column(now, b.v + k, {}, detail::unit_vector(k), k);
  if (b.kind == BodyCoordinates::Kind::euler_angles) {
    const Vec3<double> angle = three(q, b.x + 3);
    // A = Rz(psi) Rx(theta) Rz(phi): turns about z, the line of nodes and A z
    const double c = std::cos(angle.x), s = std::sin(angle.x);
    const Vec3<double> node{c, s, 0};
    const SO3<double> A = exp(Vec3<double>{0, 0, angle.x}) * exp(Vec3<double>{angle.y, 0, 0}) *
                          exp(Vec3<double>{0, 0, angle.z});
    now.R = A * inverse(b.seat);
    add_column(now, b.v + 3, {0, 0, 1}, {});
    add_column(now, b.v + 4, node, {});
    add_column(now, b.v + 5, A.matrix.z, {});
    return;
  }
  // e0 = cos(chi/2), e = u sin(chi/2), of length 1
  // [GarciaBayo (2.4)-(2.9), corrected: docs/errata.md]
  const double e0 = q[b.x + 3];
  const Vec3<double> e = three(q, b.x + 4);
  const double length = std::sqrt(e0 * e0 + squared_norm(e));
  const double n0 = e0 / length;
  const Vec3<double> n = e / length;
  now.e = {n0, n};
  now.length = length;
  // A = (2 e0^2 - 1) I + 2 (e e^T + e0 e~)  [GarciaBayo (2.80)]
  now.R = rotation_from_quaternion(now.e);
  if (b.kind == BodyCoordinates::Kind::quasi_velocities) {
    for (int k = 0; k < 3; ++k)
      add_column(now, b.v + 3 + k, now.R.matrix.column(k), {}, -1, b.v + 3);
    return;
  }
  // omega = 2 G p', G = [-e, e0 I + e~]  [GarciaBayo (2.76)], of the normalized parameters;
  // s = A s' moves by omega x s = -2 s~ G p', which is 2 G S' p' where p . p' = 0
  // [GarciaBayo (2.77)-(2.79)]
  const double f = 2 / length;
  add_column(now, b.v + 3, n * -f, {});
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis = detail::unit_vector(k);
    add_column(now, b.v + 4 + k, (axis * n0 + cross(n, axis)) * f, {});
  }
}

void MechanismSystem::place_bodies(std::span<const double> q) {
  columns_.clear();
  if (eq_.tree) place_tree(q);
  if (eq_.how.family == CoordinateFamily::natural && !natural_bodies_ && !all_bodies_) return;
  for (const int i : placed_bodies_) {
    const BodyCoordinates& b = eq_.bodies[i];
    BodyNow& now = bodies_[i];
    now.first = static_cast<int>(columns_.size());
    now.count = 0;
    switch (b.kind) {
      case BodyCoordinates::Kind::fixed:
      case BodyCoordinates::Kind::tree:
        now.R = {};
        now.p = b.reference;
        break;
      case BodyCoordinates::Kind::planar: {
        const Vec3<double> xyz = three(q, b.x);
        now.p = {xyz.x, xyz.y, 0};
        now.R = exp(Vec3<double>{0, 0, xyz.z});
        add_column(now, b.v, {}, {1, 0, 0}, 0);
        add_column(now, b.v + 1, {}, {0, 1, 0}, 1);
        add_column(now, b.v + 2, {0, 0, 1}, {});
        break;
      }
      case BodyCoordinates::Kind::natural:
        place_natural(b, now);
        break;
      default:
        place_spatial(b, q, now);
    }
  }
}

void MechanismSystem::move_bodies(std::span<const double> v) {
  if (eq_.tree) move_tree(v);
  if (eq_.how.family == CoordinateFamily::natural && !natural_bodies_ && !all_bodies_) return;
  for (const int i : placed_bodies_) {
    const BodyCoordinates& b = eq_.bodies[i];
    BodyNow& now = bodies_[i];
    now.omega = now.linear = now.alpha = now.bias = {};
    for (int c = now.first; c < now.first + now.count; ++c) {
      const Column& column = columns_[c];
      const double rate_of = v[column.v];
      now.omega += column.omega * rate_of;
      now.linear += column.linear * rate_of;
    }
    if (b.kind == BodyCoordinates::Kind::natural) move_natural(b, now);
    const auto turning = [&](int k) {  // the part of omega that coordinate k has
      const Column& column = columns_[now.first + 3 + k];
      return column.omega * v[column.v];
    };
    if (b.kind == BodyCoordinates::Kind::euler_angles)
      now.alpha = cross(turning(0), turning(1)) + cross(turning(0) + turning(1), turning(2));
    if (b.kind == BodyCoordinates::Kind::euler_parameters) {
      // Only of parameters that do not keep their length, before they are projected.
      const Vec3<double> rates = three(v, b.v + 4);
      const double along = now.e.w * v[b.v + 3] + dot(now.e.v, rates);
      now.alpha = now.omega * (-2 * along / now.length);
    }
  }
}

}  // namespace axode
