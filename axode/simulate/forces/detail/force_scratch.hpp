// What a ForceWork holds: constants looked up in the tree, and memory. Included by the sources of
// forces.hpp.
#pragma once
#include <optional>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/engine.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode {

namespace laws {

/// The limits of one degree of freedom.
struct Stop {
  int q = 0, velocity = 0;
  double lower = 0, upper = 0, stiffness = 0, damping = 0;
};
/// The friction of one degree of freedom.
struct Rub {
  int velocity = 0;
  double force = 0;
};

/// Memory of controllers.
template <class S>
struct ControlScratch {
  explicit ControlScratch(const Tree& tree)
      : target(tree.nq), error(tree.nv), command(error), torque(error), drive(error), zero(error) {}
  std::vector<S> target, error, command, torque, drive, zero;
};

/// Memory of derivatives: the state moved along one direction, and all that follows from it.
struct DualScratch {
  using D = Dual<double>;
  explicit DualScratch(const Tree& tree)
      : poses(tree),
        moved(tree),
        motion(tree),
        dynamics(tree),
        control(tree),
        q(tree.nq),
        v(tree.nv),
        direction(v),
        tau(v),
        wrenches(tree.links.size()),
        sums(tree.links.size()),
        q_minus(q.size()),
        q_plus(q.size()),
        v_minus(v.size()),
        v_plus(v.size()),
        step(v.size()) {}
  Poses<double> poses;
  Poses<D> moved;
  Motion<Rep::body, D> motion;
  InverseDynamics<Rep::body, D> dynamics;
  ControlScratch<D> control;
  std::vector<D> q, v, direction, tau;
  std::vector<Wrench<Rep::body, D>> wrenches;
  std::vector<Vec6<double>> sums;
  std::vector<double> q_minus, q_plus, v_minus, v_plus, step;
};

}  // namespace laws

struct ForceScratch {
  explicit ForceScratch(const Tree& tree) : control(tree), q_d(tree.nq), v_d(tree.nv), a_d(v_d) {}
  std::vector<laws::Stop> stops;
  std::vector<laws::Rub> rubs;
  std::vector<int> spring_q;  ///< by spring: its coordinate
  bool has_functions = false;
  std::optional<Engine> engine;  ///< for controllers that need it
  laws::ControlScratch<double> control;
  std::vector<double> q_d, v_d, a_d;      ///< the reference
  std::optional<laws::DualScratch> dual;  ///< made on first use
};

}  // namespace axode
