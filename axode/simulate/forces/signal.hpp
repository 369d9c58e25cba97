/// A number that changes with time or state: constant, samples, expression or a function of the user.
///
/// Samples are held before the first and after the last time; between them they are held (each value
/// from its time on), joined by lines, or by a natural cubic spline. Times where the value or its
/// slope jumps are told to the integrator, which lands on them (next_switch).
/// Tests: tests/simulate/forces/signal_test.cpp
#pragma once
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "axode/simulate/forces/expression.hpp"

namespace axode {

enum class Between : std::uint8_t { hold, linear, cubic };

/// Values at increasing times; make it by samples(), which checks them.
struct Samples {
  std::vector<double> times, values;
  Between between = Between::linear;
  std::vector<double> slopes;  ///< of the cubic spline
};
/// Throws Error unless there are as many values as times, at least one, finite, times increasing.
Samples samples(std::vector<double> times, std::vector<double> values,
                Between between = Between::linear);

/// f(t, q, v); it must be a function of these alone, and smooth between steps of the integrator.
using SignalFunction =
    std::function<double(double t, std::span<const double> q, std::span<const double> v)>;

struct Signal {
  Signal(double constant = 0) : form(constant) {}           // NOLINT: implicit
  Signal(Samples form_) : form(std::move(form_)) {}         // NOLINT: implicit
  Signal(Expression form_) : form(std::move(form_)) {}      // NOLINT: implicit
  Signal(SignalFunction form_) : form(std::move(form_)) {}  // NOLINT: implicit
  std::variant<double, Samples, Expression, SignalFunction> form;
};
/// Whether it is the constant 0.
bool is_zero(const Signal& signal) noexcept;
/// Whether it is a function of the user, whose derivatives are differences.
bool is_function(const Signal& signal) noexcept;

/// What a signal may depend on. For derivatives of functions of the user, which know no dual
/// numbers, `minus` and `plus` are the state moved by -h and h along the direction of the derivative.
template <class S>
struct SignalArguments {
  double t = 0;
  std::span<const S> q, v;
  std::span<const double> q_minus{}, v_minus{}, q_plus{}, v_plus{};
  double h = 0;
};
/// The value. Does not allocate, unless a function of the user does.
template <class S>
S value(const Signal& signal, const SignalArguments<S>& at);

/// The smallest time > t at which the signal or its slope jumps; infinity if there is none. What a
/// function of the user does is not known.
double next_switch(const Signal& signal, double t) noexcept;

}  // namespace axode
