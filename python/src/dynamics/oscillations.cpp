/// Natural frequencies of linearized equations: axode/dynamics/derivatives/oscillations.hpp.
#include "axode/dynamics/derivatives/oscillations.hpp"

#include "axode/core/error.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

nb::object oscillations_of(nb::handle system) {
  const nb::object matrix_A =
      nb::hasattr(system, "A") ? nb::object(nb::getattr(system, "A")) : nb::borrow(system);
  const Numbers numbers(matrix_A, "system");
  const auto shape = numbers.shape();
  if (shape.size() != 2 || shape[0] != shape[1])
    throw Error("has no square matrix A", "system", "give what linearize returned, or A");
  check_finite(numbers.all(), "system");
  const int n = static_cast<int>(shape[0]);
  const std::vector<Oscillation> found =
      oscillations({n, n, {numbers.all().begin(), numbers.all().end()}});
  std::vector<std::complex<double>> eigenvalues;
  const Output frequency({found.size()}), damping({found.size()});
  for (std::size_t k = 0; k < found.size(); ++k) {
    eigenvalues.push_back(found[k].eigenvalue);
    frequency.data[k] = found[k].frequency;
    damping.data[k] = found[k].damping_ratio;
  }
  return result("Oscillations", complex_array(eigenvalues), frequency.array, damping.array);
}

}  // namespace

void bind_dynamics_oscillations(nb::module_& m) {
  m.def(
      "oscillations", &oscillations_of, nb::arg("system"),
      nb::sig("def oscillations(system: axode._results.Linearization | axode.typing.ArrayLike) -> "
              "axode._results.Oscillations"),
      "Natural frequencies and damping ratios of x' = A x, one for each eigenvalue of A, by rising "
      "magnitude; of a linearized model of any kind, or of a matrix A (n, n).");
}

}  // namespace axode::python
