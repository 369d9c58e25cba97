/// What functions of one state or many share: loops over states, errors that name the state,
/// results whose numbers are all finite.
#pragma once
#include <initializer_list>
#include <span>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/model/tree.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/callbacks.hpp"

namespace axode {
struct Batch;
}

namespace axode::python {

inline std::size_t bodies_of(const Tree& tree) { return tree.links.size(); }
inline std::size_t velocities_of(const Tree& tree) { return static_cast<std::size_t>(tree.nv); }

/// Throws the Error being handled again, of the same type: "q" becomes "q, state 3".
[[noreturn]] void rethrow_naming_state(std::size_t state);

/// Calls each(i) for all states, for a batch without the GIL and with the state's number in errors.
/// Ctrl-C is heard between states.
template <class Each>
void for_states(const Batching& batching, Each&& each) {
  if (!batching.batched) return each(std::size_t{0});
  RunErrors errors;
  {
    const GilRelease release;
    for (std::size_t i = 0; i < batching.count && !errors.interrupted(); ++i) {
      try {
        each(i);
      } catch (const Error&) {
        rethrow_naming_state(i);
      }
    }
  }
  errors.rethrow();
}

using axode::all_finite;
/// The same of all of these, on the threads of the batch.
bool all_finite(Batch& batch, std::initializer_list<std::span<const double>> numbers) noexcept;
/// Throws Error if a number is not finite.
void check_numbers(std::span<const double> numbers, const char* argument);
/// Throws Error if a number of a result is not finite: it overflowed, where arguments were checked.
void check_result(std::span<const double> numbers);

/// The array of a result. Throws Error if a number overflowed, naming the state of a batch.
nb::object finished(const Batching& batching, const Output& result);
/// The same of a result of one number: for one state that number.
nb::object number_or_array(const Batching& batching, const Output& numbers);

}  // namespace axode::python
