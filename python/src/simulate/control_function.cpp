/// Forces that are Python functions of the whole state: calls, and the states kept.
#include "src/simulate/control_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"

namespace axode::python {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

bool same(const std::vector<double>& a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

StateFunction::StateFunction(PyFunction function, std::vector<std::size_t> shape)
    : function_(std::move(function)), shape_(std::move(shape)) {
  for (const std::size_t n : shape_) size_ *= n;
}

const std::vector<double>& StateFunction::at(double t, std::span<const double> q,
                                             std::span<const double> v) {
  for (const Entry& e : entries_)
    if (e.known && e.t == t && same(e.q, q) && same(e.v, v)) return e.values;
  Entry& e = entries_[oldest_];
  oldest_ = (oldest_ + 1) % entries_.size();
  e.t = t;
  e.q.assign(q.begin(), q.end());
  e.v.assign(v.begin(), v.end());
  e.values.assign(size_, no_number);
  e.known = RunErrors::current()->guard([&] { function_.numbers(t, q, v, shape_, e.values); });
  if (!e.known) e.values.assign(size_, no_number);
  return e.values;
}

SampledControl::SampledControl(PyFunction function, const SimulateOptions& options,
                               const State<double>& initial, double interval)
    : function_(std::move(function)), seen_(initial), nothing_(initial.v.size(), no_number) {
  if (!(interval > 0) || !std::isfinite(interval))
    throw Error("is not a length of time", "control_interval", "give seconds above 0, or None");
  check_interval(interval, options.start, options.start + options.duration, "control_interval");
  const double count = options.duration / interval;
  if (!(count <= 1e7))
    throw LimitError("more than 1e7 control intervals are asked for", "control_interval",
                     "give a longer interval");
  times_.push_back(options.start);
  // A last interval of rounding is none.
  for (double k = 1; k < count * (1 - 1e-12); ++k) times_.push_back(options.start + k * interval);
}

std::size_t SampledControl::interval_of(double t) const noexcept {
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  return after == times_.begin() ? 0 : (after - times_.begin()) - 1;
}

const std::vector<double>& SampledControl::at(double t) {
  const std::size_t k = interval_of(t);
  for (const Held& h : held_)
    if (h.k == k) return h.tau;
  std::vector<double> tau(nothing_.size());
  const std::size_t shape[] = {tau.size()};
  const bool known = RunErrors::current()->guard(
      [&] { function_.numbers(times_[k], seen_.q, seen_.v, shape, tau); });
  if (!known) return nothing_;
  if (held_.size() >= 2) held_.erase(held_.begin());  // samples may still ask for the last one
  held_.push_back({k, std::move(tau)});
  return held_.back().tau;
}

void SampledControl::see(double t, std::span<const double> q, std::span<const double> v) {
  const std::size_t next = interval_of(t) + 1;
  if (next >= times_.size() || t != std::nextafter(times_[next], -infinity)) return;
  seen_.q.assign(q.begin(), q.end());
  seen_.v.assign(v.begin(), v.end());
}

std::optional<std::vector<double>> SampledControl::held(double t) const {
  for (const Held& h : held_)
    if (h.k == interval_of(t)) return h.tau;
  return {};
}

void SampledControl::resume(double t, std::vector<double> held) {
  if (held.size() != nothing_.size())
    throw Error("holds no force of a sampled controller", "resume",
                "resume with the options of the first run");
  held_.assign(1, {interval_of(t), std::move(held)});
}

void add_control(Forces& forces, std::shared_ptr<StateFunction> control, int nv) {
  for (int k = 0; k < nv; ++k)
    forces.joint_forces.push_back(
        {k, SignalFunction(
                [control, k](double t, std::span<const double> q, std::span<const double> v) {
                  return control->at(t, q, v)[k];
                })});
}

void add_control(Forces& forces, SimulateOptions& options, std::shared_ptr<SampledControl> control,
                 int nv) {
  for (int k = 0; k < nv; ++k)
    forces.joint_forces.push_back(
        {k, SignalFunction([control, k](double t, std::span<const double>,
                                        std::span<const double>) { return control->at(t)[k]; })});
  // Nothing, but it switches at the right times.
  const std::vector<double> times = control->switch_times();
  if (nv > 0 && !times.empty())
    forces.joint_forces.push_back(
        {0, samples(times, std::vector<double>(times.size(), 0), Between::hold)});
  options.events.push_back(
      {.name = "control",
       .value = [control](double t, std::span<const double> q, std::span<const double> v) {
         control->see(t, q, v);
         return 1.0;
       }});
}

void add_wrenches(Forces& forces, std::shared_ptr<StateFunction> wrenches, int bodies) {
  for (int b = 0; b < bodies; ++b) {
    BodyForce force;
    force.body = b;
    force.expressed_in = {{b, {}}, {b, {}}};
    for (int i = 0; i < 6; ++i) {
      const std::size_t number = 6 * b + i;
      force.wrench[i] = SignalFunction(
          [wrenches, number](double t, std::span<const double> q, std::span<const double> v) {
            return wrenches->at(t, q, v)[number];
          });
    }
    forces.wrenches.push_back(std::move(force));
  }
}

}  // namespace axode::python
