#include "axode/engine/detail/batch/make_job.hpp"

#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode::batch {

namespace {

const double* address(const std::vector<double>& x, bool wanted = true) {
  return x.empty() || !wanted ? nullptr : x.data();
}

}  // namespace

Job make_job(const Batch& b, Task task, std::ptrdiff_t states, const BatchOptions& o) {
  const EngineTree& t = b.constants;
  Job j;
  j.task = task;
  j.tree = b.tree;
  j.bodies = t.bodies.data();
  j.centres = t.centres.data();
  j.batch_bodies = b.batch_bodies.data();
  j.angles = engine::angles_of(t.angles);
  j.places = t.places.data();
  j.steps = t.steps.data();
  j.joint_screws = reinterpret_cast<const double*>(b.tree->screws.data());
  j.n = static_cast<int>(t.bodies.size());
  j.user_bodies = b.tree->size();
  j.nq = t.nq, j.nv = t.nv, j.path = t.path, j.generals = t.generals;
  j.coupled = b.groups.view();
  j.long_paths = b.long_paths;
  j.effects = o.effects;
  if (o.effects.gravity)
    j.world[0] = -t.gravity.x, j.world[1] = -t.gravity.y, j.world[2] = -t.gravity.z;
  j.scale = t.scale.data();
  j.armature = address(b.armature, o.effects.armature);
  j.damping = address(b.damping, o.effects.damping);
  j.friction = address(b.friction, o.effects.friction);
  j.states = states;
  j.by_number = o.layout == Layout::by_number;
  if (!o.external.empty()) j.external = o.external.data();
  return j;
}

void make_pattern(Batch& b) {
  if (b.first.empty()) axode::detail::path_pattern(*b.tree, b.parent, b.first);
}
void add_pattern(Batch& b, Job& j) {
  make_pattern(b);
  j.first = b.first.data();
  j.parent = b.parent.data();
  if (j.task != Task::forward_dynamics_derivatives) return;
  if (b.touching.first.empty())
    b.touching = engine::velocities_touching(b.parent, b.kernels->strip_width);
  j.touching = b.touching.numbers.data();
  j.touching_first = b.touching.first.data();
  if (b.tree->couplings.empty()) return;
  if (b.reduced.size() == 0)
    b.reduced = {*b.tree, b.constants, b.groups, PathMatrix<double>(*b.tree)};
  j.reduced = {b.reduced.size(), b.reduced.first.data(), b.reduced.parent.data()};
  j.reduced_entries = b.reduced.entries.data();
  j.reduced_column = b.reduced.column.data();
  j.reduced_ratio = b.reduced.ratio.data();
}

}  // namespace axode::batch
