#include "axode/dynamics/matrices/christoffel.hpp"

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/dynamics/any_scalar/composite.hpp"
#include "axode/dynamics/detail/screw_rates.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
Christoffel<S>::Christoffel(const Tree& tree)
    : composite(tree),
      parent(parent_velocities(tree)),
      within(6 * tree.screws.size()),
      unit(tree.screws.size(), S(0)) {
  for (int i = 0; i < tree.size(); ++i) body.insert(body.end(), tree.links[i].nv, i);
}

namespace detail {

/// E_jk = Ad(C) (dS_j/dq_k + dS_k/dq_j) of joint i.
template <class S>
void brackets_within(const Tree& tree, int i, const Poses<S>& poses,
                     Christoffel<S>& result) noexcept {
  const Link& link = tree.links[i];
  Vec6<S>* E = result.within.data() + 6 * link.v;
  for (int j = 0; j < link.nv; ++j) {  // first dS_k/dq_j at (j, k)
    S& speed = result.unit[link.v + j];
    speed = S(1);
    joint_screw_rates(tree, i, poses, result.unit.data(), E + 6 * j);
    speed = S(0);
  }
  const SE3<S> T = pose_about(result.composite.point, poses.T_WB[i]);
  for (int j = 0; j < link.nv; ++j)
    for (int k = 0; k <= j; ++k) E[6 * j + k] = E[6 * k + j] = Ad(T, E[6 * j + k] + E[6 * k + j]);
}

/// E_jk; both on one path.
template <class S>
Vec6<S> bracket(const Tree& tree, const Christoffel<S>& at, int j, int k) noexcept {
  const int body = at.body[j];
  if (body == at.body[k]) return at.within[6 * j + k - tree.links[body].v];
  // [J_s, J_r], s = min(j, k) nearer the root than r
  const Vec6<S>* J = at.composite.screws.data();
  return ad(J[std::min(j, k)], J[std::max(j, k)]);
}

/// The symbol of velocities on one path, `outermost` the body of the outermost.
template <class S>
S symbol_on_path(const Tree& tree, const Christoffel<S>& at, int outermost, int i, int j,
                 int k) noexcept {
  const InertiaParameters<S>& M = at.composite.inertias[outermost];
  const Vec6<S>* J = at.composite.screws.data();
  // 2 Gamma_ijk = J_k^T M ad(J_i) J_j + J_j^T M ad(J_i) J_k + J_i^T M [J_s, J_r], the sum over the
  // bodies taken by M, of all that the outermost of i, j, k carries
  // [MuellerDyn (86), corrected: docs/errata.md]
  const S sum = dot(M * J[k], ad(J[i], J[j])) + dot(M * J[j], ad(J[i], J[k])) +
                dot(M * J[i], bracket(tree, at, j, k));
  return S(Real<S>(0.5)) * sum;
}

}  // namespace detail

template <class S>
void prepare_christoffel(const Tree& tree, const Poses<S>& poses, Christoffel<S>& result) noexcept {
  composite_inertias(tree, poses, result.composite);
  for (int i = 0; i < tree.size(); ++i) detail::brackets_within(tree, i, poses, result);
}

template <class S>
S christoffel_symbol(const Tree& tree, const Christoffel<S>& at, int i, int j, int k) noexcept {
  const int last = std::max({i, j, k});
  const int outermost = at.body[last];
  // zero unless all three are on the path to the outermost
  for (const int velocity : {i, j, k}) {
    const int body = at.body[velocity];
    int b = outermost;
    while (b > body) b = tree.links[b].parent;
    if (b != body) return S(0);
  }
  return detail::symbol_on_path(tree, at, outermost, i, j, k);
}

template <class S>
void christoffel_symbols(const Tree& tree, const Christoffel<S>& at, Out<S> symbols) noexcept {
  const std::size_t n = tree.nv;
  std::fill(symbols.begin(), symbols.end(), S(0));
  const auto write = [&](int outermost, int i, int j, int k) {
    const S value = detail::symbol_on_path(tree, at, outermost, i, j, k);
    const std::size_t a = i, b = j, c = k;
    // Gamma_ijk = Gamma_ikj  [MuellerDyn (85)]
    symbols[(a * n + b) * n + c] = symbols[(a * n + c) * n + b] = value;
  };
  // Each set of three once: z >= y >= x along the path, and each of the three in the first place.
  for (int z = 0; z < tree.nv; ++z) {
    const int outermost = at.body[z];
    for (int y = z; y >= 0; y = at.parent[y])
      for (int x = y; x >= 0; x = at.parent[x]) {
        write(outermost, x, y, z);
        if (y != x) write(outermost, y, x, z);
        if (z != y) write(outermost, z, x, y);
      }
  }
}

namespace detail {

/// One body: its inertia in world axes, its centre from the point of the screws.
template <class S>
struct BodyTerms {
  S mass;
  Vec3<S> centre;
  Sym3<S> inertia, binet;
  Vec3<S> velocity(const Vec6<S>& J) const noexcept { return J.linear + cross(J.angular, centre); }
  /// Integral of u_i . (w_s x u_r) over the body, u the velocity fields of the screws.
  S turned(const Vec6<S>& J_i, const Vec6<S>& J_s, const Vec6<S>& J_r) const noexcept {
    // w_s . theta (w_r x w_i) + m v_i . (w_s x v_r)
    // [MuellerDyn (87), corrected: docs/errata.md]
    return dot(J_s.angular, binet * cross(J_r.angular, J_i.angular)) +
           mass * dot(velocity(J_i), cross(J_s.angular, velocity(J_r)));
  }
  /// Integral of u_i . u_E.
  S product(const Vec6<S>& J_i, const Vec6<S>& E) const noexcept {
    return dot(J_i.angular, inertia * E.angular) + mass * dot(velocity(J_i), velocity(E));
  }
};

template <class S>
S body_symbol(const Tree& tree, const Christoffel<S>& at, const BodyTerms<S>& body, int i, int j,
              int k) noexcept {
  const Vec6<S>* J = at.composite.screws.data();
  if (at.body[j] != at.body[k]) return body.turned(J[i], J[std::min(j, k)], J[std::max(j, k)]);
  // in one joint neither is nearer the root: the mean of both orders, and their screws' own change
  return S(Real<S>(0.5)) * (body.turned(J[i], J[j], J[k]) + body.turned(J[i], J[k], J[j]) +
                            body.product(J[i], bracket(tree, at, j, k)));
}

}  // namespace detail

template <class S>
void christoffel_symbols_by_bodies(const Tree& tree, const Poses<S>& poses,
                                   const Christoffel<S>& at, Out<S> symbols) noexcept {
  const std::size_t n = tree.nv;
  std::fill(symbols.begin(), symbols.end(), S(0));
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    const Inertia<S> I = transform(pose_about(at.composite.point, poses.T_WB[l]),
                                   detail::cast<S>(tree.bodies[l].inertia));
    const detail::BodyTerms<S> body{I.mass, I.com, I.about_com, binet_tensor(I)};
    int last = -1;  // velocity on the path to the body
    for (int b = static_cast<int>(l); b >= 0 && last < 0; b = tree.links[b].parent) {
      const Link& link = tree.links[b];
      if (link.nv > 0) last = link.v + link.nv - 1;
    }
    const auto up = [&](int k) { return at.parent[k]; };
    for (int i = last; i >= 0; i = up(i))
      for (int j = last; j >= 0; j = up(j))
        for (int k = last; k >= 0; k = up(k))
          symbols[(std::size_t(i) * n + j) * n + k] += detail::body_symbol(tree, at, body, i, j, k);
  }
}

std::vector<double> christoffel_symbols(const Tree& tree, In<double> q) {
  if (tree.nv > 1000)
    throw LimitError(
        "its " + std::to_string(tree.nv) + " velocities have more than 10^9 Christoffel symbols",
        "tree '" + tree.name + "'", "use christoffel_symbol for single ones, or coriolis_matrix");
  const Poses<double> at = poses(tree, q);
  Christoffel<double> work(tree);
  prepare_christoffel(tree, at, work);
  const std::size_t n = tree.nv;
  std::vector<double> symbols(n * n * n);
  christoffel_symbols<double>(tree, work, symbols);
  return symbols;
}

template struct Christoffel<double>;
template void prepare_christoffel(const Tree&, const Poses<double>&, Christoffel<double>&) noexcept;
template double christoffel_symbol(const Tree&, const Christoffel<double>&, int, int, int) noexcept;
template void christoffel_symbols(const Tree&, const Christoffel<double>&, Out<double>) noexcept;
template void christoffel_symbols_by_bodies(const Tree&, const Poses<double>&,
                                            const Christoffel<double>&, Out<double>) noexcept;

template struct Christoffel<Dual<double>>;
template void prepare_christoffel(const Tree&, const Poses<Dual<double>>&,
                                  Christoffel<Dual<double>>&) noexcept;
template Dual<double> christoffel_symbol(const Tree&, const Christoffel<Dual<double>>&, int, int,
                                         int) noexcept;
template void christoffel_symbols(const Tree&, const Christoffel<Dual<double>>&,
                                  Out<Dual<double>>) noexcept;
template void christoffel_symbols_by_bodies(const Tree&, const Poses<Dual<double>>&,
                                            const Christoffel<Dual<double>>&,
                                            Out<Dual<double>>) noexcept;

}  // namespace axode
