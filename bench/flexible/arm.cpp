#include "bench/flexible/arm.hpp"

namespace axode::bench {

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

FlexibleLink elastic(const char* name, int parent, double length, const Section& section,
                     double tip_mass, const SE3<>& mount, int each = 2) {
  FlexibleLink link;
  link.name = name;
  link.parent = parent;
  link.mount = mount;
  const SectionOutline outline = section_numbers(section);
  link.beam = Beam{length, {7e10, 2.6e10, 2700}, outline, outline};
  for (const ModeDirection d :
       {ModeDirection::torsion, ModeDirection::bend_y, ModeDirection::bend_z}) {
    const bool bends = d != ModeDirection::torsion;
    for (BeamMode& mode :
         beam_modes(*link.beam, d, bends ? 2 : each, {.tip_mass = bends ? tip_mass : 0}))
      link.modes.push_back(std::move(mode));
  }
  return link;
}
FlexibleLink rigid(const char* name, int parent, const Inertia<>& inertia) {
  FlexibleLink link;
  link.name = name;
  link.parent = parent;
  link.rigid = parameters(inertia);
  return link;
}

}  // namespace

FlexibleTree four_joint_arm() {
  FlexibleTree tree;
  tree.name = "arm";
  tree.rotation = SectionRotation::xyz;
  const Mat3<> upright = Mat3<>::rows({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
  tree.links = {
      rigid("hub", -1, {150, {0, 0, .25}, Sym3<>::of(Mat3<>::diagonal({10, 10, 12}))}),
      elastic("upper", 0, 4, {3.5e-3, 1.482916666666669e-5, 2.0929166666666693e-5, 2.61e-5},
              36.3296, {{upright}, {0, 0, .5}}),
      elastic("fore", 1, 3, {2.016e-3, 4.705792e-6, 5.973632e-6, 7.901e-6}, 20, {}),
      rigid("hand", 2, {20, {.35, 0, 0}, Sym3<>::of(Mat3<>::diagonal({.2, .9, .8}))}),
  };
  tree.links[2].station = 4;
  tree.links[3].station = 3;
  return complete(std::move(tree));
}

FlexibleForces manoeuvre() {
  FlexibleForces forces;
  constexpr double a = 60 * degree;
  forces.control = {
      {8000, 25000, 10000, 300},
      {5000, 10000, 3200, 50},
      {0, .5, 3},
      {{0, 30 * degree, 120 * degree, 30 * degree}, {0, a, a, a}, {45 * degree, a, a, a}}};
  return forces;
}

std::vector<double> start(const FlexibleTree& tree) {
  std::vector<double> q = manoeuvre().control.targets.front();
  q.resize(tree.size);
  return q;
}

FlexibleTree elastic_chain(int links) {
  FlexibleTree tree;
  tree.name = "chain";
  for (int i = 0; i < links; ++i) {
    tree.links.push_back(elastic("", i - 1, .5, {4e-4, 1.3e-8, 1.3e-8, 2.2e-8}, 0, {}, 1));
    FlexibleLink& link = tree.links.back();
    link.name = "link" + std::to_string(i + 1);
    link.station = i > 0 ? .5 : 0;
    link.axis = i % 2 == 0 ? Vec3<>{0, 0, 1} : Vec3<>{0, 1, 0};
  }
  return complete(std::move(tree));
}

}  // namespace axode::bench
