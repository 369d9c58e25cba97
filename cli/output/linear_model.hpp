/// Linearized equations of motion of any kind of model as quantities: A, B, M, D, K and the eigenvalues of A.
/// Tests: tests/cli/verbs_test.py
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axode/dynamics/derivatives/linearize.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

/// x' = A x + B dtau and M dv' + D dv + K dq = dtau, with x = (dq, dv).
struct LinearModel {
  DenseMatrix<double> A, B, M, D, K;
};

/// Holds the names that quantities refer to.
class LinearModelNames {
 public:
  /// The names of dq, dv and dtau.
  explicit LinearModelNames(std::vector<std::string> coordinates);
  const std::vector<std::string>& coordinates() const noexcept { return coordinates_; }
  const std::vector<std::string>& state() const noexcept { return state_; }
  /// A number for each coordinate, of the state that is linearized about.
  Quantity values(std::string_view key, std::string_view title,
                  const std::vector<std::string>& units, std::vector<double> numbers) const;
  /// Adds the matrices, and of each eigenvalue its frequency [Hz] and damping ratio.
  void add_quantities(const LinearModel& model, std::vector<Quantity>& to) const;

 private:
  std::vector<std::string> coordinates_, state_, numbers_;
};

/// Prints one model: as JSON the members of `head`, the names and all quantities; as CSV a row for each
/// number of the state, A, then B; as text the title and all quantities. Throws NumericalError if one is not
/// finite.
void print_linear_model(const std::vector<std::pair<std::string, std::string>>& head,
                        const std::string& title, const LinearModelNames& names,
                        const LinearModel& model, std::span<const Quantity> quantities, bool json,
                        bool csv);

}  // namespace axode::cli
