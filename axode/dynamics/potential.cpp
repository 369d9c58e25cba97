#include "axode/dynamics/any_scalar/potential.hpp"

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {

void check_number(double x, bool negative_too, const std::string& what, const std::string& where) {
  if (!is_finite(x) || (x < 0 && !negative_too))
    throw Error(what + " is " + std::to_string(x), where,
                negative_too ? "give a finite number" : "give a finite number, not below zero");
}
void check_body(const Tree& tree, int body, int least, const std::string& where) {
  if (body < least || body >= tree.size())
    throw Error("there is no body number " + std::to_string(body), where,
                "the tree has " + std::to_string(tree.size()) + " bodies, counted from 0");
}

}  // namespace

void check_springs(const Tree& tree, const Springs& springs) {
  for (std::size_t s = 0; s < springs.joints.size(); ++s) {
    const JointSpring& spring = springs.joints[s];
    const std::string where = "joint spring " + std::to_string(s);
    check_body(tree, spring.body, 0, where);
    const Link& link = tree.links[spring.body];
    const std::string joint = "joint '" + tree.bodies[spring.body].joint_name + "'";
    if (link.map == JointMap::quaternion || link.map == JointMap::free)
      throw Error(joint + " has a quaternion, no coordinate for each degree of freedom", where,
                  "use coordinates of the first or second kind, or line springs");
    if (spring.dof < 0 || spring.dof >= link.nv)
      throw Error(joint + " has no degree of freedom number " + std::to_string(spring.dof), where,
                  "it has " + std::to_string(link.nv) + ", counted from 0");
    check_number(spring.stiffness, false, "stiffness", where);
    check_number(spring.rest, true, "rest", where);
  }
  for (std::size_t s = 0; s < springs.lines.size(); ++s) {
    const LineSpring& spring = springs.lines[s];
    const std::string where = "line spring " + std::to_string(s);
    for (const Frame* end : {&spring.a, &spring.b}) {
      check_body(tree, end->body, -1, where);
      if (!is_finite(end->T_BF.p))
        throw Error("an end is not at a finite place", where, "give finite numbers");
    }
    check_number(spring.stiffness, false, "stiffness", where);
    check_number(spring.length, false, "length", where);
  }
}

template double potential_energy(const Tree&, const Poses<double>&) noexcept;
template void gravity_forces(const Tree&, const Composite<double>&, Out<double>) noexcept;
template double potential_energy(const Tree&, const Poses<double>&, const Springs&) noexcept;
template void add_spring_forces(const Tree&, const Poses<double>&, const Springs&,
                                Out<double>) noexcept;

template Dual<double> potential_energy(const Tree&, const Poses<Dual<double>>&) noexcept;
template void gravity_forces(const Tree&, const Composite<Dual<double>>&,
                             Out<Dual<double>>) noexcept;
template Dual<double> potential_energy(const Tree&, const Poses<Dual<double>>&,
                                       const Springs&) noexcept;
template void add_spring_forces(const Tree&, const Poses<Dual<double>>&, const Springs&,
                                Out<Dual<double>>) noexcept;

}  // namespace axode
