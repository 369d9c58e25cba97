/// Jacobians of many states from the poses and screws of a batch; compiled with full optimization.
#include <algorithm>

#include "src/kinematics/jacobian.hpp"

namespace axode::python {
namespace {

/// The velocities of the joints on the path to a body.
std::vector<std::size_t> path_to(const Tree& tree, int body) {
  std::vector<std::size_t> velocities;
  for (; body >= 0; body = tree.links[body].parent) {
    const Link& link = tree.links[body];
    for (int k = 0; k < link.nv; ++k) velocities.push_back(link.v + k);
  }
  return velocities;
}

/// From axes x, y, z and origin.
SE3<double> pose_at(const double* T) noexcept {
  return {{Mat3<double>::rows({T[0], T[3], T[6]}, {T[1], T[4], T[7]}, {T[2], T[5], T[8]})},
          {T[9], T[10], T[11]}};
}

/// A spatial column in another representation of the frame.
Vec6<double> column_in(Rep rep, const SE3<double>& T_WF, const Vec6<double>& spatial) noexcept {
  if (rep == Rep::spatial) return spatial;
  const Vec3<double>& w = spatial.angular;
  const Vec3<double> v = spatial.linear + cross(w, T_WF.p);
  if (rep == Rep::hybrid) return {w, v};
  const Vec3<double> w_F = inverse_times(T_WF.R, w);
  return rep == Rep::mixed ? Vec6<double>{w_F, v} : Vec6<double>{w_F, inverse_times(T_WF.R, v)};
}

}  // namespace

void jacobians_of_batch(const Tree& tree, Batch& batch, std::span<const double> q,
                        const Frame& frame, Rep rep, RunErrors& errors, std::span<double> result) {
  constexpr std::size_t piece = 512;  // what the batch writes stays in the cache
  std::fill(result.begin(), result.end(), 0.0);
  if (frame.body < 0 || tree.nv == 0) return;
  const std::size_t nq = tree.nq, nv = tree.nv;
  const std::size_t states = q.size() / nq, bodies = tree.size();
  const std::vector<std::size_t> path = path_to(tree, frame.body);
  std::vector<double> poses(12 * bodies * piece), screws(6 * nv * piece);
  for (std::size_t first = 0; first < states; first += piece) {
    errors.throw_if_interrupted();
    const std::size_t count = std::min(piece, states - first);
    poses_and_screws(batch, q.subspan(first * nq, count * nq), {poses.data(), 12 * bodies * count},
                     {screws.data(), 6 * nv * count});
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t body = i * bodies + frame.body;
      const SE3<double> T_WF = pose_at(poses.data() + 12 * body) * frame.T_BF;
      double* J = result.data() + (first + i) * 6 * nv;
      for (const std::size_t k : path) {
        const Vec6<double> column =
            column_in(rep, T_WF, read_six(screws.data() + 6 * (i * nv + k)));
        for (int row = 0; row < 6; ++row) J[std::size_t(row) * nv + k] = column[row];
      }
    }
  }
}

}  // namespace axode::python
