/// Constrained mechanical systems on a Lie group, as the implicit integrators see them:
///
///   M v' = f(t, q, v) - G^T lambda,   0 = Phi(t, q),   0 = dPhi/dt = G v + Phi_t [BruelsCardona2012]
///
/// with q on a LieGroup and v in its algebra; Phi_t is zero unless constraints are driven. A system is any struct with the members the concept
/// names; the integrators are compiled once, against a table of its functions.
/// Tests: tests/integrate/constrained_test.cpp
#pragma once
#include <concepts>
#include <span>
#include <vector>

#include "axode/integrate/lie_group.hpp"
#include "axode/linalg/sparse.hpp"

namespace axode {

/// Where a constrained system is evaluated.
struct ConstrainedPoint {
  double t = 0;
  std::span<const double> q, v, a, lambda;
};
/// What a constrained system answers: M a - f + G^T lambda, Phi and G v + Phi_t.
struct ConstrainedResidual {
  std::span<double> force, position, velocity;
};
/// Factors of the parts of a tangent matrix, in the tangent of q:
///   [identity 1 + mass M + damping D + stiffness K,  G^T;  G + rate d(G v + Phi_t)/dq,  0]
/// with D = -df/dv and K = d(M a - f + G^T lambda)/dq.
struct TangentScale {
  double identity = 0, mass = 0, damping = 0, stiffness = 0, rate = 0;
};

template <class S>
concept Constrained = requires(S& s, const S& c, const ConstrainedPoint& at,
                               const ConstrainedResidual& r, const TangentScale& scale,
                               SparseAssembly& matrix, std::span<double> result) {
  { c.configuration() } -> std::convertible_to<const LieGroup&>;
  { c.constraints() } -> std::convertible_to<int>;
  { s.residual(at, r) } -> std::same_as<bool>;  // false: no value here
  s.constraint_rate(at, result);                // dG/dt v + dPhi_t/dt
  s.tangent(at, scale, matrix);                 // between begin and end of the caller
};

/// A constrained system by its functions; refers to the system.
struct ConstrainedView {
  void* system = nullptr;
  const LieGroup* group = nullptr;
  int constraints = 0;
  bool (*residual_)(void*, const ConstrainedPoint&, const ConstrainedResidual&) = nullptr;
  void (*rate_)(void*, const ConstrainedPoint&, std::span<double>) = nullptr;
  void (*tangent_)(void*, const ConstrainedPoint&, const TangentScale&, SparseAssembly&) = nullptr;

  int nx() const noexcept { return group->nx; }
  int nv() const noexcept { return group->nv; }
  bool residual(const ConstrainedPoint& at, const ConstrainedResidual& r) const {
    return residual_(system, at, r);
  }
  void constraint_rate(const ConstrainedPoint& at, std::span<double> result) const {
    rate_(system, at, result);
  }
  /// The whole assembly.
  void tangent(const ConstrainedPoint& at, const TangentScale& scale, SparseAssembly& m) const {
    m.begin(nv() + constraints);
    tangent_(system, at, scale, m);
    m.end();
  }
};
template <Constrained S>
ConstrainedView view(S& system) {
  return {&system,
          &system.configuration(),
          system.constraints(),
          [](void* s, const ConstrainedPoint& at, const ConstrainedResidual& r) {
            return static_cast<S*>(s)->residual(at, r);
          },
          [](void* s, const ConstrainedPoint& at, std::span<double> result) {
            static_cast<S*>(s)->constraint_rate(at, result);
          },
          [](void* s, const ConstrainedPoint& at, const TangentScale& scale, SparseAssembly& m) {
            static_cast<S*>(s)->tangent(at, scale, m);
          }};
}

/// Work space of the functions below; made at the first call.
struct ConstrainedWork {
  SparseAssembly tangent;
  SparseLu lu;
  std::vector<double> force, position, velocity, zero_a, zero_lambda, right, x;
};

/// The acceleration and the multipliers at (t, q, v):
///   [M G^T; G 0] (a, lambda) = (f, -dG/dt v - dPhi_t/dt).
/// Returns false if the matrix is singular (redundant constraints, degrees of freedom without inertia) or the
/// forces have no value.
bool consistent_acceleration(const ConstrainedView& system, double t, std::span<const double> q,
                             std::span<const double> v, std::span<double> a,
                             std::span<double> lambda, ConstrainedWork& work);
/// v moved least, as numbers, to G v + Phi_t = 0. Returns false on redundant constraints.
bool project_velocity(const ConstrainedView& system, double t, std::span<const double> q,
                      std::span<double> v, ConstrainedWork& work);

struct [[nodiscard]] ProjectionResult {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< largest |Phi| left
};
/// q moved to Phi = 0 by Newton steps of least length (Gauss-Newton): near the closest point.
ProjectionResult project_position(const ConstrainedView& system, double t, std::span<double> q,
                                  ConstrainedWork& work, double tolerance = 1e-13,
                                  int max_iterations = 50);

/// Moves x = (q, v) onto the constraints if it is further off than rounding: states between steps,
/// at events, are. Returns false if that fails; redundant constraints that are met are left to
/// later.
bool make_consistent(const ConstrainedView& system, double t, std::span<double> x,
                     ConstrainedWork& work);

}  // namespace axode
