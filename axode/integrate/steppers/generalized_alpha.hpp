/// The generalized-alpha method on Lie groups for constrained mechanical systems, variable steps.
///
///   q1 = plus(q0, h (v0 + h (1/2 - beta) a0 + h beta a1) + s)
///   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
///   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v'1 + alpha_f v'0
///   M v'1 = f - G^T lambda,   Phi(q1) = 0,   G(q1) v1 = 0     [BruelsCardona2012; ArnoldHante2017]
///
/// Stabilised (index 2): both constraints are met in every step; s is that part of the position
/// along the constraint forces that Phi needs, of size h^3 (here by the matrix below, not by G^T alone).
/// Direct (index 3): s = 0, Phi alone is met, and G v stays off zero by some c h^2. Another step
/// asks for another such part of v0: it is scaled by (h/h0)^2, and the first one is s/h of a
/// stabilised step. Else v would jump across the constraints, and lambda be of first order only
/// [ArnoldBruels2015].
/// a0 stands for v' at t0 + (alpha_m - alpha_f) h, so that another step asks for another a0: it is
/// moved along a0 - v'0. That keeps order 2 in q, v and lambda. Each step solves by Newton's
/// iteration with one matrix, free of h in the blocks of the constraints: for h^2 v' and h^2 lambda
/// its condition and the rounding of q do not depend on h [Bottasso2008].
///   [(1 - alpha_m)/(1 - alpha_f) M + h gamma D + h^2 beta K,  G^T;  G,  0]
///
/// The spectral radius at infinity is 0.8 unless told: frequencies far beyond the step fall to a
/// tenth within ten steps (0.8^10 = 0.11), while an oscillator resolved by 20 steps a period loses
/// 0.013 % of its amplitude a period.
/// Error estimate: q against its next term, (1/6 - beta - (alpha_m - alpha_f)/2) h^2 (a1 - a0), and
/// v by the deviation of a1 from the straight line through those before.
/// Cost of a step: one factorisation, per iteration a residual and two solutions.
/// Tests: tests/integrate/steppers/generalized_alpha_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/integrate/constrained.hpp"
#include "axode/integrate/stepper.hpp"

namespace axode {

struct GeneralizedAlphaOptions {
  StepOptions step{};
  double spectral_radius = 0.8;  ///< of infinite frequencies: 0 damps in one step, 1 never
  bool fixed_step = false;       ///< step.step is kept, tolerances are not looked at
  bool direct = false;           ///< index 3: Phi = 0 alone; else G v = 0 as well
  /// Newton's iteration ends when |Phi|, |G v| and changes are below this in relation to the units
  /// of the model.
  double newton_tolerance = 1e-13;
  int max_iterations = 25;
};

class GeneralizedAlpha {
 public:
  static constexpr bool restarts_at_checkpoint = false;

  /// Throws Error on options out of range.
  explicit GeneralizedAlpha(const GeneralizedAlphaOptions& options = {});

  /// x = (q, v), moved onto the constraints if they miss them. Throws Error if they leave
  /// no acceleration.
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

  double time() const noexcept { return now_.t; }
  double previous_time() const noexcept { return before_.t; }
  std::span<const double> state() const noexcept { return now_.x; }
  /// v' and the multipliers at time().
  std::span<const double> acceleration() const noexcept { return now_.rate; }
  std::span<const double> multipliers() const noexcept { return now_.lambda; }
  /// q on the cubic in the algebra with the velocities at both ends, v on that with both v'.
  void interpolate(double t, std::span<double> x) const;
  const StepStatistics& statistics() const noexcept { return statistics_; }
  void save(std::vector<double>& numbers) const;

 private:
  struct Instant {
    double t = 0;
    std::vector<double> x, rate, lambda, a;  ///< x = (q, v); a: the acceleration-like variable
  };
  enum class Newton { converged, diverged, not_finite, no_value, singular };
  void resize(const ConstrainedView& system);
  void predict(double h);
  Newton solve(const ConstrainedView& system, double end, double h);
  void update(double h);
  /// Of a correction, in relation to q and v.
  struct Change {
    double q = 0, v = 0;
  };
  Change correct(double h);
  Newton first_solve(const ConstrainedView& system, double end, double h);
  double error(double h) const;
  double estimate_first_step() const;
  StepVerdict retry(Newton outcome, double h) const;
  void accept(double h);
  void find_offset();
  std::span<const double> q(const Instant& i) const noexcept;
  std::span<const double> v(const Instant& i) const noexcept;

  GeneralizedAlphaOptions options_;
  double alpha_m_ = 0, alpha_f_ = 0, beta_ = 0, gamma_ = 0;
  LieGroup group_, whole_;  ///< of q, of (q, v)
  int constraints_ = 0;
  Instant before_, now_, next_;
  std::vector<double> slope_;        ///< of a over the last step; empty: none is known
  std::vector<double> v0_, a0_, s_;  ///< v, a at the start of this step; part along constraints
  std::vector<double> offset_;       ///< direct: part of v across the constraints
  bool direct_ = false;              ///< how steps are solved at present
  std::vector<double> move_;         ///< in the algebra, of this step
  double next_step_ = 0, last_step_ = 0;
  StepControl control_;
  StepClock clock_;  ///< of fixed steps
  StepStatistics statistics_;
  SparseAssembly tangent_;
  SparseLu lu_;
  std::vector<double> force_, position_, velocity_, right_, second_;
  mutable std::vector<double> scratch_;
};

}  // namespace axode
