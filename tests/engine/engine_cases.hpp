/// Trees, states and instruction sets for tests of the engine.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "axode/engine/engine.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/models/moving_tree.hpp"

namespace axode::test {

using Wrenches = std::vector<Wrench<Rep::body>>;

/// Those this CPU can run, narrowest first.
inline std::vector<const engine::Kernels*> kernel_tables() {
  std::vector<const engine::Kernels*> tables{&engine::detail::kernels_for<2>()};
#if defined(__x86_64__)
  if (best_instruction_set() != InstructionSet::baseline)
    tables.push_back(&engine::detail::kernels_for<4>());
#endif
  return tables;
}
/// An engine that computes by a table other than the best.
inline Engine engine_with(const Tree& tree, const engine::Kernels& table) {
  Engine e(tree);
  e.kernels = &table;
  e.scratch.reserve(table.scratch_bytes(static_cast<int>(e.constants.bodies.size()), e.constants.nv,
                                        e.constants.path));
  return e;
}

/// A tree in motion under loads.
struct EngineCase : MovingTree {
  std::vector<double> tau;
  Wrenches external;
};
inline EngineCase loaded(Random& random, Tree tree) {
  EngineCase r{{std::move(tree), {}, {}, {}}, {}, {}};
  r.q = random_coordinates(random, r.tree);
  r.v = random_velocities(random, r.tree);
  r.a = random_velocities(random, r.tree);
  r.tau = random_velocities(random, r.tree, 10);
  if (!r.v.empty()) r.v[0] = 0;  // at rest: no friction
  r.external = random_wrenches(random, r.tree);
  return r;
}

inline Inertia<double> random_box(Random& random, double mass = 1, double size = .3) {
  const Vec3<double> a{random.uniform(.01, 1), random.uniform(.01, 1), random.uniform(.01, 1)};
  const Vec3<double> moments = Vec3<double>{a.y + a.z, a.x + a.z, a.x + a.y} * (mass * size * size);
  return {mass, random.vec3(size),
          congruence(random.rotation().matrix, Sym3<double>::diagonal(moments))};
}

/// How the axis of a joint lies beside that of the joint before.
enum class Axes { general, parallel, nearly_parallel, coincident, intersecting, perpendicular };
inline constexpr int axes_choices = 6;

struct AxisLine {
  Vec3<double> direction{0, 0, 1}, point{};
};
inline AxisLine next_axis(Random& random, Axes choice, const AxisLine& last) {
  const double sign = random.integer(0, 1) == 0 ? 1 : -1;
  const Vec3<double> along = last.point + last.direction * random.uniform(-.5, .5);
  switch (choice) {
    case Axes::parallel:
      return {last.direction * sign, random.vec3(.5)};
    case Axes::nearly_parallel: {
      const Vec3<double> tilt = random.unit() * random.log_uniform(1e-13, 1e-2);
      return {exp(tilt) * last.direction * sign, random.vec3(.5)};
    }
    case Axes::coincident:
      return {last.direction * sign, along};
    case Axes::intersecting:
      return {random.unit(), along};
    case Axes::perpendicular:
      return {normalized(cross(last.direction, random.unit())), along};
    default:
      return {random.unit(), random.vec3(.5)};
  }
}

struct PlainTreeOptions {
  bool aligned = true;  ///< axes in all special positions, else at random
  bool balls = true;    ///< spherical and free joints in quaternions
  bool fixed = true;
  bool chain = false;
  bool losses = true;  ///< and drives, and some bodies without mass
};
/// A tree of the joints whose screws are constant in the body: of one screw of any pitch, spherical
/// and free ones in quaternions, fixed ones.
inline Tree random_plain_tree(Random& random, int bodies, const PlainTreeOptions& options = {}) {
  TreeBuilder builder("plain");
  builder.gravity(random.vec3(10));
  std::vector<AxisLine> axes;
  for (int i = 0; i < bodies; ++i) {
    const std::string name = std::string("b").append(std::to_string(i));
    const int parent = options.chain ? i - 1 : std::max(random.integer(-1, i - 1), i - 4);
    const AxisLine last = parent < 0 ? AxisLine{} : axes[parent];
    const auto choice =
        options.aligned ? static_cast<Axes>(random.integer(0, axes_choices - 1)) : Axes::general;
    AxisLine axis = next_axis(random, choice, last);
    const int kind = random.integer(0, 9);
    Joint joint = revolute({.axis = axis.direction, .point = axis.point});
    if (kind == 0) joint = prismatic({.axis = axis.direction});
    if (kind == 1)
      joint =
          helical({.axis = axis.direction, .point = axis.point, .pitch = random.uniform(-.2, .2)});
    if (kind == 2 && options.balls)
      joint = spherical({.point = axis.point, .axes = random.rotation()});
    if (kind == 3 && options.balls) joint = free_joint({.at = random.pose(.5)});
    if (kind == 4 && options.fixed) {
      joint = fixed();
      axis = last;
    }
    const bool massless = options.losses && random.integer(0, 5) == 0;
    builder.body(name, massless ? Inertia<double>{} : random_box(random));
    if (parent >= 0) builder.on(std::string("b").append(std::to_string(parent)));
    builder.joint(name, joint, zero_reference(random.pose(.5)));
    axes.push_back(axis);
  }
  Tree tree = builder.build();
  if (options.losses) add_random_losses(random, tree);
  return tree;
}

/// A tree of 1 to 60 bodies, of plain joints or of all, most of them with losses.
inline EngineCase random_case(Random& random, int most = 60) {
  const int bodies = random.integer(1, random.integer(0, 3) == 0 ? most : most / 4);
  const bool chain = random.integer(0, 3) == 0, losses = random.integer(0, 3) != 0;
  if (random.integer(0, 1) == 0)
    return loaded(random, random_plain_tree(random, bodies, {.chain = chain, .losses = losses}));
  RandomTreeOptions options;
  options.zero_mass = losses && random.integer(0, 1) == 0;
  options.chain = chain;
  Tree tree = random_tree(random, bodies, options);
  if (losses) add_random_losses(random, tree);
  return loaded(random, std::move(tree));
}

/// A load of 1 kg that slides out and across on a turning post: the further out, the less of its own
/// inertia [kg m^2] counts about the post beside the rounding errors of the rest.
inline Tree crane(double inertia) {
  TreeBuilder builder;
  builder.body("post").joint("turn", revolute({}));
  builder.body("trolley").on("post").joint("out", prismatic({.axis = {1, 0, 0}}));
  builder.body("load", {1, {}, Sym3<double>::diagonal({inertia, inertia, inertia})})
      .on("trolley")
      .joint("across", prismatic({.axis = {0, 1, 0}}));
  return builder.build();
}

/// Most velocities on a path, for the growth of rounding errors.
inline double path_rounding(const Engine& e) { return (e.constants.path + 8) * epsilon<double>; }

}  // namespace axode::test
