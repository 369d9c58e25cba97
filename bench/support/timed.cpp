#include "bench/support/timed.hpp"

#include <time.h>

#include <algorithm>

namespace axode::bench {

namespace {

/// Time this thread has had the processor [s].
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds_of(const Timed& timed, int calls) {
  const double start = cpu_seconds();
  for (int i = 0; i < calls; ++i) timed.run();
  return cpu_seconds() - start;
}

}  // namespace

double Timed::undisturbed() {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 10];
}

void measure(const std::vector<Timed*>& all, int rounds, double least_seconds) {
  for (Timed* timed : all) {
    seconds_of(*timed, 3);
    timed->calls = 1 + static_cast<int>(least_seconds / (seconds_of(*timed, 10) / 10));
  }
  for (int round = 0; round < rounds; ++round)
    for (Timed* timed : all)
      timed->samples.push_back(seconds_of(*timed, timed->calls) / timed->calls);
}

}  // namespace axode::bench
