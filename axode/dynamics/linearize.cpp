#include "axode/dynamics/linearize.hpp"

#include <cmath>
#include <string>

#include "axode/dynamics/derivatives.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/forward_dynamics.hpp"

namespace axode {

namespace {

constexpr const char* here = "linearize";

std::size_t at(int i) { return static_cast<std::size_t>(i); }

DenseMatrix<double> zeros(int rows, int columns) {
  return {rows, columns, std::vector<double>(at(rows) * at(columns), 0.)};
}

/// E: each velocity is `ratio` times the independent one of number `column`.
struct Expansion {
  std::vector<int> column;
  std::vector<double> ratio;
  std::vector<int> velocity;  ///< by independent velocity: its own number
};
Expansion expansion(const Tree& tree) {
  Expansion E{std::vector<int>(at(tree.nv), -1), std::vector<double>(at(tree.nv), 1), {}};
  std::vector<int> leader(at(tree.nv), -1);
  for (const Coupling& c : tree.couplings) {
    leader[at(tree.links[at(c.follower)].v)] = tree.links[at(c.leader)].v;
    E.ratio[at(tree.links[at(c.follower)].v)] = c.ratio;
  }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[at(k)] < 0) {
      E.column[at(k)] = static_cast<int>(E.velocity.size());
      E.velocity.push_back(k);
    }
  for (int k = 0; k < tree.nv; ++k)
    if (leader[at(k)] >= 0) E.column[at(k)] = E.column[at(leader[at(k)])];
  return E;
}
/// E^T X E.
DenseMatrix<double> reduce(const Expansion& E, const DenseMatrix<double>& X) {
  const int n = static_cast<int>(E.velocity.size());
  DenseMatrix<double> result = zeros(n, n);
  for (int i = 0; i < X.rows; ++i)
    for (int j = 0; j < X.columns; ++j)
      result(E.column[at(i)], E.column[at(j)]) += E.ratio[at(i)] * E.ratio[at(j)] * X(i, j);
  return result;
}

void check_couplings(const Tree& tree, In<double> q, In<double> v) {
  if (tree.couplings.empty()) return;
  const CouplingError position = coupling_error(tree, q);
  int body = position.error <= 1e-9 ? -1 : position.body;
  const std::vector<double> kept = expand_velocity(tree, independent_velocity(tree, v));
  for (const Coupling& c : tree.couplings) {
    const std::size_t k = at(tree.links[at(c.follower)].v);
    if (!(std::abs(kept[k] - v[k]) <= 1e-9 * (1 + std::abs(kept[k])))) body = c.follower;
  }
  if (body >= 0)
    throw Error("joint '" + tree.bodies[at(body)].joint_name + "' does not follow its leader", here,
                "use expand_configuration and expand_velocity for q, v and a");
}

/// The block of one joint of G.
void add_kinematics(const Link& link, const double* v, DenseMatrix<double>& G, int first) {
  if (link.map == JointMap::quaternion) {
    const Mat3<double> turn = skew(Vec3<double>{v[0], v[1], v[2]});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) G(first + i, first + j) = -turn(i, j);
  } else if (link.map == JointMap::free) {
    const bool hybrid = link.velocity == Rep::hybrid, body = link.velocity == Rep::body;
    Mat6<double> bracket = ad_matrix(Vec6<double>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    if (hybrid) bracket.la = bracket.ll = {};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) G(first + i, first + j) = body ? -bracket(i, j) : bracket(i, j);
  }
}

/// L of M = L L^T, in the lower half. Returns the row whose pivot is nothing but rounding, or -1.
int cholesky(DenseMatrix<double>& M) {
  for (int i = 0; i < M.rows; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = M(i, j);
      for (int k = 0; k < j; ++k) sum -= M(i, k) * M(j, k);
      if (i != j)
        M(i, j) = sum / M(j, j);
      else if (sum > 64 * epsilon<double> * M(i, i))
        M(i, i) = std::sqrt(sum);
      else
        return i;
    }
  return -1;
}
/// rows += factor source.
void add_row(DenseMatrix<double>& X, int target, double factor, int source) {
  for (int j = 0; j < X.columns; ++j) X(target, j) += factor * X(source, j);
}
void cholesky_solve(const DenseMatrix<double>& L, DenseMatrix<double>& X) {
  const auto divide = [&](int i) {
    for (int j = 0; j < X.columns; ++j) X(i, j) /= L(i, i);
  };
  for (int i = 0; i < X.rows; ++i) {
    for (int k = 0; k < i; ++k) add_row(X, i, -L(i, k), k);
    divide(i);
  }
  for (int i = X.rows - 1; i >= 0; --i) {
    divide(i);
    for (int k = 0; k < i; ++k) add_row(X, k, -L(i, k), i);
  }
}

/// A and B from the other matrices.
void state_space(const Tree& tree, const Expansion& E, Linearization& result) {
  const int n = result.M.rows;
  DenseMatrix<double> L = result.M, right = zeros(n, 3 * n);
  const int failed = cholesky(L);
  for (int i = 0; i < tree.size() && failed >= 0; ++i)
    if (E.velocity[at(failed)] < tree.links[at(i)].v + tree.links[at(i)].nv)
      detail::throw_singular(tree, i, here);
  for (int i = 0; i < n; ++i) {
    right(i, 2 * n + i) = 1;
    for (int j = 0; j < n; ++j) {
      right(i, j) = -result.K(i, j);
      right(i, n + j) = -result.D(i, j);
    }
  }
  cholesky_solve(L, right);
  result.A = zeros(2 * n, 2 * n);
  result.B = zeros(2 * n, n);
  for (int i = 0; i < n; ++i) {
    result.A(i, n + i) = 1;
    for (int j = 0; j < n; ++j) {
      result.A(i, j) = result.G(i, j);
      result.A(n + i, j) = right(i, j);
      result.A(n + i, n + j) = right(i, n + j);
      result.B(n + i, j) = right(i, 2 * n + j);
    }
  }
}

}  // namespace

Linearization linearize_motion(const Tree& tree, In<double> q, In<double> v, In<double> a,
                               const LinearizeOptions& options) {
  const InverseDynamicsDerivatives<double> d =
      inverse_dynamics_derivatives(tree, q, v, a, options.external, options.effects);
  check_couplings(tree, q, v);
  check_couplings(tree, q, a);
  const Expansion E = expansion(tree);
  Linearization result;
  result.a.assign(a.begin(), a.end());
  result.tau = d.tau;
  result.M = reduce(E, dense(d.by_a));
  result.D = reduce(E, d.by_v);
  result.K = reduce(E, d.by_q);
  result.G = zeros(result.M.rows, result.M.rows);
  for (const Link& link : tree.links)
    if (link.nv > 0) add_kinematics(link, v.data() + link.v, result.G, E.column[at(link.v)]);
  state_space(tree, E, result);
  return result;
}

Linearization linearize(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                        const LinearizeOptions& options) {
  const std::vector<double> a =
      forward_dynamics(tree, q, v, tau, {.external = options.external, .effects = options.effects});
  Linearization result = linearize_motion(tree, q, v, a, options);
  result.tau.assign(tau.begin(), tau.end());
  return result;
}

}  // namespace axode
