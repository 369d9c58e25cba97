/// Constrained mechanical systems by SUNDIALS IDA: BDF of orders 1 to 5 with variable steps.
///
///   x' = N(x) (v - G^T mu),   M v' = f - G^T lambda,   0 = Phi(x),   0 = G v
///
/// the stabilised index-2 form [GearGuptaLeimkuhler; Sundials]: both constraints are met in every
/// step to the tolerance of its Newton iteration, mu is zero but for truncation errors. Quaternions
/// are integrated as four numbers; everything is evaluated with those of unit length, and their own
/// length is drawn to 1 by (1 - |x|^2) x / 2 per second. The Jacobian is analytic and sparse,
/// factored by KLU. Multipliers take no part in error and convergence tests: they follow.
/// A multistep method keeps more than a state: after load() it starts anew.
/// Tests: tests/integrate/sundials/ida_test.cpp
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "axode/integrate/constrained.hpp"
#include "axode/integrate/stepper.hpp"

namespace axode {

class Ida {
 public:
  static constexpr bool restarts_at_checkpoint = true;

  explicit Ida(const StepOptions& options = {});
  ~Ida();
  Ida(Ida&&) noexcept;
  Ida& operator=(Ida&&) noexcept;

  /// x = (q, v), moved onto the constraints if they miss them; the system must outlive the steps.
  /// Throws Error if they leave no acceleration.
  template <Constrained System>
  void start(System& system, double t, std::span<const double> x) {
    start(view(system), t, x);
  }
  template <Constrained System>
  StepVerdict advance(System& system, double t_stop) {
    return advance(view(system), t_stop);
  }
  template <Constrained System>
  void load(System& system, std::span<const double> numbers) {
    load(view(system), numbers);
  }
  void start(const ConstrainedView& system, double t, std::span<const double> x);
  StepVerdict advance(const ConstrainedView& system, double t_stop);
  void load(const ConstrainedView& system, std::span<const double> numbers);

  double time() const noexcept { return time_; }
  double previous_time() const noexcept { return previous_; }
  std::span<const double> state() const noexcept { return state_; }
  /// v' and the multipliers at time().
  std::span<const double> acceleration() const noexcept { return acceleration_; }
  std::span<const double> multipliers() const noexcept { return lambda_; }
  void interpolate(double t, std::span<double> x) const;
  const StepStatistics& statistics() const noexcept { return statistics_; }
  void save(std::vector<double>& numbers) const;

 private:
  struct Work;
  void take();
  StepOptions options_;
  double time_ = 0, previous_ = 0;
  std::vector<double> state_, acceleration_, lambda_;
  StepStatistics statistics_;
  std::unique_ptr<Work> work_;
};

}  // namespace axode
