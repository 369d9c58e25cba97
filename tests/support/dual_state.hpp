/// States of a tree with a direction of change in their dual parts, for tests of derivatives.
#pragma once
#include <vector>

#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"
#include "tests/support/models/moving_tree.hpp"

namespace axode::test {

/// What a derivative is taken by.
enum class By { q, v, a };

/// Poses, velocities and accelerations that change along one velocity coordinate of q, v or a: of q
/// as plus() moves it.
struct DualState {
  explicit DualState(const Tree& tree) : poses(tree), v(poses.screws.size()), a(v) {}
  DualState(const MovingTree& r, By by, int k) : DualState(r.tree) { set(r, by, k); }
  void set(const MovingTree& r, By by, int k) {
    using D = Dual<double>;
    std::vector<D> q(r.q.begin(), r.q.end()), along(v.size());
    for (std::size_t m = 0; m < along.size(); ++m) {
      const double one = static_cast<int>(m) == k ? 1 : 0;
      along[m] = {0, by == By::q ? one : 0};
      v[m] = {r.v[m], by == By::v ? one : 0};
      a[m] = {r.a[m], by == By::a ? one : 0};
    }
    plus<D>(r.tree, q, along, q);
    axode::poses<D>(r.tree, q, poses);
  }
  Poses<Dual<double>> poses;
  std::vector<Dual<double>> v, a;
};

/// The state moved by `step` along one velocity coordinate of q, v or a.
inline MovingTree moved(const MovingTree& r, By by, int k, double step) {
  MovingTree x = r;
  std::vector<double> along(r.v.size(), 0.);
  along[k] = step;
  if (by == By::q) plus(r.tree, r.q, along, x.q);
  if (by == By::v) x.v[k] += step;
  if (by == By::a) x.a[k] += step;
  return x;
}
/// Derivative of the numbers f(moved state), by differences of five points: its error is h^4/30 times
/// a fifth derivative, and rounding / h.
template <class F>
std::vector<double> five_point_derivative(const MovingTree& r, By by, int k, F&& f) {
  const double h = 1e-3;
  const std::vector<double> a = f(moved(r, by, k, h)), b = f(moved(r, by, k, -h));
  const std::vector<double> a2 = f(moved(r, by, k, 2 * h)), b2 = f(moved(r, by, k, -2 * h));
  std::vector<double> result(a.size());
  for (std::size_t j = 0; j < a.size(); ++j)
    result[j] = (8 * (a[j] - b[j]) - (a2[j] - b2[j])) / (12 * h);
  return result;
}

/// Another state of the same tree.
inline MovingTree other_state(Random& random, const MovingTree& r) {
  return {r.tree, random_coordinates(random, r.tree), random_velocities(random, r.tree),
          random_velocities(random, r.tree)};
}

/// Damping, friction and armature for all degrees of freedom of a tree.
inline void add_random_losses(Random& random, Tree& tree) {
  for (Dof& dof : tree.dofs) {
    dof.damping = random.uniform(0, 1);
    dof.friction = random.uniform(0, .1);
    dof.armature = random.uniform(0, .5);
  }
}

inline std::vector<Wrench<Rep::body>> random_wrenches(Random& random, const Tree& tree) {
  std::vector<Wrench<Rep::body>> wrenches(tree.links.size());
  for (Wrench<Rep::body>& w : wrenches) w = {random.vec3(), random.vec3()};
  return wrenches;
}
/// Wrenches that do not change.
inline std::vector<Wrench<Rep::body, Dual<double>>> constant(
    const std::vector<Wrench<Rep::body>>& wrenches) {
  std::vector<Wrench<Rep::body, Dual<double>>> result;
  for (const Wrench<Rep::body>& w : wrenches)
    result.push_back({make_dual(w.angular, {}), make_dual(w.linear, {})});
  return result;
}

}  // namespace axode::test
