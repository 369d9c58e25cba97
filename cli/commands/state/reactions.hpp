/// What joints bear and what energy a moving tree has, as results of `axode dynamics`.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "axode/model/frames.hpp"
#include "cli/commands/state/solve.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

/// The wrenches that the joints transmit on their bodies, in the representation of the setting or
/// all expressed in one frame.
class Reactions {
 public:
  /// `expressed_in` is a frame, or empty. Throws Error if the tree has no such.
  Reactions(const Setting& setting, const std::string& expressed_in);
  void add(const SolvedState& state, std::vector<Quantity>& to) const;

 private:
  const Setting& setting_;
  std::optional<FrameChoice> frame_;
  std::string title_;
  std::vector<std::string> csv_;
};

/// Energies, power and momenta.
void add_energies(const Setting& setting, const SolvedState& state, std::vector<Quantity>& to);

}  // namespace axode::cli
