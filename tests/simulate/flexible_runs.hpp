/// The manoeuvres of the reference trajectories.
#pragma once
#include <cmath>

#include "axode/simulate/run/simulate.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test {

struct FlexibleManoeuvre {
  nlohmann::json reference;
  FlexibleTree tree;
  FlexibleForces forces;
  std::vector<double> q, v;
};
/// "arm4": four joints led through two targets; "pendulum1": it falls.
inline FlexibleManoeuvre reference_manoeuvre(const std::string& chain,
                                             SectionRotation rotation = SectionRotation::xyz) {
  FlexibleManoeuvre m{read_json("flexible/trajectory_" + chain + ".json"),
                      reference_chain(chain, rotation),
                      {},
                      {},
                      {}};
  const nlohmann::json& given = m.reference;
  m.forces.control = {flat(given["kp"]), flat(given["kd"]), flat(given["times"]), {}};
  for (const auto& target : given["targets"]) m.forces.control.targets.push_back(flat(target));
  m.q = flat(given["initial_joints"]);
  m.q.resize(m.tree.size);
  m.v.resize(m.q.size());
  return m;
}

/// The 4-joint arm with a light hub and stiff control, by which the linear mass matrix loses
/// definiteness [CibicikEgeland, xyz].
inline FlexibleManoeuvre light_hub(SectionRotation rotation = SectionRotation::xyz) {
  FlexibleManoeuvre m = reference_manoeuvre("arm4", rotation);
  FlexibleTree& tree = m.tree;
  Inertia<> hub = inertia_from_parameters(tree.links.front().rigid);
  hub.mass = 60;
  hub.about_com = Sym3<>::of(Mat3<>::diagonal({2, 2, 1.2}));
  tree.links.front().rigid = parameters(hub);
  m.forces.control.kp = {2e4, 3e4, 1.2e4, 1e3};
  m.forces.control.kd = {1.2e4, 1.6e4, 4e3, 150};
  return m;
}

/// A beam along x turning about z at its root; polynomial modes (x/L)^2 .. (x/L)^(1 + count) in
/// x-y.
inline FlexibleTree polynomial_beam(const Beam& beam, int count, FlexibleLink::Joint joint) {
  FlexibleTree tree;
  tree.name = "beam";
  FlexibleLink link;
  link.name = "beam";
  link.joint = joint;
  link.beam = beam;
  for (int k = 0; k < count; ++k) {
    std::vector<double> coefficients(3 + k);
    coefficients.back() = 1;
    link.modes.push_back(
        {ModeDirection::bend_y, polynomial_shape(beam.length, std::move(coefficients)), 0});
  }
  tree.links.push_back(std::move(link));
  return tree;
}

}  // namespace axode::test
