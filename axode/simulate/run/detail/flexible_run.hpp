// Flexible trees as models of run_loop.hpp; simulate_flexible.cpp instantiates it.
#pragma once
#include <algorithm>
#include <limits>

#include "axode/simulate/run/detail/run_loop.hpp"
#include "axode/simulate/systems/deflection_watch.hpp"

namespace axode::detail {

struct FlexibleTask : RunTask {
  const FlexibleTree& tree;
  const FlexibleForces& forces;
  const State<double>& initial;
};

/// States (q, v), with `ends_with_work` (q, v, work). Samples are evaluated by another system than steps:
/// that of the stepper keeps what it has evaluated.
template <bool ends_with_work>
struct FlexibleModelOfRun {
  static constexpr bool has_work = ends_with_work, samples_the_end = false;
  const FlexibleTask& task;
  FlexibleSystem& stepping;
  FlexibleSystem at;
  DeflectionWatch deflections;
  double fell_back = std::numeric_limits<double>::quiet_NaN();  ///< end of the first step that did
  double fallbacks_before = 0;                                  ///< of the runs this one continues
  std::vector<double> nothing{};

  FlexibleModelOfRun(const FlexibleTask& of, FlexibleSystem& system);
  std::vector<double> state() const;
  void look(double t, std::span<const double> x) {
    const std::size_t n = task.initial.q.size();
    at.place(t, x.first(n), x.subspan(n, n));
  }
  const std::vector<double>& q() const noexcept { return at.q(); }
  const std::vector<double>& v() const noexcept { return at.v(); }
  double fill(double t, Sample& s);
  double energy(double);
  static double work(std::span<const double> x) { return x.back(); }
  static bool does_work() { return true; }
  double power(double t) { return at.evaluate(t) ? at.power() : 0; }
  template <class F>
  void see_controlled(F&& f) {
    f(at.q(), at.v());
  }
  void put(double t, std::span<const double> q, std::span<const double> v, std::span<double> x);
  double next_discontinuity(double t) const { return axode::next_discontinuity(task.forces, t); }
  void stepped(double t, std::span<const double> x);
  Correction correct(double t, std::span<const double> x);
  void save(std::vector<double>& numbers) const;
  void load(SavedNumbers& saved);
  static long factorizations() { return 0; }
  void explain(StepVerdict verdict, RunResult& result);
  void explain_limit(const StepLimit& limit, RunResult& result);
  void finish(RunResult& result);

 private:
  double fallbacks() const noexcept {
    return fallbacks_before + static_cast<double>(stepping.fallbacks());
  }
  bool explain_mass(RunResult& result);
};

}  // namespace axode::detail
