#include "bench/peers/bullet_multibody.hpp"

#include <Eigen/Eigenvalues>
#include <cstddef>

namespace peers {
namespace {

btVector3 vec(const double* v) { return {v[0], v[1], v[2]}; }
btMatrix3x3 mat(const std::array<double, 9>& R) {
  return {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
}
btQuaternion quaternion(const btMatrix3x3& R) {
  btQuaternion q;
  R.getRotation(q);
  return q;
}

}  // namespace

BulletMultiBody::Frame BulletMultiBody::frame_of(const Body& body) {
  const auto& I = body.inertia;
  Eigen::Matrix3d inertia;
  inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(inertia);
  Eigen::Matrix3d P = axes.eigenvectors();
  if (P.determinant() < 0) P.col(2) *= -1;
  Frame frame;
  frame.com = vec(body.com.data());
  frame.R.setValue(P(0, 0), P(0, 1), P(0, 2), P(1, 0), P(1, 1), P(1, 2), P(2, 0), P(2, 1), P(2, 2));
  frame.moments = vec(axes.eigenvalues().data());
  return frame;
}

void BulletMultiBody::add_link(int link, const Body& body, const Frame& parent, const Frame& own,
                               int parent_link) {
  const btQuaternion from_parent =
      quaternion(own.R.transpose() * mat(body.R).transpose() * parent.R);
  const btVector3 axis = own.R.transpose() * vec(body.axis.data());
  const btVector3 to_pivot = parent.R.transpose() * (vec(body.p.data()) - parent.com);
  const btVector3 to_com = own.R.transpose() * own.com;
  if (body.joint == Joint::revolute)
    multibody_->setupRevolute(link, body.mass, own.moments, parent_link, from_parent, axis,
                              to_pivot, to_com, true);
  else
    multibody_->setupPrismatic(link, body.mass, own.moments, parent_link, from_parent, axis,
                               to_pivot, to_com, true);
}

/// Position and velocity of the centre of mass of the base, and the forces on it but for its weight.
void BulletMultiBody::add_base_state(const Frame& base, int k) {
  BaseState s;
  if (free_) {
    const auto& q = states_->q[k];
    const btMatrix3x3 R = mat(rotation(&q[3]));
    const btVector3 arm = R * base.com;
    const auto v = coordinates_.velocity(q, states_->v[k]);
    const auto f = coordinates_.force(q, states_->tau[k]);
    s.position = vec(q.data()) + arm;
    s.from_world = quaternion((R * base.R).transpose());
    s.omega = vec(v.data());
    s.velocity = vec(&v[3]) + s.omega.cross(arm);
    s.force = vec(&f[3]);
    s.torque = vec(f.data()) - arm.cross(s.force);
  }
  base_.push_back(s);
}

BulletMultiBody::BulletMultiBody(const Model& model, const States& states)
    : model_(&model),
      states_(&states),
      coordinates_(model, angular_first | linear_in_world | angular_in_world),
      free_(model.bodies[0].joint == Joint::free),
      first_(free_ ? 1 : 0),
      gravity_(vec(model.gravity.data())) {
  std::vector<Frame> frames;
  for (const Body& b : model.bodies) frames.push_back(frame_of(b));
  const Frame base = free_ ? frames[0] : Frame();
  const int links = model.size() - first_;
  multibody_ = std::make_unique<btMultiBody>(links, free_ ? model.bodies[0].mass : 0.0,
                                             base.moments, !free_, false);
  for (int link = 0; link < links; ++link) {
    const Body& b = model.bodies[link + first_];
    add_link(link, b, b.parent < 0 ? base : frames[b.parent], frames[link + first_],
             b.parent - first_);
    weights_.push_back(gravity_ * b.mass);
  }
  multibody_->finalizeMultiDof();
  multibody_->setLinearDamping(0);
  multibody_->setAngularDamping(0);
  for (int k = 0; k < states.count(); ++k) add_base_state(base, k);
}

void BulletMultiBody::forward_dynamics(int k) {
  const BaseState& base = base_[k];
  multibody_->clearForcesAndTorques();
  if (free_) {
    multibody_->setBasePos(base.position);
    multibody_->setWorldToBaseRot(base.from_world);
    multibody_->setBaseVel(base.velocity);
    multibody_->setBaseOmega(base.omega);
    multibody_->addBaseForce(gravity_ * multibody_->getBaseMass() + base.force);
    multibody_->addBaseTorque(base.torque);
  }
  const double* q = states_->q[k].data() + (free_ ? 7 : 0);
  const double* v = states_->v[k].data() + (free_ ? 6 : 0);
  const double* tau = states_->tau[k].data() + (free_ ? 6 : 0);
  for (int i = 0; i < multibody_->getNumLinks(); ++i) {
    multibody_->setJointPos(i, q[i]);
    multibody_->setJointVel(i, v[i]);
    multibody_->addJointTorque(i, tau[i]);
    multibody_->addLinkForce(i, weights_[i]);
  }
  multibody_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, numbers_, vectors_, matrices_,
                                                                   false, false, false);
}

void BulletMultiBody::add_acceleration(int k, std::vector<double>& out) const {
  const int links = multibody_->getNumLinks();
  const btScalar* found = &numbers_[links];  // of the base: angular, linear; then of the joints
  std::vector<double> u_dot;
  if (free_) {
    const BaseState& base = base_[k];
    const btVector3 alpha = vec(found);
    const btVector3 arm = vec(states_->q[k].data()) - base.position;
    const btVector3 a = vec(found + 3) + alpha.cross(arm) + base.omega.cross(base.omega.cross(arm));
    u_dot = {alpha[0], alpha[1], alpha[2], a[0], a[1], a[2]};
  }
  for (int i = 0; i < links; ++i) u_dot.push_back(found[6 + i]);
  coordinates_.add_acceleration(states_->q[k], states_->v[k], u_dot, out);
}

}  // namespace peers
