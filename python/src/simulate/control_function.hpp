/// Wrenches of a simulation that are a Python function of the whole state.
///
/// The library asks for one number of them at a time; the numbers of the last few states are kept,
/// so that the function is called once for each state.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

/// f(t, q, v) -> array, evaluated where the integrator asks.
class StateFunction {
 public:
  StateFunction(PyFunction function, std::vector<std::size_t> shape);
  /// The numbers, row by row; NaN once something has gone wrong in the run.
  const std::vector<double>& at(double t, std::span<const double> q, std::span<const double> v);

 private:
  struct Entry {
    double t = 0;
    std::vector<double> q, v, values;
    bool known = false;
  };
  PyFunction function_;
  std::vector<std::size_t> shape_;
  std::size_t size_ = 1, oldest_ = 0;
  std::array<Entry, 3> entries_;  ///< differences need two
};

/// Wrenches in the body frames.
void add_wrenches(Forces& forces, std::shared_ptr<StateFunction> wrenches, int bodies);

}  // namespace axode::python
