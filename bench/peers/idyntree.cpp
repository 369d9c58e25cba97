// iDynTree: its model and the free functions on it, with buffers that are made once. The base is
// always free; a fixed one is a link without mass at rest, whose rows are left out of the results.
#include <iDynTree/Axis.h>
#include <iDynTree/Dynamics.h>
#include <iDynTree/ForwardKinematics.h>
#include <iDynTree/FreeFloatingMatrices.h>
#include <iDynTree/FreeFloatingState.h>
#include <iDynTree/Jacobians.h>
#include <iDynTree/MatrixDynSize.h>
#include <iDynTree/MatrixView.h>
#include <iDynTree/Model.h>
#include <iDynTree/PrismaticJoint.h>
#include <iDynTree/RevoluteJoint.h>
#include <iDynTree/Rotation.h>
#include <iDynTree/SpatialInertia.h>
#include <iDynTree/Traversal.h>

#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using namespace iDynTree;
using FlatModel = peers::Model;
using Numbers = std::vector<double>;

Position position(const std::array<double, 3>& p) { return {p[0], p[1], p[2]}; }
Rotation rotation(const std::array<double, 9>& R) {
  return {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
}

struct Peer {
  const FlatModel& flat;
  bool free;
  Model model;
  Traversal traversal;
  std::vector<LinkIndex> ends;  ///< links that carry none
  std::vector<FreeFloatingPos> q;
  std::vector<FreeFloatingVel> v;
  std::vector<FreeFloatingAcc> proper;  ///< acceleration less that of free fall
  std::vector<JointDOFsDoubleArray> tau;
  std::vector<LinkNetExternalWrenches> pushes;  ///< tau of the base
  std::vector<Vector3> gravity;                 ///< in the axes of the base
  // What the calls find.
  LinkPositions positions;
  LinkVelArray velocities;
  LinkAccArray accelerations;
  LinkNetExternalWrenches no_wrenches;
  LinkInternalWrenches wrenches;
  LinkCompositeRigidBodyInertias composites;
  FreeFloatingGeneralizedTorques torques;
  FreeFloatingMassMatrix M;
  FreeFloatingCoriolisMatrix C;
  FreeFloatingMassMatrixDerivative M_dot;
  ArticulatedBodyAlgorithmInternalBuffers buffers;
  FreeFloatingAcc result;
  std::vector<MatrixDynSize> J;

  explicit Peer(const peers::Program& program);
  LinkIndex link(int body) const { return free ? body : body + 1; }
  void add_body(const peers::Body& b, int index);
  template <class AxisJoint>
  void add_joint(const peers::Body& b, LinkIndex child, AxisJoint joint);
  void add_state(const peers::States& s, std::size_t k);
  Numbers without_base(const MatrixDynSize& m) const;
  void jacobian(int k, LinkIndex link, MatrixDynSize& J) const;
};

void Peer::add_body(const peers::Body& b, int index) {
  const std::array<double, 6>& I = b.inertia;
  RotationalInertia about_com;
  const std::size_t order[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  for (unsigned i = 0; i < 9; ++i) about_com(i / 3, i % 3) = I[order[i]];
  SpatialInertia inertia;
  inertia.fromRotationalInertiaWrtCenterOfMass(b.mass, position(b.com), about_com);
  Link body;
  body.setInertia(inertia);
  const LinkIndex child = model.addLink("b" + std::to_string(index), body);
  if (b.joint == peers::Joint::revolute) add_joint(b, child, RevoluteJoint());
  if (b.joint == peers::Joint::prismatic) add_joint(b, child, PrismaticJoint());
}

template <class AxisJoint>
void Peer::add_joint(const peers::Body& b, LinkIndex child, AxisJoint joint) {
  const LinkIndex parent = b.parent < 0 ? 0 : link(b.parent);
  joint.setAttachedLinks(parent, child);
  joint.setRestTransform(Transform(rotation(b.R), position(b.p)));
  joint.setAxis(Axis(Direction(b.axis[0], b.axis[1], b.axis[2]), Position(0, 0, 0)), child, parent);
  model.addJoint("j" + std::to_string(child), &joint);
}

void Peer::add_state(const peers::States& s, std::size_t k) {
  const unsigned base = free ? 6 : 0, joints = static_cast<unsigned>(flat.nv) - base;
  FreeFloatingPos position_k(model);
  FreeFloatingVel velocity_k(model);
  FreeFloatingAcc acceleration_k(model);
  JointDOFsDoubleArray tau_k(model);
  LinkNetExternalWrenches push(model);
  push.zero();
  velocity_k.baseVel().zero();
  acceleration_k.baseAcc().zero();
  Rotation R = Rotation::Identity();
  if (free) {
    R = rotation(peers::rotation(&s.q[k][3]));
    position_k.worldBasePos() = Transform(R, Position(s.q[k][0], s.q[k][1], s.q[k][2]));
    for (unsigned i = 0; i < 6; ++i) {
      velocity_k.baseVel().setVal(i, s.v[k][i]);
      acceleration_k.baseAcc().setVal(i, s.a[k][i]);
      push(0).setVal(i, s.tau[k][i]);
    }
  } else {
    position_k.worldBasePos() = Transform::Identity();
  }
  const Position g = R.inverse() * position(flat.gravity);
  gravity.emplace_back();
  for (unsigned i = 0; i < 3; ++i) {
    gravity.back()(i) = g(i);
    acceleration_k.baseAcc().setVal(i, acceleration_k.baseAcc().getVal(i) - g(i));
  }
  for (unsigned i = 0; i < joints; ++i) {
    position_k.jointPos()(i) = s.q[k][i + (free ? 7 : 0)];
    velocity_k.jointVel()(i) = s.v[k][i + base];
    acceleration_k.jointAcc()(i) = s.a[k][i + base];
    tau_k(i) = s.tau[k][i + base];
  }
  q.push_back(position_k);
  v.push_back(velocity_k);
  proper.push_back(acceleration_k);
  tau.push_back(tau_k);
  pushes.push_back(push);
}

Peer::Peer(const peers::Program& program)
    : flat(program.model()), free(flat.bodies[0].joint == peers::Joint::free) {
  if (!free) {
    Link world;
    SpatialInertia nothing = SpatialInertia::Zero();
    world.setInertia(nothing);
    model.addLink("world", world);
  }
  std::vector<bool> carries(flat.bodies.size());
  for (int i = 0; i < flat.size(); ++i) {
    const peers::Body& b = flat.bodies[i];
    add_body(b, i);
    if (b.parent >= 0) carries[b.parent] = true;
  }
  for (int i = 0; i < flat.size(); ++i)
    if (!carries[i]) ends.push_back(link(i));
  model.computeFullTreeTraversal(traversal, 0);
  for (std::size_t k = 0; k < program.states().q.size(); ++k) add_state(program.states(), k);
  positions.resize(model);
  velocities.resize(model);
  accelerations.resize(model);
  no_wrenches.resize(model);
  no_wrenches.zero();
  wrenches.resize(model);
  composites.resize(model);
  torques.resize(model);
  M.resize(model);
  C.resize(model);
  M_dot.resize(model);
  buffers.resize(model);
  result.resize(model);
  J.assign(ends.size(), MatrixDynSize(6, 6 + model.getNrOfDOFs()));
}

Numbers Peer::without_base(const MatrixDynSize& m) const {
  Numbers out;
  const unsigned first_row = m.rows() == m.cols() && !free ? 6 : 0, first = free ? 0 : 6;
  for (unsigned i = first_row; i < m.rows(); ++i)
    for (unsigned j = first; j < m.cols(); ++j) out.push_back(m(i, j));
  return out;
}

/// Of the link's origin, in the axes of the world.
void Peer::jacobian(int k, LinkIndex index, MatrixDynSize& out) const {
  const Position& p = positions(index).getPosition();
  FreeFloatingJacobianUsingLinkPos(model, traversal, q[k].jointPos(), positions, index,
                                   Transform(Rotation::Identity(), -p), Transform::Identity(), out);
}

void add_kinematics(peers::Program& program, Peer& peer) {
  const auto poses = [&peer](int k) {
    ForwardPositionKinematics(peer.model, peer.traversal, peer.q[k], peer.positions);
  };
  program.add("poses", poses, [&peer](int, Numbers& out) {
    for (int body = 0; body < peer.flat.size(); ++body) {
      const Transform& T = peer.positions(peer.link(body));
      for (unsigned i = 0; i < 9; ++i) out.push_back(T.getRotation()(i / 3, i % 3));
      for (unsigned i = 0; i < 3; ++i) out.push_back(T.getPosition()(i));
    }
  });
  program.add(
      "jacobians",
      [&peer, poses](int k) {
        poses(k);
        for (std::size_t i = 0; i < peer.ends.size(); ++i)
          peer.jacobian(k, peer.ends[i], peer.J[i]);
      },
      [&peer](int k, Numbers& out) {
        for (const int body : {peer.flat.size() - 1, peer.flat.size() / 2}) {
          MatrixDynSize J(6, 6 + peer.model.getNrOfDOFs());
          peer.jacobian(k, peer.link(body), J);
          const Numbers numbers = peer.without_base(J);
          out.insert(out.end(), numbers.begin(), numbers.end());
        }
      },
      "Jacobians of the ends of all branches, which hold the columns of all joints");
}

void add_matrices(peers::Program& program, Peer& peer) {
  const char* note = peer.free ? "" : "with the rows of a base that is free";
  program.add(
      "mass_matrix",
      [&peer](int k) {
        CompositeRigidBodyAlgorithm(peer.model, peer.traversal, peer.q[k].jointPos(),
                                    peer.composites, peer.M);
      },
      [&peer](int, Numbers& out) {
        const Numbers M = peer.without_base(peer.M);
        out.insert(out.end(), M.begin(), M.end());
      },
      note);
  program.add(
      "coriolis_matrix",
      [&peer](int k) {
        ForwardPosVelKinematics(peer.model, peer.traversal, peer.q[k], peer.v[k], peer.positions,
                                peer.velocities);
        CoriolisMatrixAlgorithm(peer.model, peer.traversal, peer.positions, peer.velocities,
                                peer.composites, peer.C, peer.M, peer.M_dot);
      },
      [&peer, &program](int k, Numbers& out) {
        const Numbers C = peer.without_base(peer.C), &v = program.states().v[k];
        for (std::size_t row = 0; row < C.size(); row += v.size()) {
          double sum = 0;
          for (std::size_t j = 0; j < v.size(); ++j) sum += C[row + j] * v[j];
          out.push_back(sum);
        }
      },
      "with the mass matrix and its derivative by time");
}

void add_dynamics(peers::Program& program, Peer& peer) {
  program.add(
      "inverse_dynamics",
      [&peer](int k) {
        ForwardVelAccKinematics(peer.model, peer.traversal, peer.q[k], peer.v[k], peer.proper[k],
                                peer.velocities, peer.accelerations);
        RNEADynamicPhase(peer.model, peer.traversal, peer.q[k].jointPos(), peer.velocities,
                         peer.accelerations, peer.no_wrenches, peer.wrenches, peer.torques);
      },
      [&peer](int, Numbers& out) {
        for (unsigned i = 0; peer.free && i < 6; ++i)
          out.push_back(peer.torques.baseWrench().getVal(i));
        for (unsigned i = 0; i < peer.model.getNrOfDOFs(); ++i)
          out.push_back(peer.torques.jointTorques()(i));
      });
  if (!peer.free) {
    program.unsupported("forward_dynamics", "only of models with a free base");
    return;
  }
  program.add(
      "forward_dynamics",
      [&peer](int k) {
        ArticulatedBodyAlgorithm(peer.model, peer.traversal, peer.q[k], peer.v[k], peer.pushes[k],
                                 peer.tau[k], peer.buffers, peer.result);
        SpatialAcc& base = peer.result.baseAcc();
        for (unsigned i = 0; i < 3; ++i)  // falls freely as a whole
          base.setVal(i, base.getVal(i) + peer.gravity[k](i));
      },
      [&peer](int, Numbers& out) {
        for (unsigned i = 0; i < 6; ++i) out.push_back(peer.result.baseAcc().getVal(i));
        for (unsigned i = 0; i < peer.model.getNrOfDOFs(); ++i)
          out.push_back(peer.result.jointAcc()(i));
      });
}

}  // namespace

int main(int argc, char** argv) {
  peers::Program program(argc, argv, "idyntree", IDYNTREE_VERSION);
  for (const char* function : {"inverse_mass_matrix", "inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  Peer peer(program);
  add_kinematics(program, peer);
  add_dynamics(program, peer);
  add_matrices(program, peer);
  return program.run();
}
