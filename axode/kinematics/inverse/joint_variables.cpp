#include "axode/kinematics/inverse/joint_variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/lie/scalar.hpp"

namespace axode {
namespace {

double follower_of(const Coupling& c, double leader) { return c.ratio * leader + c.offset; }

/// The largest leader with follower <= limit (or >= it, by the sign of `direction`), rounding included:
/// products and sums round monotonically, so all leaders within keep the limit to the last bit.
double leader_bound(const Coupling& c, double limit, double direction) {
  if (std::isinf(limit)) return direction * c.ratio > 0 ? HUGE_VAL : -HUGE_VAL;
  double bound = (limit - c.offset) / c.ratio;
  const double inwards = direction * c.ratio > 0 ? -HUGE_VAL : HUGE_VAL;
  for (int k = 0; k < 64 && direction * (follower_of(c, bound) - limit) > 0; ++k)
    bound = std::nextafter(bound, inwards);
  return bound;
}

/// Narrows the interval of a leader by the limits of its follower.
void narrow(const Tree& tree, const Coupling& c, JointVariable& leader) {
  const int follower = tree.links[c.follower].v;
  const Dof& dof = tree.dofs[follower];
  const auto refuse = [&] {
    throw Error("its limits and those of the joints coupled with it leave no position",
                "joint '" + tree.bodies[c.leader].joint_name + "'",
                "widen the limits of '" + tree.bodies[c.follower].joint_name +
                    "' or change ratio and offset of its coupling");
  };
  if (c.ratio == 0) {
    if (c.offset < dof.lower || c.offset > dof.upper) refuse();
    return;
  }
  double lower = leader_bound(c, dof.lower, -1), upper = leader_bound(c, dof.upper, 1);
  if (c.ratio < 0) std::swap(lower, upper);
  if (lower > leader.lower) leader.lower = lower, leader.lower_of = follower;
  if (upper < leader.upper) leader.upper = upper, leader.upper_of = follower;
  if (leader.lower > leader.upper) refuse();
}

/// By joint: whether it is held.
std::vector<char> held_joints(const Tree& tree, const HeldJoints& held) {
  std::vector<char> result(tree.links.size(), 0);
  for (const std::string& name : held.joints) result[joint_index(tree, name)] = 1;
  if (held.base)
    for (std::size_t i = 0; i < result.size(); ++i)
      if (tree.links[i].parent < 0 && tree.bodies[i].joint_type == JointType::free) result[i] = 1;
  for (const Coupling& c : tree.couplings)
    if (result[c.follower]) result[c.leader] = 1;
  for (const Coupling& c : tree.couplings) result[c.follower] = 1;  // no variable of its own
  return result;
}

/// Into the interval; onto a bound that rounding has missed by a few units in the last place.
double clamp_and_snap(double value, double lower, double upper) {
  const auto near = [&](double bound) {
    return std::abs(value - bound) < 1e-15 * std::max(1., std::abs(bound));
  };
  return value <= lower || near(lower) ? lower : value >= upper || near(upper) ? upper : value;
}

double fraction(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Uniform on the rotations, after Shoemake.
void random_quaternion(std::mt19937_64& random, double* q) {
  const double u = fraction(random), a = 2 * pi<double> * fraction(random),
               b = 2 * pi<double> * fraction(random);
  const double s = std::sqrt(1 - u), t = std::sqrt(u);
  q[0] = t * std::cos(b), q[1] = s * std::sin(a), q[2] = s * std::cos(a), q[3] = t * std::sin(b);
}

}  // namespace

JointVariables::JointVariables(const Tree& tree, const HeldJoints& held,
                               std::span<const char> moves)
    : variable_of(tree.nv, -1), ratio(tree.nv, 1), step(tree.nv) {
  const std::vector<char> skip = held_joints(tree, held);
  std::vector<char> active(tree.links.size(), moves.empty() ? 1 : 0);
  std::copy(moves.begin(), moves.end(), active.begin());
  for (const Coupling& c : tree.couplings)
    if (active[c.follower]) active[c.leader] = 1;
  std::vector<int> idle_of(tree.nv, -1);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    if (skip[i]) continue;
    for (int k = 0; k < link.nv; ++k) {
      const int v = link.v + k;
      const Dof& dof = tree.dofs[v];
      const bool bounded = !has_quaternion(link);
      std::vector<JointVariable>& list = active[i] ? variables : idle;
      (active[i] ? variable_of : idle_of)[v] = static_cast<int>(list.size());
      list.push_back({v, bounded ? link.q + k : -1, bounded ? dof.lower : -HUGE_VAL,
                      bounded ? dof.upper : HUGE_VAL, v, v, max_abs(tree.screws[v].angular) > 0});
    }
  }
  for (const Coupling& c : tree.couplings) {
    const std::size_t leading = tree.links[c.leader].v;
    const int leader = variable_of[leading];
    const std::size_t v = tree.links[c.follower].v;
    variable_of[v] = leader, ratio[v] = c.ratio;
    if (leader >= 0) narrow(tree, c, variables[leader]);
    if (idle_of[leading] >= 0) narrow(tree, c, idle[idle_of[leading]]);
  }
}

void enforce(const Tree& tree, const JointVariables& variables, Out<double> q) noexcept {
  for (const auto* list : {&variables.variables, &variables.idle})
    for (const JointVariable& x : *list)
      if (x.coordinate >= 0) {
        double& value = q[x.coordinate];
        value = clamp_and_snap(value, x.lower, x.upper);
      }
  for (const Coupling& c : tree.couplings)
    q[tree.links[c.follower].q] = follower_of(c, q[tree.links[c.leader].q]);
}

void check_held(const Tree& tree, const JointVariables& variables, In<double> q) {
  std::vector<double> placed(q.begin(), q.end());
  enforce(tree, variables, placed);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = 0; k < link.nv && !has_quaternion(link); ++k) {
      const Dof& dof = tree.dofs[link.v + k];
      const double value = placed[link.q + k];
      if (variables.variable_of[link.v + k] < 0 && (value < dof.lower || value > dof.upper))
        throw Error("it is held at " + std::to_string(value) + ", outside its limits [" +
                        std::to_string(dof.lower) + ", " + std::to_string(dof.upper) + "]",
                    "joint '" + tree.bodies[i].joint_name + "'",
                    "give coordinates within the limits or do not hold it");
    }
  }
}

void move(const Tree& tree, JointVariables& variables, In<double> q, In<double> x,
          Out<double> result) {
  for (std::size_t k = 0; k < variables.step.size(); ++k) {
    const int i = variables.variable_of[k];
    variables.step[k] = i < 0 ? 0 : variables.ratio[k] * x[i];
  }
  plus<double>(tree, q, variables.step, result);
  enforce(tree, variables, result);
}

void room(const JointVariables& variables, In<double> q, Out<double> lower,
          Out<double> upper) noexcept {
  for (std::size_t i = 0; i < variables.variables.size(); ++i) {
    const JointVariable& x = variables.variables[i];
    const bool bounded = x.coordinate >= 0;
    lower[i] = bounded ? x.lower - q[x.coordinate] : -HUGE_VAL;
    upper[i] = bounded ? x.upper - q[x.coordinate] : HUGE_VAL;
  }
}

void random_start(const Tree& tree, const JointVariables& variables, In<double> about,
                  std::mt19937_64& random, Out<double> q) noexcept {
  std::copy(about.begin(), about.end(), q.begin());
  for (const Link& link : tree.links)
    if (link.map == JointMap::quaternion && variables.variable_of[link.v] >= 0)
      random_quaternion(random, q.data() + link.q);
  for (const JointVariable& x : variables.variables) {
    if (x.coordinate < 0) continue;
    double& value = q[x.coordinate];
    const double range = x.rotates ? pi<double> : 1;
    // One-sided limits: as wide as without, at the limit.
    const double low = std::isfinite(x.lower)   ? x.lower
                       : std::isfinite(x.upper) ? x.upper - 2 * range
                                                : value - range;
    const double high = std::isfinite(x.upper)   ? x.upper
                        : std::isfinite(x.lower) ? x.lower + 2 * range
                                                 : value + range;
    value = low + fraction(random) * (high - low);
  }
  enforce(tree, variables, q);
}

}  // namespace axode
