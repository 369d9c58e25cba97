#include "axode/engine/batch.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "axode/core/error.hpp"
#include "axode/core/workers.hpp"
#include "axode/engine/detail/batch/lengths.hpp"
#include "axode/engine/detail/batch/make_job.hpp"
#include "axode/engine/detail/batch/state_by_state.hpp"
#include "axode/engine/engine.hpp"

namespace axode {

namespace batch {
/// What a thread works in. No two threads write into one line of the cache.
struct alignas(64) ThreadMemory {
  engine::Scratch any, zero;
  std::unique_ptr<StateByState> one;
  std::ptrdiff_t singular = -1;  ///< the first state it found so
};
}  // namespace batch

namespace {

using batch::add_pattern;
using batch::count_states;
using batch::Job;
using batch::make_job;
using batch::make_pattern;
using batch::Task;
using batch::ThreadMemory;

std::size_t size(int n) { return static_cast<std::size_t>(n); }

int wanted_threads(int threads) {
  if (threads < 0 || threads > 4096)
    throw Error("there cannot be " + std::to_string(threads) + " threads", "batch",
                "ask for 1 or more, or 0 for as many as the CPU runs");
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

batch::Length external_length(const Batch& b, const BatchOptions& o) {
  return {"external", o.external.size(), o.external.empty() ? 0 : 6 * b.tree->links.size()};
}

/// Whether mass matrices do not depend on any joints but revolute and sliding ones.
bool general_joints_are_roots(const EngineTree& t) {
  return std::all_of(t.bodies.begin(), t.bodies.end(), [](const EngineBody& b) {
    return b.general < 0 || (b.parent < 0 && b.joint != EngineJoint::moving);
  });
}

/// How long a block takes [ns], roughly, in the widest registers.
double block_time(const Job& j) {
  constexpr double by_body[] = {20, 45, 110, 50, 250, 400};
  const double entries = j.first ? static_cast<double>(j.first[j.nv]) : 0;
  const double more = j.task == Task::forward_dynamics_derivatives ? 3. * j.nv : 5;
  return 1 + by_body[static_cast<int>(j.task)] * j.n + more * entries;
}

/// A job cut into turns for the threads, of `length` blocks or, one by one, states.
struct Share {
  Batch& b;
  const Job& job;
  std::ptrdiff_t length, end;
  /// Some turns for each thread, but not so short [ns] that handing them out would count.
  static Share make(Batch& b, const Job& j, bool one_by_one) {
    const std::ptrdiff_t lanes = one_by_one ? 1 : b.kernels->lanes;
    const std::ptrdiff_t blocks = (j.states + lanes - 1) / lanes;
    const double each = block_time(j), total = each * static_cast<double>(blocks);
    const double turn = std::clamp(total / (8 * b.threads()), 2e3, 20e3);
    return {b, j, static_cast<std::ptrdiff_t>(1 + turn / each), blocks};
  }
  std::ptrdiff_t turns() const { return (end + length - 1) / length; }
  std::ptrdiff_t first(std::ptrdiff_t turn) const { return turn * length; }
  std::ptrdiff_t last(std::ptrdiff_t turn) const { return std::min(end, (turn + 1) * length); }
};

bool accelerations(const Job& j, std::ptrdiff_t k, void* one_state, double* a) noexcept {
  return accelerations_of(j, k, *static_cast<batch::StateByState*>(one_state), a);
}
bool matrices(const Job& j, std::ptrdiff_t k, void* one_state) noexcept {
  return forward_derivatives_of(j, k, *static_cast<batch::StateByState*>(one_state));
}
void note_singular(ThreadMemory& m, std::ptrdiff_t state) noexcept {
  if (state >= 0 && (m.singular < 0 || state < m.singular)) m.singular = state;
}
void run_blocks(void* context, int thread, std::ptrdiff_t turn) noexcept {
  const Share& s = *static_cast<const Share*>(context);
  ThreadMemory& m = s.b.memory[size(thread)];
  note_singular(m, s.b.kernels->run(s.job, s.first(turn), s.last(turn), m.any.data(), m.zero.data(),
                                    m.one.get()));
}
void run_states(void* context, int thread, std::ptrdiff_t turn) noexcept {
  const Share& s = *static_cast<const Share*>(context);
  ThreadMemory& m = s.b.memory[size(thread)];
  for (std::ptrdiff_t k = s.first(turn); k < s.last(turn); ++k) {
    if (s.job.task == Task::inverse_dynamics_derivatives)
      inverse_derivatives_of(s.job, k, *m.one);
    else if (forward_derivatives_of(s.job, k, *m.one))
      note_singular(m, k);
  }
}

/// Does the job. Returns -1, or the first state that is singular.
std::ptrdiff_t run(Batch& b, const Job& j, bool one_by_one = false) {
  if (j.states == 0) return -1;
  for (ThreadMemory& m : b.memory) {
    m.singular = -1;
    m.any.reserve(b.kernels->bytes(j));
    m.zero.reserve(b.kernels->zero_bytes(j));
    if ((one_by_one || j.accelerations) && !m.one)
      m.one = std::make_unique<batch::StateByState>(*b.tree);
    if ((one_by_one || j.matrices) && !m.one->derivatives) {
      m.one->derivatives.emplace(*b.tree);
      m.one->derivatives_work.emplace(*b.tree);
    }
  }
  Share share = Share::make(b, j, one_by_one);
  b.workers->run(share.turns(), one_by_one ? run_states : run_blocks, &share);
  for (const ThreadMemory& m : b.memory) note_singular(b.memory[0], m.singular);
  return b.memory[0].singular;
}

void run_poses(Batch& b, const char* where, In<double> q, Out<double> T_WB, Out<double> screws,
               bool with_screws, const BatchOptions& o) {
  const std::ptrdiff_t states =
      count_states(where, {{"q", q.size(), size(b.constants.nq)},
                           {"T_WB", T_WB.size(), 12 * b.tree->links.size()},
                           {"screws", screws.size(), with_screws ? 6 * size(b.constants.nv) : 0}});
  Job j = make_job(b, Task::poses, states, {.layout = o.layout});
  j.q = q.data();
  j.T_WB = T_WB.data();
  if (with_screws) j.screws = screws.data();
  run(b, j);
}

}  // namespace

Batch::Batch(const Tree& of, int threads)
    : tree(&of),
      constants(of),
      groups(of, constants),
      batch_bodies(batch::batch_bodies(constants)),
      long_paths(batch::has_long_paths(constants)),
      kernels(&batch::batch_kernels()),
      workers(std::make_unique<batch::Workers>(wanted_threads(threads))),
      memory(size(workers->threads())) {
  const auto numbers = [&](double Dof::*member) {
    std::vector<double> x;
    for (const Dof& dof : of.dofs) x.push_back(dof.*member);
    if (std::all_of(x.begin(), x.end(), [](double y) { return y == 0; })) x.clear();
    return x;
  };
  armature = numbers(&Dof::armature);
  damping = numbers(&Dof::damping);
  friction = numbers(&Dof::friction);
}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;
int Batch::threads() const noexcept { return workers->threads(); }

void poses(Batch& b, In<double> q, Out<double> T_WB, const BatchOptions& o) {
  run_poses(b, "poses of a batch", q, T_WB, {}, false, o);
}
void poses_and_screws(Batch& b, In<double> q, Out<double> T_WB, Out<double> screws,
                      const BatchOptions& o) {
  run_poses(b, "poses_and_screws of a batch", q, T_WB, screws, true, o);
}

void inverse_dynamics(Batch& b, In<double> q, In<double> v, In<double> a, Out<double> tau,
                      const BatchOptions& o) {
  const std::size_t nv = size(b.constants.nv);
  Job j =
      make_job(b, Task::inverse_dynamics,
               count_states("inverse_dynamics of a batch", {{"q", q.size(), size(b.constants.nq)},
                                                            {"v", v.size(), nv},
                                                            {"a", a.size(), nv},
                                                            {"tau", tau.size(), nv},
                                                            external_length(b, o)}),
               o);
  j.q = q.data(), j.v = v.data(), j.a = a.data(), j.result = tau.data();
  run(b, j);
}

BatchOutcome forward_dynamics(Batch& b, In<double> q, In<double> v, In<double> tau, Out<double> a,
                              const BatchOptions& o) {
  const std::size_t nv = size(b.constants.nv);
  Job j =
      make_job(b, Task::forward_dynamics,
               count_states("forward_dynamics of a batch", {{"q", q.size(), size(b.constants.nq)},
                                                            {"v", v.size(), nv},
                                                            {"tau", tau.size(), nv},
                                                            {"a", a.size(), nv},
                                                            external_length(b, o)}),
               o);
  j.q = q.data(), j.v = v.data(), j.a = tau.data(), j.result = a.data();
  j.accelerations = accelerations;
  return {run(b, j)};
}

std::size_t mass_matrix_size(Batch& b) {
  make_pattern(b);
  return b.first.back();
}
void mass_matrix(Batch& b, In<double> q, Out<double> M, const BatchOptions& o) {
  Job j = make_job(b, Task::mass_matrix,
                   count_states("mass_matrix of a batch", {{"q", q.size(), size(b.constants.nq)},
                                                           {"M", M.size(), mass_matrix_size(b)}}),
                   {.layout = o.layout, .effects = o.effects});
  add_pattern(b, j);
  j.q = q.data(), j.matrix = M.data();
  if (general_joints_are_roots(b.constants)) j.generals = 0;
  run(b, j);
}

void inverse_dynamics_derivatives(Batch& b, In<double> q, In<double> v, In<double> a,
                                  Out<double> tau, Out<double> by_q, Out<double> by_v,
                                  Out<double> by_a, const BatchOptions& o) {
  const std::size_t nv = size(b.constants.nv), square = detail::dense_entries(*b.tree);
  Job j = make_job(b, Task::inverse_dynamics_derivatives,
                   count_states("inverse_dynamics_derivatives of a batch",
                                {{"q", q.size(), size(b.constants.nq)},
                                 {"v", v.size(), nv},
                                 {"a", a.size(), nv},
                                 {"tau", tau.size(), nv},
                                 {"by_q", by_q.size(), square},
                                 {"by_v", by_v.size(), square},
                                 {"by_a", by_a.size(), mass_matrix_size(b)},
                                 external_length(b, o)}),
                   o);
  add_pattern(b, j);
  j.q = q.data(), j.v = v.data(), j.a = a.data(), j.result = tau.data();
  j.by_q = by_q.data(), j.by_v = by_v.data(), j.matrix = by_a.data();
  run(b, j, b.constants.has_moving);
}

BatchOutcome forward_dynamics_derivatives(Batch& b, In<double> q, In<double> v, In<double> tau,
                                          Out<double> a, Out<double> by_q, Out<double> by_v,
                                          Out<double> by_tau, const BatchOptions& o) {
  const std::size_t nv = size(b.constants.nv), square = detail::dense_entries(*b.tree);
  Job j = make_job(b, Task::forward_dynamics_derivatives,
                   count_states("forward_dynamics_derivatives of a batch",
                                {{"q", q.size(), size(b.constants.nq)},
                                 {"v", v.size(), nv},
                                 {"tau", tau.size(), nv},
                                 {"a", a.size(), nv},
                                 {"by_q", by_q.size(), square},
                                 {"by_v", by_v.size(), square},
                                 {"by_tau", by_tau.size(), square},
                                 external_length(b, o)}),
                   o);
  add_pattern(b, j);
  j.q = q.data(), j.v = v.data(), j.a = tau.data(), j.result = a.data();
  j.by_q = by_q.data(), j.by_v = by_v.data(), j.matrix = by_tau.data();
  j.accelerations = accelerations;
  j.matrices = matrices;
  if (b.constants.has_moving)  // a singular state is found again with its matrix
    static_cast<void>(forward_dynamics(b, q, v, tau, a, o));
  return {run(b, j, b.constants.has_moving)};
}

}  // namespace axode
