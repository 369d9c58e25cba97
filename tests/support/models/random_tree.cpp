#include "tests/support/models/random_tree.hpp"

#include <array>
#include <string>

#include "axode/lie/quaternion.hpp"
#include "axode/model/builder.hpp"

namespace axode::test {

namespace {

Inertia<double> random_inertia(Random& random, const RandomTreeOptions& options) {
  if (options.zero_mass && random.integer(0, 3) == 0) return {};
  // A box: its squared sides are free, so the three moments obey the triangle inequality.
  const Vec3<double> a{random.uniform(.01, .1), random.uniform(.01, .1), random.uniform(.01, .1)};
  const double m = random.uniform(.2, 3);
  const Sym3<double> box =
      Sym3<double>::diagonal({m * (a.y + a.z), m * (a.x + a.z), m * (a.x + a.y)});
  return {m, random.vec3(options.size / 3), congruence(random.rotation().matrix, box)};
}

Coordinates random_kind(Random& random, const RandomTreeOptions& options, bool quaternion) {
  if (quaternion && options.quaternions && random.integer(0, 2) != 0)
    return Coordinates::quaternion;
  if (options.first_kind && random.integer(0, 1) == 0) return Coordinates::first_kind;
  return Coordinates::second_kind;
}

Joint random_screws_joint(Random& random, const RandomTreeOptions& options) {
  std::array<Vec6<double>, 4> screws;
  const int n = random.integer(1, 4);
  for (int k = 0; k < n; ++k) {
    const bool translation = k == 0 && random.integer(0, 3) == 0;  // more might be dependent
    screws[k] = coordinates(translation ? make_translation_screw(random.unit())
                                        : make_screw(random.unit(), random.vec3(options.size),
                                                     random.uniform(-.2, .2)));
  }
  return screws_joint({screws.data(), std::size_t(n)}, random_kind(random, options, false));
}

Joint one_screw_joint(Random& random, const RandomTreeOptions& options) {
  const Vec3<double> axis = random.unit(), point = random.vec3(options.size);
  switch (random.integer(0, 3)) {
    case 0:
      return prismatic({.axis = axis});
    case 1:
      return helical({.axis = axis, .point = point, .pitch = random.uniform(-.2, .2)});
    default:
      return revolute({.axis = axis, .point = point});
  }
}

Joint subgroup_or_free_joint(Random& random, const RandomTreeOptions& options, int choice) {
  const SE3<double> at = random.pose(options.size);
  const Coordinates kind = random_kind(random, options, false);
  switch (choice) {
    case 0:
      return subgroup_joint(MotionSubgroup::translation_2, at, 0, kind);
    case 1:
      return subgroup_joint(MotionSubgroup::translation_3, at, 0, kind);
    case 2:
      return subgroup_joint(MotionSubgroup::helical_planar, at, .1, kind);
    case 3:
      return subgroup_joint(MotionSubgroup::schoenflies, at, 0, kind);
    default: {
      const std::array velocities{Rep::body, Rep::spatial, Rep::hybrid};
      const Coordinates free_kind = random_kind(random, options, true);
      const Rep velocity =
          free_kind == Coordinates::quaternion ? velocities[random.integer(0, 2)] : Rep::body;
      return free_joint({.velocity = velocity, .at = at, .coordinates = free_kind});
    }
  }
}

Joint random_joint(Random& random, const RandomTreeOptions& options) {
  if (options.one_screw_joints) return one_screw_joint(random, options);
  const Vec3<double> axis = random.unit(), other = random.unit();
  const Vec3<double> point = random.vec3(options.size);
  const int choice = random.integer(0, 15);
  switch (choice) {
    case 0:
      return options.fixed_joints ? fixed() : one_screw_joint(random, options);
    case 1:
      return cylindrical({.axis = axis, .point = point});
    case 2:
    case 3:
      return spherical({.point = point,
                        .coordinates = random_kind(random, options, true),
                        .axes = random.rotation()});
    case 4:
      return planar({.x = axis,
                     .z = other,
                     .point = point,
                     .coordinates = random_kind(random, options, false)});
    case 5:
      return universal({.first = axis, .second = other, .point = point});
    case 6:
      return random_screws_joint(random, options);
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
      return subgroup_or_free_joint(random, options, choice - 7);
    default:
      return one_screw_joint(random, options);
  }
}

Placement random_placement(Random& random, const RandomTreeOptions& options) {
  const SE3<double> pose = random.pose(options.size);
  switch (random.integer(0, 3)) {
    case 0:
      return zero_reference(pose);
    case 1:
      return body_screws(pose);
    case 2:
      return parent_screws(pose);
    default:
      return joint_frames(pose, random.pose(options.size));
  }
}

std::string numbered(char letter, int number) {
  return std::string(1, letter).append(std::to_string(number));
}

}  // namespace

Tree random_tree(Random& random, int bodies, const RandomTreeOptions& options) {
  TreeBuilder builder("random");
  builder.gravity(random.vec3(10));
  for (int i = 0; i < bodies; ++i) {
    builder.body(numbered('b', i), random_inertia(random, options));
    const int parent = options.chain ? i - 1 : random.integer(-1, i - 1);
    if (parent >= 0) builder.on(numbered('b', parent));
    builder.joint(numbered('j', i), random_joint(random, options),
                  random_placement(random, options));
  }
  return builder.build();
}

std::vector<double> random_coordinates(Random& random, const Tree& tree) {
  std::vector<double> q(tree.nq);
  for (double& x : q) x = random.uniform(-1.2, 1.2);
  for (const Link& link : tree.links)
    if (link.map == JointMap::quaternion || link.map == JointMap::free) {
      const Vec3<double> axis = random.unit();
      const double half = random.uniform(-pi<double>, pi<double>) / 2;
      double* w = &q[link.q];
      w[0] = std::cos(half);
      for (int k = 0; k < 3; ++k) w[k + 1] = std::sin(half) * axis[k];
    }
  return q;
}
std::vector<double> random_velocities(Random& random, const Tree& tree, double size) {
  std::vector<double> v(tree.nv);
  for (double& x : v) x = random.uniform(-size, size);
  return v;
}

}  // namespace axode::test
