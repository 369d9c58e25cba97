/// Mass matrix and forces of a flexible tree with their derivatives along one coordinate or speed.
///
/// By dual numbers, to rounding. Exact model: Dual<double>. Linear model: Dual<Dual<double>>, where
/// the inner dual part is the elastic order and the outer one the derivative, so that the
/// derivatives are those of the linear equations. Cost about 2 (4) evaluations of the equations for
/// each direction.
/// Tests: tests/flexible/tree/tangent_test.cpp
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "axode/flexible/tree/dynamics.hpp"

namespace axode {

/// A unit step of one coordinate, or of its speed; none if it is negative.
struct TangentDirection {
  int coordinate = -1;
  bool speed = false;
};
struct FlexibleTangent {
  std::vector<double> mass, mass_rate;      ///< by rows
  std::vector<double> forces, forces_rate;  ///< as of flexible_equations: without K q and D v
};

/// The equations of one model with memory; of one thread. The tree must outlive it.
class TangentEquations {
 public:
  /// Throws Error on coordinates kept exact that are not elastic ones of the tree.
  TangentEquations(const FlexibleTree& tree, FlexibleModel model,
                   const std::vector<int>& kept_exact = {});
  ~TangentEquations();
  const FlexibleTree& tree() const noexcept;
  /// Valid until the next call. `v` empty: at rest.
  const FlexibleTangent& operator()(std::span<const double> q, std::span<const double> v,
                                    TangentDirection along, Effect effect = Effect::all);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace axode
