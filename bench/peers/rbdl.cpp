// The Rigid Body Dynamics Library (RBDL), built from its sources with the flags of this file.
#include <rbdl/rbdl.h>

#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

namespace rbd = RigidBodyDynamics;
using peers::Model;
using rbd::Math::MatrixNd;
using rbd::Math::VectorNd;
using Numbers = std::vector<double>;

rbd::Math::Vector3d vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
VectorNd vec(const Numbers& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
Numbers numbers(const MatrixNd& m) {  // row-major
  Numbers out;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) out.push_back(m(i, j));
  return out;
}

struct Peer {
  const Model& flat;
  rbd::Model model;
  std::vector<unsigned> ids;   ///< of the bodies
  std::vector<unsigned> ends;  ///< bodies that carry none
  peers::Coordinates coordinates;
  std::vector<VectorNd> q, v, a, tau;
  // What the calls find.
  VectorNd x;
  MatrixNd M;
  std::vector<MatrixNd> J;
  VectorNd bias, unit, column;

  explicit Peer(const peers::Program& program);
  void add_body(const peers::Body& b);
  VectorNd positions(const Numbers& canonical) const;
};

void Peer::add_body(const peers::Body& b) {
  const std::array<double, 6>& I = b.inertia;
  const rbd::Math::Matrix3d about_com(I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]);
  const rbd::Body body(b.mass, vec(b.com), about_com);
  const auto& R = b.R;  // E is its transpose
  const rbd::Math::SpatialTransform frame(
      rbd::Math::Matrix3d(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]), vec(b.p));
  const unsigned parent = b.parent < 0 ? 0 : ids[b.parent];
  const auto& axis = b.axis;
  if (b.joint == peers::Joint::free)
    ids.push_back(model.AddBody(parent, rbd::Math::SpatialTransform(),
                                rbd::Joint(rbd::JointTypeFloatingBase), body));
  else if (b.joint == peers::Joint::revolute)  // this constructor knows the axes x, y, z
    ids.push_back(model.AddBody(
        parent, frame, rbd::Joint(rbd::Math::SpatialVector(axis[0], axis[1], axis[2], 0, 0, 0)),
        body));
  else
    ids.push_back(
        model.AddBody(parent, frame, rbd::Joint(rbd::JointTypePrismatic, vec(axis)), body));
}

Peer::Peer(const peers::Program& program)
    : flat(program.model()), coordinates(flat, peers::linear_in_world) {
  model.gravity = vec(flat.gravity);
  std::vector<bool> carries(flat.bodies.size());
  for (const peers::Body& b : flat.bodies) {
    add_body(b);
    if (b.parent >= 0) carries[b.parent] = true;
  }
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!carries[i]) ends.push_back(ids[i]);
  const peers::States& s = program.states();
  for (std::size_t k = 0; k < s.q.size(); ++k) {
    q.push_back(positions(s.q[k]));
    v.push_back(vec(coordinates.velocity(s.q[k], s.v[k])));
    a.push_back(vec(coordinates.acceleration(s.q[k], s.v[k], s.a[k])));
    tau.push_back(vec(coordinates.force(s.q[k], s.tau[k])));
  }
  x = bias = unit = column = VectorNd::Zero(flat.nv);
  M = MatrixNd::Zero(flat.nv, flat.nv);
  J.assign(ends.size(), MatrixNd::Zero(6, flat.nv));
}

VectorNd Peer::positions(const Numbers& canonical) const {
  VectorNd y = VectorNd::Zero(flat.nq);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const peers::Body& b = flat.bodies[i];
    const double* x_b = &canonical[b.q];
    if (b.joint != peers::Joint::free) {
      y[b.v] = x_b[0];
      continue;
    }
    y.segment<3>(b.v) = Eigen::Vector3d(x_b[0], x_b[1], x_b[2]);
    model.SetQuaternion(ids[i], rbd::Math::Quaternion(x_b[3], x_b[4], x_b[5], x_b[6]), y);
  }
  return y;
}

void add_kinematics(peers::Program& program, Peer& peer) {
  const auto poses = [&peer](int k) {
    rbd::UpdateKinematicsCustom(peer.model, &peer.q[k], nullptr, nullptr);
  };
  program.add("poses", poses, [&peer](int, Numbers& out) {
    for (const unsigned id : peer.ids) {
      const rbd::Math::SpatialTransform& X = peer.model.X_base[id];
      const Numbers R = numbers(X.E.transpose());
      out.insert(out.end(), R.begin(), R.end());
      out.insert(out.end(), X.r.data(), X.r.data() + 3);
    }
  });
  program.add(
      "jacobians",
      [&peer, poses](int k) {
        poses(k);
        for (std::size_t i = 0; i < peer.ends.size(); ++i) {
          peer.J[i].setZero();
          rbd::CalcPointJacobian6D(peer.model, peer.q[k], peer.ends[i], rbd::Math::Vector3d::Zero(),
                                   peer.J[i], false);
        }
      },
      [&peer, &program](int k, Numbers& out) {
        for (const int body : {peer.flat.size() - 1, peer.flat.size() / 2}) {
          MatrixNd J = MatrixNd::Zero(6, peer.flat.nv), swapped = J;
          rbd::CalcPointJacobian6D(peer.model, peer.q[k], peer.ids[body],
                                   rbd::Math::Vector3d::Zero(), J, false);
          swapped << J.bottomRows<3>(), J.topRows<3>();
          peer.coordinates.add_jacobian(program.states().q[k], numbers(swapped), out);
        }
      },
      "Jacobians of the ends of all branches, which hold the columns of all joints");
}

void add_matrices(peers::Program& program, Peer& peer) {
  const auto matrix = [&peer, &program](int k, Numbers& out) {
    peer.coordinates.add_matrix(program.states().q[k], numbers(peer.M), out);
  };
  program.add(
      "mass_matrix",
      [&peer](int k) {
        peer.M.setZero();
        rbd::CompositeRigidBodyAlgorithm(peer.model, peer.q[k], peer.M);
      },
      matrix);
  program.add(
      "inverse_mass_matrix",
      [&peer](int k) {
        for (Eigen::Index j = 0; j < peer.flat.nv; ++j) {
          peer.unit[j] = 1;
          rbd::CalcMInvTimesTau(peer.model, peer.q[k], peer.unit, peer.column, j == 0);
          peer.M.col(j) = peer.column;
          peer.unit[j] = 0;
        }
      },
      matrix, "column by column");
}

void add_dynamics(peers::Program& program, Peer& peer) {
  program.add(
      "inverse_dynamics",
      [&peer](int k) { rbd::InverseDynamics(peer.model, peer.q[k], peer.v[k], peer.a[k], peer.x); },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_force(program.states().q[k], numbers(peer.x), out);
      });
  const auto acceleration = [&peer, &program](int k, Numbers& out) {
    peer.coordinates.add_acceleration(program.states().q[k], program.states().v[k], numbers(peer.x),
                                      out);
  };
  program.add(
      "forward_dynamics",
      [&peer](int k) {
        rbd::ForwardDynamics(peer.model, peer.q[k], peer.v[k], peer.tau[k], peer.x);
      },
      acceleration);
  program.add(
      "forward_dynamics_lagrangian",
      [&peer](int k) {
        peer.M.setZero();
        rbd::ForwardDynamicsLagrangian(peer.model, peer.q[k], peer.v[k], peer.tau[k], peer.x,
                                       rbd::Math::LinearSolverLLT, nullptr, &peer.M, &peer.bias);
      },
      acceleration, "mass matrix and its factors");
}

}  // namespace

int main(int argc, char** argv) {
  const int api = rbdl_get_api_version();
  peers::Program program(argc, argv, "rbdl",
                         std::to_string(api >> 16) + "." + std::to_string(api >> 8 & 255) + "." +
                             std::to_string(api & 255));
  program.unsupported("coriolis_matrix", "only the product with v");
  for (const char* function : {"inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  Peer peer(program);
  add_kinematics(program, peer);
  add_dynamics(program, peer);
  add_matrices(program, peer);
  return program.run();
}
