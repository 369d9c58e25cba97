/// Python functions called from C++: forces, controllers, events, rates.
///
/// What a function raises must not pass through integrators written in C, and shall not lose the
/// data of the run: it is kept, the run is told to stop, and it is raised again at its end.
#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "src/shared/arrays.hpp"

namespace axode::python {

/// A Python function that may be copied and destroyed without the GIL.
class PyFunction {
 public:
  /// Throws nb::type_error unless it can be called. `name` is what errors call it.
  PyFunction(nb::handle function, std::string name);
  const std::string& name() const noexcept;
  /// New reference, None at the end of the program; needs the GIL.
  nb::object object() const;
  /// Whether this is the only one that holds the function; the function, borrowed.
  bool alone() const noexcept { return held_.use_count() == 1; }
  nb::handle borrowed() const noexcept;
  /// f(t, q, v) as a finite number, or as finite numbers of the shape. Acquire the GIL. Throw
  /// Error naming function and time, and what the function raises.
  double number(double t, std::span<const double> q, std::span<const double> v) const;
  void numbers(double t, std::span<const double> q, std::span<const double> v,
               std::span<const std::size_t> shape, std::span<double> result) const;
  /// f(t, x) of one state.
  void numbers(double t, std::span<const double> x, std::span<const std::size_t> shape,
               std::span<double> result) const;
  /// f(t, x) as a finite number.
  double number(double t, std::span<const double> x) const;
  /// f(t).
  void numbers(double t, std::span<const std::size_t> shape, std::span<double> result) const;
  /// At the end of the program: functions and what refers to them would keep each other alive.
  static void let_go();

 private:
  struct Held;
  template <class... Arguments>
  nb::object call(const Arguments&... arguments) const;
  std::shared_ptr<Held> held_;
};

/// A read-only NumPy array of its own, which a function may keep.
nb::object read_only_array(std::span<const double> numbers);

/// What goes wrong in functions during a run of this thread, and Ctrl-C. Made and destroyed with
/// the GIL, used without.
class RunErrors {
 public:
  RunErrors();
  ~RunErrors();
  RunErrors(const RunErrors&) = delete;
  RunErrors& operator=(const RunErrors&) = delete;
  /// That of the run in this thread, or null.
  static RunErrors* current() noexcept;

  /// Calls f, unless something has gone wrong before; keeps what it throws. Whether it went well.
  template <class F>
  bool guard(F&& f) noexcept {
    if (failed()) return false;
    try {
      f();
      return true;
    } catch (...) {
      error_ = std::current_exception();
      stop_.store(true);
      return false;
    }
  }
  bool failed() const noexcept { return error_ != nullptr; }
  const std::atomic<bool>* stop() const noexcept { return &stop_; }
  /// Keeps an exception that passed through the run itself.
  void keep(std::exception_ptr error) noexcept {
    if (!error_) error_ = std::move(error);
  }
  /// Lets Python handle signals, some times a second: KeyboardInterrupt stops the run.
  void check_signals() noexcept;
  /// The same; whether the run, or a search, must stop.
  bool interrupted() noexcept {
    check_signals();
    return failed();
  }
  /// The same between the parts of an evaluation: throws what was kept.
  void throw_if_interrupted() {
    if (interrupted()) rethrow();
  }
  /// At the end of the program: tells all runs to stop, those of other threads.
  static void stop_all() noexcept;
  /// Throws what was kept.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static inline std::set<RunErrors*> all_{};  ///< with the GIL only
  std::exception_ptr error_;
  std::atomic<bool> stop_{false};
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  RunErrors* before_;
};

/// While it lives, functions called by this thread are outside of its run: what they raise is
/// thrown, for whoever called them within a function of the run.
class OutsideRun {
 public:
  OutsideRun() noexcept;
  ~OutsideRun();
  OutsideRun(const OutsideRun&) = delete;
  OutsideRun& operator=(const OutsideRun&) = delete;

 private:
  RunErrors* run_;
};

/// Throws Error if an interval is lost in the rounding of times between start and end: a run would
/// not get on. 0 is none.
void check_interval(double interval, double start, double end, const char* argument);

/// The argument max_steps: a whole number, 0 for the default. Throws Error or nb::type_error.
long steps_argument(nb::handle value);

/// A Python function f(t, q, v) -> float for a Signal or an event: NaN once something went wrong.
struct PySignal {
  PyFunction function;
  double operator()(double t, std::span<const double> q, std::span<const double> v) const;
};

}  // namespace axode::python
