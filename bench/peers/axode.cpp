// Axode in the comparison of libraries: one function below for each row of the table.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "axode/engine/batch.hpp"
#include "axode/engine/engine.hpp"
#include "axode/model/builder.hpp"
#include "axode/version.hpp"
#include "bench/peers/protocol.hpp"

namespace {

using namespace axode;
using Numbers = std::vector<double>;

Vec3<double> vec3(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

SE3<double> pose_of(const peers::Body& b) {
  SE3<double> T{{}, vec3(b.p)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) T.R.matrix(i, j) = b.R[3 * i + j];
  return T;
}

Joint joint_of(const peers::Body& b) {
  if (b.joint == peers::Joint::free) return free_joint();
  if (b.joint == peers::Joint::prismatic) return prismatic({vec3(b.axis)});
  return revolute({vec3(b.axis), {0, 0, 0}});
}

Tree build_tree(const peers::Model& model) {
  TreeBuilder builder(model.name);
  builder.gravity(vec3(model.gravity));
  for (const peers::Body& b : model.bodies) {
    const auto& I = b.inertia;
    builder.body(b.name, {b.mass, vec3(b.com), {I[0], I[3], I[5], I[1], I[2], I[4]}});
    if (b.parent >= 0) builder.on(model.bodies[b.parent].name);
    builder.joint("joint of " + b.name, joint_of(b), body_screws(pose_of(b)));
    if (b.leader >= 0) builder.mimic("joint of " + model.bodies[b.leader].name, b.ratio, b.offset);
  }
  return builder.build();
}

/// Matrices; for thousands of bodies they do not fit into memory.
struct Matrices {
  explicit Matrices(const Tree& tree)
      : mass(tree),
        mass_inverse{tree.nv, tree.nv, Numbers(tree.nv * tree.nv)},
        coriolis(mass_inverse),
        inverse_by(tree),
        forward_by(tree) {}
  PathMatrix<double> mass;
  DenseMatrix<double> mass_inverse, coriolis;
  InverseDynamicsDerivatives<double> inverse_by;
  ForwardDynamicsDerivatives<double> forward_by;
};
constexpr int max_velocities = 2000;

/// Bytes allocated now.
std::size_t heap() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// The tree, the states in its coordinates, and what the functions write.
struct Subject {
  explicit Subject(const peers::Model& flat, const peers::States& states);
  const peers::Model& model;
  std::size_t bytes = heap();  ///< of the tree and all work space, once it is made
  Tree tree;
  std::vector<Numbers> q, v, a, tau;  ///< by state
  std::vector<std::size_t> order;     ///< by velocity of the files: that of the tree
  Numbers out;                        ///< nv numbers
  std::vector<SE3<double>> at;
  std::vector<Vec6<double>> columns;
  Engine engine;
  std::unique_ptr<Matrices> matrices;  ///< none for large trees
};

/// Free joints: quaternion (w, x, y, z) before position, angular before linear.
Numbers coordinates(const peers::Model& model, const Numbers& q) {
  Numbers result = q;
  for (const peers::Body& b : model.bodies) {
    if (b.joint != peers::Joint::free) continue;
    constexpr std::size_t from[] = {6, 3, 4, 5, 0, 1, 2};
    const std::size_t first = b.q;
    for (std::size_t i = 0; i < 7; ++i) result[first + i] = q[first + from[i]];
  }
  return result;
}
std::vector<std::size_t> order_of_velocities(const peers::Model& model) {
  std::vector<std::size_t> order;
  for (const peers::Body& b : model.bodies)
    for (int i = 0; i < b.nv(); ++i) order.push_back(b.v + (b.nv() == 6 ? (i + 3) % 6 : 0));
  return order;
}

Subject::Subject(const peers::Model& flat, const peers::States& states)
    : model(flat),
      tree(build_tree(flat)),
      order(order_of_velocities(flat)),
      out(order.size()),
      at(tree.links.size()),
      columns(order.size()),
      engine(tree),
      matrices(tree.nv > max_velocities ? nullptr : std::make_unique<Matrices>(tree)) {
  bytes = heap() - bytes;
  const auto permuted = [&](const Numbers& x) {
    Numbers result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[order[i]] = x[i];
    return result;
  };
  for (std::size_t k = 0; k < states.q.size(); ++k) {
    q.push_back(coordinates(model, states.q[k]));
    v.push_back(permuted(states.v[k]));
    a.push_back(permuted(states.a[k]));
    tau.push_back(permuted(states.tau[k]));
  }
}

// What is timed. ------------------------------------------------------------------------------------

/// Timed states are regular.
void require(const auto& outcome) {
  if (!outcome.ok()) std::abort();
}
void poses_row(Subject& s, std::size_t k) { poses(s.engine, s.q[k], s.at); }
void jacobians_row(Subject& s, std::size_t k) {
  poses_and_screws(s.engine, s.q[k], s.at, s.columns);
}
void inverse_dynamics_row(Subject& s, std::size_t k) {
  inverse_dynamics(s.engine, s.q[k], s.v[k], s.a[k], s.out);
}
void mass_matrix_row(Subject& s, std::size_t k) { mass_matrix(s.engine, s.q[k], s.matrices->mass); }
void forward_dynamics_row(Subject& s, std::size_t k) {
  require(forward_dynamics(s.engine, s.q[k], s.v[k], s.tau[k], s.out));
}
void inverse_mass_matrix_row(Subject& s, std::size_t k) {
  require(inverse_mass_matrix(s.engine, s.q[k], s.matrices->mass_inverse));
}
void coriolis_matrix_row(Subject& s, std::size_t k) {
  coriolis_matrix(s.engine, s.q[k], s.v[k], s.matrices->coriolis);
}
void inverse_derivatives_row(Subject& s, std::size_t k) {
  inverse_dynamics_derivatives(s.engine, s.q[k], s.v[k], s.a[k], s.matrices->inverse_by);
}
void forward_derivatives_row(Subject& s, std::size_t k) {
  require(forward_dynamics_derivatives(s.engine, s.q[k], s.v[k], s.tau[k], s.matrices->forward_by));
}

// What they found, in the order of the files. --------------------------------------------------------

void append(Numbers& to, const Vec3<double>& x) { to.insert(to.end(), {x.x, x.y, x.z}); }

void poses_result(const Subject& s, Numbers& to) {
  for (const SE3<double>& T : s.at) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) to.push_back(T.R.matrix(i, j));
    append(to, T.p);
  }
}

/// 6 x nv: velocity of the origin of the body, angular velocity.
void jacobian_result(const Subject& s, int body, Numbers& to) {
  const auto first = to.size(), nv = s.order.size();
  to.resize(first + 6 * nv);
  const Vec3<double>& p = s.at[body].p;
  for (int i = body; i >= 0; i = s.model.bodies[i].parent) {
    const peers::Body& b = s.model.bodies[i];
    for (std::size_t c = b.v, n = 0; n < static_cast<std::size_t>(b.nv()); ++c, ++n) {
      const Vec6<double>& J = s.columns[s.order[c]];
      const Vec3<double> linear = J.linear + cross(J.angular, p), angular = J.angular;
      const double column[] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
      for (std::size_t r = 0; r < 6; ++r) to[first + r * nv + c] = column[r];
    }
  }
}
void jacobians_result(const Subject& s, Numbers& to) {
  jacobian_result(s, s.model.size() - 1, to);
  jacobian_result(s, s.model.size() / 2, to);
}
void vector_result(const Subject& s, const Numbers& x, Numbers& to) {
  for (const std::size_t i : s.order) to.push_back(x[i]);
}
void matrix_result(const Subject& s, const DenseMatrix<double>& M, Numbers& to) {
  for (const std::size_t i : s.order)
    for (const std::size_t j : s.order) to.push_back(M(static_cast<int>(i), static_cast<int>(j)));
}

void add_kinematics(peers::Program& program, Subject& s) {
  const auto add = [&](const char* name, auto row, auto result) {
    program.add(
        name, [&s, row](int k) { row(s, k); }, [&s, result](int, Numbers& to) { result(s, to); });
  };
  add(
      "poses", [](Subject& x, std::size_t k) { poses_row(x, k); }, poses_result);
  add(
      "jacobians", [](Subject& x, std::size_t k) { jacobians_row(x, k); }, jacobians_result);
}

/// Those without matrices first.
void add_dynamics(peers::Program& program, Subject& s) {
  const auto add = [&](const char* name, auto row, auto result) {
    program.add(
        name, [&s, row](int k) { row(s, k); }, [&s, result](int k, Numbers& to) { result(k, to); });
  };
  const auto out = [&s](std::size_t, Numbers& to) { vector_result(s, s.out, to); };
  add("inverse_dynamics", inverse_dynamics_row, out);
  add("forward_dynamics", forward_dynamics_row, out);
  if (!s.matrices) return;
  add("mass_matrix", mass_matrix_row,
      [&s](std::size_t, Numbers& to) { matrix_result(s, dense(s.matrices->mass), to); });
  add("inverse_mass_matrix", inverse_mass_matrix_row,
      [&s](std::size_t, Numbers& to) { matrix_result(s, s.matrices->mass_inverse, to); });
  add("coriolis_matrix", coriolis_matrix_row, [&s](std::size_t k, Numbers& to) {
    for (std::size_t i = 0; i < s.out.size(); ++i) {
      s.out[i] = 0;
      for (std::size_t j = 0; j < s.out.size(); ++j)
        s.out[i] += s.matrices->coriolis.values[i * s.out.size() + j] * s.v[k][j];
    }
    vector_result(s, s.out, to);
  });
  add("inverse_derivatives", inverse_derivatives_row, [&s](std::size_t, Numbers& to) {
    matrix_result(s, s.matrices->inverse_by.by_q, to);
    matrix_result(s, s.matrices->inverse_by.by_v, to);
    matrix_result(s, dense(s.matrices->inverse_by.by_a), to);
  });
  add("forward_derivatives", forward_derivatives_row, [&s](std::size_t, Numbers& to) {
    matrix_result(s, s.matrices->forward_by.by_q, to);
    matrix_result(s, s.matrices->forward_by.by_v, to);
    matrix_result(s, s.matrices->forward_by.by_tau, to);
  });
}

// Many states at once, by one thread or two. ----------------------------------------------------------

struct Many {
  Many(const Subject& s, int threads, std::size_t numbers);
  std::size_t count;  ///< states
  Batch batch;
  Numbers q, v, a, tau, out, by_q, by_v, by_a;
};

/// As many states for each thread as fit into the second level of its core's cache, of so many
/// numbers.
Many::Many(const Subject& s, int threads, std::size_t numbers)
    : count(std::size_t(threads) * s.q.size() *
            std::clamp<std::size_t>(131072 / (numbers * s.q.size()), 1, 64)),
      batch(s.tree, threads) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto add = [&](Numbers& to, const std::vector<Numbers>& from) {
      to.insert(to.end(), from[k % from.size()].begin(), from[k % from.size()].end());
    };
    add(q, s.q), add(v, s.v), add(a, s.a), add(tau, s.tau);
  }
}

void vector_result(const Subject& s, const Numbers& x, std::size_t k, Numbers& to) {
  for (const std::size_t i : s.order) to.push_back(x[k * s.order.size() + i]);
}
void matrix_result(const Subject& s, const Numbers& x, std::size_t k, Numbers& to) {
  const std::size_t n = s.order.size();
  for (const std::size_t i : s.order)
    for (const std::size_t j : s.order) to.push_back(x[(k * n + i) * n + j]);
}
void path_result(const Subject& s, const Numbers& x, std::size_t k, Numbers& to) {
  PathMatrix<double> M(s.tree);
  const std::size_t n = M.values.size();
  for (std::size_t i = 0; i < n; ++i) M.values[i] = x[k * n + i];
  matrix_result(s, dense(M), to);
}

template <class Call, class Result>
void add_batch(peers::Program& program, const std::string& name, std::shared_ptr<Many> m, Call call,
               Result result) {
  program.add(
      name, [m, call](int) { call(*m); }, [m, result](int k, Numbers& to) { result(*m, k, to); },
      "", static_cast<int>(m->count));
}

void add_batches(peers::Program& program, Subject& s, int threads) {
  const std::string prefix = threads == 1 ? "batch_" : "batch" + std::to_string(threads) + "_";
  const std::size_t nv = s.order.size(), n2 = nv * nv, bodies = s.tree.links.size();
  const auto states = [&](std::size_t numbers) {
    return std::make_shared<Many>(s, threads, numbers);
  };
  const auto out = [&s](Many& m, std::size_t k, Numbers& to) { vector_result(s, m.out, k, to); };
  auto m = states(12 * bodies + nv);
  m->out.resize(m->count * 12 * bodies);
  add_batch(
      program, prefix + "poses", m, [](Many& x) { poses(x.batch, x.q, x.out); },
      [&s](Many& x, std::size_t k, Numbers& to) {
        for (std::size_t i = 0; i < s.tree.links.size(); ++i) {
          const double* T = x.out.data() + 12 * (k * s.tree.links.size() + i);
          for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) to.push_back(T[3 * c + r]);
          for (std::size_t r = 9; r < 12; ++r) to.push_back(T[r]);
        }
      });
  m = states(4 * nv);
  m->out.resize(m->count * nv);
  add_batch(
      program, prefix + "inverse_dynamics", m,
      [](Many& x) { inverse_dynamics(x.batch, x.q, x.v, x.a, x.out); }, out);
  m = states(4 * nv);
  m->out.resize(m->count * nv);
  add_batch(
      program, prefix + "forward_dynamics", m,
      [](Many& x) { require(forward_dynamics(x.batch, x.q, x.v, x.tau, x.out)); }, out);
  if (!s.matrices) return;
  const std::size_t path = s.matrices->mass.values.size();
  m = states(nv + path);
  m->out.resize(m->count * path);
  add_batch(
      program, prefix + "mass_matrix", m, [](Many& x) { mass_matrix(x.batch, x.q, x.out); },
      [&s](Many& x, std::size_t k, Numbers& to) { path_result(s, x.out, k, to); });
  m = states(4 * nv + 2 * n2 + path);
  m->out.resize(m->count * nv), m->by_q.resize(m->count * n2), m->by_v.resize(m->count * n2);
  m->by_a.resize(m->count * path);
  add_batch(
      program, prefix + "inverse_derivatives", m,
      [](Many& x) {
        inverse_dynamics_derivatives(x.batch, x.q, x.v, x.a, x.out, x.by_q, x.by_v, x.by_a);
      },
      [&s](Many& x, std::size_t k, Numbers& to) {
        matrix_result(s, x.by_q, k, to);
        matrix_result(s, x.by_v, k, to);
        path_result(s, x.by_a, k, to);
      });
  m = states(4 * nv + 3 * n2);
  m->out.resize(m->count * nv), m->by_q.resize(m->count * n2), m->by_v.resize(m->count * n2);
  m->by_a.resize(m->count * n2);
  add_batch(
      program, prefix + "forward_derivatives", m,
      [](Many& x) {
        require(
            forward_dynamics_derivatives(x.batch, x.q, x.v, x.tau, x.out, x.by_q, x.by_v, x.by_a));
      },
      [&s](Many& x, std::size_t k, Numbers& to) {
        matrix_result(s, x.by_q, k, to);
        matrix_result(s, x.by_v, k, to);
        matrix_result(s, x.by_a, k, to);
      });
}

}  // namespace

int main(int argc, char** argv) {
  peers::Program program(argc, argv, "axode", axode::version);
  Subject subject(program.model(), program.states());
  program.bytes(subject.bytes);
  add_kinematics(program, subject);
  add_dynamics(program, subject);
  if (subject.tree.nv <= 200) {
    add_batches(program, subject, 1);
    add_batches(program, subject, 2);
  }
  return program.run();
}
