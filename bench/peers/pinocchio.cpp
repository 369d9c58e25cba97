// Pinocchio in the comparison of libraries. Joints as its URDF parser makes them: of their own type
// about or along x, y and z, else "unaligned". Each function below is one of Pinocchio, or the
// documented sequence of them; where it has two ways both are there, and the faster one counts.
//
// Built with PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION the functions are those compiled into the
// package; without, they are compiled here, with the flags given.
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/peers/pinocchio_coupled.hpp"
#include "bench/peers/protocol.hpp"
#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/cholesky.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/jacobian.hpp"
#include "pinocchio/algorithm/kinematics.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/config.hpp"
#include "pinocchio/multibody/joint.hpp"

namespace {

namespace pin = pinocchio;
using pin::Convention;
using Vector = Eigen::VectorXd;
using Given = Eigen::Ref<const Vector>;  // as the functions of the package take them
using Numbers = std::vector<double>;

Eigen::Vector3d vector3(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
Eigen::Matrix3d matrix3(const std::array<double, 9>& R) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.data());
}

pin::JointModel joint_of(const peers::Body& b) {
  if (b.joint == peers::Joint::free) return pin::JointModelFreeFlyer();
  const bool turns = b.joint == peers::Joint::revolute;
  const std::array<double, 3> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  if (b.axis == x) return turns ? pin::JointModel(pin::JointModelRX()) : pin::JointModelPX();
  if (b.axis == y) return turns ? pin::JointModel(pin::JointModelRY()) : pin::JointModelPY();
  if (b.axis == z) return turns ? pin::JointModel(pin::JointModelRZ()) : pin::JointModelPZ();
  if (turns) return pin::JointModelRevoluteUnaligned(vector3(b.axis));
  return pin::JointModelPrismaticUnaligned(vector3(b.axis));
}

pin::Model build_model(const peers::Model& flat) {
  pin::Model model;
  model.gravity.linear(vector3(flat.gravity));
  std::vector<pin::JointIndex> index;
  for (const peers::Body& b : flat.bodies) {
    const pin::JointIndex parent = b.parent < 0 ? 0 : index[b.parent];
    const pin::SE3 placement(matrix3(b.R), vector3(b.p));
    index.push_back(model.addJoint(parent, joint_of(b), placement, b.name));
    const auto& I = b.inertia;
    pin::Symmetric3 moments(I[0], I[1], I[3], I[2], I[4], I[5]);
    model.appendBodyToJoint(index.back(), pin::Inertia(b.mass, vector3(b.com), moments));
  }
  return model;
}

/// The model, its data, and the states.
struct Subject {
  pin::Model model;
  pin::Data data;
  std::vector<Vector> q, v, a, tau;
  Vector out;
  Eigen::MatrixXd inverse;

  Subject(const peers::Model& flat, const peers::States& states)
      : model(build_model(flat)), data(model), out(Vector::Zero(model.nv)) {
    inverse.setIdentity(model.nv, model.nv);
    const auto copy = [](const std::vector<Numbers>& from, std::vector<Vector>& to) {
      for (const Numbers& x : from)
        to.emplace_back(Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
    };
    copy(states.q, q);
    copy(states.v, v);
    copy(states.a, a);
    copy(states.tau, tau);
  }
};

// What is timed. ------------------------------------------------------------------------------------

using Row = void (*)(Subject&, std::size_t);

void poses(Subject& s, std::size_t k) { pin::forwardKinematics(s.model, s.data, Given(s.q[k])); }
void jacobians(Subject& s, std::size_t k) {
  pin::computeJointJacobians(s.model, s.data, Given(s.q[k]));
}
void inverse_dynamics(Subject& s, std::size_t k) {
  pin::rnea(s.model, s.data, Given(s.q[k]), Given(s.v[k]), Given(s.a[k]));
}
void mass_matrix_local(Subject& s, std::size_t k) {
  pin::crba(s.model, s.data, Given(s.q[k]), Convention::LOCAL);
}
void mass_matrix_world(Subject& s, std::size_t k) {
  pin::crba(s.model, s.data, Given(s.q[k]), Convention::WORLD);
}
void forward_dynamics_local(Subject& s, std::size_t k) {
  pin::aba(s.model, s.data, Given(s.q[k]), Given(s.v[k]), Given(s.tau[k]), Convention::LOCAL);
}
void forward_dynamics_world(Subject& s, std::size_t k) {
  pin::aba(s.model, s.data, Given(s.q[k]), Given(s.v[k]), Given(s.tau[k]), Convention::WORLD);
}
template <Convention convention>
void forward_dynamics_cholesky(Subject& s, std::size_t k) {
  pin::nonLinearEffects(s.model, s.data, Given(s.q[k]), Given(s.v[k]));
  pin::crba(s.model, s.data, Given(s.q[k]), convention);
  pin::cholesky::decompose(s.model, s.data);
  s.out = s.tau[k] - s.data.nle;
  pin::cholesky::solve(s.model, s.data, s.out);
}
void inverse_mass_matrix(Subject& s, std::size_t k) {
  pin::computeMinverse(s.model, s.data, Given(s.q[k]));
}
template <Convention convention>
void inverse_mass_matrix_cholesky(Subject& s, std::size_t k) {
  pin::crba(s.model, s.data, Given(s.q[k]), convention);
  pin::cholesky::decompose(s.model, s.data);
  pin::cholesky::computeMinv(s.model, s.data, s.inverse);
}
void coriolis_matrix(Subject& s, std::size_t k) {
  pin::computeCoriolisMatrix(s.model, s.data, Given(s.q[k]), Given(s.v[k]));
}
void inverse_derivatives(Subject& s, std::size_t k) {
  pin::computeRNEADerivatives(s.model, s.data, Given(s.q[k]), Given(s.v[k]), Given(s.a[k]));
}
void forward_derivatives(Subject& s, std::size_t k) {
  pin::computeABADerivatives(s.model, s.data, Given(s.q[k]), Given(s.v[k]), Given(s.tau[k]));
}

// What they found. ----------------------------------------------------------------------------------

template <class Matrix>
void append(const Matrix& M, Numbers& to) {
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j) to.push_back(M(i, j));
}
/// Of matrices of which only the upper triangle is written.
template <class Matrix>
void append_symmetric(const Matrix& M, Numbers& to) {
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j) to.push_back(i < j ? M(i, j) : M(j, i));
}

void poses_result(const Subject& s, std::size_t, Numbers& to) {
  for (std::size_t i = 1; i < s.data.oMi.size(); ++i) {
    append(s.data.oMi[i].rotation(), to);
    append(s.data.oMi[i].translation(), to);
  }
}
void jacobians_result(const Subject& s, std::size_t, Numbers& to) {
  const std::size_t bodies = s.data.oMi.size() - 1;
  for (const std::size_t body : {bodies - 1, bodies / 2}) {
    pin::Data::Matrix6x J = pin::Data::Matrix6x::Zero(6, s.model.nv);
    pin::getJointJacobian(s.model, s.data, body + 1, pin::LOCAL_WORLD_ALIGNED, J);
    append(J, to);
  }
}
void coriolis_result(const Subject& s, std::size_t k, Numbers& to) {
  append(s.data.C * s.v[k], to);
}
void inverse_derivatives_result(const Subject& s, std::size_t, Numbers& to) {
  append(s.data.dtau_dq, to);
  append(s.data.dtau_dv, to);
  append_symmetric(s.data.M, to);
}
void forward_derivatives_result(const Subject& s, std::size_t, Numbers& to) {
  append(s.data.ddq_dq, to);
  append(s.data.ddq_dv, to);
  append_symmetric(s.data.Minv, to);
}

void add_all(peers::Program& program, Subject& s) {
  const auto add = [&](const char* name, Row row, auto result, const char* note) {
    program.add(
        name, [&s, row](int k) { row(s, k); },
        [&s, result](int k, Numbers& to) { result(s, k, to); }, note);
  };
  const auto a = [](const Subject& x, std::size_t, Numbers& to) { append(x.data.ddq, to); };
  const auto out = [](const Subject& x, std::size_t, Numbers& to) { append(x.out, to); };
  const auto M = [](const Subject& x, std::size_t, Numbers& to) { append_symmetric(x.data.M, to); };
  const auto M_inverse = [](const Subject& x, std::size_t, Numbers& to) {
    append_symmetric(x.data.Minv, to);
  };
  const auto inverse = [](const Subject& x, std::size_t, Numbers& to) { append(x.inverse, to); };
  add("poses", poses, poses_result, "forwardKinematics(q)");
  add("jacobians", jacobians, jacobians_result, "computeJointJacobians(q)");
  add(
      "inverse_dynamics", inverse_dynamics,
      [](const Subject& x, std::size_t, Numbers& to) { append(x.data.tau, to); }, "rnea");
  add("mass_matrix", mass_matrix_local, M, "crba, LOCAL; upper triangle");
  add("mass_matrix_world", mass_matrix_world, M, "crba, WORLD; upper triangle");
  add("forward_dynamics", forward_dynamics_local, a, "aba, LOCAL");
  add("forward_dynamics_world", forward_dynamics_world, a, "aba, WORLD");
  add("forward_dynamics_cholesky", forward_dynamics_cholesky<Convention::LOCAL>, out,
      "nonLinearEffects, crba LOCAL, cholesky");
  add("forward_dynamics_cholesky_world", forward_dynamics_cholesky<Convention::WORLD>, out,
      "nonLinearEffects, crba WORLD, cholesky");
  add("inverse_mass_matrix", inverse_mass_matrix, M_inverse, "computeMinverse; upper triangle");
  add("inverse_mass_matrix_cholesky", inverse_mass_matrix_cholesky<Convention::LOCAL>, inverse,
      "crba LOCAL, cholesky::computeMinv");
  add("inverse_mass_matrix_cholesky_world", inverse_mass_matrix_cholesky<Convention::WORLD>,
      inverse, "crba WORLD, cholesky::computeMinv");
  add("coriolis_matrix", coriolis_matrix, coriolis_result, "computeCoriolisMatrix");
  add("inverse_derivatives", inverse_derivatives, inverse_derivatives_result,
      "computeRNEADerivatives");
  add("forward_derivatives", forward_derivatives, forward_derivatives_result,
      "computeABADerivatives");
}

void add_coupled(peers::Program& program, Subject& s, peers::CoupledPinocchio& coupled) {
  const auto result = [&coupled](int, Numbers& to) { coupled.result(to); };
  program.add(
      "forward_dynamics", [&coupled](int k) { coupled.by_mimic_joints(k); }, result,
      "mimic joints: rnea, crba WORLD, Eigen's LLT");
  program.add(
      "forward_dynamics_sums", [&coupled, &s](int k) { coupled.by_sums(k, s.q[k], s.v[k]); },
      result, "all joints: nonLinearEffects, crba LOCAL, sums, Eigen's LLT");
}

}  // namespace

int main(int argc, char** argv) {
  peers::Program program(argc, argv, "pinocchio", PINOCCHIO_VERSION);
#if defined(PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION)
  if (program.model().nv > 500) {  // pin::Data has room for second derivatives, 4 nv^3 numbers
    std::fputs("pinocchio: cannot allocate memory for Data of so many joints\n", stderr);
    return 3;
  }
#endif
  Subject subject(program.model(), program.states());
  if (program.model().coupled()) {
    peers::CoupledPinocchio coupled(subject.model, program.model(), program.states());
    add_coupled(program, subject, coupled);
    return program.run();
  }
  add_all(program, subject);
  return program.run();
}
