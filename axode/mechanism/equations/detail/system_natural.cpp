/// Bodies of natural coordinates: their frame follows from the points and vectors they have.
#include <cmath>

#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

namespace {

Vec3<double> perpendicular(const Vec3<double>& a) noexcept { return {-a.y, a.x, 0}; }

/// The rotation that takes unit vector a to unit vector b the shortest way.
SO3<double> shortest_rotation(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> axis = cross(a, b);
  const double sine = norm(axis), angle = std::atan2(sine, dot(a, b));
  if (sine > 1e-12) return exp(axis * (angle / sine));
  if (dot(a, b) > 0) return {};
  const Vec3<double> other = std::abs(a.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  return exp(normalized(cross(a, other)) * 3.14159265358979323846);
}

}  // namespace

/// omega of the body whose base vectors have these rates: (1/2) sum b^k x b_k' with the reciprocal
/// base; of two vectors the first as a rod, the second for the spin.
Vec3<double> MechanismSystem::natural_omega(const BodyCoordinates& b,
                                            const std::array<Vec3<double>, 3>& rates) const {
  const Vec3<double> b1 = at(b.base[0]);
  if (b.base_count == 1) {
    const Vec3<double> omega = cross(b1, rates[0]) / squared_norm(b1);
    return eq_.mechanism.is_planar ? Vec3<double>{0, 0, omega.z} : omega;
  }
  const Vec3<double> b2 = at(b.base[1]);
  if (b.base_count == 2) {
    const Vec3<double> across = cross(b1, rates[0]) / squared_norm(b1);
    const Vec3<double> u = normalized(b1), normal = b2 - u * dot(u, b2);
    const double spin = dot(u, cross(normal, rates[1] - cross(across, b2))) / squared_norm(normal);
    return across + u * spin;
  }
  const Vec3<double> b3 = at(b.base[2]);
  const double volume = dot(b1, cross(b2, b3));
  return (cross(cross(b2, b3), rates[0]) + cross(cross(b3, b1), rates[1]) +
          cross(cross(b1, b2), rates[2])) /
         (2 * volume);
}

void MechanismSystem::place_natural(const BodyCoordinates& b, BodyNow& now) {
  const bool planar = eq_.mechanism.is_planar;
  const Vec3<double> b1 = at(b.base[0]);
  const Vec3<double> lever = b.reference - b.origin_local;
  if (planar) {
    const Vec3<double> x = normalized(b1);
    const Mat3<double> frame{x, perpendicular(x), {0, 0, 1}};
    const Vec3<double> local = normalized(b.base_local);
    now.R = {frame * transpose(Mat3<double>{local, perpendicular(local), {0, 0, 1}})};
  } else if (b.base_count == 1) {
    now.R = shortest_rotation(normalized(b.base_local), normalized(b1));
  } else {
    // R = [b_1 b_2 b_3] [b_1' b_2' b_3']^-1, of two arrows with b_3 = b_1 x b_2
    const Vec3<double> b2 = at(b.base[1]);
    const Vec3<double> b3 = b.base_count == 3 ? at(b.base[2]) : cross(b1, b2);
    now.R = {Mat3<double>{b1, b2, b3} * b.inverse};
  }
  now.p = nodes_[b.origin].at + now.R * lever;
  // Columns: each coordinate of a node of the base moves arrows and perhaps the origin.
  const std::array<int, 7> used{b.origin,
                                b.base[0].head,
                                b.base[0].tail,
                                b.base_count > 1 ? b.base[1].head : -1,
                                b.base_count > 1 ? b.base[1].tail : -1,
                                b.base_count > 2 ? b.base[2].head : -1,
                                b.base_count > 2 ? b.base[2].tail : -1};
  for (std::size_t i = 0; i < used.size(); ++i) {
    bool again = used[i] < 0;
    for (std::size_t j = 0; j < i; ++j) again = again || used[j] == used[i];
    if (again) continue;
    const Node& node = eq_.nodes[used[i]];
    if (node.kind != Node::Kind::coordinates) continue;
    for (int k = 0; k < node.size; ++k) {
      const Vec3<double> e = detail::unit_vector(k);
      std::array<Vec3<double>, 3> rates{};
      for (int a = 0; a < b.base_count; ++a) {
        const Arrow& arrow = b.base[a];
        if (arrow.head == used[i]) rates[a] += e;
        if (arrow.tail == used[i]) rates[a] -= e;
      }
      const Vec3<double> omega = natural_omega(b, rates);
      const Vec3<double> moved = used[i] == b.origin ? e : Vec3<double>{};
      add_column(now, node.v + k, omega, moved + cross(omega, now.R * lever));
    }
  }
}

/// The acceleration that is left when points and vectors do not accelerate: b_k'' = 0.
void MechanismSystem::move_natural(const BodyCoordinates& b, BodyNow& now) const {
  std::array<Vec3<double>, 3> rates{};
  for (int a = 0; a < b.base_count; ++a)
    rates[a] = -cross(now.omega, cross(now.omega, at(b.base[a])));
  now.alpha = natural_omega(b, rates);
  const Vec3<double> lever = now.R * (b.reference - b.origin_local);
  now.bias = cross(now.alpha, lever) + cross(now.omega, cross(now.omega, lever));
}

}  // namespace axode
