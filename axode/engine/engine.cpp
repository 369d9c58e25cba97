#include "axode/engine/engine.hpp"

#include <algorithm>
#include <limits>

#include "axode/engine/detail/kernels/general_joints.hpp"
#include "axode/engine/detail/start.hpp"

namespace axode {

namespace engine {

Call<double> start(Engine& e, In<double> q, In<double> v, In<double> a) noexcept {
  const EngineTree& t = e.constants;
  Call<double> c;
  c.bodies = t.bodies.data();
  c.forms = t.forms.data();
  c.centres = t.centres.data();
  c.angles = angles_of(t.angles);
  c.n = static_cast<int>(t.bodies.size());
  c.nv = t.nv;
  c.path = t.path;
  c.q = q.data(), c.v = v.data(), c.a = a.data();
  c.cosine = e.cosine.data(), c.sine = e.sine.data();
  c.generals = e.generals.data();
  c.scale = t.scale.data();
  c.scratch = e.scratch.data();
  e.kernels->angles(c, e.cosine.data(), e.sine.data());
  if (t.generals > 0) general_joints<double>(*e.tree, c.bodies, c.n, c.q, c.v, e.generals.data());
  return c;
}

EngineSteps steps_of(const Engine& e) noexcept {
  return {e.constants.steps.data(), e.tree->size(),
          reinterpret_cast<const double*>(e.tree->screws.data())};
}

}  // namespace engine

namespace {

using engine::Call, engine::start, engine::steps_of;

void set_gravity(Call<double>& c, const Engine& e, bool gravity) noexcept {
  const Vec3<double> g = gravity ? -e.constants.gravity : Vec3<double>{};
  c.world[0] = g.x, c.world[1] = g.y, c.world[2] = g.z;
}

/// The wrenches on the user's bodies, in the frames of the engine's.
void set_external(Call<double>& c, Engine& e, In<Wrench<Rep::body, double>> wrenches) noexcept {
  if (wrenches.empty()) return;
  for (double& x : e.external) x = 0;
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const EnginePlace& place = e.constants.places[i];
    if (place.engine_body < 0) continue;
    const double* T = place.T_EB;
    const auto rotate = [&](const Vec3<double>& a) {
      return Vec3<double>{T[0] * a.x + T[3] * a.y + T[6] * a.z,
                          T[1] * a.x + T[4] * a.y + T[7] * a.z,
                          T[2] * a.x + T[5] * a.y + T[8] * a.z};
    };
    const Vec6<double>& W = wrenches[i].six();
    const Vec3<double> force = rotate(W.linear);
    const Vec3<double> torque = rotate(W.angular) + cross(Vec3<double>{T[9], T[10], T[11]}, force);
    double* to = e.external.data() + std::size_t{8} * std::size_t(place.engine_body);
    to[0] += torque.x, to[1] += torque.y, to[2] += torque.z;
    to[4] += force.x, to[5] += force.y, to[6] += force.z;
  }
  c.external = e.external.data();
}

Call<double> start(Engine& e, In<double> q, In<double> v, In<double> a,
                   const EngineOptions& options) noexcept {
  Call<double> c = start(e, q, v, a);
  set_gravity(c, e, options.effects.gravity);
  set_external(c, e, options.external);
  if (options.effects.armature && e.has_armature) c.armature = e.armature.data();
  return c;
}

void add_effects(const Engine& e, const Effects& effects, In<double> v, In<double> a,
                 Out<double> tau) noexcept {
  if (e.has_losses) add_losses<double>(*e.tree, effects, v, tau);
  if (e.has_armature) add_armature<double>(*e.tree, effects, a, tau);
}

/// The accelerations; whether all inertias are beyond doubt.
bool solve(Engine& e, Call<double>& c, Out<double> a) noexcept {
  if (e.groups.bodies.empty()) return e.kernels->forward_dynamics(c, a.data());
  const engine::GroupView groups = e.groups.view();
  c.coupled = &groups;
  c.group_memory = e.group_memory.data();
  return e.kernels->coupled_forward_dynamics(c, a.data());
}

engine::Rows<double> rows_of(PathMatrix<double>& M) {
  return {M.values.data(), M.first.data(), M.scale.data()};
}

/// What matrices and their inverses need beside.
void make_mass(Engine& e) {
  if (!e.mass.first.empty()) return;
  detail::dense_entries(*e.tree);
  PathMatrix<double> mass(*e.tree);
  e.factors = engine::FactorMemory(mass.parent, e.kernels->tile);
  e.mass = std::move(mass);
}

void fill_with_nan(DenseMatrix<double>& matrix) {
  for (double& x : matrix.values) x = std::numeric_limits<double>::quiet_NaN();
}

/// M^-1, or NaN where M is singular. `spare` is a matrix with the paths of M, or M itself.
MassOutcome invert(const engine::Kernels& kernels, PathMatrix<double>& M,
                   engine::FactorMemory& memory, PathMatrix<double>& spare,
                   DenseMatrix<double>& result) {
  const engine::Factors<double> factors = memory.view();
  if (kernels.factorize(rows_of(M), factors)) {
    kernels.invert(factors, result.values.data(), memory.inversion.data());
    return {};
  }
  if (&M != &spare) spare.values = M.values, spare.scale = M.scale;
  const MassOutcome found = factorize(spare);  // slowly, to know for sure
  if (found.ok())
    inverse(spare, result);
  else
    fill_with_nan(result);
  return found;
}

/// E (E^T M E)^-1 E^T for v = E y, the motion that couplings leave.
MassOutcome invert_reduced(Engine& e, const PathMatrix<double>& M, DenseMatrix<double>& result) {
  engine::ReducedMass& r = e.reduced;
  if (r.pattern.size() == 0)
    r = engine::ReducedMass({*e.tree, e.constants, e.groups, M}, e.kernels->tile);
  r.reduce(M);
  MassOutcome found = invert(*e.kernels, r.matrix, r.factors, r.matrix, r.inverse);
  r.expand_inverse(result);
  if (!found.ok()) found.singular_velocity = r.pattern.velocity[found.singular_velocity];
  return found;
}

}  // namespace

Engine::Engine(const Tree& of)
    : tree(&of),
      constants(of),
      kernels(&engine::kernels()),
      armature(of.dofs.size()),
      groups(of, constants) {
  add_forms(constants);
  for (std::size_t k = 0; k < of.dofs.size(); ++k) {
    const Dof& dof = of.dofs[k];
    armature[k] = dof.armature;
    has_armature = has_armature || dof.armature != 0;
    has_losses = has_losses || dof.damping != 0 || dof.friction != 0;
  }
  const std::size_t n = constants.bodies.size(), room = n + 16;
  scratch.reserve(kernels->scratch_bytes(static_cast<int>(n), constants.nv, constants.path));
  group_memory.reserve(std::size_t(groups.view().numbers) * sizeof(double));
  cosine.resize(room), sine.resize(room), forces.resize(armature.size());
  external.resize(8 * n);
  generals.resize(constants.generals);
}

void poses(Engine& e, In<double> q, Out<SE3<double>> T_WB) noexcept {
  const Call<double> c = start(e, q, {}, {});
  auto* poses = reinterpret_cast<double*>(T_WB.data());
  e.kernels->poses(c, steps_of(e), poses, poses, nullptr);
}

void poses(Engine& e, In<double> q, Poses<double>& result) noexcept {
  const Call<double> c = start(e, q, {}, {});
  e.kernels->poses(c, steps_of(e), reinterpret_cast<double*>(result.T_PB.data()),
                   reinterpret_cast<double*>(result.T_WB.data()), nullptr);
  std::copy(q.begin(), q.end(), result.q.begin());
  std::copy(e.tree->screws.begin(), e.tree->screws.end(), result.screws.begin());
  if (!e.constants.has_moving) return;
  for (const EngineStep& s : e.constants.steps)
    for (int k = 0; s.moving && k < s.nv; ++k) {
      const double* X = e.generals[s.general].screw[k];
      result.screws[s.v + k] = {{X[0], X[1], X[2]}, {X[4], X[5], X[6]}};
    }
}

void poses_and_screws(Engine& e, In<double> q, Out<SE3<double>> T_WB,
                      Out<Vec6<double>> screws) noexcept {
  const Call<double> c = start(e, q, {}, {});
  auto* poses = reinterpret_cast<double*>(T_WB.data());
  e.kernels->poses(c, steps_of(e), poses, poses, reinterpret_cast<double*>(screws.data()));
}

void inverse_dynamics(Engine& e, In<double> q, In<double> v, In<double> a, Out<double> tau,
                      const EngineOptions& options) noexcept {
  e.kernels->inverse_dynamics(start(e, q, v, a, options), tau.data());
  add_effects(e, options.effects, v, a, tau);
}

ForwardOutcome forward_dynamics(Engine& e, In<double> q, In<double> v, In<double> tau,
                                Out<double> a, const EngineOptions& options) {
  for (std::size_t k = 0; k < e.forces.size(); ++k) e.forces[k] = tau[k];
  if (e.has_losses) {
    for (double& x : e.forces) x = -x;
    add_losses<double>(*e.tree, options.effects, v, e.forces);
    for (double& x : e.forces) x = -x;
  }
  Call<double> c = start(e, q, v, e.forces, options);
  if (solve(e, c, a)) return {};
  Poses<double> at(*e.tree);
  poses<double>(*e.tree, q, at);
  Effects lossless = options.effects;
  lossless.damping = lossless.friction = false;
  ForwardDynamics<Rep::body, double> work(*e.tree);
  return reference::forward_dynamics(*e.tree, at, v, e.forces, work, a, options.external, lossless);
}

void mass_matrix(Engine& e, In<double> q, PathMatrix<double>& M, const Effects& effects) noexcept {
  Call<double> c = start(e, q, {}, {});
  if (effects.armature && e.has_armature) c.armature = e.armature.data();
  e.kernels->mass_matrix(c, rows_of(M));
}

MassOutcome inverse_mass_matrix(Engine& e, In<double> q, DenseMatrix<double>& result,
                                const Effects& effects) {
  make_mass(e);
  mass_matrix(e, q, e.mass, effects);
  return invert(*e.kernels, e.mass, e.factors, e.mass, result);
}

void coriolis_matrix(Engine& e, In<double> q, In<double> v, DenseMatrix<double>& C,
                     CoriolisChoice choice) {
  if (e.constants.has_moving || choice != CoriolisChoice::christoffel)
    return engine::general_coriolis_matrix(e, q, v, choice, C);
  for (double& x : e.forces) x = 0;
  const Call<double> c = start(e, q, v, e.forces);
  e.kernels->derivatives(c, {nullptr, nullptr, C.values.data(), {}});
}

void inverse_dynamics_derivatives(Engine& e, In<double> q, In<double> v, In<double> a,
                                  InverseDynamicsDerivatives<double>& result,
                                  const EngineOptions& options) {
  if (e.constants.has_moving) return engine::general_derivatives(e, q, v, a, result, options);
  const Call<double> c = start(e, q, v, a, options);
  e.kernels->derivatives(c, {result.tau.data(), result.by_q.values.data(),
                             result.by_v.values.data(), rows_of(result.by_a)});
  add_effects(e, options.effects, v, a, result.tau);
  if (e.has_losses && options.effects.damping)
    for (int k = 0; k < e.constants.nv; ++k) result.by_v(k, k) += e.tree->dofs[k].damping;
}

MassOutcome forward_dynamics_derivatives(Engine& e, In<double> q, In<double> v, In<double> tau,
                                         ForwardDynamicsDerivatives<double>& result,
                                         const EngineOptions& options) {
  const ForwardOutcome moved = forward_dynamics(e, q, v, tau, result.a, options);
  InverseDynamicsDerivatives<double>& d = result.inverse;
  inverse_dynamics_derivatives(e, q, v, result.a, d, options);
  make_mass(e);
  MassOutcome found = e.tree->couplings.empty()
                          ? invert(*e.kernels, d.by_a, e.factors, e.mass, result.by_tau)
                          : invert_reduced(e, d.by_a, result.by_tau);
  if (found.ok() && !moved.ok()) found.singular_velocity = e.tree->links[moved.singular_body].v;
  if (!found.ok()) {
    for (DenseMatrix<double>* x : {&result.by_q, &result.by_v, &result.by_tau}) fill_with_nan(*x);
    return found;
  }
  e.kernels->multiply_negative(e.factors.view(), result.by_tau.values.data(),
                               {d.by_q.values.data(), d.by_v.values.data()},
                               {result.by_q.values.data(), result.by_v.values.data()});
  return {};
}

}  // namespace axode
