/// What is impossible or odd about a model that can be read: inertias no rigid body has, meshes that are
/// no meshes, forces and states no simulation takes.
///
/// Readers refuse what they cannot make a model of, and files of broken meshes stay unread until somebody
/// draws them; here all that a model names is looked into, and the first step of a simulation is taken.
/// Cost: that of reading each mesh once, and of a step.
/// Tests: tests/io/model_check_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

struct ModelFindings {
  std::vector<Warning> warnings;  ///< of reading a tree, of inertias; of links never impossible
  std::vector<std::string>
      broken_meshes;  ///< "file: body: mesh: what is wrong" of files that are there
};
/// Throws Error where a simulation by the default options would not get beyond its start with these
/// forces and this state. Trees without any mass serve kinematics and have a warning that says so.
ModelFindings check_model(const Scene& scene);
ModelFindings check_model(const FlexibleSetup& setup);
/// Of its inertias alone: how a mechanism is assembled for a simulation is up to the caller.
ModelFindings check_model(const Mechanism& mechanism);

}  // namespace axode
