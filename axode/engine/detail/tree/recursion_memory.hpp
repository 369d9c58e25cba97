/// Memory of the recursions of kinematics/ and dynamics/, which an Engine evaluates on its own poses.
#pragma once
#include <optional>
#include <tuple>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/kinematics/centre_of_mass.hpp"

namespace axode::engine {

/// Each part is made on first use.
class RecursionMemory {
 public:
  template <class Part>
  Part& get(const Tree& tree) {
    std::optional<Part>& part = std::get<std::optional<Part>>(parts_);
    if (!part) part.emplace(tree);
    return *part;
  }

 private:
  template <class... Parts>
  using Optional = std::tuple<std::optional<Parts>...>;
  Optional<Poses<double>, Motion<Rep::body>, Motion<Rep::spatial>, Motion<Rep::hybrid>,
           Motion<Rep::mixed>, MassSums<double>, Composite<double>, Coriolis<double>,
           InverseDynamics<Rep::body>, InverseDynamics<Rep::spatial>, InverseDynamics<Rep::hybrid>,
           InverseDynamics<Rep::mixed>, ForwardDynamics<Rep::body>, InverseDerivativesWork<double>>
      parts_;
};

}  // namespace axode::engine
