#include "axode/integrate/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/spans.hpp"

namespace axode {

namespace {

double square(double a) noexcept { return a * a; }
/// In<> units of a weight, which is zero where atol is and the number stays zero: no error then.
double weighed(double a, double weight) noexcept { return a == 0 ? 0 : a / weight; }
double length(const double* p) noexcept {
  return std::sqrt(square(p[0]) + square(p[1]) + square(p[2]));
}

/// sum over all velocities of (a_i/w_i)^2 with weights between the states x0 and x1.
double weighted_squares(const LieGroup& group, const StepOptions& o, In<> x0, In<> x1,
                        In<> a) noexcept {
  double sum = 0;
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *b0 = x0.data() + first, *b1 = x1.data() + first, *e = a.data() + velocity;
    if (kind == LieGroup::Kind::real) {
      for (int i = 0; i < count; ++i)
        sum += square(weighed(e[i], o.atol + o.rtol * std::max(std::abs(b0[i]), std::abs(b1[i]))));
      continue;
    }
    const double turn = 1 / (o.atol + o.rtol);
    for (int i = 0; i < 3; ++i) sum += square(e[i] * turn);
    if (kind == LieGroup::Kind::so3 || kind == LieGroup::Kind::so3_left) continue;
    const double way = o.atol + o.rtol * std::max(length(b0 + 4), length(b1 + 4));
    for (int i = 3; i < 6; ++i) sum += square(weighed(e[i], way));
  }
  return sum;
}
double rms(double sum, const LieGroup& group) noexcept {
  return std::sqrt(sum / std::max(group.nv, 1));
}

/// Size of the state itself in units of the tolerance: rotations count as 1 rad.
double state_norm(const LieGroup& group, const StepOptions& o, In<> x) noexcept {
  double sum = 0;
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double* b = x.data() + first;
    const auto part = [&](double size) { return square(weighed(size, o.atol + o.rtol * size)); };
    if (kind == LieGroup::Kind::real) {
      for (int i = 0; i < count; ++i) sum += part(std::abs(b[i]));
      continue;
    }
    sum += 3 * part(1);
    if (kind == LieGroup::Kind::se3 || kind == LieGroup::Kind::se3_left)
      sum += 3 * part(length(b + 4));
  }
  return rms(sum, group);
}

}  // namespace

void check_options(const StepOptions& o, bool adaptive, const char* where) {
  if (!(o.rtol >= 0 && o.atol >= 0 && o.rtol + o.atol > 0))
    throw Error("rtol " + std::to_string(o.rtol) + ", atol " + std::to_string(o.atol), where,
                "give tolerances of which one is above zero and none below");
  if (!(o.step >= 0 && o.min_step >= 0 && o.max_step >= 0) || o.min_step > o.longest())
    throw Error("steps are lengths of time: step " + std::to_string(o.step) + ", min_step " +
                    std::to_string(o.min_step) + ", max_step " + std::to_string(o.max_step),
                where, "give 0 <= min_step <= max_step, or 0 for any");
  if (!adaptive && !(o.step > 0 && std::isfinite(o.step)))
    throw Error("no step", where, "give the length of the fixed step, above zero");
}

double error_norm(const LieGroup& group, const StepOptions& options, In<> x0, In<> x1,
                  In<> error) noexcept {
  return rms(weighted_squares(group, options, x0, x1, error), group);
}

double first_probe(const LieGroup& group, const StepOptions& options, In<> x, In<> rate) noexcept {
  const double size = state_norm(group, options, x);
  const double speed = error_norm(group, options, x, x, rate);
  const double probe = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  return std::min(probe, options.longest());
}

double first_step(const LieGroup& group, const StepOptions& options, int order, In<> x, In<> rate,
                  In<> rate_at_probe, double probe, std::span<double> scratch) noexcept {
  for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = rate_at_probe[i] - rate[i];
  const double speed = error_norm(group, options, x, x, rate);
  const double bend = error_norm(group, options, x, x, scratch) / probe;
  const double largest = std::max(speed, bend);
  const double step =
      largest <= 1e-15 ? std::max(1e-6, probe * 1e-3) : std::pow(0.01 / largest, 1.0 / (order + 1));
  const double wanted = std::min(100 * probe, step);
  if (!std::isfinite(wanted)) return probe;
  return std::clamp(wanted, options.min_step, options.longest());
}

StepControl StepControl::of_order(int k) noexcept { return {1.0 / k, 0.2 / k, 1e-4, false}; }

double StepControl::accept(double error) noexcept {
  const double e = std::max(error, 1e-10);
  const double factor =
      0.9 * std::pow(e, -(exponent - 0.75 * memory)) * std::pow(std::max(before, 1e-4), memory);
  before = e;
  const double limit = rejected ? 1.0 : 10.0;
  rejected = false;
  return std::clamp(factor, 0.2, limit);
}
double StepControl::reject(double error) noexcept {
  rejected = true;
  if (!std::isfinite(error)) return 0.25;
  return std::clamp(0.9 * std::pow(error, -exponent), 0.1, 0.9);
}

StepClock::Plan StepClock::plan(double t, double t_stop) const noexcept {
  const double end = t0 + (n + 1) * step;
  const double slack = 1e-9 * step + 4 * std::numeric_limits<double>::epsilon() * std::abs(end);
  if (end < t_stop - slack) return {end, step, true};
  // Landing by rounding keeps the step itself, so that all steps are the same.
  return {t_stop, std::abs(end - t_stop) <= slack ? step : t_stop - t, false};
}
void StepClock::accept(const Plan& plan) noexcept {
  if (plan.on_grid)
    n += 1;
  else
    t0 = plan.t, n = 0;
}

double step_end(double t, double h, double t_stop) noexcept {
  const double rest = t_stop - t;
  if (rest <= h * (1 + 1e-9)) return t_stop;
  return rest < 2 * h ? t + 0.5 * rest : t + h;
}

void StepSize::restart(double t) noexcept {
  clock = {t, options.step, 0};
  control = {control.exponent, control.memory};
  h = options.step > 0 ? std::min(options.step, options.longest()) : 0;
}
bool StepSize::shrink(double t, double end, double error) noexcept {
  const double tried = end - t;
  const double least = std::max({options.min_step, std::numeric_limits<double>::min(),
                                 8 * std::numeric_limits<double>::epsilon() * std::abs(t)});
  if (!(tried > 1.5 * least)) return false;  // t + least is rounded
  h = std::max(tried * control.reject(error), least);
  return true;
}
void StepSize::save(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(),
                 {h, control.before, control.rejected ? 1.0 : 0.0, clock.t0, clock.n});
}
In<> StepSize::load(In<> numbers) noexcept {
  h = numbers[0];
  control.before = numbers[1];
  control.rejected = numbers[2] != 0;
  clock = {numbers[3], options.step, numbers[4]};
  return numbers.subspan(5);
}

void check_saved(In<> numbers, std::size_t count, const char* where) {
  if (numbers.size() != count)
    throw Error(std::to_string(numbers.size()) + " numbers instead of " + std::to_string(count),
                where, "load what save of the same method and system gave");
}

}  // namespace axode
