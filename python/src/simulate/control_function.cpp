/// Wrenches that are a Python function of the whole state: calls, and the states kept.
#include "src/simulate/control_function.hpp"

#include <algorithm>
#include <limits>

namespace axode::python {
namespace {

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
