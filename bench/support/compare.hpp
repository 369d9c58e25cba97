/// Times the operations of all contenders side by side and prints a table of ratios.
#pragma once
#include <string>
#include <vector>

namespace axode::bench {

struct Comparison {
  std::string title;
  std::string subject;             ///< the contender that all others are compared with
  std::vector<std::string> peers;  ///< get a column of times and one of ratios
  std::vector<std::string> wide;   ///< get a column of times per system
  double tolerance = 1e-12;        ///< largest difference of results, absolute
};

/// Checks that all contenders agree, times them, and prints the table in Markdown. A contender with
/// several writings of an operation is given the fastest. Of each time the median of repetitions is
/// taken, those of all contenders in random order. Arguments: --json=FILE writes all times there,
/// --benchmark_* are those of Google Benchmark. Returns the exit status of the program.
int compare(const Comparison& comparison, int argc, char** argv);

}  // namespace axode::bench
