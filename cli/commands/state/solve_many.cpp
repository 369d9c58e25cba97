#include "cli/commands/state/solve_many.hpp"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "axode/core/finite.hpp"

namespace axode::cli {

namespace {

constexpr std::size_t max_states = 512;
constexpr std::size_t max_numbers = std::size_t{1} << 21;  ///< in memory at once: 16 MB
constexpr std::size_t fewest_states = 8;                   ///< that are worth it
constexpr std::size_t worth_threads = 64;                  ///< states

/// Numbers of a matrix with rows along paths.
std::size_t entries_along_paths(const Tree& tree) {
  const std::vector<int> parents = parent_velocities(tree);
  std::vector<std::size_t> lengths;
  lengths.reserve(parents.size());
  for (const int parent : parents) lengths.push_back(parent < 0 ? 1 : 1 + lengths[parent]);
  return std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
}

/// Numbers kept of each state.
std::size_t numbers_by_state(const Setting& setting, const ManyWishes& wishes) {
  const Tree& tree = setting.space.tree;
  const std::size_t nq = tree.nq, nv = tree.nv;
  std::size_t n = 2 * (nq + 4 * nv);  // as read, and one after the other
  if (!setting.wrenches.empty()) n += 6 * tree.links.size();
  if (wishes.mass_matrix) n += entries_along_paths(tree);
  if (wishes.derivatives) n += 3 * nv * nv;
  return n;
}

/// Interrupts are for the thread that reads states, not for those started meanwhile.
class InterruptsBlocked {
 public:
  InterruptsBlocked() {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before_);
  }
  ~InterruptsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  InterruptsBlocked(const InterruptsBlocked&) = delete;
  InterruptsBlocked& operator=(const InterruptsBlocked&) = delete;

 private:
  sigset_t before_;
};

std::vector<double> numbers_or_zeros(const std::optional<Values>& values, std::size_t n) {
  return values ? values->numbers : std::vector<double>(n, 0);
}
void append(const std::vector<double>& numbers, std::vector<double>& to) {
  to.insert(to.end(), numbers.begin(), numbers.end());
}

/// Those of state k.
std::span<const double> part(const std::vector<double>& numbers, std::size_t states,
                             std::size_t k) {
  const std::size_t n = numbers.size() / states;
  return std::span(numbers).subspan(k * n, n);
}

}  // namespace

SolveMany::SolveMany(const Setting& setting, const ManyWishes& wishes)
    : setting_(setting), wishes_(wishes), poses_(setting.space.tree) {
  const Tree& tree = setting.space.tree;
  if (tree.nv == 0) return;
  const std::size_t fit = max_numbers / numbers_by_state(setting, wishes);
  if (fit < fewest_states) return;
  most_ = std::min(fit, max_states);
  if (wishes.mass_matrix || wishes.derivatives) paths_ = PathMatrix<double>(tree);
  external_.resize(setting.wrenches.empty() ? 0 : tree.links.size());
}

void SolveMany::make_batch(std::size_t states) {
  const InterruptsBlocked blocked;
  const Tree& tree = setting_.space.tree;
  int threads = 1;
  if (states >= worth_threads)
    threads = wishes_.threads > 0
                  ? wishes_.threads
                  : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (batch_ && batch_->threads() >= threads) return;
  try {
    batch_.emplace(tree, threads);
  } catch (const Error&) {
    if (wishes_.threads > 0) throw;
    batch_.emplace(tree, 1);
  }
}

void SolveMany::add(const GivenState& state, Group& group) {
  const Tree& tree = setting_.space.tree;
  const std::size_t nv = tree.nv;
  const bool inverse = &group == &inverse_;
  places_.push_back({&group, group.states++});
  std::vector<double> q = state.q.numbers, v = numbers_or_zeros(state.v, nv),
                      given = numbers_or_zeros(inverse ? state.a : state.tau, nv);
  if (inverse)
    follow_exactly(tree, q, {&v, &given});
  else
    follow_exactly(tree, q, {&v});
  append(q, group.q);
  append(v, group.v);
  append(given, group.given);
  if (external_.empty()) return;
  poses<double>(tree, q, poses_);
  std::fill(external_.begin(), external_.end(), Wrench<Rep::body>{{0, 0, 0}, {0, 0, 0}});
  add_external_wrenches<double>(poses_, setting_.wrenches, external_);
  for (const Wrench<Rep::body>& wrench : external_) {
    const Vec6<double> w = wrench.six();
    group.external.insert(group.external.end(), {w.angular.x, w.angular.y, w.angular.z, w.linear.x,
                                                 w.linear.y, w.linear.z});
  }
}

void SolveMany::compute(Problem problem, Group& g) {
  const std::size_t n = g.states, nv = setting_.space.tree.nv;
  const BatchOptions options{.effects = setting_.effects, .external = g.external};
  BatchOutcome found;
  g.solution.resize(n * nv);
  if (wishes_.derivatives) {
    g.by_q.resize(n * nv * nv);
    g.by_v.resize(n * nv * nv);
    g.by_third.resize(n * (problem == Problem::inverse ? paths_.values.size() : nv * nv));
  }
  if (problem == Problem::inverse && wishes_.derivatives)
    inverse_dynamics_derivatives(*batch_, g.q, g.v, g.given, g.solution, g.by_q, g.by_v, g.by_third,
                                 options);
  if (problem == Problem::inverse)  // also then: tau must not depend on what else is printed
    inverse_dynamics(*batch_, g.q, g.v, g.given, g.solution, options);
  else if (wishes_.derivatives)
    found = forward_dynamics_derivatives(*batch_, g.q, g.v, g.given, g.solution, g.by_q, g.by_v,
                                         g.by_third, options);
  else
    found = forward_dynamics(*batch_, g.q, g.v, g.given, g.solution, options);
  if (wishes_.mass_matrix) {
    g.mass.resize(n * paths_.values.size());
    mass_matrix(*batch_, g.q, g.mass, {.effects = setting_.effects});
  }
  g.solved = found.ok() ? n : static_cast<std::size_t>(found.singular_state);
}

void SolveMany::solve(std::span<const GivenState> states) {
  make_batch(states.size());
  places_.clear();
  for (Group* g : {&inverse_, &forward_}) {
    for (std::vector<double>* numbers : {&g->q, &g->v, &g->given, &g->external}) numbers->clear();
    g->states = g->solved = 0;
  }
  for (const GivenState& state : states) {
    if (state.a && state.tau)
      places_.push_back({nullptr, 0});
    else
      add(state, state.tau ? forward_ : inverse_);
  }
  if (inverse_.states > 0) compute(Problem::inverse, inverse_);
  if (forward_.states > 0) compute(Problem::forward, forward_);
}

const SolveMany::Found* SolveMany::find(std::size_t place) {
  const Group* const g = places_[place].group;
  const std::size_t k = places_[place].number;
  if (!g || k >= g->solved) return nullptr;
  const auto of = [&](const std::vector<double>& numbers, bool wanted = true) {
    return wanted ? part(numbers, g->states, k) : std::span<const double>();
  };
  const Found& f = found_ = {g == &inverse_ ? Problem::inverse : Problem::forward,
                             of(g->solution),
                             of(g->mass, wishes_.mass_matrix),
                             of(g->by_q, wishes_.derivatives),
                             of(g->by_v, wishes_.derivatives),
                             of(g->by_third, wishes_.derivatives)};
  for (const std::span<const double> numbers : {f.solution, f.mass, f.by_q, f.by_v, f.by_third})
    if (!all_finite(numbers)) return nullptr;
  return &f;
}

std::vector<double> SolveMany::full(std::span<const double> along_paths) {
  std::copy(along_paths.begin(), along_paths.end(), paths_.values.begin());
  return dense(paths_).values;
}

}  // namespace axode::cli
