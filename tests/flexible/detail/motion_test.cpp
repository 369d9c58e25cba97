#include "axode/flexible/detail/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/flexible/branched_tree.hpp"

namespace axode::test::motion_over_tree {

using P = Exact<double>;

std::vector<SE3<>> poses(const FlexibleTree& tree, const std::vector<double>& q) {
  FlexibleMotion<P> motion = make_motion<P>(tree);
  axode::flexible_motion<P>(tree, q, std::vector<double>(q.size()), motion);
  std::vector<SE3<>> pose;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const SE3<> local{motion.links[i].R, motion.links[i].origin};
    const int parent = tree.links[i].parent;
    pose.push_back(parent < 0 ? local : pose[parent] * local);
  }
  return pose;
}

/// Angular velocities and accelerations are first and second differences of poses along a line in q.
TEST(FlexibleMotion, IsTheMotionOfPoses) {
  for (const bool stiffening : {false, true})
    for (const SectionRotation order :
         {SectionRotation::zyx, SectionRotation::xyz, SectionRotation::exp}) {
      const FlexibleTree tree = branched_tree(order, stiffening);
      const std::size_t n = tree.size;
      std::vector<double> q(n), v(n), less(n), more(n);
      const double h = 1e-4;
      for (std::size_t i = 0; i < n; ++i) {
        const bool joint = static_cast<int>(i) < tree.joints;
        q[i] = (joint ? 1 : .03) * std::sin(1 + 3. * static_cast<double>(i));
        v[i] = (joint ? .5 : .1) * std::cos(2 + 5. * static_cast<double>(i));
        less[i] = q[i] - h * v[i];
        more[i] = q[i] + h * v[i];
      }
      FlexibleMotion<P> motion = make_motion<P>(tree);
      axode::flexible_motion<P>(tree, q, v, motion, Effect::velocity);
      const auto before = poses(tree, less), now = poses(tree, q), after = poses(tree, more);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const LinkMotion<P>& m = motion.links[i];
        const Vec3<> forward = log(inverse_times(now[i].R, after[i].R)),
                     backward = log(inverse_times(now[i].R, before[i].R));
        const Vec3<> a = inverse_times(now[i].R, after[i].p - now[i].p * 2. + before[i].p);
        EXPECT_LT(max_abs(m.w - (forward - backward) * (.5 / h)), 1e-6) << i;
        EXPECT_LT(max_abs(m.alpha - (forward + backward) * (1 / (h * h))), 1e-5) << i;
        EXPECT_LT(max_abs(m.a - a * (1 / (h * h))), 1e-5) << i;
      }
    }
}
TEST(FlexibleMotion, GravityIsAnAccelerationOfTheGround) {
  const FlexibleTree tree = branched_tree(SectionRotation::zyx, false);
  const std::vector<double> q(tree.size, .01), v(q.size(), 3);
  FlexibleMotion<P> motion = make_motion<P>(tree);
  axode::flexible_motion<P>(tree, q, v, motion, Effect::gravity);
  const auto pose = poses(tree, q);
  for (std::size_t i = 0; i < pose.size(); ++i)
    EXPECT_LT(max_abs(pose[i].R * motion.links[i].a + tree.gravity), 1e-13);
}

}  // namespace axode::test::motion_over_tree
