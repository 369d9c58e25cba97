/// The arm of four joints, two of its links elastic, and its manoeuvre [CibicikEgeland VI], with
/// own numbers where the publication gives none; and chains of any length.
#pragma once
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode::bench {

FlexibleTree four_joint_arm();
/// PD control to 60 degrees in each but the first joint at 0.5 s, 45 degrees in the first at 3 s.
FlexibleForces manoeuvre();
/// Joints at the first target, the rest zero.
std::vector<double> start(const FlexibleTree& tree);
/// Equal elastic links in a row, with two bending modes in each plane and one of torsion.
FlexibleTree elastic_chain(int links);

}  // namespace axode::bench
