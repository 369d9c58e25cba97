// DART: a Skeleton of BodyNodes, whose caches the setting of positions and velocities marks as old.
#include <cmath>
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using namespace dart::dynamics;
using peers::Model;
using Numbers = std::vector<double>;

Eigen::Vector3d vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
Eigen::VectorXd vec(const Numbers& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
Numbers numbers(const Eigen::MatrixXd& m) {  // row-major
  Numbers out;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) out.push_back(m(i, j));
  return out;
}

struct Peer {
  const Model& model;
  SkeletonPtr skeleton = Skeleton::create("robot");
  std::vector<BodyNode*> bodies;
  peers::Coordinates coordinates;
  std::vector<Eigen::VectorXd> q, v, a, tau;
  Eigen::VectorXd x;

  explicit Peer(const peers::Program& program);
  void add_body(const peers::Body& b);
  Eigen::VectorXd positions(const Numbers& canonical) const;
  Numbers jacobian(int body) const;
};

template <class AxisJoint>
BodyNode* body_on(Skeleton& skeleton, BodyNode* parent, const peers::Body& b,
                  const std::string& name, const BodyNode::Properties& properties) {
  typename AxisJoint::Properties joint;
  joint.mName = "j" + name;
  joint.mAxis = vec(b.axis);
  joint.mT_ParentBodyToJoint.linear() =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.R.data());
  joint.mT_ParentBodyToJoint.translation() = vec(b.p);
  return skeleton.createJointAndBodyNodePair<AxisJoint>(parent, joint, properties).second;
}

void Peer::add_body(const peers::Body& b) {
  const std::string name = "b" + std::to_string(bodies.size());
  const std::array<double, 6>& I = b.inertia;
  BodyNode::Properties properties;
  properties.mName = name;
  Eigen::Matrix3d about_com;
  about_com << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  properties.mInertia = Inertia(b.mass, vec(b.com), about_com);
  BodyNode* parent = b.parent < 0 ? nullptr : bodies[b.parent];
  if (b.joint == peers::Joint::free) {
    FreeJoint::Properties joint;
    joint.mName = "j" + name;
    bodies.push_back(
        skeleton->createJointAndBodyNodePair<FreeJoint>(parent, joint, properties).second);
  } else if (b.joint == peers::Joint::revolute) {
    bodies.push_back(body_on<RevoluteJoint>(*skeleton, parent, b, name, properties));
  } else {
    bodies.push_back(body_on<PrismaticJoint>(*skeleton, parent, b, name, properties));
  }
}

Peer::Peer(const peers::Program& program)
    : model(program.model()), coordinates(model, peers::angular_first) {
  for (const peers::Body& b : model.bodies) add_body(b);
  skeleton->setGravity(vec(model.gravity));
  const peers::States& s = program.states();
  for (std::size_t k = 0; k < s.q.size(); ++k) {
    q.push_back(positions(s.q[k]));
    v.push_back(vec(coordinates.velocity(s.q[k], s.v[k])));
    a.push_back(vec(coordinates.acceleration(s.q[k], s.v[k], s.a[k])));
    tau.push_back(vec(coordinates.force(s.q[k], s.tau[k])));
  }
}

Eigen::VectorXd Peer::positions(const Numbers& canonical) const {
  Eigen::VectorXd y(model.nv);
  for (const peers::Body& b : model.bodies) {
    const double* x_b = &canonical[b.q];
    if (b.joint != peers::Joint::free) {
      y[b.v] = x_b[0];
      continue;
    }
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    T.linear() = Eigen::Quaterniond(x_b[6], x_b[3], x_b[4], x_b[5]).toRotationMatrix();
    T.translation() = Eigen::Vector3d(x_b[0], x_b[1], x_b[2]);
    y.segment<6>(b.v) = FreeJoint::convertToPositions(T);
  }
  return y;
}

/// Of the flat body, linear over angular, in the coordinates of DART; its own has columns only for
/// the joints that carry the body.
Numbers Peer::jacobian(int body) const {
  const BodyNode& node = *bodies[body];
  const auto own = node.getWorldJacobian();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, model.nv);
  const auto& indices = node.getDependentGenCoordIndices();
  for (std::size_t j = 0; j < indices.size(); ++j) {
    const auto from = static_cast<Eigen::Index>(j), to = static_cast<Eigen::Index>(indices[j]);
    J.col(to) << own.col(from).tail<3>(), own.col(from).head<3>();
  }
  return numbers(J);
}

void add_kinematics(peers::Program& program, Peer& peer) {
  const auto poses = [&peer](int k) {
    peer.skeleton->setPositions(peer.q[k]);
    for (const BodyNode* body : peer.bodies) peers::keep(&body->getWorldTransform());
  };
  program.add("poses", poses, [&peer](int, Numbers& out) {
    for (const BodyNode* body : peer.bodies) {
      const Numbers R = numbers(body->getWorldTransform().linear());
      const Eigen::Vector3d p = body->getWorldTransform().translation();
      out.insert(out.end(), R.begin(), R.end());
      out.insert(out.end(), p.data(), p.data() + 3);
    }
  });
  program.add(
      "jacobians",
      [&peer, poses](int k) {
        poses(k);
        for (const BodyNode* body : peer.bodies) peers::keep(&body->getJacobian());
      },
      [&peer, &program](int k, Numbers& out) {
        for (const int body : {peer.model.size() - 1, peer.model.size() / 2})
          peer.coordinates.add_jacobian(program.states().q[k], peer.jacobian(body), out);
      },
      "in the axes of the bodies");
}

void add_matrices(peers::Program& program, Peer& peer) {
  program.add(
      "mass_matrix",
      [&peer](int k) {
        peer.skeleton->setPositions(peer.q[k]);
        peers::keep(&peer.skeleton->getMassMatrix());
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_matrix(program.states().q[k], numbers(peer.skeleton->getMassMatrix()),
                                    out);
      });
  program.add(
      "inverse_mass_matrix",
      [&peer](int k) {
        peer.skeleton->setPositions(peer.q[k]);
        peers::keep(&peer.skeleton->getInvMassMatrix());
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_matrix(program.states().q[k],
                                    numbers(peer.skeleton->getInvMassMatrix()), out);
      });
}

void add_dynamics(peers::Program& program, Peer& peer) {
  program.add(
      "inverse_dynamics",
      [&peer](int k) {
        peer.skeleton->setPositions(peer.q[k]);
        peer.skeleton->setVelocities(peer.v[k]);
        peer.skeleton->setAccelerations(peer.a[k]);
        peer.skeleton->computeInverseDynamics();
        peer.x = peer.skeleton->getForces();
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_force(program.states().q[k], numbers(peer.x), out);
      });
  program.add(
      "forward_dynamics",
      [&peer](int k) {
        peer.skeleton->setPositions(peer.q[k]);
        peer.skeleton->setVelocities(peer.v[k]);
        peer.skeleton->setForces(peer.tau[k]);
        peer.skeleton->computeForwardDynamics();
        peer.x = peer.skeleton->getAccelerations();
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_acceleration(program.states().q[k], program.states().v[k],
                                          numbers(peer.x), out);
      });
}

}  // namespace

int main(int argc, char** argv) {
  peers::Program program(argc, argv, "dart", DART_VERSION + peers::assertions());
  program.unsupported("coriolis_matrix", "only the product with v");
  for (const char* function : {"inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  Peer peer(program);
  add_kinematics(program, peer);
  add_dynamics(program, peer);
  add_matrices(program, peer);
  return program.run();
}
