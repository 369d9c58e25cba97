#include <algorithm>
#include <cmath>

#include "axode/mechanism/analysis/position.hpp"

namespace axode {
namespace {}  // namespace

double model_size(const Mechanism& mechanism) noexcept {
  double size = 0, reach = 0;  // reach: how far bodies can be apart, all lengths in a row
  Vec3<double> low{}, high{};
  bool is_first = true;
  for (const MechanismBody& body : mechanism.bodies) {
    const double com = max_abs(body.inertia.com);
    size = std::max(size, com);
    reach += com;
    for (int k = 0; k < 3; ++k) {
      low[k] = is_first ? body.pose.p[k] : std::min(low[k], body.pose.p[k]);
      high[k] = is_first ? body.pose.p[k] : std::max(high[k], body.pose.p[k]);
    }
    is_first = false;
  }
  for (const MechanismJoint& joint : mechanism.joints)
    for (const double length : {norm(joint.point[0]), norm(joint.point[1]), std::abs(joint.value)})
      size = std::max(size, length), reach += length;
  // Reference poses are guesses: one far away says nothing of the size, but sliding joints may be long.
  constexpr double longest_slide = 100;
  const double spread = max_abs(high - low);
  size = std::max(size, reach > 0 ? std::min(spread, longest_slide * reach) : spread);
  return size > 0 ? size : 1;
}

std::vector<double> velocity_scales(const MechanismSystem& system) {
  const MechanismEquations& eq = system.equations();
  const double size = model_size(eq.mechanism);
  std::vector<double> scale(eq.velocities(), std::max(size, 1.0));
  const auto set = [&](int first, int count, double value) {
    for (int k = first; k < first + count; ++k)
      if (k >= 0 && k < std::ssize(scale)) scale[k] = value;
  };
  for (const Node& node : eq.nodes)
    if (node.kind == Node::Kind::coordinates) set(node.v, node.size, node.is_point ? size : 1);
  for (const BodyCoordinates& body : eq.bodies) {
    using Kind = BodyCoordinates::Kind;
    if (body.kind == Kind::planar) {
      set(body.v, 2, size);
      set(body.v + 2, 1, 1);
    } else if (body.kind == Kind::euler_parameters || body.kind == Kind::euler_angles ||
               body.kind == Kind::quasi_velocities) {
      set(body.v, 3, size);
      set(body.v + 3, body.kind == Kind::euler_parameters ? 4 : 3, 1);
    }
  }
  for (std::size_t k = 0; k < eq.mixed.size() && k < eq.mechanism.coordinates.size(); ++k)
    if (eq.mixed[k] >= 0 && eq.scalars[eq.mixed[k]].parts.size() == 1)
      set(eq.scalars[eq.mixed[k]].parts[0].v, 1, eq.mechanism.coordinates[k].is_angle ? 1 : size);
  return scale;
}

void equation_scales(std::span<const double> by_velocity, const SparseRows& J,
                     std::span<double> scale) {
  double whole = 0;
  for (int i = 0; i < J.rows; ++i) {
    double largest = 0;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k)
      largest = std::max(largest, std::abs(J.value[k]) * by_velocity[J.column[k]]);
    scale[i] = largest;
    whole = std::max(whole, largest);
  }
  for (double& s : scale)  // rows of nothing but rounding
    if (!(s > 1e-14 * whole)) s = whole > 0 ? whole : 1;
}

std::string equation_label(const MechanismSystem& system, int row) {
  const MechanismEquations& eq = system.equations();
  const Mechanism& m = eq.mechanism;
  const Equation& e = eq.equations[row];
  const auto of = [&](const char* what, const auto& list) {
    const bool is_known = e.index >= 0 && e.index < std::ssize(list);
    return "'" + e.name + "'" +
           (is_known ? std::string(" (") + what + " '" + list[e.index].name + "')" : "");
  };
  switch (e.origin) {
    case Equation::Origin::body:
    case Equation::Origin::normalization:
      return of("body", m.bodies);
    case Equation::Origin::joint:
      return of("joint", m.joints);
    case Equation::Origin::coordinate:
      return of("coordinate", m.coordinates);
    case Equation::Origin::coupling:
      return of("coupling", m.couplings);
    case Equation::Origin::driver:
      return of("driver", m.drivers);
  }
  return "'" + e.name + "'";
}

}  // namespace axode
