/// Times of functions on one thread, taken in turn so that a slow moment of the machine meets all
/// alike.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace axode::bench {

struct Timed {
  std::string name;
  std::function<void()> run;
  int calls = 1;                  ///< in a sample
  std::vector<double> samples{};  ///< [s]
  /// The time a tenth of the samples stays below [s]: this machine's speed when nobody else slows it.
  double undisturbed();
};

/// Adds `rounds` samples of at least so many seconds to each.
void measure(const std::vector<Timed*>& all, int rounds, double least_seconds);

}  // namespace axode::bench
