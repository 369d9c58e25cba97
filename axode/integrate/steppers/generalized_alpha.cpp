#include "axode/integrate/steppers/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/integrate/detail/flush_denormals.hpp"
#include "axode/linalg/largest.hpp"

namespace axode {

using detail::largest;

namespace {
constexpr const char* in_generalized_alpha = "GeneralizedAlpha";

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const GeneralizedAlphaOptions& options)
    : options_(options), control_(StepControl::of_order(3)) {
  check_options(options.step, !options.fixed_step, in_generalized_alpha);
  const double rho = options.spectral_radius;
  if (!(rho >= 0 && rho <= 1))
    throw Error("the spectral radius is not between 0 and 1", in_generalized_alpha,
                "choose 0.8, say");
  alpha_m_ = (2 * rho - 1) / (rho + 1);
  alpha_f_ = rho / (rho + 1);
  gamma_ = 0.5 + alpha_f_ - alpha_m_;
  beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
}

std::span<const double> GeneralizedAlpha::q(const Instant& i) const noexcept {
  return std::span(i.x).first(group_.nx);
}
std::span<const double> GeneralizedAlpha::v(const Instant& i) const noexcept {
  return std::span(i.x).subspan(group_.nx);
}

void GeneralizedAlpha::resize(const ConstrainedView& system) {
  group_ = *system.group;
  whole_ = LieGroup(group_).real(group_.nv);
  constraints_ = system.constraints;
  const std::size_t n = group_.nv, m = constraints_;
  for (Instant* i : {&before_, &now_, &next_}) {
    i->x.assign(group_.nx + n, 0.0);
    i->rate.assign(n, 0.0);
    i->a.assign(n, 0.0);
    i->lambda.assign(m, 0.0);
  }
  for (std::vector<double>* x : {&v0_, &a0_, &s_, &offset_, &move_, &force_}) x->assign(n, 0.0);
  direct_ = options_.direct;
  slope_.clear();
  slope_.reserve(n);
  for (std::vector<double>* x : {&position_, &velocity_}) x->assign(m, 0.0);
  for (std::vector<double>* x : {&right_, &second_}) x->assign(n + m, 0.0);
  scratch_.assign(3 * n, 0.0);
  tangent_ = {};
  lu_ = {};
}

void GeneralizedAlpha::start(const ConstrainedView& system, double t, std::span<const double> x) {
  if (static_cast<int>(x.size()) != system.nx() + system.nv())
    throw Error("the state has the wrong length", in_generalized_alpha,
                "it is q and v, one after the other");
  resize(system);
  now_.t = t;
  std::ranges::copy(x, now_.x.begin());
  ConstrainedWork work;
  if (!make_consistent(system, t, now_.x, work) ||
      !consistent_acceleration(system, t, q(now_), v(now_), now_.rate, now_.lambda, work))
    throw Error("the accelerations are not determined at the start", in_generalized_alpha,
                "remove constraints stated twice, and give moving parts inertia");
  now_.a = now_.rate;  // moved to its own time once a slope is known
  before_ = now_;
  control_ = StepControl::of_order(3);
  last_step_ = 0;
  next_step_ = options_.step.step > 0 ? options_.step.step : estimate_first_step();
  clock_ = {t, options_.step.step, 0};
}

double GeneralizedAlpha::estimate_first_step() const {
  std::vector<double> rate(whole_.nv);
  std::ranges::copy(v(now_), rate.begin());
  std::ranges::copy(now_.rate, rate.begin() + group_.nv);
  const double probe = first_probe(whole_, options_.step, now_.x, rate);
  return std::min(options_.step.longest(), probe);
}

/// Starts the iteration from constant v', and v0 and a0 from what v and a are at the start of a
/// step of length h.
void GeneralizedAlpha::predict(double h) {
  const double offset = alpha_m_ - alpha_f_;
  const double across = last_step_ > 0 ? (h / last_step_) * (h / last_step_) - 1 : 1;
  for (std::size_t k = 0; k < a0_.size(); ++k) {
    v0_[k] = now_.x[group_.nx + k] + across * offset_[k];
    if (last_step_ > 0)
      a0_[k] = now_.rate[k] + (now_.a[k] - now_.rate[k]) * (h / last_step_);
    else
      a0_[k] = now_.rate[k] + (slope_.empty() ? 0 : offset * h * slope_[k]);
    const double slope = slope_.empty() ? 0 : slope_[k];
    next_.rate[k] = now_.rate[k] + h * slope;
  }
  next_.lambda = now_.lambda;
  std::ranges::fill(s_, 0.0);
}

/// q, v and a at the end of the step from v' there.
void GeneralizedAlpha::update(double h) {
  const std::size_t n = group_.nv, nx = group_.nx;
  for (std::size_t k = 0; k < n; ++k) {
    next_.a[k] = ((1 - alpha_f_) * next_.rate[k] + alpha_f_ * now_.rate[k] - alpha_m_ * a0_[k]) /
                 (1 - alpha_m_);
    next_.x[nx + k] = v0_[k] + h * ((1 - gamma_) * a0_[k] + gamma_ * next_.a[k]);
    move_[k] = h * (v0_[k] + h * ((0.5 - beta_) * a0_[k] + beta_ * next_.a[k])) + s_[k];
  }
  plus(group_, q(now_), move_, std::span(next_.x).first(nx));
}

GeneralizedAlpha::Change GeneralizedAlpha::correct(double h) {
  const std::size_t n = group_.nv, m = constraints_;
  const double of_rate = (1 - alpha_f_) / (1 - alpha_m_);
  const double by_v = h * gamma_ * of_rate, by_q = h * h * beta_ * of_rate;
  for (std::size_t k = 0; k < n; ++k) right_[k] = -force_[k];
  for (std::size_t k = 0; k < m; ++k)
    right_[n + k] = direct_ ? -position_[k] / by_q : -velocity_[k] / by_v;
  lu_.solve(right_);
  for (std::size_t k = 0; k < n; ++k) next_.rate[k] += right_[k];
  for (std::size_t k = 0; k < m; ++k) next_.lambda[k] += right_[n + k];
  const double rate = largest(std::span(right_).first(n));
  const double sped = by_v * rate / (1 + largest(v(next_)));
  if (direct_) return {by_q * rate / (1 + largest(q(next_))), sped};
  // The position moves with v' and, along the constraint forces, by what Phi still needs then:
  // G by_q dv' = -by_q/by_v (G v) by the equations just solved.
  std::fill_n(second_.begin(), n, 0.0);
  for (std::size_t k = 0; k < m; ++k) second_[n + k] = -position_[k] + by_q / by_v * velocity_[k];
  lu_.solve(second_);
  inverse_dexp(group_, move_, std::span(second_).first(n), std::span(second_).first(n));
  for (std::size_t k = 0; k < n; ++k) s_[k] += second_[k];
  return {largest(std::span(second_).first(n)) / (1 + largest(q(next_))), sped};
}

GeneralizedAlpha::Newton GeneralizedAlpha::solve(const ConstrainedView& system, double end,
                                                 double h) {
  const double of_rate = (1 - alpha_f_) / (1 - alpha_m_);
  const ConstrainedPoint point{end, q(next_), v(next_), next_.rate, next_.lambda};
  predict(h);
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
    update(h);
    if (!all_finite(next_.x)) return Newton::not_finite;
    ++statistics_.rates;
    ++statistics_.iterations;
    if (!system.residual(point, {force_, position_, velocity_})) return Newton::no_value;
    if (iteration == 0) {
      system.tangent(
          point, {.mass = 1, .damping = h * gamma_ * of_rate, .stiffness = h * h * beta_ * of_rate},
          tangent_);
      ++statistics_.jacobians;
      ++statistics_.factorizations;
      if (!lu_.factor(tangent_.matrix)) return Newton::singular;
    }
    const Change change = correct(h);
    const double size = std::max(change.q, change.v);
    if (!std::isfinite(size)) return Newton::not_finite;
    const double rate = before < HUGE_VAL ? size / before : 1;
    // At rounding level the corrections stop to fall; v follows from q only, by 1/h, if direct.
    const double wanted = options_.newton_tolerance;
    const bool rounding = (direct_ ? change.q : size) <= 100 * wanted && rate > 0.5;
    if (size <= wanted || (rounding && (iteration > 0 || !direct_))) {
      update(h);
      return all_finite(next_.x) ? Newton::converged : Newton::not_finite;
    }
    if (iteration > 2 && size > 2 * before) return Newton::diverged;
    before = size;
  }
  return Newton::diverged;
}

/// The first step, once more when the slope of a is known, and if direct v0 from s.
GeneralizedAlpha::Newton GeneralizedAlpha::first_solve(const ConstrainedView& system, double end,
                                                       double h) {
  direct_ = false;
  Newton outcome = solve(system, end, h);
  if (outcome == Newton::converged) {
    slope_.resize(group_.nv);
    for (std::size_t k = 0; k < slope_.size(); ++k) slope_[k] = (next_.rate[k] - now_.rate[k]) / h;
    outcome = solve(system, end, h);
  }
  direct_ = options_.direct;
  if (!direct_ || outcome != Newton::converged) return outcome;
  for (std::size_t k = 0; k < offset_.size(); ++k) offset_[k] = s_[k] / h;
  return solve(system, end, h);
}

/// By the matrix of the step, from what the last residual left of G v.
void GeneralizedAlpha::find_offset() {
  std::ranges::fill(second_, 0.0);
  std::ranges::copy(velocity_, second_.begin() + group_.nv);
  lu_.solve(second_);
  std::copy_n(second_.begin(), offset_.size(), offset_.begin());
}

double GeneralizedAlpha::error(double h) const {
  const double c = 1.0 / 6 - beta_ - (alpha_m_ - alpha_f_) / 2;
  std::vector<double>& e = scratch_;
  const std::size_t n = group_.nv;
  const double rounding = 50 * std::numeric_limits<double>::epsilon() * (1 + largest(q(next_))) / h;
  for (std::size_t k = 0; k < n; ++k) {
    const double change = next_.a[k] - a0_[k];
    e[k] = c * h * h * change;
    e[n + k] = slope_.empty() ? 0 : h / 12 * (change - h * slope_[k]);
    // Shorter steps would not mend what is the rounding of q, 1/h of it in v.
    if (direct_) e[n + k] = std::copysign(std::max(std::abs(e[n + k]) - rounding, 0.0), e[n + k]);
  }
  return error_norm(whole_, options_.step, now_.x, next_.x, std::span(e).first(2 * n));
}

void GeneralizedAlpha::accept(double h) {
  slope_.resize(group_.nv);
  for (std::size_t k = 0; k < slope_.size(); ++k) slope_[k] = (next_.a[k] - a0_[k]) / h;
  if (direct_) find_offset();
  std::swap(before_, now_);
  std::swap(now_, next_);
  last_step_ = h;
  ++statistics_.steps;
}

StepVerdict GeneralizedAlpha::retry(Newton outcome, double h) const {
  const double smallest = std::max(options_.step.min_step, 1e-14 * std::max(1.0, std::abs(now_.t)));
  if (!options_.fixed_step && h > smallest) return StepVerdict::ok;
  switch (outcome) {
    case Newton::not_finite:
      return StepVerdict::not_finite;
    case Newton::no_value:
      return StepVerdict::no_rate;
    case Newton::converged:
      return StepVerdict::step_underflow;
    default:
      return StepVerdict::not_converged;
  }
}

StepVerdict GeneralizedAlpha::advance(const ConstrainedView& system, double t_stop) {
  const FlushDenormals flush;
  for (;;) {
    const double least = 8 * std::numeric_limits<double>::epsilon() * std::abs(now_.t);
    const double wanted = std::max(std::min(next_step_, options_.step.longest()), least);
    StepClock::Plan plan = clock_.plan(now_.t, t_stop);
    if (!options_.fixed_step) {
      plan.t = step_end(now_.t, wanted, t_stop);
      plan.h = plan.t - now_.t;
    }
    const Newton outcome =
        slope_.empty() ? first_solve(system, plan.t, plan.h) : solve(system, plan.t, plan.h);
    const bool solved = outcome == Newton::converged;
    const double size = solved && !options_.fixed_step ? error(plan.h) : 0;
    if (solved && size <= 1) {
      accept(plan.h);
      now_.t = plan.t;
      if (options_.fixed_step)
        clock_.accept(plan);
      else if (plan.h >= 0.99 * wanted)  // not cut by t_stop
        next_step_ = plan.h * control_.accept(size);
      return StepVerdict::ok;
    }
    ++statistics_.rejected;
    if (last_step_ == 0) {
      slope_.clear();
      std::ranges::fill(offset_, 0.0);
    }
    const StepVerdict verdict = retry(outcome, plan.h);
    if (verdict != StepVerdict::ok) return verdict;
    next_step_ = solved ? plan.h * control_.reject(size) : plan.h / 4;
  }
}

}  // namespace axode
