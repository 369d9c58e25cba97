/// The equations of motion at many given states at once, with a Batch: joint forces, accelerations, mass
/// matrices and first derivatives, for states and settings that a Batch can take. All others are left to
/// solve(), and so are states at which something is wrong: it has the words for that.
///
/// Results do not depend on the number of threads, and differ from those of solve() by rounding.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/engine/batch.hpp"
#include "cli/commands/state/solve.hpp"

namespace axode::cli {

/// What is wanted of many states, beside forces or accelerations.
struct ManyWishes {
  bool mass_matrix = false, derivatives = false;
  int threads = 0;  ///< 0: as many as the CPU runs
};

class SolveMany {
 public:
  SolveMany(const Setting& setting, const ManyWishes& wishes);

  /// States to solve at once, so that memory stays bounded; 0 if none can be solved here.
  std::size_t most() const { return most_; }
  /// Throws Error if so many threads are wanted that they cannot be started.
  void solve(std::span<const GivenState> states);

  /// What was found of a state. Matrices are row by row.
  struct Found {
    Problem problem = Problem::inverse;
    std::span<const double> solution;    ///< tau or a
    std::span<const double> mass;        ///< matrix, rows along paths, if wanted
    std::span<const double> by_q, by_v;  ///< derivatives, if wanted
    std::span<const double> by_third;    ///< inverse: by a, rows along paths; forward: by tau
  };
  /// That state of the last call of solve(), good until the next call; none if it was not solved.
  const Found* find(std::size_t place);
  /// A matrix of rows along paths in full.
  std::vector<double> full(std::span<const double> along_paths);

 private:
  /// States with the same problem, one after the other.
  struct Group {
    std::vector<double> q, v, given, external;
    std::vector<double> solution, mass, by_q, by_v, by_third;
    std::size_t states = 0, solved = 0;  ///< the first ones are solved
  };
  void make_batch(std::size_t states);
  void add(const GivenState& state, Group& group);
  void compute(Problem problem, Group& group);

  const Setting& setting_;
  ManyWishes wishes_;
  std::size_t most_ = 0;
  std::optional<Batch> batch_;
  Group inverse_, forward_;
  struct Place {
    const Group* group;
    std::size_t number;
  };
  std::vector<Place> places_;
  Found found_;
  Poses<double> poses_;
  std::vector<Wrench<Rep::body>> external_;
  PathMatrix<double> paths_;
};

}  // namespace axode::cli
