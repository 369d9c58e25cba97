#include "axode/simulate/forces/detail/force_terms.hpp"

namespace axode {

namespace {

using laws::DualScratch;

/// q (or v) moved by eps along degree of freedom k, and by -h and h for functions of the user.
SignalArguments<Dual<double>> moved_state(const Tree& tree, double t, In<double> q, In<double> v,
                                          std::size_t k, bool velocity, bool functions,
                                          DualScratch& s) {
  for (std::size_t i = 0; i < q.size(); ++i) s.q[i] = Dual<double>(q[i]);
  for (std::size_t i = 0; i < v.size(); ++i) s.v[i] = Dual<double>(v[i]);
  SignalArguments<Dual<double>> state{.t = t, .q = s.q, .v = s.v};
  if (velocity) {
    s.v[k].dual = 1;
  } else {
    std::fill(s.direction.begin(), s.direction.end(), Dual<double>(0));
    s.direction[k].dual = 1;
    plus<Dual<double>>(tree, s.q, s.direction, s.q);
  }
  if (!functions) return state;
  state.h = 6e-6 * (velocity ? std::max(1.0, std::abs(v[k])) : 1);  // cube root of round-off
  for (const double sign : {-1.0, 1.0}) {
    std::vector<double>&x = sign < 0 ? s.q_minus : s.q_plus, &y = sign < 0 ? s.v_minus : s.v_plus;
    std::copy(v.begin(), v.end(), y.begin());
    std::copy(q.begin(), q.end(), x.begin());
    if (velocity) {
      y[k] += sign * state.h;
    } else {
      std::fill(s.step.begin(), s.step.end(), 0);
      s.step[k] = sign * state.h;
      plus<double>(tree, q, s.step, x);
    }
  }
  state.q_minus = s.q_minus;
  state.q_plus = s.q_plus;
  state.v_minus = s.v_minus;
  state.v_plus = s.v_plus;
  return state;
}

/// Adds the derivatives of tau and J^T times those of the wrenches, as column k.
void add_column(const Tree& tree, DualScratch& s, std::size_t k, bool bodies,
                DenseMatrix<double>& result) {
  const auto column = static_cast<int>(k);
  for (int j = 0; j < tree.nv; ++j) result(j, column) += s.tau[j].dual;
  if (!bodies) return;
  for (std::size_t i = 0; i < s.sums.size(); ++i) s.sums[i] = dual_part(s.wrenches[i].six());
  for (std::size_t i = s.sums.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    for (int j = link.v; j < link.v + link.nv; ++j)
      result(j, column) += dot(s.poses.screws[j], s.sums[i]);
    if (link.parent >= 0)
      s.sums[link.parent] = s.sums[link.parent] + Ad_inverse_transpose(s.poses.T_PB[i], s.sums[i]);
  }
}

}  // namespace

ForceDerivatives::ForceDerivatives(const Tree& tree) {
  for (DenseMatrix<double>* matrix : {&by_q, &by_v})
    *matrix = {tree.nv, tree.nv, std::vector<double>(std::size_t(tree.nv) * tree.nv, 0)};
}

void add_force_derivatives(const Tree& tree, const Forces& forces, double t, In<double> q,
                           In<double> v, ForceWork& work, ForceDerivatives& result) {
  ForceScratch& scratch = *work.scratch;
  if (!scratch.dual) scratch.dual.emplace(tree);
  DualScratch& s = *scratch.dual;
  if (work.needs_bodies) poses<double>(tree, q, s.poses);
  for (const bool velocity : {false, true})
    for (std::size_t k = 0; k < v.size(); ++k) {
      const SignalArguments<Dual<double>> state = moved_state(
          tree, laws::seen_time(forces, t, work), q, v, k, velocity, scratch.has_functions, s);
      std::fill(s.tau.begin(), s.tau.end(), Dual<double>(0));
      laws::add_joint_terms<Dual<double>>(forces, scratch, state, s.tau);
      laws::add_controllers<Dual<double>>(tree, forces, scratch, s.control, state, s.tau);
      if (work.needs_bodies) {
        poses<Dual<double>>(tree, state.q, s.moved);
        twists<Rep::body, Dual<double>>(tree, s.moved, state.v, s.motion);
        std::fill(s.wrenches.begin(), s.wrenches.end(), Wrench<Rep::body, Dual<double>>{});
        laws::add_body_terms<Dual<double>>(forces, {s.moved.T_WB, s.motion.twists}, state,
                                           s.wrenches);
      }
      add_column(tree, s, k, work.needs_bodies, velocity ? result.by_v : result.by_q);
    }
}

}  // namespace axode
