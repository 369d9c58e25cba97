/// Accelerations of a flexible tree by the linear or the exact equations, chosen at run time.
///
///   M(q) v' = tau - forces(q, v) - K q - D v
///
/// M is factored by Cholesky. The exact M is positive definite; the linear one, a truncated square, may
/// lose it while deflections are still small, which is reported and never regularised away: evaluation
/// then fails, or falls back to the exact equations at that state where asked for, and counts it.
/// Chosen elastic coordinates may be kept exact in the linear equations.
/// Tests: tests/flexible/tree/dynamics_test.cpp
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "axode/flexible/tree/equations.hpp"

namespace axode {

enum class FlexibleModel : std::uint8_t { linear, nonlinear };
std::string_view name(FlexibleModel model) noexcept;

struct FlexibleDynamicsOptions {
  FlexibleModel model = FlexibleModel::linear;
  std::vector<int> exact_coordinates{};  ///< elastic ones kept exact in the linear model
  bool fall_back = false;  ///< to the exact equations where M is not positive definite
};

/// Where the mass matrix was not positive definite.
struct MassLoss {
  int coordinate = -1;  ///< whose pivot was not positive
  int link = -1;        ///< it belongs to
  double smallest_eigenvalue = 0;
};

/// The equations of one tree with their scratch memory; one object per thread.
class FlexibleDynamics {
 public:
  /// The tree must outlive this. Throws Error on coordinates that are not elastic ones of the tree.
  explicit FlexibleDynamics(const FlexibleTree& tree, FlexibleDynamicsOptions options = {});
  explicit FlexibleDynamics(FlexibleTree&&, FlexibleDynamicsOptions = {}) = delete;
  ~FlexibleDynamics();
  FlexibleDynamics(FlexibleDynamics&&) noexcept;

  const FlexibleTree& tree() const noexcept;
  const FlexibleDynamicsOptions& options() const noexcept;

  /// Mass matrix and forces at a state, see flexible_equations; kept until the next evaluation.
  void evaluate(std::span<const double> q, std::span<const double> v, Effect effect = Effect::all);
  std::span<const double> mass() const noexcept;    ///< by rows
  std::span<const double> forces() const noexcept;  ///< bias - gravity, without K q and D v

  /// v' for the generalized forces tau [N, N m, ...]; false where the mass matrix is not positive
  /// definite (loss() says where) or something is not finite. Does not allocate.
  bool acceleration(std::span<const double> q, std::span<const double> v,
                    std::span<const double> tau, std::span<double> rates);
  /// The same where some joints move as told: rates of `prescribed` coordinates are given in `rates`,
  /// and the forces they need come out in `tau`. The mass matrix of the others must be positive definite.
  bool acceleration_with(std::span<const int> prescribed, std::span<const double> q,
                         std::span<const double> v, std::span<double> tau, std::span<double> rates);

  /// At the last evaluation that failed or fell back; finds the smallest eigenvalue when asked.
  MassLoss loss() const;
  long fallbacks() const noexcept;  ///< evaluations that took the exact equations instead

  /// Energies at a state [J]: kinetic (1/2 v M v with the model's M), of gravity, and of deformation.
  struct Energies {
    double kinetic = 0, gravity = 0, elastic = 0;
  };
  Energies energies(std::span<const double> q, std::span<const double> v);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace axode
