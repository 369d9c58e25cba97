#include "axode/dynamics/errors.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace axode::detail {

void check_external(const Tree& tree, In<Wrench<Rep::body, double>> external, const char* where) {
  if (external.empty()) return;
  if (external.size() != tree.bodies.size())
    throw Error("there are " + std::to_string(external.size()) +
                    " external wrenches, the tree has " + std::to_string(tree.bodies.size()) +
                    " bodies",
                where, "give one for each, zero where none acts, or none at all");
  for (std::size_t i = 0; i < external.size(); ++i)
    if (!is_finite(external[i].six()))
      throw Error("the external wrench on body '" + tree.bodies[i].name + "' is not finite", where,
                  "give finite numbers");
}

void check_couplings(const Tree& tree, In<double> q, In<double> rates, const char* where) {
  if (tree.couplings.empty()) return;
  const CouplingError position = coupling_error(tree, q);
  int body = position.error <= 1e-9 ? -1 : position.body;
  for (const Coupling& c : tree.couplings) {
    const double kept = c.ratio * rates[tree.links[c.leader].v];
    if (!(std::abs(kept - rates[tree.links[c.follower].v]) <= 1e-9 * (1 + std::abs(kept))))
      body = c.follower;
  }
  if (body >= 0)
    throw Error("joint '" + tree.bodies[body].joint_name + "' does not follow its leader", where,
                "use expand_configuration and expand_velocity for q, v and a");
}

int body_of_velocity(const Tree& tree, int k) {
  const auto after = std::upper_bound(tree.links.begin(), tree.links.end(), k,
                                      [](int v, const Link& link) { return v < link.v + link.nv; });
  return static_cast<int>(after - tree.links.begin());
}

void throw_singular(const Tree& tree, int body, const char* where) {
  const Body& b = tree.bodies[body];
  const bool several = tree.links[body].nv > 1;
  std::string remedy =
      "give body '" + b.name +
      "' or bodies on it mass and inertia, the joint an armature, or make it fixed";
  if (several)
    remedy +=
        "; if only this configuration is singular, use other coordinates, such as a "
        "quaternion";
  throw SingularError("joint '" + b.joint_name + "' moves no inertia along " +
                          (several ? "one of its degrees of freedom" : "its degree of freedom") +
                          ": body '" + b.name + "' and all it carries have none there",
                      where, remedy);
}

}  // namespace axode::detail
