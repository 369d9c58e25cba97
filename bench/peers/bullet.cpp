// Bullet, in double precision: its library of inverse dynamics, and btMultiBody for forward dynamics.
#include <BulletInverseDynamics/MultiBodyTree.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/bullet_multibody.hpp"
#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

namespace id = btInverseDynamics;
using peers::Model;
using Numbers = std::vector<double>;
static_assert(sizeof(idScalar) == sizeof(double), "Bullet of single precision");

id::vec3 vec(const std::array<double, 3>& v) { return btVector3(v[0], v[1], v[2]); }
id::vecx vec(const Numbers& v) {
  id::vecx y(static_cast<int>(v.size()));
  for (int i = 0; i < y.size(); ++i) y(i) = v[i];
  return y;
}
Numbers numbers(const id::vecx& v) {
  Numbers out;
  for (int i = 0; i < v.size(); ++i) out.push_back(v(i));
  return out;
}

/// The inertia about the origin of the body.
id::mat33 about_origin(const peers::Body& b) {
  const std::array<double, 6>& I = b.inertia;
  id::mat33 sum(btMatrix3x3(I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]));
  const btVector3 c = vec(b.com);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum(i, j) += b.mass * ((i == j ? c.dot(c) : 0) - c[i] * c[j]);
  return sum;
}

/// A tree of Bullet; if `on_world`, on a fixed body as root, which several bodies may be on.
struct Tree {
  id::MultiBodyTree tree;
  int first;  ///< Bullet's number of the first body

  Tree(const Model& model, bool on_world) : first(on_world ? 1 : 0) {
    tree.setAcceptInvalidMassParameters(true);
    const id::vec3 zero = btVector3(0, 0, 0);
    const id::mat33 identity = btMatrix3x3::getIdentity();
    if (on_world)
      tree.addBody(0, -1, id::FIXED, zero, identity, zero, 0, zero,
                   btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0), 0, nullptr);
    for (int i = 0; i < model.size(); ++i) {
      const peers::Body& b = model.bodies[i];
      const std::array<double, 9>& R = b.R;
      const id::mat33 from_parent(
          btMatrix3x3(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]));
      const id::JointType type = b.joint == peers::Joint::free       ? id::FLOATING
                                 : b.joint == peers::Joint::revolute ? id::REVOLUTE
                                                                     : id::PRISMATIC;
      tree.addBody(i + first, b.parent + first, type, vec(b.p), from_parent, vec(b.axis), b.mass,
                   vec(b.com), about_origin(b), 0, nullptr);
    }
    tree.finalize();
    tree.setGravityInWorldFrame(vec(model.gravity));
  }
};

struct Peer {
  const Model& model;
  bool free, several;  ///< several bodies are on the world
  Tree dynamics;
  Tree kinematics;  ///< Bullet's Jacobians of a floating root are not of the velocities it says
  peers::Coordinates coordinates;
  std::vector<id::vecx> q, u, u_dot;
  // What the calls find.
  std::vector<id::vec3> origins;
  std::vector<id::mat33> rotations;
  id::vecx x;
  id::matxx M;

  explicit Peer(const peers::Program& program);
  Numbers positions(const Numbers& canonical) const;
};

bool several_roots(const Model& model) {
  int roots = 0;
  for (const peers::Body& b : model.bodies) roots += b.parent < 0;
  return roots > 1;
}

Peer::Peer(const peers::Program& program)
    : model(program.model()),
      free(model.bodies[0].joint == peers::Joint::free),
      several(several_roots(model)),
      dynamics(model, several),
      kinematics(model, several || free),
      coordinates(model, peers::angular_first | peers::of_origin),
      origins(model.size()),
      rotations(model.size()),
      x(model.nv),
      M(model.nv, model.nv) {
  const peers::States& s = program.states();
  for (std::size_t k = 0; k < s.q.size(); ++k) {
    q.push_back(vec(positions(s.q[k])));
    u.push_back(vec(coordinates.velocity(s.q[k], s.v[k])));
    u_dot.push_back(vec(coordinates.acceleration(s.q[k], s.v[k], s.a[k])));
  }
}

/// Of a free body, Bullet wants angles about x, y, z, and the position turned by the rotation.
Numbers Peer::positions(const Numbers& canonical) const {
  Numbers y;
  for (const peers::Body& b : model.bodies) {
    const double* x_b = &canonical[b.q];
    if (b.joint != peers::Joint::free) {
      y.push_back(x_b[0]);
      continue;
    }
    const std::array<double, 9> R = peers::rotation(x_b + 3);
    y.push_back(std::atan2(-R[5], R[8]));
    y.push_back(std::atan2(R[2], std::hypot(R[5], R[8])));
    y.push_back(std::atan2(-R[1], R[0]));
    for (std::size_t i = 0; i < 3; ++i)
      y.push_back(R[3 * i] * x_b[0] + R[3 * i + 1] * x_b[1] + R[3 * i + 2] * x_b[2]);
  }
  return y;
}

void add_kinematics(peers::Program& program, Peer& peer) {
  program.add(
      "poses",
      [&peer](int k) {
        peer.dynamics.tree.calculatePositionKinematics(peer.q[k]);
        for (int i = 0; i < peer.model.size(); ++i) {
          peer.dynamics.tree.getBodyOrigin(i + peer.dynamics.first, &peer.origins[i]);
          peer.dynamics.tree.getBodyTransform(i + peer.dynamics.first, &peer.rotations[i]);
        }
      },
      [&peer](int, Numbers& out) {
        for (std::size_t i = 0; i < peer.origins.size(); ++i) {
          for (int j = 0; j < 9; ++j) out.push_back(peer.rotations[i](j / 3, j % 3));
          for (int j = 0; j < 3; ++j) out.push_back(peer.origins[i](j));
        }
      });
  program.add(
      "jacobians",
      [&peer](int k) {
        peer.kinematics.tree.calculatePositionKinematics(peer.q[k]);
        peer.kinematics.tree.calculateJacobians(peer.q[k]);
      },
      [&peer, &program](int k, Numbers& out) {
        for (const int body : {peer.model.size() - 1, peer.model.size() / 2}) {
          id::mat3x linear(3, peer.model.nv), angular(3, peer.model.nv);
          peer.kinematics.tree.getBodyJacobianTrans(body + peer.kinematics.first, &linear);
          peer.kinematics.tree.getBodyJacobianRot(body + peer.kinematics.first, &angular);
          Numbers J;
          for (int i = 0; i < 6; ++i)
            for (int j = 0; j < peer.model.nv; ++j)
              J.push_back(i < 3 ? linear(i, j) : angular(i - 3, j));
          peer.coordinates.add_jacobian(program.states().q[k], J, out);
        }
      },
      "in the axes of the bodies");
}

void add_dynamics(peers::Program& program, Peer& peer, peers::BulletMultiBody& multibody) {
  program.add(
      "inverse_dynamics",
      [&peer](int k) {
        peer.dynamics.tree.calculateInverseDynamics(peer.q[k], peer.u[k], peer.u_dot[k], &peer.x);
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_force(program.states().q[k], numbers(peer.x), out);
      });
  program.add(
      "mass_matrix", [&peer](int k) { peer.dynamics.tree.calculateMassMatrix(peer.q[k], &peer.M); },
      [&peer, &program](int k, Numbers& out) {
        Numbers M;
        for (int i = 0; i < peer.model.nv; ++i)
          for (int j = 0; j < peer.model.nv; ++j) M.push_back(peer.M(i, j));
        peer.coordinates.add_matrix(program.states().q[k], M, out);
      });
  program.add(
      "forward_dynamics", [&multibody](int k) { multibody.forward_dynamics(k); },
      [&multibody](int k, Numbers& out) { multibody.add_acceleration(k, out); });
}

}  // namespace

int main(int argc, char** argv) {
  const int version = btGetVersion();
  peers::Program program(argc, argv, "bullet",
                         std::to_string(version / 100) + "." + std::to_string(version % 100));
  program.unsupported("coriolis_matrix", "only the product with v");
  for (const char* function : {"inverse_mass_matrix", "inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  Peer peer(program);
  peers::BulletMultiBody multibody(program.model(), program.states());
  add_kinematics(program, peer);
  add_dynamics(program, peer, multibody);
  return program.run();
}
