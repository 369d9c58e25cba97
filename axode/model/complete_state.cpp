// What people write of a state, completed and made exact.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/model/state.hpp"

namespace axode {
namespace {

/// The follower of a coupling, where its leader puts it.
void complete_follower(const Tree& tree, const Coupling& c, double leader_at, double offset,
                       bool given, double& have, const char* what) {
  if (!std::isfinite(leader_at)) return;  // check_configuration and check_velocity name it
  const double want = c.ratio * leader_at + offset;
  const std::string &follower = tree.bodies[c.follower].joint_name,
                    &leader = tree.bodies[c.leader].joint_name;
  if (!std::isfinite(want))
    throw Error(fmt::format("joint '{}' follows '{}' beyond all numbers", follower, leader), what,
                "give a smaller value");
  if (given &&
      !(std::abs(have - want) <= written_coupling_tolerance * std::max(1., std::abs(want))))
    throw Error(fmt::format("joint '{}' follows '{}' and would be at {}, not {}", follower, leader,
                            want, have),
                what, "leave it out");
  have = want;
}

/// Of unit length to rounding they are taken as they are: the same bits again.
void normalise_written(double* e) {
  const double length = std::hypot(std::hypot(e[0], e[1]), std::hypot(e[2], e[3]));
  const double off = std::abs(length - 1);
  if (off > 8 * std::numeric_limits<double>::epsilon() && off <= written_quaternion_tolerance)
    for (int k = 0; k < 4; ++k) e[k] /= length;
}

}  // namespace

void complete_configuration(const Tree& tree, std::span<const char> given, Out<double> q,
                            const char* what) {
  for (const Coupling& c : tree.couplings) {
    const int f = tree.links[c.follower].q, l = tree.links[c.leader].q;
    complete_follower(tree, c, q[l], c.offset, given[f] != 0, q[f], what);
  }
  for (const Link& link : tree.links)
    if (has_quaternion(link)) normalise_written(q.data() + link.q);
  check_configuration(tree, q, what);
}

void complete_velocity(const Tree& tree, std::span<const char> given, Out<double> v,
                       const char* what) {
  for (const Coupling& c : tree.couplings) {
    const int f = tree.links[c.follower].v, l = tree.links[c.leader].v;
    complete_follower(tree, c, v[l], 0, given[f] != 0, v[f], what);
  }
  check_velocity(tree, v, what);
}

}  // namespace axode
