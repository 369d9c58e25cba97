/// Random trees with coupled joints, for tests of what keeps couplings.
#pragma once
#include <Eigen/Core>

#include "tests/support/models/random_tree.hpp"

namespace axode::test {

/// Joints of one degree of freedom follow the first two such, each with some chance. Drives have armatures.
inline Tree random_coupled_tree(Random& random, int bodies) {
  Tree tree = random_tree(random, bodies, {.one_screw_joints = random.integer(0, 1) == 1});
  std::vector<int> single;
  for (int i = 0; i < tree.size(); ++i)
    if (tree.links[i].nv == 1) single.push_back(i);
  for (std::size_t k = 2; k < single.size(); ++k)
    if (random.integer(0, 2) != 0)
      tree.couplings.push_back(
          {single[k], single[random.integer(0, 1)], random.uniform(-3, 3), .1, {}, 1, 0});
  for (Dof& dof : tree.dofs)
    dof = {.damping = random.uniform(0, 1),
           .friction = random.uniform(0, 1),
           .armature = random.uniform(0, .5)};
  return tree;
}

/// Couples joints of one degree of freedom at random: leaders anywhere, before or behind their followers, on the
/// same path or another, with none to many of these, which may stand still.
inline void couple_at_random(Random& random, Tree& tree) {
  std::vector<int> leaders, others;
  const int part = random.integer(1, 4);
  for (int i = 0; i < tree.size(); ++i)
    if (tree.links[i].nv == 1) (random.integer(0, part) == 0 ? leaders : others).push_back(i);
  if (leaders.empty()) return;
  const int last = static_cast<int>(leaders.size()) - 1, few = random.integer(0, last);
  for (const int i : others)
    if (random.integer(0, 2) != 0)
      tree.couplings.push_back({i,
                                leaders[random.integer(0, random.integer(0, 1) == 0 ? few : last)],
                                random.integer(0, 6) == 0 ? 0 : random.uniform(-3, 3),
                                random.uniform(-1, 1),
                                {},
                                1,
                                0});
}
/// Makes a state keep the couplings.
inline void keep_couplings(const Tree& tree, std::vector<double>& q, std::vector<double>& v) {
  q = expand_configuration(tree, independent_configuration(tree, q));
  v = expand_velocity(tree, independent_velocity(tree, v));
}

/// v = E v_independent, those that follow left out of the columns.
inline Eigen::MatrixXd expansion(const Tree& tree) {
  const auto velocity = [&](int body) { return tree.links[body].v; };
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(tree.nv, tree.nv);
  for (const Coupling& c : tree.couplings) {
    all(velocity(c.follower), velocity(c.leader)) = c.ratio;
    all(velocity(c.follower), velocity(c.follower)) = 0;
  }
  Eigen::MatrixXd E(tree.nv, tree.nv - static_cast<Eigen::Index>(tree.couplings.size()));
  Eigen::Index columns = 0;
  for (int k = 0; k < tree.nv; ++k)
    if (all.col(k).squaredNorm() > 0) E.col(columns++) = all.col(k);
  return E;
}

}  // namespace axode::test
