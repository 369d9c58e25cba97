/// Trees of rigid and elastic links with all kinds of joints, by chance.
#pragma once
#include <numbers>
#include <random>

#include "axode/flexible/link/section_motion.hpp"

namespace axode::test {

struct RandomFlexible {
  std::mt19937 random{1};
  double in(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
  Vec3<> vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  std::vector<double> list(std::size_t n, double size) {
    std::vector<double> made(n);
    for (double& x : made) x = in(-size, size);
    return made;
  }
};

/// A tube of 1 to 2 m with one or two modes in each direction, of which some are left out.
inline void make_elastic(RandomFlexible& by, FlexibleLink& link) {
  const double L = by.in(1, 2);
  link.beam = Beam{L, {70e9, 26e9, 2700}, hollow_circle(0.06, 0.05), hollow_circle(0.06, 0.05)};
  for (const ModeDirection direction : {ModeDirection::torsion, ModeDirection::bend_y,
                                        ModeDirection::bend_z, ModeDirection::axial}) {
    const int count = direction == ModeDirection::axial ? by.below(2) : by.below(3);
    for (int k = 0; k < count; ++k) {
      ModeShape shape;
      shape.length = L;
      if (displacement_axis(direction) > 0) {
        shape.kind = ModeShape::Kind::polynomial;
        shape.numbers =
            k == 0 ? std::vector<double>{0, 0, 1.5, -0.5} : std::vector<double>{0, 0, -2, 3, -0.4};
      } else {
        shape.wave_number = (k + 0.5) * std::numbers::pi / L;
      }
      link.modes.push_back({direction, shape, 0});
    }
  }
  link.damping_ratio = by.in(0, 0.02);
  link.damping_stiffness = by.in(0, 1e-4);
}
inline void make_rigid(RandomFlexible& by, FlexibleLink& link) {
  const double m = by.in(1, 5);
  link.rigid = parameters(Inertia<>{
      m, {by.in(0, 0.5), 0, 0}, Sym3<>::diagonal({by.in(0.1, 0.2), by.in(0.1, 0.2), 0.15}) * m});
}
inline FlexibleTree random_flexible_tree(RandomFlexible& by, int links, SectionRotation rotation,
                                         bool stiffening, bool chain = false) {
  FlexibleTree tree;
  tree.name = "random";
  tree.rotation = rotation;
  tree.stiffening = stiffening;
  tree.gravity = by.vector(10);
  for (int i = 0; i < links; ++i) {
    FlexibleLink link;
    link.name = "link" + std::to_string(i);
    link.parent = i == 0 ? -1 : chain ? i - 1 : std::max(-1, i - 1 - by.below(3));
    link.mount = {exp(by.vector(2)), by.vector(0.3)};
    if (link.parent >= 0 && tree.links[link.parent].beam)
      link.station = tree.links[link.parent].beam->length * (by.below(2) == 0 ? 1 : by.in(0.3, 1));
    link.joint = static_cast<FlexibleLink::Joint>(i == 0 ? 1 : by.below(4));
    link.axis = normalized(by.vector(1));
    link.pitch = link.joint == FlexibleLink::Joint::helical ? by.in(-0.2, 0.2) : 0;
    if (by.below(3) > 0) make_elastic(by, link);
    if (!link.beam || by.below(2) == 0) make_rigid(by, link);
    tree.links.push_back(link);
  }
  return complete(tree);
}
/// Joints anywhere, deflections and their rates within `elastic`.
inline std::vector<double> random_coordinates(RandomFlexible& by, const FlexibleTree& tree,
                                              double joints, double elastic) {
  std::vector<double> q(tree.size);
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = by.in(-1, 1) * (static_cast<int>(i) < tree.joints ? joints : elastic);
  return q;
}

}  // namespace axode::test
