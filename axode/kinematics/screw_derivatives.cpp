#include "axode/kinematics/screw_derivatives.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {

/// Column and coordinates of one derivative.
struct Wanted {
  int body, column;
  std::span<const int> coordinates;
};

[[noreturn]] void out_of_range(const char* what, int number, int size) {
  throw Error("there is no " + std::string(what) + " " + std::to_string(number),
              "screw_partial_derivative", "number it from 0 to " + std::to_string(size - 1));
}
void check_range(const Tree& tree, const Wanted& w) {
  if (w.body < 0 || w.body >= tree.size()) out_of_range("body", w.body, tree.size());
  if (w.column < 0 || w.column >= tree.nv) out_of_range("column", w.column, tree.nv);
  for (const int k : w.coordinates)
    if (k < 0 || k >= tree.nv) out_of_range("coordinate", k, tree.nv);
}

/// The joint on the path to the body that has velocity k, -1 if none has.
int joint_on_path(const Tree& tree, int body, int k) noexcept {
  for (int j = body; j >= 0; j = tree.links[j].parent)
    if (const Link& link = tree.links[j]; link.v <= k)
      return k < link.v + link.nv ? j : -1;  // velocities grow along the path
  return -1;
}
bool on_path(const Tree& tree, const Wanted& w) noexcept {
  const auto on_it = [&](int k) { return joint_on_path(tree, w.body, k) >= 0; };
  return on_it(w.column) && std::all_of(w.coordinates.begin(), w.coordinates.end(), on_it);
}

/// Whether the rules hold within the joint itself: a chain of screws, or screws that commute.
bool acts_as_chain(const Tree& tree, const Link& link) noexcept {
  if (link.map == JointMap::quaternion || link.map == JointMap::free) return false;
  if (link.map != JointMap::exponential) return true;
  for (int a = link.v; a < link.v + link.nv; ++a)
    for (int b = link.v; b < a; ++b) {
      const Vec6<double>&X = tree.screws[a], &Y = tree.screws[b];
      if (max_abs(ad(X, Y)) > 64 * epsilon<double> * max_abs(X) * max_abs(Y)) return false;
    }
  return true;
}
void check_joints(const Tree& tree, const Wanted& w) {
  const auto check = [&](int a, int b) {
    const int j = joint_on_path(tree, w.body, a);
    if (j != joint_on_path(tree, w.body, b) || acts_as_chain(tree, tree.links[j])) return;
    throw Error("column and coordinates meet in a joint whose screws do not follow one another",
                "joint '" + tree.bodies[j].joint_name + "'",
                "give it coordinates of the second kind, or differentiate with Dual numbers");
  };
  for (std::size_t k = 0; k < w.coordinates.size(); ++k) {
    check(w.column, w.coordinates[k]);
    for (std::size_t l = 0; l < k; ++l) check(w.coordinates[k], w.coordinates[l]);
  }
}

/// Calls f with all coordinates in ascending (sign = 1) or descending order (-1), without a copy.
template <class F>
void in_order(std::span<const int> coordinates, int sign, F&& f) {
  constexpr int end = std::numeric_limits<int>::max();
  for (int last = -end;;) {
    int next = end;
    for (const int k : coordinates)
      if (sign * k > last && sign * k < next) next = sign * k;
    if (next == end) return;
    for (const int k : coordinates)
      if (sign * k == next) f(k);
    last = next;
  }
}
bool all_above(const Wanted& w) noexcept {
  return std::all_of(w.coordinates.begin(), w.coordinates.end(),
                     [&](int k) { return k > w.column; });
}
bool all_below(const Wanted& w) noexcept {
  return std::all_of(w.coordinates.begin(), w.coordinates.end(),
                     [&](int k) { return k < w.column; });
}

/// Columns of the body, spatial and hybrid Jacobian of a body.
template <class S>
struct JacobianColumns {
  const Tree& tree;
  const Poses<S>& poses;
  int i;

  const SE3<S>& pose_of_joint(int k) const { return poses.T_WB[joint_on_path(tree, i, k)]; }
  Vec6<S> body(int k) const {
    return Ad(inverse_times(poses.T_WB[i], pose_of_joint(k)), poses.screws[k]);
  }
  Vec6<S> spatial(int k) const { return Ad(pose_of_joint(k), poses.screws[k]); }
  Vec6<S> hybrid(int k) const {
    const SE3<S>& T = pose_of_joint(k);
    return Ad(SE3<S>{T.R, T.p - poses.T_WB[i].p}, poses.screws[k]);
  }
};

template <class S>
Vec6<S> body_derivative(const JacobianColumns<S>& J, const Wanted& w) {
  if (!all_above(w)) return {Vec3<S>{}, Vec3<S>{}};
  Vec6<S> d = J.body(w.column);
  in_order(w.coordinates, 1, [&](int k) { d = ad(d, J.body(k)); });
  return d;
}
template <class S>
Vec6<S> spatial_derivative(const JacobianColumns<S>& J, const Wanted& w) {
  if (!all_below(w)) return {Vec3<S>{}, Vec3<S>{}};
  Vec6<S> d = J.spatial(w.column);
  in_order(w.coordinates, -1, [&](int k) { d = ad(J.spatial(k), d); });
  return d;
}
template <class S>
Vec3<S> hybrid_angular(const JacobianColumns<S>& J, const Wanted& w) {
  if (!all_below(w)) return Vec3<S>{};
  Vec3<S> d = J.hybrid(w.column).angular;
  in_order(w.coordinates, -1, [&](int k) { d = cross(J.hybrid(k).angular, d); });
  return d;
}
template <class S>
Vec3<S> hybrid_linear(const JacobianColumns<S>& J, const Wanted& w) {
  // All of column and coordinates, the outermost first; the column where it belongs.
  Vec3<S> d = Vec3<S>{};
  bool begun = false, column_taken = false;
  const auto take = [&](int k) {
    const Vec6<S> J_k = J.hybrid(k);
    d = begun ? cross(J_k.angular, d) : J_k.linear;
    begun = true;
  };
  in_order(w.coordinates, -1, [&](int k) {
    if (!column_taken && w.column >= k) {
      take(w.column);
      column_taken = true;
    }
    take(k);
  });
  if (!column_taken) take(w.column);
  return d;
}
template <class S>
Vec6<S> mixed_derivative(const JacobianColumns<S>& J, const Wanted& w) {
  Vec3<S> angular = Vec3<S>{};
  if (all_above(w)) {
    angular = J.body(w.column).angular;
    in_order(w.coordinates, 1, [&](int k) { angular = cross(angular, J.body(k).angular); });
  }
  return {angular, hybrid_linear(J, w)};
}

template <Rep rep, class S>
Vec6<S> derivative(const JacobianColumns<S>& J, const Wanted& w) {
  if (!on_path(J.tree, w)) return {Vec3<S>{}, Vec3<S>{}};
  check_joints(J.tree, w);
  if constexpr (rep == Rep::body) return body_derivative(J, w);
  if constexpr (rep == Rep::spatial) return spatial_derivative(J, w);
  if constexpr (rep == Rep::hybrid) return {hybrid_angular(J, w), hybrid_linear(J, w)};
  if constexpr (rep == Rep::mixed) return mixed_derivative(J, w);
}

}  // namespace

template <Rep rep, class S>
Vec6<S> screw_partial_derivative(const Tree& tree, const Poses<S>& poses, int body, int column,
                                 std::span<const int> coordinates) {
  const Wanted wanted{body, column, coordinates};
  check_range(tree, wanted);
  return derivative<rep>(JacobianColumns<S>{tree, poses, body}, wanted);
}

template <Rep rep, class S>
void jacobian_partial_derivative(const Tree& tree, const Poses<S>& poses, int body,
                                 std::span<const int> coordinates, Out<Vec6<S>> columns) {
  for (int c = 0; c < tree.nv; ++c)
    columns[c] = screw_partial_derivative<rep>(tree, poses, body, c, coordinates);
}

template Vec6<double> screw_partial_derivative<Rep::body>(const Tree&, const Poses<double>&, int,
                                                          int, std::span<const int>);
template void jacobian_partial_derivative<Rep::body>(const Tree&, const Poses<double>&, int,
                                                     std::span<const int>, Out<Vec6<double>>);
template Vec6<double> screw_partial_derivative<Rep::spatial>(const Tree&, const Poses<double>&, int,
                                                             int, std::span<const int>);
template void jacobian_partial_derivative<Rep::spatial>(const Tree&, const Poses<double>&, int,
                                                        std::span<const int>, Out<Vec6<double>>);
template Vec6<double> screw_partial_derivative<Rep::hybrid>(const Tree&, const Poses<double>&, int,
                                                            int, std::span<const int>);
template void jacobian_partial_derivative<Rep::hybrid>(const Tree&, const Poses<double>&, int,
                                                       std::span<const int>, Out<Vec6<double>>);
template Vec6<double> screw_partial_derivative<Rep::mixed>(const Tree&, const Poses<double>&, int,
                                                           int, std::span<const int>);
template void jacobian_partial_derivative<Rep::mixed>(const Tree&, const Poses<double>&, int,
                                                      std::span<const int>, Out<Vec6<double>>);
template Vec6<Dual<double>> screw_partial_derivative<Rep::body>(const Tree&,
                                                                const Poses<Dual<double>>&, int,
                                                                int, std::span<const int>);
template void jacobian_partial_derivative<Rep::body>(const Tree&, const Poses<Dual<double>>&, int,
                                                     std::span<const int>, Out<Vec6<Dual<double>>>);
template Vec6<Dual<double>> screw_partial_derivative<Rep::spatial>(const Tree&,
                                                                   const Poses<Dual<double>>&, int,
                                                                   int, std::span<const int>);
template void jacobian_partial_derivative<Rep::spatial>(const Tree&, const Poses<Dual<double>>&,
                                                        int, std::span<const int>,
                                                        Out<Vec6<Dual<double>>>);
template Vec6<Dual<double>> screw_partial_derivative<Rep::hybrid>(const Tree&,
                                                                  const Poses<Dual<double>>&, int,
                                                                  int, std::span<const int>);
template void jacobian_partial_derivative<Rep::hybrid>(const Tree&, const Poses<Dual<double>>&, int,
                                                       std::span<const int>,
                                                       Out<Vec6<Dual<double>>>);
template Vec6<Dual<double>> screw_partial_derivative<Rep::mixed>(const Tree&,
                                                                 const Poses<Dual<double>>&, int,
                                                                 int, std::span<const int>);
template void jacobian_partial_derivative<Rep::mixed>(const Tree&, const Poses<Dual<double>>&, int,
                                                      std::span<const int>,
                                                      Out<Vec6<Dual<double>>>);
}  // namespace axode
