/// A tree of rigid bodies as plain numbers, and states of it, in files that every program of the
/// comparison of libraries reads. SI units.
///
/// Coordinates of all libraries: joints in the order of bodies, one q and v of a revolute or
/// prismatic joint; of a free joint q = (x, y, z, qx, qy, qz, qw) of the body in the world,
/// v = (linear, angular) velocity of the body frame in its own axes, a the plain derivative of v,
/// tau dual to v. X.model is text, X.states beside it holds three 64-bit integers (number of states,
/// nq, nv), then doubles q, v, a, tau of each state.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace peers {

enum class Joint { revolute, prismatic, free };

/// A body and the joint that carries it.
struct Body {
  std::string name;
  int parent = -1;  ///< -1: the world
  Joint joint = Joint::revolute;
  std::array<double, 3> axis{};  ///< in the body frame, through its origin, length 1
  std::array<double, 9> R{};     ///< row-major, columns are the body's axes in the parent, at q = 0
  std::array<double, 3> p{};     ///< origin of the body frame in the parent, at q = 0
  double mass = 0;
  std::array<double, 3> com{};      ///< centre of mass in the body frame
  std::array<double, 6> inertia{};  ///< about the centre of mass, body axes: xx xy xz yy yz zz
  int leader = -1;                  ///< the body whose joint this one follows, or none
  double ratio = 0, offset = 0;     ///< then q = ratio q_leader + offset
  int q = 0, v = 0;                 ///< first coordinate, first velocity
  int nq() const { return joint == Joint::free ? 7 : 1; }
  int nv() const { return joint == Joint::free ? 6 : 1; }
};

/// Bodies in depth-first order. Only joints on the world are free.
struct Model {
  std::string name;
  std::array<double, 3> gravity{};  ///< free-fall acceleration in the world
  std::vector<Body> bodies;
  int nq = 0, nv = 0;
  int size() const { return static_cast<int>(bodies.size()); }
  bool coupled()
      const;  ///< whether joints follow others; states keep that, and forward dynamics must
};

/// K states, each with q, v, a and tau.
struct States {
  std::vector<std::vector<double>> q, v, a, tau;
  int count() const { return static_cast<int>(q.size()); }
};

/// Throw std::runtime_error with the name of the file if it is not what it should be.
Model read_model(const std::string& path);
States read_states(const std::string& path, const Model& model);
void write_model(const std::string& path, const Model& model);
void write_states(const std::string& path, const States& states);
/// Sets q, v, nq, nv from the joints.
void number_coordinates(Model& model);

}  // namespace peers
