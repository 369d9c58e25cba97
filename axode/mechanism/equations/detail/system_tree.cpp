/// Bodies of relative coordinates: placed and moved by a tree, with the joint screws on the way to
/// the world as columns [MuellerKin (30)].
#include <cmath>

#include "axode/lie/adjoint.hpp"
#include "axode/mechanism/detail/relative_tree.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {
namespace {

/// The bodies of the mechanism that bodies of the tree are, or stand for at ends of cut joints.
std::vector<int> bodies_of_tree(const MechanismEquations& eq) {
  std::vector<int> bodies(eq.tree_joints.size(), 0);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (eq.tree_joints[k] >= 0) bodies[k] = eq.mechanism.joints[eq.tree_joints[k]].body[1];
  for (std::size_t b = 1; b < eq.mechanism.bodies.size(); ++b)
    bodies[eq.bodies[b].tree_body] = static_cast<int>(b);
  return bodies;
}

/// v with sum S_k v_k nearest to X: normal equations, by elimination; at most six screws.
void nearest_rates(std::span<const Vec6<double>> S, const Vec6<double>& X, double* v) {
  const std::size_t n = S.size();
  double A[6][7];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[i][j] = dot(S[i], S[j]);
    A[i][n] = dot(S[i], X);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || A[k][k] == 0) continue;
      const double f = A[i][k] / A[k][k];
      for (std::size_t j = k; j <= n; ++j) A[i][j] -= f * A[k][j];
    }
  for (std::size_t k = 0; k < n; ++k) v[k] = A[k][k] == 0 ? 0 : A[k][n] / A[k][k];
}

}  // namespace

void MechanismSystem::place_tree(std::span<const double> q) {
  const Tree& tree = *eq_.tree;
  axode::poses<double>(tree, q.first(tree.nq), *poses_);
  for (int k = 0; k < tree.size(); ++k) {
    const Link& link = tree.links[k];
    for (int v = link.v; v < link.v + link.nv; ++v) {
      // J = Ad_C X  [MuellerKin (28)]
      const Vec6<double> J = Ad(poses_->T_WB[k], poses_->screws[v]);
      tree_columns_[v] = {J.angular, J.linear};
    }
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyCoordinates& body = eq_.bodies[b];
    if (body.kind != BodyCoordinates::Kind::tree) continue;
    BodyNow& now = bodies_[b];
    const SE3<double>& T_WB = poses_->T_WB[body.tree_body];
    now.R = T_WB.R;
    now.p = T_WB * body.reference;
    add_path(now, body.tree_body);
  }
}

/// The columns of all joints on the way to a body, the one on the world first: what comes later is
/// moved by what comes before.
void MechanismSystem::add_path(BodyNow& now, int tree_body) {
  const std::vector<Link>& links = eq_.tree->links;
  now.first = static_cast<int>(columns_.size());
  now.count = 0;
  for (int k = tree_body; k >= 0; k = links[k].parent) now.count += links[k].nv;
  columns_.resize(columns_.size() + now.count);
  std::size_t next = columns_.size();
  for (int k = tree_body; k >= 0; k = links[k].parent) {
    const Link& link = links[k];
    const bool together = link.map == JointMap::quaternion || link.map == JointMap::free;
    for (int v = link.v + link.nv - 1; v >= link.v; --v) {
      const Twist<Rep::spatial>& J = tree_columns_[v];
      columns_[--next] = {v, -1, together ? link.v : v, J.angular,
                          J.linear + cross(J.angular, now.p)};
    }
  }
}

void MechanismSystem::move_tree(std::span<const double> v) {
  const Tree& tree = *eq_.tree;
  axode::accelerations<Rep::spatial, double>(tree, *poses_, v.first(tree.nv), zero_a_, *motion_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyCoordinates& body = eq_.bodies[b];
    if (body.kind != BodyCoordinates::Kind::tree) continue;
    BodyNow& now = bodies_[b];
    const auto& V = motion_->twists[body.tree_body];
    const auto& A = motion_->accelerations[body.tree_body];
    now.omega = V.angular;
    now.linear = V.linear + cross(V.angular, now.p);
    now.alpha = A.angular;
    now.bias = A.linear + cross(A.angular, now.p) + cross(now.omega, now.linear);
  }
}

/// Loops closed as a whole: the axial vector of a rotation also vanishes at half a turn.
MechanismSystem::Mirror MechanismSystem::mirrored_loops() const {
  for (std::size_t b = eq_.mechanism.bodies.size(); b < eq_.bodies.size(); ++b) {
    const int number = eq_.tree_joints[eq_.bodies[b].tree_body];
    const MechanismJoint& joint = eq_.mechanism.joints[number];
    const Mat3<double> R = inverse_times(bodies_[b].R, bodies_[joint.body[1]].R).matrix;
    if (R.x.x + R.y.y + R.z.z < 2)
      return {true, "the loop of joint '" + joint.name + "' is closed but for half a turn"};
  }
  return {};
}

std::vector<double> MechanismSystem::tree_from_poses(std::span<const SE3<double>> T_WB) const {
  return coordinates_at(eq_.mechanism, *eq_.tree, eq_.tree_joints, bodies_of_tree(eq_), T_WB);
}

/// Joint by joint: the rates whose screws are nearest to the relative twist.
void MechanismSystem::tree_from_twists(std::span<const double> q,
                                       std::span<const Twist<Rep::hybrid>> twists,
                                       std::span<double> v) {
  const Tree& tree = *eq_.tree;
  axode::poses<double>(tree, q.first(tree.nq), *poses_);
  const std::vector<int> bodies = bodies_of_tree(eq_);
  const auto in_body = [&](int k, int place) -> Vec6<double> {
    // The twist of body k of the tree, in the frame of body `place` of the tree.
    const SE3<double>&T_k = poses_->T_WB[k], &T = poses_->T_WB[place];
    const Twist<Rep::hybrid>& V = twists[bodies[k]];
    const Vec3<double> linear = V.linear + cross(V.angular, T.p - T_k.p);
    return {inverse_times(T.R, V.angular), inverse_times(T.R, linear)};
  };
  for (int k = 0; k < tree.size(); ++k) {
    const Link& link = tree.links[k];
    Vec6<double> X = in_body(k, k);
    if (link.parent >= 0) X -= in_body(link.parent, k);
    nearest_rates({poses_->screws.data() + link.v, link.nv}, X, v.data() + link.v);
  }
}

}  // namespace axode
