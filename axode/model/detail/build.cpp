// Checks a description and makes the tree; the fluent TreeBuilder is in builder.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/checks.hpp"
#include "axode/model/merge_fixed.hpp"

namespace axode {

namespace {

using detail::checked;
using detail::printable;

/// Where an item was described, for messages: "arm.urdf:12: joint 'elbow'".
struct Place {
  const TreeDescription& description;
  std::string of(const char* kind, const std::string& name, int line) const {
    std::string text = description.source;
    if (!text.empty()) text += line > 0 ? ":" + std::to_string(line) + ": " : ": ";
    return text + kind + " '" + printable(name) + "'";
  }
  std::string body(const BodyDescription& b) const { return of("body", b.name, b.line); }
  std::string joint(const JointDescription& j) const { return of("joint", j.name, j.line); }
  std::string frame(const FrameDescription& f) const { return of("frame", f.name, f.line); }
};

void add_name(detail::NameIndex& names, const std::string& name, int index, const char* kind,
              const std::string& where) {
  if (!names.emplace(name, index).second)
    throw Error(std::string("there is another ") + kind + " of this name", where,
                "give each its own name");
}

/// Bodies in the order of declaration, but parents first. joint_of[b] is the joint that carries b.
std::vector<int> ordered(const TreeDescription& d, const std::vector<int>& joint_of,
                         const std::vector<int>& parent_of, const Place& place) {
  const std::size_t n = d.bodies.size();
  std::vector<int> first(n + 2, 0), children(n);
  for (int p : parent_of) ++first[p + 2];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<int> next(first.begin(), first.end() - 1);
  for (std::size_t b = 0; b < n; ++b) children[next[parent_of[b] + 1]++] = static_cast<int>(b);

  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  const auto release = [&](int p) {
    for (int c = first[p + 1]; c < first[p + 2]; ++c) ready.push(children[c]);
  };
  std::vector<int> order;
  std::vector<char> done(n, 0);
  release(-1);
  while (!ready.empty()) {
    const int b = ready.top();
    ready.pop();
    done[b] = 1;
    order.push_back(b);
    release(b);
  }
  if (order.size() == n) return order;
  // What is left hangs on a cycle; walk up until a body comes again.
  int b = static_cast<int>(std::find(done.begin(), done.end(), 0) - done.begin());
  for (std::size_t steps = 0; steps < n; ++steps) b = parent_of[b];
  std::string names = printable(d.bodies[b].name);
  int shown = 1;
  for (int c = parent_of[b]; c != b && shown < 8; c = parent_of[c], ++shown)
    names.insert(0, printable(d.bodies[c].name) + " -> ");
  throw Error("the bodies form a cycle: " + names, place.joint(d.joints[joint_of[b]]),
              "let one of them hang on the world; loops are not part of a tree");
}

/// A frame whose third axis is the axis of a screw, at the point nearest to the origin.
SE3<double> frame_of_screw(const Vec6<double>& X) {
  const bool translation = max_abs(X.angular) == 0;
  const Vec3<double> z = normalized(translation ? X.linear : X.angular);
  const Vec3<double> other = std::abs(z.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> y = normalized(cross(z, other));
  return {{Mat3<double>{cross(y, z), y, z}},
          translation ? Vec3<double>{} : cross(X.angular, X.linear)};
}

JointMap map_of(const Joint& joint) {
  if (joint.dof() == 0) return JointMap::fixed;
  if (joint.coordinates == Coordinates::quaternion)
    return joint.type == JointType::free ? JointMap::free : JointMap::quaternion;
  if (joint.dof() > 1)
    return joint.coordinates == Coordinates::first_kind ? JointMap::exponential : JointMap::product;
  return max_abs(joint.screws.screws[0].angular) == 0 ? JointMap::translation : JointMap::screw;
}

/// Warns of joints that move no mass: no force could accelerate them in a definite way.
void check_moved_mass(const std::vector<std::string>& where, Tree& tree) {
  std::vector<double> moved(tree.links.size());
  double total = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) total += moved[i] = tree.bodies[i].inertia.mass;
  if (total == 0) {
    if (tree.nv > 0)
      tree.warnings.push_back(
          {(tree.source.empty() ? "" : tree.source + ": ") + "no body has mass; kinematics only",
           false});
    return;
  }
  for (std::size_t i = moved.size(); i-- > 0;)
    if (const int p = tree.links[i].parent; p >= 0) moved[p] += moved[i];
  for (std::size_t i = 0; i < moved.size(); ++i) {
    double armature = 0;
    for (int k = 0; k < tree.links[i].nv; ++k) armature += tree.dofs[tree.links[i].v + k].armature;
    if (tree.links[i].nv > 0 && moved[i] == 0 && armature == 0)
      tree.warnings.push_back(
          {where[i] + ": moves no mass; forward dynamics cannot be computed", true});
  }
}

/// q = ratio q_leader + offset; no leader: -1.
struct Step {
  int leader = -1;
  double ratio = 1, offset = 0;
};

/// The coupling a joint of the description has, checked.
Step named_step(const JointDescription& j, int joint, const std::string& where, const Tree& tree) {
  const auto found = tree.joint_names.find(j.mimic->leader);
  if (found == tree.joint_names.end())
    throw Error("it follows joint '" + printable(j.mimic->leader) + "', which is not there", where,
                "name a joint of this model");
  const int leader = found->second;
  if (leader == joint) throw Error("it follows itself", where, "name another joint");
  if (tree.links[joint].nv != 1 || tree.links[leader].nv != 1)
    throw Error(
        "it and joint '" + printable(j.mimic->leader) + "' do not both have one degree of freedom",
        where, "couple joints of one degree of freedom only");
  if (!is_finite(j.mimic->ratio) || !is_finite(j.mimic->offset))
    throw Error("ratio or offset is not finite", where, "give finite numbers");
  return {leader, j.mimic->ratio, j.mimic->offset};
}

/// Each follower led by a joint that follows none. `where` names the joints.
std::vector<Step> to_roots(const std::vector<Step>& step, const std::vector<std::string>& where) {
  // Each chain is walked once to its end; what is passed on the way is resolved with it.
  std::vector<Step> root(step.size());
  std::vector<char> state(step.size(), 0);  // 1: on the present walk, 2: resolved
  std::vector<int> walk;
  for (std::size_t i = 0; i < step.size(); ++i) {
    int j = static_cast<int>(i);
    for (walk.clear(); step[j].leader >= 0 && state[j] == 0; j = step[j].leader) {
      state[j] = 1;
      walk.push_back(j);
    }
    if (state[j] == 1)
      throw Error("the coupled joints follow one another in a cycle", where[j],
                  "let one of them be independent");
    for (; !walk.empty(); walk.pop_back()) {
      const int k = walk.back();
      const Step own = step[k], next = root[own.leader];
      root[k] = next.leader < 0 ? own
                                : Step{next.leader, own.ratio * next.ratio,
                                       own.ratio * next.offset + own.offset};
      state[k] = 2;
    }
  }
  return root;
}

void add_couplings(const TreeDescription& d, const std::vector<int>& joints,
                   const std::vector<std::string>& where, Tree& tree) {
  std::vector<Step> step(tree.links.size());
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (const JointDescription& j = d.joints[joints[i]]; j.mimic)
      step[i] = named_step(j, static_cast<int>(i), where[i], tree);
  const std::vector<Step> root = to_roots(step, where);
  for (std::size_t i = 0; i < root.size(); ++i) {
    if (root[i].leader < 0) continue;
    if (!is_finite(root[i].ratio) || !is_finite(root[i].offset))
      throw Error("the ratios along its chain of coupled joints are too large", where[i],
                  "give smaller ratios");
    const Mimic& named = *d.joints[joints[i]].mimic;
    tree.couplings.push_back({static_cast<int>(i), root[i].leader, root[i].ratio, root[i].offset,
                              named.leader, named.ratio, named.offset});
  }
}

void add_frames(const TreeDescription& d, const Place& place, Tree& tree) {
  for (const FrameDescription& f : d.frames) {
    const std::string where = place.frame(f);
    detail::check_name(f.name, "frame", where);
    if (tree.body_names.contains(f.name))
      throw Error("a body has this name", where, "choose another name");
    int body = -1;
    if (f.on != world_name) {
      const auto found = tree.body_names.find(f.on);
      if (found == tree.body_names.end())
        throw Error("it is on body '" + printable(f.on) + "', which is not there", where,
                    "name a body of this model, or 'world'");
      body = found->second;
    }
    add_name(tree.frame_names, f.name, static_cast<int>(tree.frames.size()), "frame", where);
    tree.frames.push_back({f.name, body, checked(f.at, where)});
  }
}

/// B = T_PB at q = 0, what takes the joint's screws from their frame to that of the body, and
/// A = T_WB at q = 0. A given A is kept: in A_parent (A_parent^-1 A) the rounding of A_parent would
/// double with every body of a chain.
struct Located {
  SE3<double> B, to_body, A;
};
Located locate(const Placement& given, const SE3<double>& A_parent, const std::string& where) {
  const SE3<double> pose = checked(given.pose, where);
  switch (given.form) {
    case GeometryForm::zero_reference:
      return {inverse_times(A_parent, pose), inverse(pose), pose};
    case GeometryForm::body_screws:
      return {pose, {}, A_parent * pose};
    case GeometryForm::parent_screws:
      return {pose, inverse(pose), A_parent * pose};
    case GeometryForm::joint_frames:
      break;
  }
  const SE3<double> S_body = checked(given.S_body, where), B = pose * inverse(S_body);
  return {B, S_body, A_parent * B};
}

/// Adds the body and its joint to the tree; A are the poses at q = 0.
void add_body(const BodyDescription& body, const JointDescription& j, int parent,
              const std::string& where, std::vector<SE3<double>>& A, Tree& tree) {
  const SE3<double> A_parent = parent < 0 ? SE3<double>{} : A[parent];
  const Located located = locate(j.placement, A_parent, where);
  detail::check_joint(j.joint, where);
  const int dof = j.joint.dof();
  if (!j.dofs.empty() && static_cast<int>(j.dofs.size()) != dof)
    throw Error("it has " + std::to_string(dof) +
                    " degrees of freedom, but limits or other properties of " +
                    std::to_string(j.dofs.size()),
                where, "give as many as degrees of freedom, or none");
  std::array<Vec6<double>, 6> X{};
  for (int k = 0; k < dof; ++k) {
    X[k] = Ad(located.to_body, j.joint.screws.screws[k]);
    tree.screws.push_back(X[k]);
    tree.dofs.push_back(j.dofs.empty() ? Dof{} : j.dofs[k]);
    detail::check_dof(tree.dofs.back(), where);
  }
  const JointMap map = map_of(j.joint);
  const bool quaternion = map == JointMap::quaternion || map == JointMap::free;
  SE3<double> T_BJ{};
  if (quaternion)
    T_BJ = detail::frame_of_rotations(X.data());
  else if (j.placement.form == GeometryForm::joint_frames)
    T_BJ = located.to_body;
  else if (dof > 0)
    T_BJ = frame_of_screw(X[0]);
  if (quaternion && !j.dofs.empty() && std::any_of(j.dofs.begin(), j.dofs.end(), [](const Dof& f) {
        return std::isfinite(f.lower) || std::isfinite(f.upper);
      }))
    tree.warnings.push_back({where + ": limits of quaternion coordinates are not observed", false});
  const int nq = dof + (quaternion ? 1 : 0);
  tree.links.push_back({parent, tree.nq, tree.nv, static_cast<std::uint8_t>(nq),
                        static_cast<std::uint8_t>(dof), map, j.joint.velocity, located.B});
  tree.bodies.push_back({body.name, body.inertia, body.inertia_given, j.name, j.joint.type,
                         j.joint.coordinates, j.placement.form, T_BJ, body.shapes});
  if (!is_finite(located.B.p) || !is_finite(located.A.p) ||
      !std::all_of(X.begin(), X.end(), [](const Vec6<double>& x) { return is_finite(x); }))
    throw Error("its geometry is not finite: positions are too large", where,
                "give positions in metres");
  A.push_back(located.A);
  tree.nq += nq;
  tree.nv += dof;
}

/// For each body the joint that carries it and its parent, by place in the description.
struct Connections {
  std::vector<int> joint_of, parent_of;
};
Connections connect(const TreeDescription& d, const Place& place) {
  detail::NameIndex bodies, joints;
  for (const BodyDescription& b : d.bodies) {
    detail::check_name(b.name, "body", place.body(b));
    add_name(bodies, b.name, static_cast<int>(bodies.size()), "body", place.body(b));
  }
  Connections c{std::vector<int>(d.bodies.size(), -1), std::vector<int>(d.bodies.size(), -1)};
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    const JointDescription& j = d.joints[i];
    const std::string where = place.joint(j);
    detail::check_name(j.name, "joint", where);
    add_name(joints, j.name, static_cast<int>(i), "joint", where);
    const auto child = bodies.find(j.child);
    if (child == bodies.end())
      throw Error("it carries body '" + printable(j.child) + "', which is not there", where,
                  "name a body of this model");
    int& joint_of = c.joint_of[child->second];
    if (joint_of >= 0)
      throw Error("body '" + printable(j.child) + "' is already carried by joint '" +
                      printable(d.joints[joint_of].name) + "'",
                  where, "let each body have one parent; loops are not part of a tree");
    joint_of = static_cast<int>(i);
    if (j.parent == world_name) continue;
    if (j.parent == j.child)
      throw Error("body '" + printable(j.child) + "' is its own parent", where,
                  "name another parent");
    const auto parent = bodies.find(j.parent);
    if (parent == bodies.end())
      throw Error("its parent '" + printable(j.parent) + "' is not there", where,
                  "name a body of this model, or 'world'");
    c.parent_of[child->second] = parent->second;
  }
  for (std::size_t b = 0; b < d.bodies.size(); ++b)
    if (c.joint_of[b] < 0)
      throw Error("it has no joint", place.body(d.bodies[b]),
                  "connect it to another body or to 'world', by a fixed joint if it does not move");
  return c;
}

}  // namespace

Tree build(const TreeDescription& d, const BuildOptions& options) {
  const Place place{d};
  if (!is_finite(d.gravity))
    throw Error("gravity is not finite", d.source.empty() ? "tree" : d.source,
                "give three finite numbers in m/s^2");
  detail::check_vector(d.gravity, "gravity", d.source.empty() ? "tree" : d.source);
  const Connections connections = connect(d, place);
  const std::vector<int> order = ordered(d, connections.joint_of, connections.parent_of, place);

  Tree tree;
  tree.name = d.name;
  tree.source = d.source;
  tree.source_crc32 = d.source_crc32;
  tree.gravity = d.gravity;
  tree.warnings = d.warnings;
  std::vector<int> index(order.size()), joints;
  std::vector<SE3<double>> A;
  std::vector<std::string> where;
  for (const int b : order) {
    const BodyDescription& body = d.bodies[b];
    const JointDescription& j = d.joints[connections.joint_of[b]];
    const int parent = connections.parent_of[b];
    index[b] = tree.size();
    joints.push_back(connections.joint_of[b]);
    where.push_back(place.joint(j));
    tree.body_names.emplace(body.name, tree.size());
    tree.joint_names.emplace(j.name, tree.size());
    detail::check_inertia(body, place.body(body), tree.warnings);
    for (const Shape& shape : body.shapes) {
      detail::check_shape(shape, place.body(body));
    }
    add_body(body, j, parent < 0 ? -1 : index[parent], where.back(), A, tree);
  }
  add_couplings(d, joints, where, tree);
  add_frames(d, place, tree);
  check_moved_mass(where, tree);
  return options.merge_fixed_joints ? merge_fixed_joints(tree) : tree;
}

}  // namespace axode
