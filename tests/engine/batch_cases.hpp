/// Many states of a tree, in both layouts, and results between guards, for tests of batches.
#pragma once
#include <cstring>
#include <span>

#include "axode/engine/batch.hpp"
#include "tests/engine/engine_cases.hpp"

namespace axode::test {

using Numbers1 = std::vector<double>;

/// Those this CPU can run, narrowest first.
inline std::vector<const batch::BatchKernels*> batch_tables() {
  std::vector<const batch::BatchKernels*> tables{&batch::detail::batch_kernels_for<2>()};
#if defined(__x86_64__)
  if (best_instruction_set() != InstructionSet::baseline)
    tables.push_back(&batch::detail::batch_kernels_for<4>());
  if (best_instruction_set() == InstructionSet::avx512)
    tables.push_back(&batch::detail::batch_kernels_for<8>());
#endif
  return tables;
}
inline Batch batch_with(const Tree& tree, const batch::BatchKernels& table, int threads = 1) {
  Batch b(tree, threads);
  b.kernels = &table;
  return b;
}

/// Results of `states` states, with numbers before and behind that must stay as they are. What is
/// between them is NaN at first.
class Guarded {
 public:
  Guarded(std::size_t size, std::size_t states)
      : size_(size), numbers_(size * states + 2 * guard, NAN) {
    for (std::size_t k = 0; k < guard; ++k) numbers_[k] = numbers_[numbers_.size() - 1 - k] = 4711;
  }
  operator std::span<double>() {  // NOLINT: it is one
    return std::span(numbers_).subspan(guard, numbers_.size() - 2 * guard);
  }
  std::span<const double> values() const {
    return std::span(numbers_).subspan(guard, numbers_.size() - 2 * guard);
  }
  bool intact() const {
    for (std::size_t k = 0; k < guard; ++k)
      if (numbers_[k] != 4711 || numbers_[numbers_.size() - 1 - k] != 4711) return false;
    return true;
  }
  /// The numbers of state k.
  Numbers1 state(std::size_t k, Layout layout) const {
    Numbers1 x;
    const std::size_t states = size_ == 0 ? 0 : values().size() / size_;
    for (std::size_t i = 0; i < size_; ++i)
      x.push_back(values()[layout == Layout::by_state ? k * size_ + i : i * states + k]);
    return x;
  }
  /// The same bits, even where there are NaN.
  bool same_as(const Guarded& b) const {
    return numbers_.size() == b.numbers_.size() &&
           std::memcmp(numbers_.data(), b.numbers_.data(), numbers_.size() * sizeof(double)) == 0;
  }

 private:
  static constexpr std::size_t guard = 16;
  std::size_t size_;
  Numbers1 numbers_;
};

/// States one by one, into one of the layouts.
inline Numbers1 arranged(const std::vector<Numbers1>& states, Layout layout) {
  Numbers1 x;
  if (states.empty()) return x;
  x.resize(states.size() * states[0].size());
  for (std::size_t k = 0; k < states.size(); ++k)
    for (std::size_t i = 0; i < states[k].size(); ++i)
      x[layout == Layout::by_state ? k * states[k].size() + i : i * states.size() + k] =
          states[k][i];
  return x;
}

/// A tree, and states of it one by one.
struct BatchCase {
  Tree tree;
  std::vector<Numbers1> q, v, a, tau, external;
  std::size_t states() const { return q.size(); }
  std::vector<Wrench<Rep::body>> wrenches(std::size_t k) const {
    std::vector<Wrench<Rep::body>> w;
    const Numbers1& x = external[k];
    for (std::size_t i = 0; i < x.size(); i += 6)
      w.push_back({{x[i], x[i + 1], x[i + 2]}, {x[i + 3], x[i + 4], x[i + 5]}});
    return w;
  }
};
inline BatchCase states_of(Random& random, Tree tree, int states) {
  BatchCase c{std::move(tree), {}, {}, {}, {}, {}};
  for (int k = 0; k < states; ++k) {
    c.q.push_back(random_coordinates(random, c.tree));
    c.v.push_back(random_velocities(random, c.tree));
    c.a.push_back(random_velocities(random, c.tree));
    c.tau.push_back(random_velocities(random, c.tree, 10));
    if (!c.v.back().empty()) c.v.back()[0] = 0;  // at rest: no friction
    c.external.emplace_back();
    for (std::size_t i = 0; i < 6 * c.tree.links.size(); ++i)
      c.external.back().push_back(random.uniform(-3, 3));
  }
  return c;
}
/// Plain joints or all, any of the numbers of states that are near those of lanes.
inline BatchCase random_batch(Random& random, int max_bodies = 24, bool plain = false) {
  constexpr std::array counts{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
  const int bodies = random.integer(1, max_bodies);
  Tree tree = plain || random.integer(0, 1) == 0
                  ? random_plain_tree(random, bodies, {.chain = random.integer(0, 3) == 0})
                  : random_tree(random, bodies);
  add_random_losses(random, tree);
  if (random.integer(0, 4) == 0)
    for (Dof& dof : tree.dofs) dof.damping = dof.friction = 0;
  const std::size_t count = random.integer(0, static_cast<int>(counts.size()) - 1);
  return states_of(random, std::move(tree), counts[count]);
}

/// A case as the functions take it, in a layout.
struct Arranged {
  Arranged(const BatchCase& c, Layout of)
      : layout(of),
        q(arranged(c.q, of)),
        v(arranged(c.v, of)),
        a(arranged(c.a, of)),
        tau(arranged(c.tau, of)),
        external(arranged(c.external, of)) {}
  BatchOptions options(const Effects& effects = {}, bool loads = false) const {
    return {layout, effects, loads ? In<double>(external) : In<double>{}};
  }
  Layout layout;
  Numbers1 q, v, a, tau, external;
};

inline constexpr std::array both_layouts{Layout::by_state, Layout::by_number};
inline Effects random_effects(Random& random) {
  const auto coin = [&] { return random.integer(0, 3) != 0; };
  return {coin(), coin(), coin(), coin()};
}
inline double path_rounding(const Batch& b) { return (b.constants.path + 8) * epsilon<double>; }

}  // namespace axode::test
