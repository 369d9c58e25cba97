/// Errors that name the state, and checks of results.
#include "src/shared/states.hpp"

namespace axode::python {

void rethrow_naming_state(std::size_t state) {
  const auto where = [state](const Error& e) {
    return (e.where().empty() ? "" : e.where() + ", ") + "state " + std::to_string(state);
  };
  try {
    throw;
  } catch (const SingularError& e) {
    throw SingularError(e.problem(), where(e), e.remedy());
  } catch (const LimitError& e) {
    throw LimitError(e.problem(), where(e), e.remedy());
  } catch (const IoError& e) {
    throw IoError(e.problem(), where(e), e.remedy());
  } catch (const Error& e) {
    throw Error(e.problem(), where(e), e.remedy());
  }
}

void check_numbers(std::span<const double> numbers, const char* argument) {
  if (!all_finite(numbers)) throw Error("has a number that is not finite", argument);
}
void check_result(std::span<const double> numbers) {
  if (!all_finite(numbers)) throw Error("the result is not finite", "", "give smaller numbers");
}

nb::object finished(const Batching& batching, const Output& result) {
  if (!all_finite(result.all()))
    for_states(batching, [&](std::size_t i) { check_result(result[i]); });
  return result.array;
}
nb::object number_or_array(const Batching& batching, const Output& numbers) {
  const nb::object all = finished(batching, numbers);
  return batching.batched ? all : nb::float_(numbers.data[0]);
}

}  // namespace axode::python
