#include "axode/integrate/steppers/mechanical_step.hpp"

#include "axode/core/error.hpp"
#include "axode/integrate/dense_output.hpp"

namespace axode {

MechanicalStep::MechanicalStep(const LieGroup& group, const LieGroup& of,
                               const StepOptions& options, const char* where)
    : configuration(of), nq(of.nx), nv(of.nv) {
  check_options(options, false, where);
  if (group.nx < of.nx + of.nv)
    throw Error("the state is smaller than configuration and velocity", where,
                "give the groups of one mechanical system");
  size = {options, false, 0, {}, {}};
  for (std::vector<double>* numbers : {&x, &x_before, &trial}) numbers->resize(group.nx);
  rate.resize(group.nv);
  scratch.resize(3 * nv);
}

void MechanicalStep::start(double start_time, std::span<const double> start_state) noexcept {
  t = t_before = start_time;
  std::copy(start_state.begin(), start_state.end(), x.begin());
  size.restart(t);
}

void MechanicalStep::accept(double end, double h) noexcept {
  std::swap(x_before, x);
  std::swap(x, trial);
  t = end;
  h_before = h;
}

void MechanicalStep::interpolate(double at, std::span<double> result) const noexcept {
  if (at >= t || !(t > t_before)) {
    std::copy(x.begin(), x.end(), result.begin());
    return;
  }
  const double s = std::max(0.0, (at - t_before) / (t - t_before));
  mechanical_state(configuration, x_before, x, h_before, s, scratch, result);
}

void MechanicalStep::save(std::vector<double>& numbers) const {
  numbers.push_back(t);
  size.save(numbers);
  numbers.insert(numbers.end(), x.begin(), x.end());
}

std::span<const double> MechanicalStep::load(std::span<const double> numbers) noexcept {
  t = t_before = numbers[0];
  numbers = size.load(numbers.subspan(1));
  std::copy_n(numbers.begin(), x.size(), x.begin());
  return numbers.subspan(x.size());
}

void MechanicalStep::add_extra(std::span<const double> of, double h) noexcept {
  for (std::size_t i = nq + nv; i < x.size(); ++i) trial[i] = x[i] + h * of[i + nv - nq];
}

}  // namespace axode
