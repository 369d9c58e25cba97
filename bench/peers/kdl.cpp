// The Kinematics and Dynamics Library of Orocos (KDL): joints of one degree of freedom on a fixed base.
// Chains have solvers of their own; trees only positions, Jacobians and inverse dynamics.
#include <kdl/config.h>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>
#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using peers::Model;
using Numbers = std::vector<double>;
constexpr const char* ends_note =
    "Jacobians of the ends of all branches, which hold the columns of all joints";

KDL::Vector vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

KDL::JntArray array(const Numbers& x) {
  KDL::JntArray y(static_cast<unsigned>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) y(static_cast<unsigned>(i)) = x[i];
  return y;
}
std::vector<KDL::JntArray> arrays(const std::vector<Numbers>& x) {
  std::vector<KDL::JntArray> y;
  for (const Numbers& numbers : x) y.push_back(array(numbers));
  return y;
}
void add(const KDL::JntArray& x, Numbers& out) {
  for (unsigned i = 0; i < x.rows(); ++i) out.push_back(x(i));
}
void add(const KDL::Frame& T, Numbers& out) {
  out.insert(out.end(), T.M.data, T.M.data + 9);
  out.insert(out.end(), T.p.data, T.p.data + 3);
}

/// As kdl_parser makes segments of the links of a URDF file.
KDL::Segment segment(const peers::Body& b, const std::string& name) {
  const std::array<double, 9>& R = b.R;
  const KDL::Frame F(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                     vector(b.p));
  const KDL::Joint::JointType type =
      b.joint == peers::Joint::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
  const std::array<double, 6>& I = b.inertia;
  const KDL::RigidBodyInertia inertia(b.mass, vector(b.com),
                                      KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
  return KDL::Segment(name, KDL::Joint("j" + name, F.p, F.M * vector(b.axis), type), F, inertia);
}

/// Columns of J, a Jacobian of a body at or beyond `body` at the point p, for the joints that carry
/// `body`, at its origin.
void add_jacobian(const Model& m, int body, const KDL::Vector& origin, const KDL::Jacobian& J,
                  const KDL::Vector& p, Numbers& out) {
  std::vector<KDL::Twist> columns(m.nv, KDL::Twist::Zero());
  for (int i = body; i >= 0; i = m.bodies[i].parent)
    columns[i] = J.getColumn(static_cast<unsigned>(i)).RefPoint(origin - p);
  for (int row = 0; row < 6; ++row)
    for (const KDL::Twist& column : columns) out.push_back(column(row));
}

struct Inputs {
  std::vector<KDL::JntArray> q, v, a, tau;
  explicit Inputs(const peers::States& s)
      : q(arrays(s.q)), v(arrays(s.v)), a(arrays(s.a)), tau(arrays(s.tau)) {}
};

/// The solvers keep references; one each for the whole run.
struct ChainPeer {
  const Model& model;
  const KDL::Chain& chain;
  Inputs in;
  unsigned n = static_cast<unsigned>(model.nv);
  KDL::Vector gravity = vector(model.gravity);
  KDL::ChainFkSolverPos_recursive positions{chain};
  KDL::ChainJntToJacSolver jacobian{chain};
  KDL::ChainIdSolver_RNE inverse{chain, gravity};
  KDL::ChainDynParam parameters{chain, gravity};
  KDL::ChainFdSolver_RNE forward{chain, gravity};
  KDL::ChainHdSolver_Vereshchagin hybrid{chain, KDL::Twist(-gravity, KDL::Vector::Zero()), 1};
  KDL::Wrenches no_forces = KDL::Wrenches(model.size(), KDL::Wrench::Zero());
  KDL::Jacobian no_directions{1};
  KDL::JntArray no_energy{1};
  // What the calls find.
  std::vector<KDL::Frame> frames = std::vector<KDL::Frame>(model.size());
  KDL::Jacobian J{n};
  KDL::JntArray x{n}, constraint{n};
  KDL::JntSpaceInertiaMatrix M{static_cast<int>(n)};
};

void add_chain_kinematics(peers::Program& program, ChainPeer& peer) {
  const auto frames_of = [&peer](int k) { peer.positions.JntToCart(peer.in.q[k], peer.frames); };
  program.add("poses", frames_of, [&peer](int, Numbers& out) {
    for (const KDL::Frame& T : peer.frames) add(T, out);
  });
  program.add(
      "jacobians",
      [&peer, frames_of](int k) {
        frames_of(k);
        peer.jacobian.JntToJac(peer.in.q[k], peer.J);
      },
      [&peer](int, Numbers& out) {
        for (const int body : {peer.model.size() - 1, peer.model.size() / 2})
          add_jacobian(peer.model, body, peer.frames[body].p, peer.J, peer.frames.back().p, out);
      },
      ends_note);
}

void add_chain_dynamics(peers::Program& program, ChainPeer& peer) {
  const Inputs& in = peer.in;
  const auto vector_found = [&peer](int, Numbers& out) { add(peer.x, out); };
  program.add(
      "inverse_dynamics",
      [&peer, &in](int k) {
        peer.inverse.CartToJnt(in.q[k], in.v[k], in.a[k], peer.no_forces, peer.x);
      },
      vector_found);
  program.add(
      "mass_matrix", [&peer, &in](int k) { peer.parameters.JntToMass(in.q[k], peer.M); },
      [&peer](int, Numbers& out) {
        for (unsigned i = 0; i < peer.n; ++i)
          for (unsigned j = 0; j < peer.n; ++j) out.push_back(peer.M(i, j));
      });
  program.add(
      "forward_dynamics",
      [&peer, &in](int k) {
        peer.forward.CartToJnt(in.q[k], in.v[k], in.tau[k], peer.no_forces, peer.x);
      },
      vector_found, "mass matrix and its factors");
  program.add(
      "forward_dynamics_vereshchagin",
      [&peer, &in](int k) {
        peer.hybrid.CartToJnt(in.q[k], in.v[k], peer.x, peer.no_directions, peer.no_energy,
                              peer.no_forces, in.tau[k], peer.constraint);
      },
      vector_found, "with one constraint, which is void");
}

struct TreePeer {
  const Model& model;
  const KDL::Tree& tree;
  const std::vector<std::string>& names;
  Inputs in;
  KDL::TreeFkSolverPos_recursive positions{tree};
  KDL::TreeJntToJacSolver jacobian{tree};
  KDL::TreeIdSolver_RNE inverse{tree, vector(model.gravity)};
  KDL::WrenchMap no_forces{};
  std::vector<int> ends{};                                       ///< bodies that carry none
  std::vector<int> end_of = std::vector<int>(model.size(), -1);  ///< index of an end beyond
  // What the calls find.
  std::vector<KDL::Frame> frames = std::vector<KDL::Frame>(model.size());
  KDL::JntArray x{static_cast<unsigned>(model.nv)};
  std::vector<KDL::Jacobian> J{};
};

void find_ends(TreePeer& peer) {
  for (int i = peer.model.size() - 1; i >= 0; --i) {
    int& end = peer.end_of[i];
    if (end < 0) {
      end = static_cast<int>(peer.ends.size());
      peer.ends.push_back(i);
    }
    const int parent = peer.model.bodies[i].parent;
    if (parent >= 0 && peer.end_of[parent] < 0) peer.end_of[parent] = end;
  }
  peer.J.assign(peer.ends.size(), KDL::Jacobian(peer.x.rows()));
}

void add_tree_functions(peers::Program& program, TreePeer& peer) {
  const Inputs& in = peer.in;
  const auto frames_of = [&peer, &in](int k) {
    for (std::size_t i = 0; i < peer.names.size(); ++i)
      peer.positions.JntToCart(in.q[k], peer.frames[i], peer.names[i]);
  };
  program.add(
      "poses", frames_of,
      [&peer](int, Numbers& out) {
        for (const KDL::Frame& T : peer.frames) add(T, out);
      },
      "one call per body");
  program.add(
      "jacobians",
      [&peer, &in, frames_of](int k) {
        frames_of(k);
        for (std::size_t e = 0; e < peer.ends.size(); ++e)
          peer.jacobian.JntToJac(in.q[k], peer.J[e], peer.names[peer.ends[e]]);
      },
      [&peer](int, Numbers& out) {
        for (const int body : {peer.model.size() - 1, peer.model.size() / 2}) {
          const std::size_t e = peer.end_of[body];
          add_jacobian(peer.model, body, peer.frames[body].p, peer.J[e],
                       peer.frames[peer.ends[e]].p, out);
        }
      },
      ends_note);
  program.add(
      "inverse_dynamics",
      [&peer, &in](int k) {
        peer.inverse.CartToJnt(in.q[k], in.v[k], in.a[k], peer.no_forces, peer.x);
      },
      [&peer](int, Numbers& out) { add(peer.x, out); });
}

int run_chain(peers::Program& program) {
  KDL::Chain chain;
  for (const peers::Body& b : program.model().bodies)
    chain.addSegment(segment(b, "b" + std::to_string(chain.getNrOfSegments())));
  ChainPeer peer{program.model(), chain, Inputs(program.states())};
  KDL::SetToZero(peer.no_directions);
  add_chain_kinematics(program, peer);
  add_chain_dynamics(program, peer);
  return program.run();
}

int run_tree(peers::Program& program) {
  std::vector<std::string> names;
  KDL::Tree tree("root");
  for (const peers::Body& b : program.model().bodies) {
    names.push_back("b" + std::to_string(names.size()));
    tree.addSegment(segment(b, names.back()), b.parent < 0 ? "root" : names[b.parent]);
  }
  TreePeer peer{program.model(), tree, names, Inputs(program.states())};
  find_ends(peer);
  add_tree_functions(program, peer);
  for (const char* function : {"mass_matrix", "forward_dynamics"})
    program.unsupported(function, "only of chains");
  return program.run();
}

}  // namespace

int main(int argc, char** argv) {
  peers::Program program(argc, argv, "kdl", KDL_VERSION_STRING + peers::assertions());
  const Model& model = program.model();
  for (const char* function : {"inverse_mass_matrix", "inverse_derivatives", "forward_derivatives"})
    program.unsupported(function, "not in the library");
  program.unsupported("coriolis_matrix", "only the product with v");
  bool free = false, chain = true;
  for (int i = 0; i < model.size(); ++i) {
    free = free || model.bodies[i].joint == peers::Joint::free;
    chain = chain && model.bodies[i].parent == i - 1;
  }
  if (free) {
    for (const char* function :
         {"poses", "jacobians", "inverse_dynamics", "mass_matrix", "forward_dynamics"})
      program.unsupported(function, "no joints of six degrees of freedom");
    return program.run();
  }
  return chain ? run_chain(program) : run_tree(program);
}
