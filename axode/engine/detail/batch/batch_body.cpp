#include "axode/engine/detail/batch/batch_body.hpp"

namespace axode::batch {

std::vector<BatchBody> batch_bodies(const EngineTree& tree) {
  std::vector<BatchBody> result(tree.bodies.size());
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    const EngineBody& b = tree.bodies[i];
    BatchBody& own = result[i];  // so far, what its children added
    own.mass += b.mass;
    for (int j = 0; j < 3; ++j) {
      own.moment[j] += b.moment[j];
      for (int k = 0; k < 3; ++k) own.inertia[j][k] += b.inertia[j][k];
    }
    const double half = (b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2]) / 2;
    for (int j = 0; j < 3; ++j) own.second[j] = half - b.inertia[j][j];
    if (b.parent < 0) continue;
    BatchBody& parent = result[b.parent];
    parent.mass += own.mass;
    if (b.joint != EngineJoint::revolute) continue;
    const double(&p)[3] = b.position;
    const double squares = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    for (int j = 0; j < 3; ++j) {
      parent.moment[j] += own.mass * p[j];
      parent.inertia[j][j] += own.mass * squares;
      for (int k = 0; k < 3; ++k) parent.inertia[j][k] -= own.mass * p[j] * p[k];
    }
  }
  return result;
}

bool has_long_paths(const EngineTree& tree) {
  constexpr std::size_t most = 8;  // bodies below, on average, by measurement
  std::vector<std::size_t> below;
  std::size_t sum = 0;
  for (const EngineBody& b : tree.bodies) {
    below.push_back(b.parent < 0 ? 0 : below[b.parent] + 1);
    sum += below.back();
  }
  return sum > most * tree.bodies.size();
}

}  // namespace axode::batch
