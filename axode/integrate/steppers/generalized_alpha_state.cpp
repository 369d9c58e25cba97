// Dense output and checkpoints of generalized-alpha.
#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/integrate/steppers/generalized_alpha.hpp"

namespace axode {
namespace {}  // namespace

void GeneralizedAlpha::interpolate(double t, std::span<double> x) const {
  const double h = now_.t - before_.t;
  const double u = h > 0 ? (t - before_.t) / h : 1;
  const std::size_t n = group_.nv, nx = group_.nx;
  const std::span<double> whole = std::span(scratch_).first(n);
  const std::span<double> end = std::span(scratch_).subspan(n, n);
  const std::span<double> d = std::span(scratch_).subspan(2 * n, n);
  difference(group_, q(before_), q(now_), whole);
  inverse_dexp(group_, whole, v(now_), end);
  // Hermite's cubics: from zero with the first rate, to `whole` with the second.
  const double first = h * u * (1 - u) * (1 - u), second = h * u * u * (u - 1);
  const double step = u * u * (3 - 2 * u);
  for (std::size_t k = 0; k < n; ++k) {
    const double v0 = before_.x[nx + k], v1 = now_.x[nx + k];
    d[k] = step * whole[k] + first * v0 + second * end[k];
    x[nx + k] = v0 + step * (v1 - v0) + first * before_.rate[k] + second * now_.rate[k];
  }
  plus(group_, q(before_), d, x.first(nx));
}

void GeneralizedAlpha::save(std::vector<double>& numbers) const {
  numbers.assign({now_.t, next_step_, last_step_, control_.before, control_.rejected ? 1.0 : 0.0,
                  slope_.empty() ? 0.0 : 1.0, clock_.t0, clock_.step, clock_.n});
  for (const std::vector<double>* x :
       {&now_.x, &now_.rate, &now_.a, &now_.lambda, &offset_, &slope_})
    numbers.insert(numbers.end(), x->begin(), x->end());
  // The pivots decide about the last bits.
  numbers.insert(numbers.end(), lu_.pivot_values().begin(), lu_.pivot_values().end());
}

void GeneralizedAlpha::load(const ConstrainedView& system, std::span<const double> numbers) {
  resize(system);
  const std::size_t fixed = 9 + now_.x.size() + 3 * now_.a.size() + now_.lambda.size();
  if (numbers.size() < fixed || (numbers[5] != 0 && numbers.size() < fixed + now_.a.size()))
    throw Error("the numbers are not those of this system", "GeneralizedAlpha",
                "load what save gave");
  std::size_t next = 9;
  const auto take = [&](std::vector<double>& x) {
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(next), x.size(), x.begin());
    next += x.size();
  };
  now_.t = numbers[0];
  next_step_ = numbers[1];
  last_step_ = numbers[2];
  control_.before = numbers[3];
  control_.rejected = numbers[4] != 0;
  clock_ = {numbers[6], numbers[7], numbers[8]};
  if (numbers[5] != 0) slope_.resize(now_.a.size());
  for (std::vector<double>* x : {&now_.x, &now_.rate, &now_.a, &now_.lambda, &offset_, &slope_})
    take(*x);
  before_ = now_;
  if (next == numbers.size()) return;
  system.tangent({now_.t, q(now_), v(now_), now_.rate, now_.lambda}, {}, tangent_);
  if (numbers.size() - next != tangent_.matrix.value.size())
    throw Error("the numbers are not those of this system", "GeneralizedAlpha",
                "load what save gave");
  take(tangent_.matrix.value);
  lu_.factor(tangent_.matrix);
}

}  // namespace axode
