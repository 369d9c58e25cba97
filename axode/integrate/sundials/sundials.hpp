/// Stiff flows through SUNDIALS: CVODE (BDF, Adams) and ARKODE (diagonally implicit Runge-Kutta), with
/// the flow's own analytic Jacobian.
///
/// SUNDIALS knows vectors alone: quaternions are integrated as numbers (number_form.hpp), and given
/// unit length wherever the state is read. The Newton matrices are dense, O(n^3): in joint
/// coordinates all entries of the Jacobian differ from zero. Large stiff systems belong into absolute
/// coordinates, whose matrices are sparse.
/// Tests: tests/integrate/sundials/sundials_test.cpp
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "axode/integrate/lie_group.hpp"
#include "axode/integrate/stepper.hpp"
#include "axode/integrate/system.hpp"

namespace axode {

enum class SundialsMethod {
  bdf,    ///< CVODE, orders 1 to 5, for stiff systems
  adams,  ///< CVODE, orders 1 to 12, for smooth ones that are not stiff
  dirk    ///< ARKODE, order 5, L-stable, one step: quick to restart
};

/// A flow with the derivative of its rate along the tangent of x: nv rows of nv numbers; false where
/// there is none.
template <class System>
concept DifferentiableFlow = Flow<System> &&
    requires(System& s, double t, std::span<const double> x, std::span<double> A) {
  { s.jacobian(t, x, A) } -> std::same_as<bool>;
};

class Sundials {
 public:
  /// Its history cannot be written down: after a checkpoint it starts anew, in every run.
  static constexpr bool restarts_at_checkpoint = true;
  /// Throws Error on tolerances that are not positive.
  Sundials(const LieGroup& group, SundialsMethod method, const StepOptions& options);

  template <DifferentiableFlow System>
  void start(System& system, double t, std::span<const double> x) {
    connect(system);
    start(t, x);
  }
  template <DifferentiableFlow System>
  StepVerdict advance(System& system, double t_stop) {
    connect(system);
    return advance(t_stop);
  }
  double time() const noexcept;
  double previous_time() const noexcept;
  std::span<const double> state() const noexcept;
  /// The interpolating polynomial of the method.
  void interpolate(double t, std::span<double> x) const;
  const StepStatistics& statistics() const noexcept;

  /// Time and state; the history is not kept.
  void save(std::vector<double>& numbers) const;
  template <DifferentiableFlow System>
  void load(System& system, std::span<const double> numbers) {
    connect(system);
    load(numbers);
  }

 private:
  struct Calls {
    void* system = nullptr;
    bool (*rate)(void*, double, std::span<const double>, std::span<double>) = nullptr;
    bool (*jacobian)(void*, double, std::span<const double>, std::span<double>) = nullptr;
  };
  template <class System>
  void connect(System& system) {
    connect({&system,
             [](void* s, double t, std::span<const double> x, std::span<double> rate) {
               return static_cast<System*>(s)->rate(t, x, rate);
             },
             [](void* s, double t, std::span<const double> x, std::span<double> A) {
               return static_cast<System*>(s)->jacobian(t, x, A);
             }});
  }
  void connect(const Calls& calls);
  void start(double t, std::span<const double> x);
  StepVerdict advance(double t_stop);
  void load(std::span<const double> numbers);

  struct Memory;
  struct Delete {
    void operator()(Memory* memory) const noexcept;
  };
  std::unique_ptr<Memory, Delete> memory_;
};

}  // namespace axode
