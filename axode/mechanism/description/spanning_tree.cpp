#include "axode/mechanism/description/spanning_tree.hpp"

#include <algorithm>
#include <queue>
#include <string>
#include <tuple>

#include "axode/core/error.hpp"

namespace axode {
namespace {

int count(const auto& list) { return static_cast<int>(list.size()); }

/// What cutting each joint costs: its equations, and far more if it should stay.
struct Costs {
  std::vector<int> cutting;
  std::vector<char> may_carry;
};

void check_joints(const Mechanism& mechanism, std::span<const int> joints) {
  for (const int joint : joints)
    if (joint < 0 || joint >= count(mechanism.joints))
      throw Error("there is no joint " + std::to_string(joint), "spanning_tree",
                  "joints are numbered from 0 to " + std::to_string(count(mechanism.joints) - 1));
}

Costs cutting_costs(const Mechanism& mechanism, std::span<const int> cut,
                    std::span<const int> keep) {
  check_joints(mechanism, cut);
  check_joints(mechanism, keep);
  constexpr int equation = 4, wanted = 1000, asked = 100000;
  Costs costs;
  for (const MechanismJoint& joint : mechanism.joints) {
    // Of the same number, equations of a common point are the simplest.
    const bool is_simple = joint.type == PairType::revolute || joint.type == PairType::spherical;
    const int rows = (mechanism.is_planar ? 3 : 6) - dofs(joint, mechanism.is_planar);
    costs.cutting.push_back(equation * rows + (is_simple ? 0 : 1));
    costs.may_carry.push_back(carries_body(joint.type) ? 1 : 0);
  }
  std::vector<char> used(mechanism.joints.size(), 0);
  const auto use = [&](int coordinate) {
    const int joint = mechanism.coordinates[coordinate].joint;
    if (joint >= 0) used[joint] = 1;
  };
  for (const MechanismDriver& driver : mechanism.drivers) use(driver.coordinate);
  for (const CoordinateForce& force : mechanism.coordinate_forces) use(force.coordinate);
  for (const MechanismCoupling& coupling : mechanism.couplings)
    for (const auto& part : coupling.parts) use(part.coordinate);
  for (std::size_t k = 0; k < used.size(); ++k) costs.cutting[k] += used[k] ? wanted : 0;
  for (const int joint : keep) costs.cutting[joint] += asked;
  for (const int joint : cut) costs.may_carry[joint] = 0;
  return costs;
}

/// Joints at each body: those of body b are joints[first[b]] .. (first[b + 1] excluded).
struct Incidence {
  std::vector<int> first, joints;
};
Incidence incidence(const Mechanism& mechanism, const std::vector<char>& chosen) {
  Incidence at_body{std::vector<int>(mechanism.bodies.size() + 1, 0), {}};
  const auto each = [&](const auto& visit) {
    for (int k = 0; k < count(mechanism.joints); ++k)
      if (chosen[k])
        for (const int body : mechanism.joints[k].body) visit(k, body);
  };
  each([&](int, int body) { ++at_body.first[body + 1]; });
  for (std::size_t b = 1; b < at_body.first.size(); ++b) at_body.first[b] += at_body.first[b - 1];
  at_body.joints.resize(at_body.first.back());
  std::vector<int> next(at_body.first.begin(), at_body.first.end() - 1);
  each([&](int joint, int body) { at_body.joints[next[body]++] = joint; });
  return at_body;
}
int other_body(const MechanismJoint& joint, int body) {
  return joint.body[0] == body ? joint.body[1] : joint.body[0];
}

/// Grows a tree from the world and, as long as bodies are left, from the one with most joints;
/// shortest chains first, among these the ones that are costly to cut.
class Growth {
 public:
  Growth(const Mechanism& mechanism, const Costs& costs, const std::vector<char>& chosen)
      : mechanism_(mechanism), costs_(costs), at_body_(incidence(mechanism, chosen)) {
    tree.parent_joint.assign(mechanism.bodies.size(), -1);
    tree.parent.assign(mechanism.bodies.size(), -1);
    depth.assign(mechanism.bodies.size(), -1);
  }
  void grow_all() {
    grow(0);
    std::vector<int> left;
    for (int b = 1; b < count(mechanism_.bodies); ++b)
      if (depth[b] < 0) left.push_back(b);
    std::ranges::stable_sort(left, std::greater{},
                             [&](int b) { return at_body_.first[b + 1] - at_body_.first[b]; });
    for (const int body : left) {
      if (depth[body] >= 0) continue;
      tree.parent_joint[body] = SpanningTree::free_joint;
      tree.parent[body] = 0;
      grow(body);
    }
  }
  SpanningTree tree;
  std::vector<int> depth;

 private:
  struct Reach {
    int depth, cost, joint, body, parent;
    bool operator>(const Reach& other) const {
      return std::tie(depth, cost, joint) > std::tie(other.depth, other.cost, other.joint);
    }
  };
  void grow(int root) {
    std::priority_queue<Reach, std::vector<Reach>, std::greater<>> reach;
    const auto settle = [&](int body, int level) {
      depth[body] = level;
      if (body != 0) tree.order.push_back(body);
      for (int k = at_body_.first[body]; k < at_body_.first[body + 1]; ++k) {
        const int joint = at_body_.joints[k];
        const int next = other_body(mechanism_.joints[joint], body);
        if (depth[next] < 0) reach.push({level + 1, -costs_.cutting[joint], joint, next, body});
      }
    };
    settle(root, root == 0 ? 0 : 1);
    while (!reach.empty()) {
      const Reach r = reach.top();
      reach.pop();
      if (depth[r.body] >= 0) continue;
      tree.parent_joint[r.body] = r.joint;
      tree.parent[r.body] = r.parent;
      settle(r.body, r.depth);
    }
  }
  const Mechanism& mechanism_;
  const Costs& costs_;
  Incidence at_body_;
};

/// The cut joint and the way from its body j to i through the tree.
std::vector<int> loop_of(const SpanningTree& tree, const std::vector<int>& depth,
                         const MechanismJoint& joint, int number) {
  std::vector<int> loop{number}, back;
  int i = joint.body[0], j = joint.body[1];
  const auto climb = [&](int& body, std::vector<int>& way) {
    if (tree.parent_joint[body] >= 0) way.push_back(tree.parent_joint[body]);
    body = tree.parent[body];
  };
  while (i != j) {
    if (depth[j] >= depth[i])
      climb(j, loop);
    else
      climb(i, back);
  }
  loop.insert(loop.end(), back.rbegin(), back.rend());
  return loop;
}

void add_loops(const Mechanism& mechanism, const std::vector<int>& depth, SpanningTree& tree) {
  std::vector<char> in_tree(mechanism.joints.size(), 0);
  for (const int joint : tree.parent_joint)
    if (joint >= 0) in_tree[joint] = 1;
  for (int k = 0; k < count(mechanism.joints); ++k) {
    if (in_tree[k]) continue;
    tree.cut.push_back(k);
    tree.loops.push_back(loop_of(tree, depth, mechanism.joints[k], k));
  }
}

/// Exchanges of cut and tree joints. With the cut joint c of loop L in the tree instead of e in L,
/// L is the loop of e, and every other loop with e becomes its sum with L (of sets, modulo 2).
class Exchange {
 public:
  Exchange(const SpanningTree& tree, const Costs& costs)
      : cut(tree.cut), loops(tree.loops), costs_(costs), through_(costs.cutting.size()) {
    mark_.assign(costs.cutting.size(), 0);
    for (int l = 0; l < count(loops); ++l)
      for (const int joint : loops[l]) through_[joint].push_back(l);
  }
  /// Whether anything became better.
  bool pass() {
    bool better = false;
    for (int l = 0; l < count(loops); ++l)
      if (costs_.may_carry[cut[l]]) better = improve(l) || better;
    return better;
  }
  std::vector<int> cut;
  std::vector<std::vector<int>> loops;

 private:
  static constexpr int max_loops = 8, longest = 64;
  bool improve(int l) {
    int best = -1, best_gain = 0;
    const std::vector<int>& loop = loops[l];
    const bool is_short = count(loop) <= longest;
    for (const int joint : loop) mark_[joint] = 1;
    for (const int joint : loop) {
      if (joint == cut[l]) continue;
      const int others = count(through_[joint]) - 1;
      if (others > 0 && (!is_short || others > max_loops)) continue;
      const int gain = costs_.cutting[cut[l]] - costs_.cutting[joint] - growth(l, joint);
      if (gain > best_gain) best = joint, best_gain = gain;
    }
    for (const int joint : loop) mark_[joint] = 0;
    if (best >= 0) exchange(l, best);
    return best >= 0;
  }
  /// Joints more in other loops.
  int growth(int l, int joint) const {
    int more = 0;
    for (const int other : through_[joint]) {
      if (other == l) continue;
      int shared = 0;
      for (const int k : loops[other]) shared += mark_[k];
      more += count(loops[l]) - 2 * shared;
    }
    return more;
  }
  void exchange(int l, int joint) {
    const std::vector<int> others = through_[joint];
    for (const int other : others)
      if (other != l) add(other, loops[l]);
    cut[l] = joint;
  }
  void add(int l, const std::vector<int>& loop) {
    std::vector<int>& sum = loops[l];
    for (const int joint : loop) {
      const auto found = std::ranges::find(sum, joint);
      if (found == sum.end()) {
        sum.push_back(joint);
        through_[joint].push_back(l);
      } else {
        sum.erase(found);
        std::erase(through_[joint], l);
      }
    }
  }
  const Costs& costs_;
  std::vector<std::vector<int>> through_;  ///< by joint: loops
  std::vector<char> mark_;
};

}  // namespace

bool carries_body(PairType type) noexcept {
  switch (type) {
    case PairType::weld:
    case PairType::revolute:
    case PairType::prismatic:
    case PairType::helical:
    case PairType::cylindrical:
    case PairType::spherical:
    case PairType::universal:
    case PairType::planar:
      return true;
    default:
      return false;
  }
}

SpanningTree spanning_tree(const Mechanism& mechanism, std::span<const int> cut,
                           std::span<const int> keep) {
  const Costs costs = cutting_costs(mechanism, cut, keep);
  Growth growth(mechanism, costs, costs.may_carry);
  growth.grow_all();
  add_loops(mechanism, growth.depth, growth.tree);
  Exchange exchange(growth.tree, costs);
  constexpr int max_passes = 8;
  bool changed = false;
  for (int pass = 0; pass < max_passes && exchange.pass(); ++pass) changed = true;
  if (!changed) return std::move(growth.tree);
  std::vector<char> in_tree = costs.may_carry;
  for (const int joint : exchange.cut) in_tree[joint] = 0;
  Growth again(mechanism, costs, in_tree);
  again.grow_all();
  add_loops(mechanism, again.depth, again.tree);
  return std::move(again.tree);
}

}  // namespace axode
