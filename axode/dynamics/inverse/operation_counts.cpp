#include "axode/dynamics/inverse/operation_counts.hpp"

namespace axode {
namespace {

/// Of a body without its joint's screws: on the world, and on another body.
struct BodyCost {
  OperationCount on_world, on_body;
};
constexpr BodyCost body_cost(Rep rep) noexcept {
  switch (rep) {
    case Rep::body:
      return {{60, 51}, {141, 132}};
    case Rep::spatial:
      return {{159, 126}, {177, 159}};
    case Rep::hybrid:
      return {{153, 114}, {177, 159}};
    default:
      return {{102, 78}, {186, 162}};
  }
}
/// S v, S a and S^T W of m screws: 6 + 6 + 6 products each, and 6 (m - 1) + 6 (m - 1) + 5 m sums.
constexpr OperationCount screw_cost(long m) noexcept { return {18 * m, m == 0 ? 0 : 17 * m - 12}; }

}  // namespace

OperationCount inverse_dynamics_operations(const Tree& tree, Rep rep) noexcept {
  const BodyCost cost = body_cost(rep);
  OperationCount sum;
  for (const Link& link : tree.links) {
    const OperationCount& body = link.parent < 0 ? cost.on_world : cost.on_body;
    const OperationCount screws = screw_cost(link.nv);
    sum.multiplications += body.multiplications + screws.multiplications;
    sum.additions += body.additions + screws.additions;
  }
  return sum;
}

}  // namespace axode
