// States of AbsoluteSystem from those of the tree.
#include <algorithm>
#include <string>

#include "axode/core/error.hpp"
#include "axode/integrate/sundials/kinsol.hpp"
#include "axode/linalg/singular_values.hpp"
#include "axode/model/any_scalar/joint_map.hpp"
#include "axode/model/joint_map.hpp"
#include "axode/simulate/systems/absolute_system.hpp"

namespace axode {
namespace {

/// x minimising |sum_k screws[k] x[k] - b|, least norm.
void fit_screws(std::span<const Vec6<double>> screws, const Vec6<double>& b, std::span<double> x) {
  DenseMatrix<double> A = zero_matrix(6, static_cast<int>(screws.size()));
  double right[6];
  for (int r = 0; r < 6; ++r) {
    right[r] = b[r];
    for (int k = 0; k < A.columns; ++k) A(r, k) = screws[k][r];
  }
  std::ranges::copy(least_squares(A, right), x.begin());
}
}  // namespace

void AbsoluteSystem::fit_loop(int j, std::span<double> x, std::span<double> v) {
  const Link& link = joints_.links[j];
  if (link.nv == 0) return;
  std::vector<double> d(group_.nv, 0.0);
  const std::span<double> step = std::span(d).subspan(joint_v() + link.v, link.nv);
  for (int iteration = 0; iteration < 20; ++iteration) {  // Gauss-Newton of one joint
    move(x, v);
    const JointNow& now = now_[j];
    fit_screws({now.screws, link.nv}, log(now.E), step);
    plus(group_, x, d, x);
    if (std::ranges::all_of(step, [](double e) { return std::abs(e) < 1e-14; })) break;
  }
  move(x, v);
  const JointNow& now = now_[j];
  fit_screws({now.screws, link.nv}, twist(child_[j]) - Ad_inverse(now.R, twist(link.parent)),
             v.subspan(joint_v() + link.v, link.nv));
}

void AbsoluteSystem::fill_state(In<double> q, In<double> v, In<double> loop_q,
                                std::span<double> state) {
  const std::span<double> x = state.first(group_.nx), velocity = state.subspan(group_.nx);
  std::ranges::copy(q, x.begin() + joint_x());
  std::ranges::copy(v, velocity.begin() + joint_v());
  for (int j = bodies_; j < joints_.size(); ++j) {
    const Link& link = joints_.links[j];
    if (link.map == JointMap::quaternion || link.map == JointMap::free) x[joint_x() + link.q] = 1;
  }
  if (!loop_q.empty()) std::ranges::copy(loop_q, x.begin() + joint_x() + nq_);
  for (int i = 0; i < bodies_; ++i) {
    const Link& link = joints_.links[i];
    const SE3<double> D = joint_displacement(joints_, i, x.data() + joint_x());
    const SE3<double> T_PB = link.B * D;
    poses_[i] = pose(link.parent) * T_PB;
    Vec6<double> V = Ad_inverse(T_PB, twist(link.parent));
    joint_screws(joints_, i, x.data() + joint_x(), D, now_[i].screws);
    for (int k = 0; k < link.nv; ++k) V += now_[i].screws[k] * v[link.v + k];
    twists_[i] = {V.angular, V.linear};
    const Quaternion<double> turn = quaternion(poses_[i].R.matrix);
    const Vec3<double>& place = poses_[i].p;
    const double numbers[7] = {turn.w, turn.v.x, turn.v.y, turn.v.z, place.x, place.y, place.z};
    std::copy_n(numbers, 7, x.begin() + std::ptrdiff_t{7} * i);
    for (int k = 0; k < 6; ++k) velocity[6 * i + k] = V[k];
  }
}

std::vector<double> AbsoluteSystem::state(In<double> q, In<double> v, In<double> loop_q) {
  constexpr const char* where = "AbsoluteSystem::state";
  const std::size_t loop_nq = joints_.nq - nq_;
  if (std::ssize(q) != nq_ || std::ssize(v) != nv_ || (!loop_q.empty() && loop_q.size() != loop_nq))
    throw Error("q, v or loop_q has the wrong length", where,
                "q needs " + std::to_string(nq_) + ", v " + std::to_string(nv_) + ", loop_q " +
                    std::to_string(loop_nq) + " numbers");
  std::vector<double> state(group_.nx + group_.nv, 0.0);
  fill_state(q, v, loop_q, state);
  const std::span<double> x = std::span(state).first(group_.nx);
  const std::span<double> velocity = std::span(state).subspan(group_.nx);
  for (int j = bodies_; j < joints_.size(); ++j) fit_loop(j, x, velocity);
  ConstrainedWork work;
  const ClosestResult closed = closest_configuration(view(*this), x);
  if (!closed.converged)
    throw Error(
        "the loops cannot be closed from this state", where,
        "start nearer to a closed configuration, or give joints of loops more degrees of freedom "
        "where constraints are stated twice");
  if (!project_velocity(view(*this), 0, x, velocity, work))
    throw Error("the constraints are redundant", where,
                "give joints of loops more degrees of freedom where constraints are stated twice");
  return state;
}

}  // namespace axode
