/// The coupled joints of a tree, in the order in which forward dynamics eliminates their degrees of freedom.
///
/// A leader and its followers are a group: one degree of freedom, whose acceleration y moves joint k by
/// ratio_k y. Inwards of a joint of the group, up to the first body that carries all of them, where the
/// group meets, the wrench that a joint transmits depends on y, too:
///
///   W = I A + p + sum over the open groups g of B_g y_g.
///
/// A body has a column B for each group that is open there. Groups whose joints are on different
/// trees meet at the world, the body behind the last.
/// Tests: tests/engine/detail/tree/coupled_groups_test.cpp
#pragma once
#include <cstddef>
#include <vector>

#include "axode/engine/detail/tree/engine_tree.hpp"

namespace axode::engine {

/// By engine body, one more for the world.
struct CoupledBody {
  int first = 0, count = 0;  ///< columns
  int meeting = 0;           ///< the first columns: groups that meet here
  int own = -1;              ///< column, from `first` on, of the group its joint is one of
  int pairs = 0;             ///< where its pairs start: columns (i, j < i) at i (i - 1) / 2 + j
  int responses = 0;  ///< where those of its velocities start: velocity k, column j at k count + j
  double ratio = 0;
};
struct CoupledColumn {
  int group = 0;
  int above = -1;  ///< column of the same group at the parent; none where the group meets
};

/// Plain pointers, as in call.hpp.
struct GroupView {
  const CoupledBody* bodies = nullptr;  ///< none without couplings
  const CoupledColumn* columns = nullptr;
  const int* pairs = nullptr;  ///< numbers of products of two groups
  int column_count = 0, groups = 0, products = 0, responses = 0;
  std::ptrdiff_t numbers = 0;  ///< that forward dynamics keeps of them, at most
};

struct CoupledGroups {
  CoupledGroups() = default;
  CoupledGroups(const Tree& tree, const EngineTree& engine);

  std::vector<CoupledBody> bodies;  ///< none without couplings
  std::vector<CoupledColumn> columns;
  std::vector<int> pairs;
  int groups = 0, products = 0, responses = 0;

  GroupView view() const noexcept;
};

}  // namespace axode::engine
