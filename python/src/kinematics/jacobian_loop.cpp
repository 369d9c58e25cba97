/// Jacobians of one state by the engine, of many from the poses of a batch: the same numbers, bit for bit.
/// Compiled with full optimization.
#include <algorithm>

#include "axode/engine/frames.hpp"
#include "axode/model/joint_map.hpp"
#include "src/kinematics/jacobian.hpp"

namespace axode::python {
namespace {

/// The bodies on the path to one.
std::vector<std::size_t> path_to(const Tree& tree, int body) {
  std::vector<std::size_t> bodies;
  for (; body >= 0; body = tree.links[body].parent) bodies.push_back(body);
  return bodies;
}

/// From axes x, y, z and origin.
SE3<double> pose_at(const double* T) noexcept {
  return {{Mat3<double>{{T[0], T[1], T[2]}, {T[3], T[4], T[5]}, {T[6], T[7], T[8]}}},
          {T[9], T[10], T[11]}};
}

template <Rep rep>
struct Columns {
  explicit Columns(const Tree& tree) : twists(tree.dofs.size()) {}
  std::vector<Twist<rep>> twists;
};

template <Rep rep>
void write_jacobian(Engine& engine, std::span<const double> q, const Frame& frame,
                    std::vector<Twist<rep>>& columns, std::span<double> result) {
  jacobian<rep>(engine, q, frame, columns);
  write_columns(std::span(std::as_const(columns)), result.data());
}

/// In pieces, so that the poses of the batch stay in the cache.
template <Rep rep>
void jacobians(Workspace& work, std::span<const double> q, const Frame& frame, RunErrors& errors,
               std::span<double> result) {
  constexpr std::size_t piece = 512;
  const Tree& tree = work.tree();
  const std::size_t nq = tree.nq, nv = tree.nv, bodies = tree.links.size(), states = q.size() / nq;
  const std::vector<std::size_t> path = path_to(tree, frame.body);
  const bool constant = std::ranges::all_of(
      path, [&](std::size_t body) { return has_constant_screws(tree.links[body]); });
  std::vector<double> numbers(12 * bodies * piece);
  Poses<double> poses(tree);
  poses.screws = tree.screws;
  std::vector<Twist<rep>>& columns = work.get<Columns<rep>>().twists;
  for (std::size_t first = 0; first < states; first += piece) {
    errors.throw_if_interrupted();
    const std::size_t count = std::min(piece, states - first);
    const auto some = q.subspan(first * nq, count * nq);
    if (constant) axode::poses(work.batch(), some, {numbers.data(), 12 * bodies * count});
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> J = result.subspan((first + i) * 6 * nv, 6 * nv);
      if (!constant) {
        write_jacobian(work.engine(), some.subspan(i * nq, nq), frame, columns, J);
        continue;
      }
      for (const std::size_t b : path)
        poses.T_WB[b] = pose_at(numbers.data() + 12 * (i * bodies + b));
      jacobian<rep, double>(tree, poses, frame, columns);
      write_columns(std::span(std::as_const(columns)), J.data());
    }
  }
}

}  // namespace

void jacobian_of_state(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                       std::span<double> result) {
  with_representation(rep, [&]<Rep r>() {
    write_jacobian(work.engine(), q, frame, work.get<Columns<r>>().twists, result);
  });
}

void jacobians_of_batch(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                        RunErrors& errors, std::span<double> result) {
  if (work.tree().nv == 0) return;
  with_representation(rep, [&]<Rep r>() { jacobians<r>(work, q, frame, errors, result); });
}

}  // namespace axode::python
