/// Random trees with coupled joints, for tests of what keeps couplings.
#pragma once
#include <Eigen/Core>

#include "tests/support/models/random_tree.hpp"

namespace axode::test {

/// Joints of one freedom follow the first two such, each with some chance. Drives have armatures.
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
