/// All ways to assemble a mechanism with its drivers held: searched from random poses, or along the
/// curve of configurations.
///
/// Bodies are thrown into a box of the size of the model, or hung on a tree of joints by chance,
/// closed by solve_position and compared by their poses. What has been missed is estimated by what
/// was found once: the chance that the next success is a new mode is about singletons / successes
/// [Good1953], and the number of modes is at least modes + singletons^2 / (2 doubletons) [Chao1984].
/// A mode met by the share p of n successes has been missed with the chance exp(-p n): a search is
/// never certain. Coupled angles are tried on several turns, which make poses of their own
/// (coupled_turns.hpp). Cost: starts x position solves.
/// Continuation moves a driver, follows the curve through the guess past dead points and takes all
/// modes met at the driver's value: those that can be reached without taking it apart, as far as the
/// curve has no branches. Other components of the curve are not seen.
/// Tests: tests/mechanism/analysis/assembly_modes_test.cpp
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/analysis/position.hpp"

namespace axode {

enum class AssemblyMethod : std::uint8_t { multistart, continuation };
struct AssemblyOptions {
  AssemblyMethod method = AssemblyMethod::multistart;
  int driver = 0;          ///< continuation: the one that is moved
  int starts = 20000;      ///< at most
  int least_starts = 100;  ///< before the search may end
  /// Ends when every mode was found this often, after as many successes for each mode.
  int hits = 5, successes = 500;
  int failures = 1000;     ///< gives up after as many without any success
  double seconds = 20;     ///< at most, by the clock
  std::uint64_t seed = 1;  ///< the same numbers give the same search
  double same = 1e-6;      ///< poses differ less: one mode; relative to the model's size, rad
  PositionOptions position{.iterations = 80};
  /// Asked before each start but the first, and before each step of a continuation: true ends the
  /// search, which is not complete then.
  std::function<bool()> should_stop = {};
};
struct AssemblyMode {
  std::vector<double> q;
  std::vector<SE3<double>> poses;
  int hits = 0;
  bool singular = false;             ///< the Jacobian loses rank there, or modes are not isolated
  std::vector<SO3<double>> seats{};  ///< what Euler angles of q refer to: MechanismSystem::seat
};
struct [[nodiscard]] AssemblyResult {
  std::vector<AssemblyMode> modes;  ///< in the order found; the first from q itself, if it closes
  int starts = 0, successes = 0, mirrored = 0;
  double unseen = 1;           ///< estimated chance that the next success is a new mode
  double estimated_modes = 0;  ///< by capture and recapture
  double missed = 1;           ///< chance that a mode met by a thousandth of successes was missed
  bool complete = false;       ///< searched as long as options ask for; never by continuation
  bool closed_curve = false;   ///< continuation: the curve was followed until it closed
  int dead_points = 0;         ///< continuation: passed on the way
  bool isolated = true;        ///< false: the mechanism moves with its drivers held
  std::string message;
};
/// `q`: a guess to begin with, such as from_poses of the reference configuration.
AssemblyResult assembly_modes(MechanismSystem& system, double t, std::span<const double> q,
                              const AssemblyOptions& options = {});
/// Bodies whose poses differ between the modes by more than 1e-6, relative to the distances or in rad; rising.
std::vector<std::size_t> bodies_that_differ(std::span<const AssemblyMode> modes);

}  // namespace axode
