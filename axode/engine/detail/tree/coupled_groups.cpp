#include "axode/engine/detail/tree/coupled_groups.hpp"

#include <map>
#include <utility>

namespace axode::engine {

namespace {

/// By velocity: its group, or -1, and its ratio to the leader.
struct Members {
  std::vector<int> group;
  std::vector<double> ratio;
  std::vector<int> size;  ///< by group: joints in it
};
Members members(const Tree& tree) {
  Members m{std::vector(tree.nv, -1), std::vector(tree.nv, 0.), {}};
  for (const Coupling& c : tree.couplings) {
    const int leader = tree.links[c.leader].v, follower = tree.links[c.follower].v;
    if (m.group[leader] < 0) {
      m.group[leader] = static_cast<int>(m.size.size());
      m.ratio[leader] = 1;
      m.size.push_back(1);
    }
    m.group[follower] = m.group[leader];
    m.ratio[follower] = c.ratio;
    ++m.size[m.group[leader]];
  }
  return m;
}

/// By group: how many of its joints are beyond a body.
using Beyond = std::map<int, int>;

class Maker {
 public:
  Maker(const Tree& tree, const EngineTree& engine, CoupledGroups& result)
      : engine_(engine),
        members_(members(tree)),
        beyond_(engine.bodies.size() + 1),
        result_(result) {}

  void run() {
    const std::size_t world = engine_.bodies.size();
    result_.groups = static_cast<int>(members_.size.size());
    result_.bodies.resize(world + 1);
    for (std::size_t i = world; i-- > 0;) {
      const EngineBody& b = engine_.bodies[i];
      const std::size_t parent = b.parent < 0 ? world : b.parent;
      add(i, members_.group[b.v], b.nv, beyond_[parent]);
      result_.bodies[i].ratio = members_.ratio[b.v];
    }
    add(world, -1, 0, beyond_[world]);
    for (std::size_t i = 0; i < world; ++i)
      find_above(result_.bodies[i],
                 result_.bodies[engine_.bodies[i].parent < 0 ? world : engine_.bodies[i].parent]);
  }

 private:
  /// The columns of body i, whose joint is one of group `own` or of none.
  void add(std::size_t i, int own, int nv, Beyond& parent) {
    CoupledBody& b = result_.bodies[i];
    b.first = static_cast<int>(result_.columns.size());
    const auto meets = [&](const auto& entry) {
      return entry.second == members_.size[entry.first];
    };
    for (const auto& entry : beyond_[i])
      if (meets(entry)) result_.columns.push_back({entry.first, -1});
    b.meeting = static_cast<int>(result_.columns.size()) - b.first;
    Beyond open;
    for (const auto& entry : beyond_[i])
      if (!meets(entry)) open.insert(entry);
    if (own >= 0) ++open[own];
    for (const auto& [group, joints] : open) {
      if (group == own) b.own = static_cast<int>(result_.columns.size()) - b.first;
      result_.columns.push_back({group, -1});
      parent[group] += joints;
    }
    b.count = static_cast<int>(result_.columns.size()) - b.first;
    b.responses = std::exchange(result_.responses, result_.responses + nv * b.count);
    b.pairs = static_cast<int>(result_.pairs.size());
    for (int j = 1; j < b.count; ++j)
      for (int k = 0; k < j; ++k) result_.pairs.push_back(product(group(b, j), group(b, k)));
  }

  int group(const CoupledBody& b, int column) const {
    return result_.columns[b.first + column].group;
  }
  /// The number of a product of two groups.
  int product(int g, int h) {
    const auto [found, is_new] =
        products_.try_emplace(std::minmax(g, h), static_cast<int>(products_.size()));
    result_.products = static_cast<int>(products_.size());
    return found->second;
  }
  void find_above(const CoupledBody& b, const CoupledBody& parent) {
    for (int k = b.meeting; k < b.count; ++k)
      for (int j = 0; j < parent.count; ++j)
        if (group(parent, j) == group(b, k)) result_.columns[b.first + k].above = parent.first + j;
  }

  const EngineTree& engine_;
  const Members members_;
  std::vector<Beyond> beyond_;
  std::map<std::pair<int, int>, int> products_;
  CoupledGroups& result_;
};

}  // namespace

CoupledGroups::CoupledGroups(const Tree& tree, const EngineTree& engine) {
  if (!tree.couplings.empty()) Maker(tree, engine, *this).run();
}

GroupView CoupledGroups::view() const noexcept {
  if (bodies.empty()) return {};
  constexpr std::ptrdiff_t column = 8, group = 4;
  const auto column_count = static_cast<int>(columns.size());
  return {.bodies = bodies.data(),
          .columns = columns.data(),
          .pairs = pairs.data(),
          .column_count = column_count,
          .groups = groups,
          .products = products,
          .responses = responses,
          .numbers = column * column_count + group * groups + products + responses};
}

}  // namespace axode::engine
