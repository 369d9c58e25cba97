#include "axode/engine/detail/tree/engine_tree.hpp"

#include <algorithm>

#include "axode/engine/detail/tree/engine_constants.hpp"
#include "axode/lie/trig.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

namespace {

using Vec = Vec3<double>;
using Pose = SE3<double>;

/// A direction and a point; of a translation the point means nothing.
struct Line {
  Vec direction, point;
};

EngineJoint engine_joint(const Link& link) {
  switch (link.map) {
    case JointMap::translation:
      return EngineJoint::sliding;
    case JointMap::screw:
      return EngineJoint::revolute;  // or sliding, once the pitch is known
    case JointMap::quaternion:
      return EngineJoint::ball;
    case JointMap::free:
      return link.velocity == Rep::body ? EngineJoint::free : EngineJoint::moving;
    default:
      return EngineJoint::moving;
  }
}

bool is_single(EngineJoint joint) {
  return joint == EngineJoint::revolute || joint == EngineJoint::sliding;
}

/// Frame with the axes z and, as near as may be, x.
Pose frame_on(const Vec& z, const Vec& x, const Vec& origin) {
  const Vec y = normalized(cross(z, x));
  return {{Mat3<double>{cross(y, z), y, z}}, origin};
}

Vec any_normal(const Vec& z) {
  return max_abs(Vec{z.x, z.y, 0}) < 0.9 * max_abs(z) ? Vec{1, 0, 0} : Vec{0, 0, 1};
}

/// Places the frames and writes the constants, body by body.
class FramePlacement {
 public:
  FramePlacement(const Tree& tree, EngineTree& engine) : tree_(tree), engine_(engine) {}
  void run();

 private:
  void order();
  void find_hosts();
  /// The body at q = 0 on the moving body its joint is fixed on.
  Pose on_host(const Link& link) const {
    return link.parent < 0 ? link.B : T_HB_[link.parent] * link.B;
  }
  Line axis(int body) const;
  Pose choose_frame(int body, int next, int parent) const;
  void add(int body);
  static void write_joint(EngineBody& b, double& angle, const Pose& K);
  int main_child(int body) const;
  void estimate_scale();

  const Tree& tree_;
  EngineTree& engine_;
  Children children_;
  std::vector<int> order_;                // bodies of the tree, depth-first
  std::vector<int> carried_;              // bodies each carries, with itself
  std::vector<Pose> T_HB_;                // each body on its host
  std::vector<int> host_;                 // the moving body it is fixed on, itself, or -1
  std::vector<Pose> T_BE_;                // engine frame on its body
  std::vector<int> engine_of_;            // engine body of a moving body
  std::vector<Inertia<double>> inertia_;  // of a moving body with those fixed on it
};

void FramePlacement::order() {
  children_ = children(tree_);
  std::vector<int> stack{-1};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (i >= 0) order_.push_back(i);
    const auto first = children_.first[i + 1], last = children_.first[i + 2];
    for (int c = last; c-- > first;) stack.push_back(children_.children[c]);
  }
  carried_.assign(tree_.links.size(), 1);
  for (int i = tree_.size() - 1; i >= 0; --i)
    if (const int p = tree_.links[i].parent; p >= 0) carried_[p] += carried_[i];
}

/// Merges bodies on fixed joints with those that carry them.
void FramePlacement::find_hosts() {
  for (std::size_t i = 0; i < tree_.links.size(); ++i) {
    const Link& link = tree_.links[i];
    inertia_[i] = tree_.bodies[i].inertia;
    if (link.map != JointMap::fixed) {
      host_[i] = static_cast<int>(i);
      continue;
    }
    T_HB_[i] = on_host(link);
    host_[i] = link.parent < 0 ? -1 : host_[link.parent];
    if (host_[i] < 0) continue;
    Inertia<double>& sum = inertia_[host_[i]];
    sum = sum + transform(T_HB_[i], inertia_[i]);
  }
}

/// The axis of a joint of one screw, in the body frame.
Line FramePlacement::axis(int body) const {
  const Vec6<double>& X = tree_.screws[tree_.links[body].v];
  if (max_abs(X.angular) == 0) return {X.linear, {}};
  return {X.angular, cross(X.angular, X.linear)};
}

/// The child, in the sense of moving bodies, whose axis this body's frame will suit: -1 if none.
int FramePlacement::main_child(int body) const {
  int best = -1;
  std::vector<int> stack{body};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    for (int c = children_.first[i + 1]; c < children_.first[i + 2]; ++c) {
      const int k = children_.children[c];
      if (tree_.links[k].map == JointMap::fixed)
        stack.push_back(k);
      else if (is_single(engine_joint(tree_.links[k])) &&
               (best < 0 || carried_[k] > carried_[best]))
        best = k;
    }
  }
  return best;
}

/// The engine frame of a body on its joint's axis, at the point nearest the body's own origin. Its x
/// axis is normal to the axis of the body `next` too, and if there is none that matters, along x of
/// its parent's frame as near as may be, so that either joint may turn about x only.
Pose FramePlacement::choose_frame(int body, int next, int parent) const {
  const Line own = axis(body);
  if (next >= 0) {
    const Pose B = on_host(tree_.links[next]);
    const Vec normal = cross(own.direction, B.R * axis(next).direction);
    if (max_abs(normal) > 1e-3) return frame_on(own.direction, normal, own.point);
    const Vec apart = B * axis(next).point - own.point;
    const Vec across = apart - dot(apart, own.direction) * own.direction;
    if (max_abs(across) > 1e-3 * max_abs(apart)) return frame_on(own.direction, across, own.point);
  }
  const Pose B = on_host(tree_.links[body]);
  const Mat3<double> axes =
      transpose_times(B.R.matrix, parent < 0 ? Mat3<double>::identity() : T_BE_[parent].R.matrix);
  const bool usable = max_abs(cross(own.direction, axes.x)) > 1e-3;
  return frame_on(own.direction, usable ? axes.x : any_normal(own.direction), own.point);
}

void write(const Vec& a, double* to) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

/// K and what is left of it when the part about z has gone into the angle.
void FramePlacement::write_joint(EngineBody& b, double& angle, const Pose& K) {
  Mat3<double> R = K.R.matrix;
  if (is_single(b.joint) && std::abs(R.z.x) < 1e-15) {
    b.planar = true;
    angle = axode::atan2(-R.y.x, R.x.x);
    const double c = R.z.z, s = -R.z.y, length = std::sqrt(c * c + s * s);
    R = {{1, 0, 0}, {0, c / length, s / length}, {0, -s / length, c / length}};
  }
  for (int j = 0; j < 3; ++j) write(R.column(j), b.column[j]);
  write(K.p, b.position);
  b.straight = R == Mat3<double>::identity();
}

void FramePlacement::add(int body) {
  const Link& link = tree_.links[body];
  const int host = link.parent < 0 ? -1 : host_[link.parent];
  EngineBody b;
  b.parent = host < 0 ? -1 : engine_of_[host];
  b.q = link.q, b.v = link.v, b.body = body, b.nv = link.nv;
  b.joint = engine_joint(link);
  if (b.parent >= 0) {
    const EngineBody& p = engine_.bodies[b.parent];
    b.depth = p.depth + p.nv;
  }
  engine_.path = std::max(engine_.path, b.depth + b.nv);
  Pose& T_BE = T_BE_[body];
  if (is_single(b.joint)) {
    const Vec6<double>& X = tree_.screws[link.v];
    const double pitch = dot(X.angular, X.linear);
    b.turn = link.map == JointMap::screw ? 1 : 0;
    b.slide =
        link.map == JointMap::screw ? (std::abs(pitch) < 1e-15 * max_abs(X.linear) ? 0 : pitch) : 1;
    if (b.slide != 0) b.joint = EngineJoint::sliding;
    T_BE = choose_frame(body, main_child(body), host);
  } else {
    b.general = engine_.generals++;
    if (b.joint == EngineJoint::moving)
      engine_.has_moving = true;
    else
      T_BE = tree_.bodies[body].T_BJ;
  }
  const Pose T_HE = on_host(link) * T_BE;
  double angle = 0;
  write_joint(b, angle, host < 0 ? T_HE : inverse_times(T_BE_[host], T_HE));
  engine_of_[body] = static_cast<int>(engine_.bodies.size());
  if (const auto next = static_cast<int>(engine_.bodies.size());
      b.parent >= 0 && b.parent != next - 1)
    engine_.bodies[b.parent].branches = true;
  engine_.bodies.push_back(b);
  engine_.angles.turn.push_back(b.turn);
  engine_.angles.angle.push_back(angle);
  engine_.angles.q.push_back(b.general < 0 ? b.q : 0);
}

/// How large moments of inertia can get, sliding joints at zero.
void FramePlacement::estimate_scale() {
  const std::size_t n = engine_.bodies.size();
  std::vector<double> mass(n), moment(n), reach(n);  // reach: distance from the first body
  const auto distance = [&](const EngineBody& b) {
    return norm(Vec{b.position[0], b.position[1], b.position[2]});
  };
  for (std::size_t i = 0; i < n; ++i)
    if (const EngineBody& b = engine_.bodies[i]; b.parent >= 0)
      reach[i] = reach[b.parent] + distance(b);
  engine_.scale.assign(engine_.nv, 0);
  for (std::size_t i = n; i-- > 0;) {
    const EngineBody& b = engine_.bodies[i];
    mass[i] += std::abs(b.mass);
    moment[i] += std::abs(b.inertia[0][0]) + std::abs(b.inertia[1][1]) + std::abs(b.inertia[2][2]);
    const double radius = mass[i] > 0 ? std::sqrt(moment[i] / mass[i]) : 0;
    const double far = reach[i] + radius, turning = moment[i] + mass[i] * far * far;
    const bool slides = is_single(b.joint) && b.turn == 0;
    for (int k = 0; k < b.nv; ++k)
      engine_.scale[b.v + k] = slides || (b.general >= 0 && k >= 3) ? mass[i] : turning;
    if (b.parent < 0) continue;
    const double away = radius + distance(b);
    mass[b.parent] += mass[i];
    moment[b.parent] += std::max(moment[i], mass[i] * away * away);
  }
}

void FramePlacement::run() {
  const std::size_t n = tree_.links.size();
  order();
  T_HB_.resize(n);
  host_.assign(n, -1);
  T_BE_.resize(n);
  engine_of_.assign(n, -1);
  inertia_.resize(n);
  engine_.bodies.reserve(n);
  engine_.centres.reserve(n);
  find_hosts();
  for (const int i : order_)
    if (tree_.links[i].map != JointMap::fixed) add(i);

  for (EngineBody& b : engine_.bodies) {
    const Pose& T_BE = T_BE_[b.body];
    const Inertia<double> own = transform(inverse(T_BE), inertia_[b.body]);
    const InertiaParameters<double> I = parameters(own);
    b.mass = I.mass;
    write(I.first_moment, b.moment);
    const Mat3<double> theta = I.about_origin.matrix();
    for (int j = 0; j < 3; ++j) write(theta.column(j), b.inertia[j]);
    engine_.centres.push_back(detail::centre_of(own));
  }
  const std::size_t room = engine_.bodies.size() + 8;
  engine_.angles.turn.resize(room), engine_.angles.angle.resize(room),
      engine_.angles.q.resize(room);
  engine_.places.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int host = host_[i];
    EnginePlace& place = engine_.places[i];
    if (host >= 0) place.engine_body = engine_of_[host];
    const Pose T = host < 0 ? T_HB_[i] : inverse_times(T_BE_[host], T_HB_[i]);
    for (int j = 0; j < 3; ++j) write(T.R.matrix.column(j), place.T_EB + std::ptrdiff_t{3} * j);
    write(T.p, place.T_EB + 9);
  }
  estimate_scale();
}

}  // namespace

EngineTree::EngineTree(const Tree& tree) : gravity(tree.gravity), nq(tree.nq), nv(tree.nv) {
  FramePlacement(tree, *this).run();
  detail::add_steps(tree, *this);
}

}  // namespace axode
