#include "axode/engine/kinematics_calls.hpp"

#include "axode/engine/energy.hpp"

namespace axode {
namespace {

/// The engine that answers, if the arguments are in order.
Engine engine_for(const Tree& tree, In<double> q) {
  check_configuration(tree, q);
  return Engine(tree);
}
Engine engine_for(const Tree& tree, In<double> q, In<double> v) {
  check_velocity(tree, v);
  return engine_for(tree, q);
}
Engine engine_for(const Tree& tree, In<double> q, In<double> v, In<double> a) {
  check_velocity(tree, a, "a");
  return engine_for(tree, q, v);
}

}  // namespace

SE3<double> transform(const Tree& tree, In<double> q, const PoseQuery& query) {
  Engine engine = engine_for(tree, q);
  return transform(engine, q, frame(tree, query.of), frame(tree, query.relative_to));
}

Vec6<double> twist(const Tree& tree, In<double> q, In<double> v, const TwistQuery& query) {
  Engine engine = engine_for(tree, q, v);
  return twist(engine, q, v,
               frame_roles(tree, {query.of, query.relative_to, query.expressed_in, {}}));
}

Vec6<double> acceleration(const Tree& tree, In<double> q, In<double> v, In<double> a,
                          const AccelerationQuery& query) {
  Engine engine = engine_for(tree, q, v, a);
  return acceleration(engine, q, v, a,
                      frame_roles(tree, {query.of, query.relative_to, query.expressed_in, {}}),
                      query.kind);
}

Columns jacobian(const Tree& tree, In<double> q, const JacobianQuery& query) {
  Engine engine = engine_for(tree, q);
  Columns columns(tree.nv);
  jacobian(engine, q, frame_roles(tree, query), columns);
  return columns;
}

Vec6<double> jacobian_rate_times_velocity(const Tree& tree, In<double> q, In<double> v,
                                          const JacobianQuery& query) {
  Engine engine = engine_for(tree, q, v);
  return jacobian_rate_times_velocity(engine, q, v, frame_roles(tree, query));
}

Manipulability manipulability(const Tree& tree, In<double> q, const FrameName& frame,
                              const ManipulabilityOptions& options) {
  return manipulability(tree, jacobian(tree, q, {.of = frame}), options);
}

Vec3<double> centre_of_mass(const Tree& tree, In<double> q, int body) {
  Engine engine = engine_for(tree, q);
  return centre_of_mass(engine, q, body);
}
Vec3<double> centre_of_mass_velocity(const Tree& tree, In<double> q, In<double> v, int body) {
  Engine engine = engine_for(tree, q, v);
  return centre_of_mass_velocity(engine, q, v, body);
}
Vec3<double> centre_of_mass_acceleration(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                         int body) {
  Engine engine = engine_for(tree, q, v, a);
  return centre_of_mass_acceleration(engine, q, v, a, body);
}
std::vector<Vec3<double>> centre_of_mass_jacobian(const Tree& tree, In<double> q, int body) {
  Engine engine = engine_for(tree, q);
  std::vector<Vec3<double>> columns(tree.nv);
  centre_of_mass_jacobian(engine, q, columns, body);
  return columns;
}

}  // namespace axode
