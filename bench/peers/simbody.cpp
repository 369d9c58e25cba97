// Simbody: mobilized bodies in a State that is realized stage by stage. Each call sets q (and u),
// which invalidates all stages from position on, and realizes what its operator needs. The frames of
// bodies are turned so that the joint axis is the one that the library takes without a further
// transform.
#include <simbody/SimTKsimbody.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using namespace SimTK;
using peers::Model;
using Numbers = std::vector<double>;
using SpatialVector = Vector_<SpatialVec>;

Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
Mat33 mat(const std::array<double, 9>& R) {
  return {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
}

/// The frame in the body frame whose axis z (of a revolute joint) or x (of a prismatic one) is the
/// axis of the joint: the body frame of Simbody.
Rotation axis_frame(const peers::Body& b) {
  if (b.joint == peers::Joint::free) return {};
  const bool turns = b.joint == peers::Joint::revolute;
  return Rotation(UnitVec3(vec(b.axis)), turns ? CoordinateAxis(ZAxis) : CoordinateAxis(XAxis));
}

struct Peer {
  const Model& model;
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  std::unique_ptr<Force::Gravity> gravity;
  std::vector<MobilizedBody> bodies;
  std::vector<int> place;        ///< in the vectors of Simbody, of each velocity
  std::vector<Rotation> frames;  ///< of Simbody's body in the body frame
  State state;
  peers::Coordinates coordinates;
  std::vector<Vector> q, u, u_dot, tau;
  // What the calls find.
  Vector x;
  Matrix M;
  Matrix_<SpatialVec> J;
  SpatialVector accelerations;
  Vector no_forces;

  explicit Peer(const peers::Program& program);
  void add_body(const peers::Body& b);
  Vector in_order(const Numbers& x) const;
  Numbers out_of_order(const Vector& x) const;
  void set_position(int k) { state.updQ() = q[k]; }
  void set_motion(int k) {
    set_position(k);
    state.updU() = u[k];
  }
};

void Peer::add_body(const peers::Body& b) {
  const Rotation Rz = axis_frame(b);
  const std::array<double, 6>& I = b.inertia;
  const Inertia about_com(I[0], I[3], I[5], I[1], I[2], I[4]);
  const Vec3 com = vec(b.com);
  const Inertia about_origin = about_com.shiftFromMassCenter(com, b.mass);
  const Body::Rigid body(MassProperties(b.mass, ~Rz * com, about_origin.reexpress(Rz)));
  Rotation R;
  R.setRotationFromMat33TrustMe(mat(b.R));
  const Rotation parent_frame = b.parent < 0 ? Rotation() : frames[b.parent];
  MobilizedBody parent = b.parent < 0 ? MobilizedBody(matter.Ground()) : bodies[b.parent];
  const Transform F(~parent_frame * R * Rz, ~parent_frame * vec(b.p));
  frames.push_back(Rz);
  if (b.joint == peers::Joint::free)
    bodies.push_back(MobilizedBody::Free(parent, body));
  else if (b.joint == peers::Joint::revolute)
    bodies.push_back(MobilizedBody::Pin(parent, F, body, Transform()));
  else
    bodies.push_back(MobilizedBody::Slider(parent, F, body, Transform()));
}

Peer::Peer(const peers::Program& program)
    : model(program.model()),
      coordinates(model, peers::angular_first | peers::linear_in_world | peers::angular_in_world) {
  for (const peers::Body& b : model.bodies) add_body(b);
  gravity = std::make_unique<Force::Gravity>(forces, matter, vec(model.gravity));
  state = system.realizeTopology();
  system.realizeModel(state);
  system.realize(state, Stage::Instance);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (int j = 0; j < model.bodies[i].nv(); ++j)
      place.push_back(bodies[i].getFirstUIndex(state) + j);
  const peers::States& s = program.states();
  for (std::size_t k = 0; k < s.q.size(); ++k) {
    q.emplace_back(state.getNQ());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double* x_k = &s.q[k][model.bodies[i].q];
      const QIndex first = bodies[i].getFirstQIndex(state);
      if (model.bodies[i].joint != peers::Joint::free) {
        q[k][first] = x_k[0];
        continue;
      }
      const int order[] = {6, 3, 4, 5, 0, 1, 2};  // w x y z, position
      for (int j = 0; j < 7; ++j) q[k][first + j] = x_k[order[j]];
    }
    u.push_back(in_order(coordinates.velocity(s.q[k], s.v[k])));
    u_dot.push_back(in_order(coordinates.acceleration(s.q[k], s.v[k], s.a[k])));
    tau.push_back(in_order(coordinates.force(s.q[k], s.tau[k])));
  }
}

Vector Peer::in_order(const Numbers& numbers) const {
  Vector y(model.nv);
  for (int i = 0; i < model.nv; ++i) y[place[i]] = numbers[i];
  return y;
}
Numbers Peer::out_of_order(const Vector& y) const {
  Numbers numbers;
  for (const int i : place) numbers.push_back(y[i]);
  return numbers;
}

void add_kinematics(peers::Program& program, Peer& peer) {
  const auto realize = [&peer](int k) {
    peer.set_position(k);
    peer.system.realize(peer.state, Stage::Position);
  };
  program.add("poses", realize, [&peer](int, Numbers& out) {
    for (std::size_t i = 0; i < peer.bodies.size(); ++i) {
      const Transform& T = peer.bodies[i].getBodyTransform(peer.state);
      const Rotation R = T.R() * ~peer.frames[i];
      for (int j = 0; j < 9; ++j) out.push_back(R[j / 3][j % 3]);
      for (int j = 0; j < 3; ++j) out.push_back(T.p()[j]);
    }
  });
  program.add(
      "jacobians",
      [&peer, realize](int k) {
        realize(k);
        peer.matter.calcSystemJacobian(peer.state, peer.J);
      },
      [&peer, &program](int k, Numbers& out) {
        const int size = peer.model.size();
        for (const int body : {size - 1, size / 2}) {
          Numbers J;
          for (int row = 0; row < 6; ++row)  // Simbody's are angular, linear
            for (const int column : peer.place)
              J.push_back(peer.J(body + 1, column)[row < 3 ? 1 : 0][row % 3]);
          peer.coordinates.add_jacobian(program.states().q[k], J, out);
        }
      });
}

void add_matrices(peers::Program& program, Peer& peer) {
  const auto matrix = [&peer, &program](int k, Numbers& out) {
    Numbers M;
    for (const int row : peer.place)
      for (const int column : peer.place) M.push_back(peer.M(row, column));
    peer.coordinates.add_matrix(program.states().q[k], M, out);
  };
  program.add(
      "mass_matrix",
      [&peer](int k) {
        peer.set_position(k);
        peer.system.realize(peer.state, Stage::Position);
        peer.matter.calcM(peer.state, peer.M);
      },
      matrix);
  program.add(
      "inverse_mass_matrix",
      [&peer](int k) {
        peer.set_position(k);
        peer.system.realize(peer.state, Stage::Position);
        peer.matter.calcMInv(peer.state, peer.M);
      },
      matrix);
}

void add_dynamics(peers::Program& program, Peer& peer) {
  program.add(
      "inverse_dynamics",
      [&peer](int k) {
        peer.set_motion(k);
        peer.system.realize(peer.state, Stage::Velocity);
        peer.matter.calcResidualForceIgnoringConstraints(peer.state, peer.no_forces,
                                                         peer.gravity->getBodyForces(peer.state),
                                                         peer.u_dot[k], peer.x);
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_force(program.states().q[k], peer.out_of_order(peer.x), out);
      });
  program.add(
      "forward_dynamics",
      [&peer](int k) {
        peer.set_motion(k);
        peer.system.realize(peer.state, Stage::Dynamics);
        peer.matter.calcAccelerationIgnoringConstraints(peer.state, peer.tau[k],
                                                        peer.gravity->getBodyForces(peer.state),
                                                        peer.x, peer.accelerations);
      },
      [&peer, &program](int k, Numbers& out) {
        peer.coordinates.add_acceleration(program.states().q[k], program.states().v[k],
                                          peer.out_of_order(peer.x), out);
      });
}

}  // namespace

int main(int argc, char** argv) {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  peers::Program program(argc, argv, "simbody",
                         std::to_string(major) + "." + std::to_string(minor) + "." +
                             std::to_string(build) + peers::assertions());
  program.unsupported("coriolis_matrix", "only the product with v");
  for (const char* function : {"inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  std::unique_ptr<Peer> peer;
  try {
    peer = std::make_unique<Peer>(program);
  } catch (const std::exception& problem) {
    for (const char* function : {"poses", "jacobians", "inverse_dynamics", "mass_matrix",
                                 "forward_dynamics", "inverse_mass_matrix"})
      program.unsupported(function, std::string("refuses the model: ") + problem.what());
    return program.run();
  }
  add_kinematics(program, *peer);
  add_dynamics(program, *peer);
  add_matrices(program, *peer);
  return program.run();
}
