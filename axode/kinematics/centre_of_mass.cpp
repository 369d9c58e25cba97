#include "axode/kinematics/centre_of_mass.hpp"

#include <algorithm>
#include <cassert>

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {
namespace {

const Inertia<double>& inertia_of(const Tree& tree, int body) noexcept {
  return tree.bodies[body].inertia;
}

/// sums[body + 1] = what[body] of all bodies it carries.
template <class S, class What>
void accumulate(const Tree& tree, std::vector<Vec3<S>>& sums, What&& what) noexcept {
  Vec3<S>* sum = sums.data() + 1;
  sum[-1] = Vec3<S>{};
  for (int i = 0; i < tree.size(); ++i) sum[i] = what(i);
  for (int i = tree.size() - 1; i >= 0; --i) sum[tree.links[i].parent] += sum[i];
}

template <class S>
S mass_of(const Tree& tree, int i) noexcept {
  return S(static_cast<Real<S>>(inertia_of(tree, i).mass));
}
template <class S>
Vec3<S> com_of(const Tree& tree, int i) noexcept {
  return detail::cast<S>(inertia_of(tree, i).com);
}

template <class S>
S divisor(const MassSums<S>& sums, int body) {
  const double mass = sums.mass.data()[body + 1];
  if (!(mass > 0))
    throw Error(body < 0 ? "the tree has no mass, and so no centre of mass"
                         : "body number " + std::to_string(body) +
                               " and all it carries have no mass, and so no centre of mass",
                "centre_of_mass", "give at least one of the bodies a mass above zero");
  return S(static_cast<Real<S>>(mass));
}

/// Column of a joint whose screw moves the mass m with first moment h, both without division by the
/// mass of which the centre is sought.
template <class S>
Vec3<S> moved_mass(const SE3<S>& T_WB, const Vec6<S>& screw, const S& m,
                   const Vec3<S>& h) noexcept {
  return m * (T_WB.R * screw.linear) + cross(T_WB.R * screw.angular, h - m * T_WB.p);
}

}  // namespace

template <class S>
MassSums<S>::MassSums(const Tree& tree)
    : mass(tree.links.size() + 1),
      moment(tree.links.size() + 1, Vec3<S>{}),
      momentum(moment),
      force(moment) {
  double* sum = mass.data() + 1;
  for (int i = 0; i < tree.size(); ++i) sum[i] = inertia_of(tree, i).mass;
  for (int i = tree.size() - 1; i >= 0; --i) sum[tree.links[i].parent] += sum[i];
}

double total_mass(const Tree& tree, int body) { return MassSums<double>(tree).mass[body + 1]; }

template <class S>
void mass_moments(const Tree& tree, const Poses<S>& poses, MassSums<S>& result) noexcept {
  accumulate(tree, result.moment, [&](int i) {
    return mass_of<S>(tree, i) * (poses.T_WB.data()[i] * com_of<S>(tree, i));
  });
}
template <class S>
void mass_momenta(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                  MassSums<S>& result) noexcept {
  mass_moments(tree, poses, result);
  accumulate(tree, result.momentum, [&](int i) {
    const Twist<Rep::body, S>& V = motion.twists.data()[i];
    const Vec3<S> v = V.linear + cross(V.angular, com_of<S>(tree, i));
    return mass_of<S>(tree, i) * (poses.T_WB.data()[i].R * v);
  });
}
template <class S>
void mass_forces(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                 MassSums<S>& result) noexcept {
  mass_momenta(tree, poses, motion, result);
  accumulate(tree, result.force, [&](int i) {
    const Twist<Rep::body, S>& V = motion.twists.data()[i];
    const Acceleration<Rep::body, S>& A = motion.accelerations.data()[i];
    const Vec3<S> com = com_of<S>(tree, i), v = V.linear + cross(V.angular, com);
    const Vec3<S> a = A.linear + cross(A.angular, com) + cross(V.angular, v);
    return mass_of<S>(tree, i) * (poses.T_WB.data()[i].R * a);
  });
}

template <class S>
Vec3<S> centre_of_mass(const MassSums<S>& sums, int body) {
  return sums.moment.data()[body + 1] / divisor(sums, body);
}
template <class S>
Vec3<S> centre_of_mass_velocity(const MassSums<S>& sums, int body) {
  return sums.momentum.data()[body + 1] / divisor(sums, body);
}
template <class S>
Vec3<S> centre_of_mass_acceleration(const MassSums<S>& sums, int body) {
  return sums.force.data()[body + 1] / divisor(sums, body);
}

template <class S>
void centre_of_mass_jacobian(const Tree& tree, const Poses<S>& poses, const MassSums<S>& sums,
                             Out<Vec3<S>> columns, int body) {
  assert(static_cast<int>(columns.size()) == tree.nv);
  const S total = divisor(sums, body);
  const auto write = [&](int j, int carried) {
    const Link& link = tree.links[j];
    const S m(static_cast<Real<S>>(sums.mass.data()[carried + 1]));
    for (int k = link.v; k < link.v + link.nv; ++k)
      columns.data()[k] = moved_mass(poses.T_WB.data()[j], poses.screws.data()[k], m,
                                     sums.moment.data()[carried + 1]) /
                          total;
  };
  // Joints below the body, or all, move what they carry; those above move all that the body carries.
  std::fill(columns.begin(), columns.end(), Vec3<S>{});
  const auto carries = [&](int j) {
    if (body < 0) return true;
    while (j > body) j = tree.links[j].parent;
    return j == body;
  };
  for (int j = body + 1; j < tree.size(); ++j)
    if (carries(j)) write(j, j);
  for (int j = body; j >= 0; j = tree.links[j].parent) write(j, body);
}

template struct MassSums<double>;
template void mass_moments(const Tree&, const Poses<double>&, MassSums<double>&) noexcept;
template void mass_momenta(const Tree&, const Poses<double>&, const Motion<Rep::body, double>&,
                           MassSums<double>&) noexcept;
template void mass_forces(const Tree&, const Poses<double>&, const Motion<Rep::body, double>&,
                          MassSums<double>&) noexcept;
template Vec3<double> centre_of_mass(const MassSums<double>&, int);
template Vec3<double> centre_of_mass_velocity(const MassSums<double>&, int);
template Vec3<double> centre_of_mass_acceleration(const MassSums<double>&, int);
template void centre_of_mass_jacobian(const Tree&, const Poses<double>&, const MassSums<double>&,
                                      Out<Vec3<double>>, int);
template struct MassSums<Dual<double>>;
template void mass_moments(const Tree&, const Poses<Dual<double>>&,
                           MassSums<Dual<double>>&) noexcept;
template void mass_momenta(const Tree&, const Poses<Dual<double>>&,
                           const Motion<Rep::body, Dual<double>>&,
                           MassSums<Dual<double>>&) noexcept;
template void mass_forces(const Tree&, const Poses<Dual<double>>&,
                          const Motion<Rep::body, Dual<double>>&, MassSums<Dual<double>>&) noexcept;
template Vec3<Dual<double>> centre_of_mass(const MassSums<Dual<double>>&, int);
template Vec3<Dual<double>> centre_of_mass_velocity(const MassSums<Dual<double>>&, int);
template Vec3<Dual<double>> centre_of_mass_acceleration(const MassSums<Dual<double>>&, int);
template void centre_of_mass_jacobian(const Tree&, const Poses<Dual<double>>&,
                                      const MassSums<Dual<double>>&, Out<Vec3<Dual<double>>>, int);

}  // namespace axode
