/// A tree with everything: rigid and elastic links, all joints, a branch in the middle of a beam, a
/// payload, a tapered beam, axial modes.
#pragma once
#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/lie/rotation.hpp"

namespace axode::test {

inline FlexibleTree branched_tree(SectionRotation order, bool stiffening) {
  FlexibleTree tree;
  tree.name = "branched";
  tree.rotation = order;
  tree.stiffening = stiffening;
  tree.gravity = {1, -2, -9};
  const Material steel{2e11, 8e10, 7800};
  const auto add = [&](const char* name, int parent, FlexibleLink::Joint joint, const Vec3<>& axis,
                       const SE3<>& mount) -> FlexibleLink& {
    FlexibleLink link;
    link.name = name;
    link.parent = parent;
    link.joint = joint;
    link.axis = normalized(axis);
    link.mount = mount;
    tree.links.push_back(link);
    return tree.links.back();
  };
  const auto bend = [&](FlexibleLink& link, const Beam& beam, int axial) {
    link.beam = beam;
    for (const auto& [direction, count] :
         {std::pair{ModeDirection::torsion, 2}, std::pair{ModeDirection::bend_y, 2},
          std::pair{ModeDirection::bend_z, 3}, std::pair{ModeDirection::axial, axial}})
      if (count > 0)
        for (const BeamMode& mode : beam_modes(beam, direction, count)) link.modes.push_back(mode);
  };
  const auto pose = [](double x, double y, double z, double a) {
    return SE3<>{exp(Vec3<>{a, -.4 * a, .7}), {x, y, z}};
  };
  using Joint = FlexibleLink::Joint;
  FlexibleLink& hub = add("hub", -1, Joint::revolute, {0, .3, 1}, pose(.1, .2, .3, .5));
  hub.rigid = parameters(Inertia<>{3, {.1, -.2, .05}, {.3, .4, .5, .01, .02, -.03}});
  FlexibleLink& boom = add("boom", 0, Joint::revolute, {0, 0, 1}, pose(0, .1, .4, -.6));
  bend(boom, {2, steel, solid_rectangle(.03, .05), solid_rectangle(.02, .03)}, 1);
  boom.rigid = parameters(Inertia<>{.5, {.05, 0, .02}, {.01, .01, .01, 0, 0, 0}});
  FlexibleLink& slider = add("slider", 1, Joint::prismatic, {1, .2, 0}, pose(.02, .03, -.01, .9));
  slider.station = 1.2;
  slider.rigid = parameters(Inertia<>{.7, {.02, .01, 0}, {.002, .003, .004, 0, 0, 0}});
  FlexibleLink& fork = add("fork", 1, Joint::helical, {0, 1, 1}, pose(0, 0, 0, .3));
  fork.station = 2;
  fork.pitch = .07;
  bend(fork, {1.5, steel, hollow_circle(.04, .03), hollow_circle(.04, .03)}, 0);
  FlexibleLink& load = add("load", 3, Joint::fixed, {0, 0, 1}, pose(.05, 0, 0, 0));
  load.station = 1.5;
  load.rigid = parameters(Inertia<>{2, {.1, .02, 0}, {.02, .03, .03, 0, 0, .001}});
  FlexibleLink& tail = add("tail", 2, Joint::revolute, {1, 0, 0}, pose(.1, 0, 0, 1.2));
  bend(tail, {1, steel, solid_circle(.02), solid_circle(.02)}, 0);
  return complete(tree);
}

}  // namespace axode::test
