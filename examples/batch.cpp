// A path of a PUMA 560 at 1000 points at once: the largest joint forces, and how heavy the arm is.
#include "axode/engine/batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/io/model_file.hpp"

using namespace axode;

int main() {
  const Tree tree = load_tree("models/puma560.json");
  const std::size_t states = 1000, n = 6;

  // Each joint swings at its own frequency. State after state: joint i of state k at k * n + i.
  std::vector<double> q(states * n), v(q), a(q), tau(q);
  for (std::size_t k = 0; k < states; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const double w = 1 + 0.3 * static_cast<double>(i), t = 0.01 * static_cast<double>(k);
      q[k * n + i] = 0.5 * std::sin(w * t);
      v[k * n + i] = 0.5 * w * std::cos(w * t);
      a[k * n + i] = -0.5 * w * w * std::sin(w * t);
    }

  Batch batch(tree, 2);  // two threads; make it once
  inverse_dynamics(batch, q, v, a, tau);
  std::printf("largest joint forces [N m]");
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0;
    for (std::size_t k = 0; k < states; ++k) largest = std::max(largest, std::abs(tau[k * n + i]));
    std::printf("%8.3f", largest);
  }

  // And back. The outcome names the first state with a degree of freedom without inertia.
  std::vector<double> again(a.size());
  const BatchOutcome outcome = forward_dynamics(batch, q, v, tau, again);
  double error = 0;
  for (std::size_t k = 0; k < a.size(); ++k) error = std::max(error, std::abs(again[k] - a[k]));
  std::printf("\naccelerations again: %s, to %s\n", outcome.ok() ? "all" : "not all",
              error < 1e-9 ? "rounding" : "no avail");

  // The mass matrices, number by number: the first of all states, then the second of all states, ...
  std::vector<double> by_number(q.size()), M(states * mass_matrix_size(batch));
  for (std::size_t k = 0; k < states; ++k)
    for (std::size_t i = 0; i < n; ++i) by_number[i * states + k] = q[k * n + i];
  mass_matrix(batch, by_number, M, {.layout = Layout::by_number});
  const auto [least, most] = std::minmax_element(M.begin(), M.begin() + states);
  std::printf("inertia about the first axis: %.3f to %.3f kg m^2\n", *least, *most);
}
