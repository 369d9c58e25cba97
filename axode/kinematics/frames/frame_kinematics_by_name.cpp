// The functions of frame_kinematics.hpp that take frames by name.
#include <string>

#include "axode/core/error.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/adjoint.hpp"

namespace axode {
namespace {

bool has_free_base(const Tree& tree) noexcept {
  return tree.size() > 0 && tree.links[0].parent < 0 &&
         tree.bodies[0].joint_type == JointType::free;
}

}  // namespace

FrameChoice expressed_in(Rep rep, const FrameChoice& of, const FrameChoice& relative_to) noexcept {
  if (rep == Rep::body) return of;
  if (rep == Rep::spatial) return relative_to;
  return {of.origin, relative_to.axes};
}

FrameRoles frame_roles(const Tree& tree, const JacobianQuery& query) {
  FrameRoles roles{.of = frame(tree, query.of), .relative_to = frame(tree, query.relative_to)};
  if (query.expressed_in) roles.expressed_in = frame(tree, *query.expressed_in);
  if (query.base_velocity_in) {
    if (!has_free_base(tree))
      throw Error("a base velocity is asked for, but the first body does not move freely",
                  tree.name.empty() ? "jacobian" : "jacobian of '" + tree.name + "'",
                  "leave base_velocity_in away, or give the first body a free joint to the world");
    roles.base_velocity_in = frame(tree, *query.base_velocity_in);
  }
  return roles;
}

SE3<double> transform(const Tree& tree, const Poses<double>& poses, const PoseQuery& query) {
  return transform(poses, frame(tree, query.of), frame(tree, query.relative_to));
}

Vec6<double> wrench_transform(const Tree& tree, const Poses<double>& poses,
                              const Vec6<double>& wrench, const WrenchQuery& query) {
  return wrench_transform(poses, wrench, frame(tree, query.from), frame(tree, query.to));
}
Mat6<double> wrench_matrix(const Tree& tree, const Poses<double>& poses, const WrenchQuery& query) {
  return transpose(Ad_matrix(transform(poses, frame(tree, query.to), frame(tree, query.from))));
}

Vec6<double> twist(const Tree& tree, const Poses<double>& poses, const Motion<Rep::body>& motion,
                   const TwistQuery& query) {
  return twist(poses, motion,
               frame_roles(tree, {query.of, query.relative_to, query.expressed_in, {}}));
}

Vec6<double> acceleration(const Tree& tree, const Poses<double>& poses,
                          const Motion<Rep::body>& motion, const AccelerationQuery& query) {
  return acceleration(poses, motion,
                      frame_roles(tree, {query.of, query.relative_to, query.expressed_in, {}}),
                      query.kind);
}

Columns jacobian(const Tree& tree, const Poses<double>& poses, const JacobianQuery& query) {
  Columns columns(tree.nv);
  jacobian(tree, poses, frame_roles(tree, query), columns);
  return columns;
}

Vec6<double> jacobian_rate_times_velocity(const Tree& tree, const Poses<double>& poses,
                                          const Motion<Rep::body>& motion, In<double> v,
                                          const JacobianQuery& query) {
  return jacobian_rate_times_velocity(tree, poses, motion, v, frame_roles(tree, query));
}

}  // namespace axode
