/// What a run of a mechanism leaves in memory: the state of its system, its coordinates, points and bodies.
#pragma once
#include "axode/io/mechanism/mechanism_run.hpp"
#include "src/mechanism/mechanism.hpp"
#include "src/simulate/run_request.hpp"

namespace axode::python::mechanisms {

/// Throws Error naming what exists; none for None.
std::vector<PointName> points_argument(const Mechanism& m, nb::handle names);

/// Adds the quantities of samples to columns.
class SystemColumns {
 public:
  /// Names of points, and whether poses and twists of all bodies are kept.
  SystemColumns(const MechanismEquations& equations, const std::vector<PointName>& points,
                bool bodies);
  RunColumns columns;  ///< without values
  void keep(const Sample& sample, MechanismSampler& sampler, RunColumns& to) const;

 private:
  bool points_, bodies_;
};

}  // namespace axode::python::mechanisms
