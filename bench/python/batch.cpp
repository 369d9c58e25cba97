/// Time of one batch of inverse dynamics in C++, for bench_python.py to compare with.
/// Usage: batch MODEL STATES THREADS REPEATS   prints the median and the least time of a batch [s],
/// and the least of one evaluation by the engine [s]
#include "axode/engine/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "axode/engine/engine.hpp"
#include "axode/io/model_file.hpp"

namespace {
double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

int main(int, char** arguments) {
  using namespace axode;
  const Tree tree = load_tree(arguments[1]);
  const std::size_t states = std::atoll(arguments[2]);
  Batch batch(tree, std::atoi(arguments[3]));
  const int repeats = std::atoi(arguments[4]);
  const std::size_t nv = tree.nv;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> q, v(states * nv), a(states * nv), tau(states * nv);
  for (std::size_t i = 0; i < states; ++i) {
    const std::vector<double> one = random_configuration(tree, random);
    q.insert(q.end(), one.begin(), one.end());
  }
  for (double& x : v) x = normal(random);
  for (double& x : a) x = normal(random);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    inverse_dynamics(batch, q, v, a, tau);
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  Engine engine(tree);
  const std::size_t nq = tree.nq;
  double least = 1;
  for (int i = 0; i < 20; ++i) {
    const double start = now();
    for (int k = 0; k < 1000; ++k)
      inverse_dynamics(engine, {q.data(), nq}, {v.data(), nv}, {a.data(), nv}, {tau.data(), nv});
    least = std::min(least, (now() - start) / 1000);
  }
  std::printf("%.9g %.9g %.9g\n", times[times.size() / 2], times.front(), least);
}
