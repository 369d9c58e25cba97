// MuJoCo in the comparison of libraries: its C functions as packaged, constraints, contacts and all
// other forces off, for each row the shortest documented chain of stages that yields the result.
//
// Velocities of its free joint are linear in world axes, angular in body axes: states and results
// are translated, beside what is timed. It has no Coriolis matrix, and derivatives by finite
// differences only.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/peers/coordinates.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using Numbers = std::vector<double>;

void set_pose(mjsBody* body, const peers::Body& b) {
  std::copy(b.p.begin(), b.p.end(), body->pos);
  mju_mat2Quat(body->quat, b.R.data());
}
/// To be added to mass and moments of inertia while the model is compiled, which refuses bodies that
/// are flat, straight, impossible or without mass; it changes no principal axes. Zero for others.
double guard_of(const peers::Body& b) {
  const auto& I = b.inertia;
  const double full[] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
  double moments[3], axes[9], quaternion[4];
  mju_eig3(moments, axes, quaternion, full);  // largest first
  const bool fine = b.mass > 1e-6 && moments[2] > 1e-9 && moments[1] + moments[2] > moments[0];
  return fine ? 0 : 1e-3 + moments[0];
}

void set_inertia(mjsBody* body, const peers::Body& b) {
  const double guard = guard_of(b);
  body->explicitinertial = 1;
  body->mass = b.mass + guard;
  std::copy(b.com.begin(), b.com.end(), body->ipos);
  const auto& I = b.inertia;  // of them: xx yy zz xy xz yz
  const double full[] = {I[0] + guard, I[3] + guard, I[5] + guard, I[1], I[2], I[4]};
  std::copy(full, full + 6, body->fullinertia);
}
void add_joint(mjsBody* body, const peers::Body& b) {
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  joint->type = b.joint == peers::Joint::free       ? mjJNT_FREE
                : b.joint == peers::Joint::revolute ? mjJNT_HINGE
                                                    : mjJNT_SLIDE;
  std::copy(b.axis.begin(), b.axis.end(), joint->axis);
  joint->limited = mjLIMITED_FALSE;
}

mjModel* build_model(const peers::Model& flat) {
  mjSpec* spec = mj_makeSpec();
  std::copy(flat.gravity.begin(), flat.gravity.end(), spec->option.gravity);
  spec->option.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                              mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                              mjDSBL_CLAMPCTRL | mjDSBL_WARMSTART | mjDSBL_ACTUATION |
                              mjDSBL_SENSOR | mjDSBL_ISLAND | mjDSBL_AUTORESET;
  std::vector<mjsBody*> bodies;
  for (const peers::Body& b : flat.bodies) {
    mjsBody* parent = b.parent < 0 ? mjs_findBody(spec, "world") : bodies[b.parent];
    mjsBody* body = mjs_addBody(parent, nullptr);
    set_pose(body, b);
    set_inertia(body, b);
    add_joint(body, b);
    bodies.push_back(body);
  }
  mjModel* model = mj_compile(spec, nullptr);
  if (!model) {
    std::fprintf(stderr, "mujoco: %s: %s\n", flat.name.c_str(), mjs_getError(spec));
    std::exit(3);
  }
  mj_deleteSpec(spec);
  for (int i = 1; i < model->nbody; ++i) {
    const peers::Body& b = flat.bodies[i - 1];
    model->body_mass[i] = b.mass;
    for (int j = 0; j < 3; ++j) model->body_inertia[3 * i + j] -= guard_of(b);
  }
  return model;
}

/// Quaternions of free joints as (w, x, y, z).
Numbers coordinates(const peers::Model& model, const Numbers& q) {
  Numbers result = q;
  for (const peers::Body& b : model.bodies) {
    if (b.joint != peers::Joint::free) continue;
    const std::size_t first = b.q + 3;
    result[first] = q[first + 3];
    for (std::size_t i = 0; i < 3; ++i) result[first + 1 + i] = q[first + i];
  }
  return result;
}

/// The model, its data, and the states in MuJoCo's coordinates.
struct Subject {
  const peers::Model& flat;
  const peers::States& given;
  peers::Coordinates joints;
  mjModel* m;
  mjData* d;
  std::vector<Numbers> q, v, a, tau;
  Numbers out, identity, inverse;

  Subject(const peers::Model& flat_model, const peers::States& states)
      : flat(flat_model),
        given(states),
        joints(flat, peers::linear_in_world),
        m(build_model(flat)),
        d(mj_makeData(m)) {
    const std::size_t nv = flat.nv;
    for (std::size_t k = 0; k < states.q.size(); ++k) {
      q.push_back(coordinates(flat, states.q[k]));
      v.push_back(joints.velocity(states.q[k], states.v[k]));
      a.push_back(joints.acceleration(states.q[k], states.v[k], states.a[k]));
      tau.push_back(joints.force(states.q[k], states.tau[k]));
    }
    mj_setConst(m, d);
    out.resize(nv);
    identity.resize(nv * nv);
    inverse.resize(nv * nv);
    for (std::size_t i = 0; i < nv; ++i) identity[i * nv + i] = 1;
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  ~Subject() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
};

// What is timed. ------------------------------------------------------------------------------------

void copy(const Numbers& from, double* to) { std::copy(from.begin(), from.end(), to); }

void poses(Subject& s, std::size_t k) {
  copy(s.q[k], s.d->qpos);
  mj_kinematics(s.m, s.d);
}
void jacobians(Subject& s, std::size_t k) {
  poses(s, k);
  mj_comPos(s.m, s.d);
}
void inverse_dynamics(Subject& s, std::size_t k) {
  jacobians(s, k);
  copy(s.v[k], s.d->qvel);
  copy(s.a[k], s.d->qacc);
  mj_comVel(s.m, s.d);
  mj_rne(s.m, s.d, 1, s.out.data());
}
void mass_matrix(Subject& s, std::size_t k) {
  jacobians(s, k);
  mj_makeM(s.m, s.d);
}
void forward_dynamics(Subject& s, std::size_t k) {
  mass_matrix(s, k);
  mj_factorM(s.m, s.d);
  copy(s.v[k], s.d->qvel);
  mj_comVel(s.m, s.d);
  mj_rne(s.m, s.d, 0, s.d->qfrc_bias);
  mju_sub(s.d->qfrc_smooth, s.tau[k].data(), s.d->qfrc_bias, s.flat.nv);
  mj_solveM(s.m, s.d, s.d->qacc, s.d->qfrc_smooth, 1);
}
void forward_dynamics_whole(Subject& s, std::size_t k) {
  copy(s.q[k], s.d->qpos);
  copy(s.v[k], s.d->qvel);
  copy(s.tau[k], s.d->qfrc_applied);
  mj_forward(s.m, s.d);
}
void inverse_mass_matrix(Subject& s, std::size_t k) {
  mass_matrix(s, k);
  mj_factorM(s.m, s.d);
  mj_solveM(s.m, s.d, s.inverse.data(), s.identity.data(), s.flat.nv);
}

// What they found, in the coordinates of the files. ---------------------------------------------------

void poses_result(const Subject& s, std::size_t, Numbers& to) {
  for (int i = 1; i < s.m->nbody; ++i) {
    to.insert(to.end(), s.d->xmat + 9 * i, s.d->xmat + 9 * i + 9);
    to.insert(to.end(), s.d->xpos + 3 * i, s.d->xpos + 3 * i + 3);
  }
}
void jacobians_result(const Subject& s, std::size_t k, Numbers& to) {
  for (const int body : {s.flat.size() - 1, s.flat.size() / 2}) {
    Numbers J(6 * s.flat.nv);
    mj_jacBody(s.m, s.d, J.data(), J.data() + 3 * s.flat.nv, body + 1);
    s.joints.add_jacobian(s.given.q[k], J, to);
  }
}
void force_result(const Subject& s, std::size_t k, Numbers& to) {
  s.joints.add_force(s.given.q[k], s.out, to);
}
void acceleration_result(const Subject& s, std::size_t k, Numbers& to) {
  const Numbers a(s.d->qacc, s.d->qacc + s.m->nv);
  s.joints.add_acceleration(s.given.q[k], s.given.v[k], a, to);
}
void mass_matrix_result(const Subject& s, std::size_t k, Numbers& to) {
  Numbers M(s.inverse.size());
  mj_fullM(s.m, s.d, M.data());
  s.joints.add_matrix(s.given.q[k], M, to);
}
void inverse_mass_matrix_result(const Subject& s, std::size_t k, Numbers& to) {
  s.joints.add_matrix(s.given.q[k], s.inverse, to);
}

void add_all(peers::Program& program, Subject& s) {
  const auto add = [&](const char* name, auto row, auto result, const char* note) {
    program.add(
        name, [&s, row](int k) { row(s, k); },
        [&s, result](int k, Numbers& to) { result(s, k, to); }, note);
  };
  add("poses", poses, poses_result, "mj_kinematics (with poses of the centres of mass)");
  add("jacobians", jacobians, jacobians_result,
      "mj_kinematics, mj_comPos: cdof, the columns about the centre of mass of the tree");
  add("inverse_dynamics", inverse_dynamics, force_result,
      "mj_kinematics, mj_comPos, mj_comVel, mj_rne");
  add("mass_matrix", mass_matrix, mass_matrix_result, "mj_kinematics, mj_comPos, mj_makeM; sparse");
  add("forward_dynamics", forward_dynamics, acceleration_result,
      "mj_kinematics, mj_comPos, mj_makeM, mj_factorM, mj_comVel, mj_rne, mj_solveM");
  add("forward_dynamics_whole", forward_dynamics_whole, acceleration_result, "mj_forward");
  add("inverse_mass_matrix", inverse_mass_matrix, inverse_mass_matrix_result,
      "mj_kinematics, mj_comPos, mj_makeM, mj_factorM, mj_solveM of the unit matrix");
  program.unsupported("coriolis_matrix", "only the product with the velocities (mj_rne)");
  program.unsupported("inverse_derivatives", "by finite differences only (mjd_inverseFD)");
  program.unsupported("forward_derivatives", "by finite differences only (mjd_transitionFD)");
}

}  // namespace

int main(int argc, char** argv) {
  static_assert(sizeof(mjtNum) == sizeof(double));
  peers::Program program(argc, argv, "mujoco", mj_versionString(), "as packaged", "as packaged");
  Subject subject(program.model(), program.states());
  add_all(program, subject);
  return program.run();
}
