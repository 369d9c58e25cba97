#include "axode/flexible/link/linear_link.hpp"

#include <algorithm>
#include <utility>

namespace axode {
namespace {

constexpr int third(int a, int b) noexcept { return 3 - a - b; }
/// Levi-Civita's symbol for a, b and the third axis.
constexpr double sign(int a, int b) noexcept { return (b - a + 3) % 3 == 1 ? 1 : -1; }

/// kappa of the three pairs of axes: entries of Jd + J B + B^T J per unit of the third angle, as factors
/// of (Jp, Iy, Iz).
struct RotaryPairs {
  Vec3<> xy, xz, yz;
};
RotaryPairs rotary_pairs(SectionRotation order) noexcept {
  const Mat3<> x = first_order_rate(order, Vec3<>{1, 0, 0}),
               y = first_order_rate(order, Vec3<>{0, 1, 0}),
               z = first_order_rate(order, Vec3<>{0, 0, 1});
  // J_d = theta~ J - J theta~  [CibicikEgeland (107), corrected: docs/errata.md]
  return {{1 + z(0, 1), -1 + z(1, 0), 0},
          {-1 + y(0, 2), 0, 1 + y(2, 0)},
          {0, 1 + x(1, 2), -1 + x(2, 1)}};
}

/// Numbers of the pair (k, j): J[i] is its angle_product with Jp, Iy, Iz; mode k turns about b, j about a.
struct PairNumbers {
  double momentum = 0, turning = 0, coriolis = 0, square = 0;
};
PairNumbers rotary_numbers(SectionRotation order, const Vec3<>& J, int b, int a) noexcept {
  if (a < 0 || b < 0) return {};
  if (a == b) return {0, 0, 0, J[(b + 1) % 3] - J[(b + 2) % 3]};
  const int c = third(a, b);
  Vec3<> unit;
  unit[a] = 1;
  const double B = first_order_rate(order, unit)(c, b);
  return {sign(b, c) * (J[b] - J[c]) + B * J[c], J[c] - J[b] + B * sign(c, a) * (J[b] - J[a]),
          sign(b, c) * (J[b] + J[a] - J[c]), 0};
}
PairNumbers displacement_numbers(double product, int k, int j) noexcept {
  if (k < 0 || j < 0 || k == j) return {};
  return {sign(third(k, j), j) * product, product, 2 * sign(k, third(k, j)) * product, 0};
}

/// The axes of the products and components that a pair of directions has.
struct PairAxes {
  int first, second;  ///< about which (or along which) the two move
};
constexpr PairAxes pair_axes(int d, int f) noexcept {
  const auto a = static_cast<ModeDirection>(d), b = static_cast<ModeDirection>(f);
  if (a == ModeDirection::axial || b == ModeDirection::axial)
    return {displacement_axis(a), displacement_axis(b)};
  return {rotation_axis(a), rotation_axis(b)};
}

void mode_constants(const ModalInvariants& b, int d, int k, LinearLinkConstants& c) {
  const auto direction = static_cast<ModeDirection>(d);
  const std::size_t i = k;
  const double lever = b.lever[i];
  if (direction == ModeDirection::axial) {
    c.centrifugal[i] = -lever;
    c.inertia[i] = 2 * lever;
    return;
  }
  const Vec3<> mean{b.angle[0][i], b.angle[1][i], b.angle[2][i]};
  const int axis = rotation_axis(direction), next = (axis + 1) % 3, last = (axis + 2) % 3;
  const double arm = direction == ModeDirection::torsion ? 0 : lever;
  c.angular[i] = mean[axis] + (axis == 2 ? arm : axis == 1 ? -arm : 0);
  c.centrifugal[i] = arm + mean[last] - mean[next];
  c.inertia[i] = mean[next] - mean[last] - arm;
  c.torque_next[i] = sign(next, last) * (mean[next] + mean[axis] - mean[last]);
  c.torque_last[i] = sign(last, next) * (mean[last] + mean[axis] - mean[next]);
}

/// What the shortening by two bending modes moves with each axial mode, by rows.
std::vector<double> axial_shortening(const ModalInvariants& b) {
  const std::size_t m = b.modes, first = b.first[3];
  std::vector<double> sum(m * m * (m - first));
  for (const ModalInvariants::Node& node : b.nodes)
    for (std::size_t a = first; a < m; ++a)
      for (std::size_t i = 0; i < m * m; ++i)
        sum[(a - first) * m * m + i] += node.mass * node.at.displacement[a] * node.at.shortening[i];
  return sum;
}

}  // namespace

LinearLinkConstants linear_link_constants(const FlexibleTree& tree, const ModalInvariants& b) {
  const std::size_t m = b.modes;
  LinearLinkConstants c;
  for (auto* matrix : {&c.momentum, &c.turning, &c.coriolis, &c.square, &c.modal_mass})
    matrix->assign(m * m, 0);
  for (auto* vector : {&c.angular, &c.centrifugal, &c.inertia, &c.torque_next, &c.torque_last})
    vector->assign(m, 0);
  for (int d = 0; d < 4; ++d)
    for (int k = b.first[d]; k < b.first[d + 1]; ++k) {
      mode_constants(b, d, k, c);
      for (int f = 0; f < 4; ++f)
        for (int j = b.first[f]; j < b.first[f + 1]; ++j) {
          const std::size_t entry = std::size_t(k) * m + j;
          const auto from = static_cast<ModeDirection>(d), to = static_cast<ModeDirection>(f);
          const Vec3<> J{b.angle_product[0][entry], b.angle_product[1][entry],
                         b.angle_product[2][entry]};
          const PairNumbers turn = rotary_numbers(tree.rotation, J, rotation_axis(from),
                                                  rotation_axis(to)),
                            move = displacement_numbers(b.product[entry], displacement_axis(from),
                                                        displacement_axis(to));
          c.momentum[entry] = turn.momentum + move.momentum;
          c.turning[entry] = turn.turning + move.turning;
          c.coriolis[entry] = turn.coriolis + move.coriolis;
          c.square[entry] = turn.square;
          // D_e = diag(rho J, rho A) between the modes of one direction  [CibicikEgeland (107)]
          if (d == f) c.modal_mass[entry] = b.product[entry] + (d < 3 ? J[rotation_axis(from)] : 0);
        }
    }
  const RotaryPairs pairs = rotary_pairs(tree.rotation);
  const std::size_t n = b.angle_triple[0].size();
  for (auto [target, kappa] : {std::pair{&c.pair_xy, pairs.xy}, std::pair{&c.pair_xz, pairs.xz},
                               std::pair{&c.pair_yz, pairs.yz}}) {
    target->resize(n);
    for (std::size_t i = 0; i < n; ++i)
      (*target)[i] = kappa.x * b.angle_triple[0][i] + kappa.y * b.angle_triple[1][i] +
                     kappa.z * b.angle_triple[2][i];
  }
  c.axial_shortening = axial_shortening(b);
  return c;
}

namespace {

/// Inertia of the link and what its turning does: sums over single modes.
void whole_link(const ModalInvariants& b, const LinearLinkConstants& c, const Vec3<Dual<double>>& w,
                std::span<const double> e, std::span<const double> r,
                const LinearLinkResult& out) noexcept {
  const auto sum = [&](const std::vector<double>& weight, std::span<const double> x, int d) {
    double s = 0;
    for (int k = b.first[d]; k < b.first[d + 1]; ++k) s += weight[k] * x[k];
    return s;
  };
  const double stretch = sum(c.inertia, e, 3);
  const Vec3<>& J = b.rotary;
  out.inertia.mass = b.mass;
  out.inertia.first_moment = {
      {b.first_moment, sum(b.mean, e, 3)}, {0, sum(b.mean, e, 1)}, {0, sum(b.mean, e, 2)}};
  out.inertia.about_origin = {
      Dual<double>(J.x),         {b.second_moment + J.y, stretch}, {b.second_moment + J.z, stretch},
      {0, sum(c.inertia, e, 1)}, {0, sum(c.inertia, e, 2)},        {0, sum(c.inertia, e, 0)}};
  const Vec3<> v = real_part(w);
  const Vec3<> moving{sum(b.mean, r, 3), sum(b.mean, r, 1), sum(b.mean, r, 2)};
  const Vec3<> lever{sum(b.lever, r, 3), sum(b.lever, r, 1), sum(b.lever, r, 2)};
  Vec3<> torque = 2 * (v * lever.x - lever * v.x);
  for (int d = 0; d < 3; ++d) {
    const int axis = rotation_axis(static_cast<ModeDirection>(d)), next = (axis + 1) % 3,
              last = (axis + 2) % 3;
    torque[next] += sum(c.torque_next, r, d) * v[last];
    torque[last] += sum(c.torque_last, r, d) * v[next];
  }
  const Vec3<> none;
  // w x I w, w x (w x s), Coriolis terms  [CibicikEgeland (105), corrected: docs/errata.md]
  out.bias = {cross(w, out.inertia.about_origin * w) + make_dual(none, torque),
              cross(w, cross(w, out.inertia.first_moment)) + make_dual(none, 2 * cross(v, moving))};
}

/// Masses of modes by torsion and two bendings at once.
void triple_masses(const ModalInvariants& b, const LinearLinkConstants& c,
                   std::span<const double> e, std::span<Dual<double>> mass) noexcept {
  const int m = b.modes;
  const auto add = [&](int j, int k, double value) {
    mass[j * m + k].dual += value;
    mass[k * m + j].dual += value;
  };
  for (int i = 0, n = 0; i < b.first[1]; ++i)
    for (int y = b.first[1]; y < b.first[2]; ++y)
      for (int z = b.first[2]; z < b.first[3]; ++z, ++n) {
        add(i, z, c.pair_xy[n] * e[y]);
        add(i, y, c.pair_xz[n] * e[z]);
        add(z, y, c.pair_yz[n] * e[i]);
      }
}

/// Shortening by bending: it adds to what modes move along x.
void shortening(const ModalInvariants& b, const LinearLinkConstants& c, const Vec3<>& w,
                std::span<const double> e, const LinearLinkResult& out) noexcept {
  const double across = w.y * w.y + w.z * w.z;
  const std::size_t m = b.modes;
  for (std::size_t k = b.first[1]; k < std::size_t(b.first[3]); ++k) {
    double short_by = 0, lever = 0;
    for (std::size_t j = b.first[1]; j < std::size_t(b.first[3]); ++j) {
      short_by += b.shortening[k * m + j] * e[j];
      lever += b.shortening_lever[k * m + j] * e[j];
    }
    out.momentum[k].linear.x.dual -= short_by;
    out.modal_bias[k].dual += across * lever;
    for (std::size_t a = b.first[3], table = k * m; a < m; ++a, table += m * m) {
      double mass = 0;
      for (std::size_t j = b.first[1]; j < std::size_t(b.first[3]); ++j)
        mass -= c.axial_shortening[table + j] * e[j];
      out.modal_mass[a * m + k].dual += mass;
      out.modal_mass[k * m + a].dual += mass;
    }
  }
}

}  // namespace

namespace {

/// What the links' turning multiplies.
struct Turning {
  Vec3<> w, squares;
  Dual<double> products[3];  ///< of two angular velocities, by the axis that is in neither
  Dual<double> across;       ///< squares about y and z
};

/// Adds to mode k of direction d the modes of direction f.
template <int d, int f>
void add_pair(const ModalInvariants& b, const LinearLinkConstants& c, std::size_t k,
              const Turning& t, std::span<const double> e, std::span<const double> r,
              Vec6<Dual<double>>& momentum, double& force) noexcept {
  constexpr auto direction = static_cast<ModeDirection>(d);
  const std::size_t from = b.first[f], to = b.first[f + 1], row = k * std::size_t(b.modes);
  if constexpr (d == f) {
    constexpr int axis = rotation_axis(direction), along = displacement_axis(direction);
    double displaced = 0, turned = 0;
    for (std::size_t j = from; j < to; ++j) {
      displaced += b.product[row + j] * e[j];
      turned += c.square[row + j] * e[j];
    }
    if constexpr (along >= 0)
      force -= displaced * (t.squares[(along + 1) % 3] + t.squares[(along + 2) % 3]);
    if constexpr (axis >= 0)
      force += turned * (t.squares[(axis + 1) % 3] - t.squares[(axis + 2) % 3]);
  } else {
    constexpr PairAxes axes = pair_axes(d, f);
    if constexpr (axes.first >= 0 && axes.second >= 0) {
      constexpr int c3 = third(axes.first, axes.second);
      double turned = 0, turning = 0, coriolis = 0;
      for (std::size_t j = from; j < to; ++j) {
        turned += c.momentum[row + j] * e[j];
        turning += c.turning[row + j] * e[j];
        coriolis += c.coriolis[row + j] * r[j];
      }
      momentum.angular[c3].dual += turned;
      force += turning * t.products[c3].real + coriolis * t.w[c3];
    }
  }
}

template <int d>
void add_modes(const ModalInvariants& b, const LinearLinkConstants& c, const Turning& t,
               std::span<const double> e, std::span<const double> r,
               const LinearLinkResult& out) noexcept {
  constexpr auto direction = static_cast<ModeDirection>(d);
  constexpr int axis = rotation_axis(direction), along = displacement_axis(direction);
  for (std::size_t k = b.first[d]; k < std::size_t(b.first[d + 1]); ++k) {
    Vec6<Dual<double>> momentum;
    if constexpr (axis >= 0) momentum.angular[axis].real = c.angular[k];
    if constexpr (along >= 0) momentum.linear[along].real = b.mean[k];
    const Dual<double>& turning = axis >= 0 ? t.products[std::max(axis, 0)] : t.across;
    double force = turning.dual * c.centrifugal[k];
    add_pair<d, 0>(b, c, k, t, e, r, momentum, force);
    add_pair<d, 1>(b, c, k, t, e, r, momentum, force);
    add_pair<d, 2>(b, c, k, t, e, r, momentum, force);
    add_pair<d, 3>(b, c, k, t, e, r, momentum, force);
    out.momentum[k] = momentum;
    out.modal_bias[k] = {turning.real * c.centrifugal[k], force};
  }
}

}  // namespace

void linear_link_terms(const FlexibleTree& tree, const ModalInvariants& b,
                       const LinearLinkConstants& c, const Vec3<Dual<double>>& w,
                       std::span<const double> e, std::span<const double> r,
                       const LinearLinkResult& out) noexcept {
  const std::size_t m = b.modes;
  whole_link(b, c, w, e, r, out);
  for (std::size_t i = 0; i < m * m; ++i) out.modal_mass[i] = {c.modal_mass[i], 0};
  triple_masses(b, c, e, out.modal_mass);
  const Vec3<> v = real_part(w);
  // D_e W^I t + W^II D_e t: products of w  [CibicikEgeland (106), (108), corrected: docs/errata.md]
  const Turning t{v,
                  {v.x * v.x, v.y * v.y, v.z * v.z},
                  {w.y * w.z, w.z * w.x, w.x * w.y},
                  w.y * w.y + w.z * w.z};
  add_modes<0>(b, c, t, e, r, out);
  add_modes<1>(b, c, t, e, r, out);
  add_modes<2>(b, c, t, e, r, out);
  add_modes<3>(b, c, t, e, r, out);
  if (tree.stiffening) shortening(b, c, v, e, out);
}

}  // namespace axode
