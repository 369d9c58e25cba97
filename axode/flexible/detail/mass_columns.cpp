#include "axode/flexible/detail/mass_columns.hpp"

#include <algorithm>
#include <array>

#include "axode/flexible/any_scalar/equations.hpp"

namespace axode {
namespace {

using Columns [[gnu::vector_size(16)]] = double;
struct PairOfVectors {
  Columns x, y, z;
};
/// Momenta of two unit rates about the origin and in the axes of one link.
struct TwoColumns {
  PairOfVectors angular, linear;          ///< order 0
  PairOfVectors angular_sum, linear_sum;  ///< orders 0 and 1
  int coordinate[2];                      ///< whose rates; -1: none
};
PairOfVectors order_zero(const Vec3<Dual<double>>& a, const Vec3<Dual<double>>& b) noexcept {
  return {Columns{a.x.real, b.x.real}, Columns{a.y.real, b.y.real}, Columns{a.z.real, b.z.real}};
}
PairOfVectors both_orders(const Vec3<Dual<double>>& a, const Vec3<Dual<double>>& b) noexcept {
  return {Columns{a.x.real + a.x.dual, b.x.real + b.x.dual},
          Columns{a.y.real + a.y.dual, b.y.real + b.y.dual},
          Columns{a.z.real + a.z.dual, b.z.real + b.z.dual}};
}
TwoColumns two_columns(const Vec6<Dual<double>>& a, const Vec6<Dual<double>>& b, int first,
                       int second) noexcept {
  return {order_zero(a.angular, b.angular),
          order_zero(a.linear, b.linear),
          both_orders(a.angular, b.angular),
          both_orders(a.linear, b.linear),
          {first, second}};
}

void turn(const Mat3<>& A, PairOfVectors& v) noexcept {
  v = {A.x.x * v.x + A.y.x * v.y + A.z.x * v.z, A.x.y * v.x + A.y.y * v.y + A.z.y * v.z,
       A.x.z * v.x + A.y.z * v.y + A.z.z * v.z};
}
/// sum += a x v
void add_cross(const Vec3<>& a, const PairOfVectors& v, PairOfVectors& sum) noexcept {
  sum.x += a.y * v.z - a.z * v.y;
  sum.y += a.z * v.x - a.x * v.z;
  sum.z += a.x * v.y - a.y * v.x;
}
bool is_zero(const Vec3<Dual<double>>& a) noexcept {
  return a.x.real == 0 && a.y.real == 0 && a.z.real == 0 && a.x.dual == 0 && a.y.dual == 0 &&
         a.z.dual == 0;
}
/// About a point that is `arm` nearer to the world.
void shift(const Vec3<Dual<double>>& arm, TwoColumns& b) noexcept {
  const Vec3<> order_0 = real_part(arm);
  add_cross(order_0, b.linear, b.angular);
  add_cross(order_0, b.linear_sum, b.angular_sum);
  add_cross(dual_part(arm), b.linear, b.angular_sum);  // [p]^ b  [CibicikEgeland (60)]
}
/// From the frame of a link to the section that carries it, in the parent's axes.
void move_to_section(const LinkMotion<FirstOrder>& link, TwoColumns& b) noexcept {
  const Mat3<>& A = link.R.A.matrix;
  turn(A, b.linear);
  turn(A, b.linear_sum);
  turn(A, b.angular);
  turn(A, b.angular_sum);
  add_cross(link.R.theta, b.linear, b.linear_sum);  // [R] b  [CibicikEgeland (39)]
  add_cross(link.R.theta, b.angular, b.angular_sum);
  if (!is_zero(link.arm)) shift(link.arm, b);
}

/// Gamma^T times the angular momenta about the section, orders 0 and 1.
PairOfVectors turned_back(const Mat3<Dual<double>>& gamma, const TwoColumns& b) noexcept {
  PairOfVectors sum = b.angular_sum;  // the real part of gamma is the identity
  const auto& [x, y, z] = gamma;
  sum.x += x.x.dual * b.angular.x + x.y.dual * b.angular.y + x.z.dual * b.angular.z;
  sum.y += y.x.dual * b.angular.x + y.y.dual * b.angular.y + y.z.dual * b.angular.z;
  sum.z += z.x.dual * b.angular.x + z.y.dual * b.angular.y + z.z.dual * b.angular.z;
  return sum;
}
/// Products with the joint's screw, which is of order 0.
Columns joint_products(const FlexibleLink& link, const TwoColumns& b) noexcept {
  const auto [w, v] = detail::joint_screw(link);
  Columns sum = w.x * b.angular_sum.x + w.y * b.angular_sum.y + w.z * b.angular_sum.z;
  if (link.joint != FlexibleLink::Joint::revolute)
    sum += v.x * b.linear_sum.x + v.y * b.linear_sum.y + v.z * b.linear_sum.z;
  return sum;
}
void write(const Columns& value, const TwoColumns& b, int row, std::size_t n,
           std::span<double> mass) noexcept {
  mass[std::size_t(row) * n + b.coordinate[0]] = value[0];
  mass[std::size_t(b.coordinate[0]) * n + row] = value[0];
  if (b.coordinate[1] < 0) return;
  mass[std::size_t(row) * n + b.coordinate[1]] = value[1];
  mass[std::size_t(b.coordinate[1]) * n + row] = value[1];
}

/// Products with the modes of the parent, by their shapes at the section.
void mode_products(const FlexibleTree& tree, const FlexibleLink& parent, const StationModes& at_,
                   const SectionMotion<FirstOrder>& section, std::span<const double> shortening,
                   const TwoColumns& b, std::span<double> mass) noexcept {
  const std::size_t n = tree.size;
  const std::array<int, 5>& first = parent.invariants.first;
  const PairOfVectors torque = turned_back(section.gamma, b);
  const auto row = [&](int k, const auto& about, const auto& along) {
    Columns value = at_.angle[k] * about + at_.displacement[k] * along;
    if (!shortening.empty()) value -= shortening[k] * b.linear.x;
    write(value, b, parent.first_mode + k, n, mass);
  };
  for (int k = first[0]; k < first[1]; ++k) row(k, torque.x, b.linear.x);
  for (int k = first[1]; k < first[2]; ++k) row(k, torque.z, b.linear_sum.y);
  for (int k = first[2]; k < first[3]; ++k) row(k, torque.y, b.linear_sum.z);
  for (int k = first[3]; k < first[4]; ++k) row(k, torque.x, b.linear_sum.x);
}

void move_inwards(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion, int i,
                  TwoColumns& b, std::span<double> mass) noexcept {
  const std::size_t n = tree.size;
  for (int link = i; tree.links[link].parent >= 0;) {
    const LinkMotion<FirstOrder>& m = motion.links[link];
    const FlexibleLink &here = tree.links[link], &parent = tree.links[here.parent];
    move_to_section(m, b);
    if (parent.invariants.modes > 0)
      mode_products(tree, parent, here.mount_modes, m.section, m.shortening, b, mass);
    if (parent.beam) shift(m.section.p, b);  // also of a beam without modes
    if (parent.coordinate >= 0) write(joint_products(parent, b), b, parent.coordinate, n, mass);
    link = here.parent;
  }
}

/// What one child of an elastic link carries: momenta of the modes' unit rates, about the link's origin,
/// and their modal masses. Motions of the section are turns about the columns of gamma and displacements
/// along the axes; a mode is a sum of one of each.
void add_child(const FlexibleLink& link, const StationModes& at_,
               const LinkMotion<FirstOrder>& child, const InertiaParameters<Dual<double>>& carried,
               std::span<Vec6<Dual<double>>> momentum, std::size_t n,
               std::span<double> mass) noexcept {
  const SectionMotion<FirstOrder>& section = child.section;
  const std::array<int, 5>& first = link.invariants.first;
  Vec6<Dual<double>> turns[3], moves[3];  // momenta about the section
  for (int a = 0; a < 3; ++a) {
    const Vec3<Dual<double>>& about = section.gamma.column(a);
    turns[a] = {carried.about_origin * about, cross(about, carried.first_moment)};
  }
  const Vec3<Dual<double>>& s = carried.first_moment;
  const Dual<double> m = carried.mass, o;
  moves[0] = {{o, s.z, -s.y}, {m, o, o}};
  moves[1] = {{-s.z, o, s.x}, {o, m, o}};
  moves[2] = {{s.y, -s.x, o}, {o, o, m}};
  double turn_turn[3][3], turn_move[3][3];
  // a^T I^ b = a_0 (b_0 + b_1) + a_1 b_0  [CibicikEgeland (99)]
  const auto total = [](const Vec3<Dual<double>>& a, const Vec3<Dual<double>>& b) {
    return a.x.real * (b.x.real + b.x.dual) + a.x.dual * b.x.real +
           a.y.real * (b.y.real + b.y.dual) + a.y.dual * b.y.real +
           a.z.real * (b.z.real + b.z.dual) + a.z.dual * b.z.real;
  };
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      turn_turn[a][b] = total(section.gamma.column(a), turns[b].angular);
      turn_move[a][b] = total(section.gamma.column(a), moves[b].angular);
    }
  for (int a = 0; a < 3; ++a) {
    turns[a].angular += cross(section.p, turns[a].linear);
    moves[a].angular += cross(section.p, moves[a].linear);
  }
  for (int d = 0; d < 4; ++d) {
    const int b = std::max(0, rotation_axis(static_cast<ModeDirection>(d)));
    const int a = std::max(0, displacement_axis(static_cast<ModeDirection>(d)));
    for (int k = first[d]; k < first[d + 1]; ++k) {
      const double angle = at_.angle[k], move = at_.displacement[k];
      Vec6<Dual<double>>& sum = momentum[k];
      const auto add = [&](Dual<double>& target, const Dual<double>& turn,
                           const Dual<double>& moved) {
        target.real += angle * turn.real + move * moved.real;
        target.dual += angle * turn.dual + move * moved.dual;
      };
      add(sum.angular.x, turns[b].angular.x, moves[a].angular.x);
      add(sum.angular.y, turns[b].angular.y, moves[a].angular.y);
      add(sum.angular.z, turns[b].angular.z, moves[a].angular.z);
      add(sum.linear.x, turns[b].linear.x, moves[a].linear.x);
      add(sum.linear.y, turns[b].linear.y, moves[a].linear.y);
      add(sum.linear.z, turns[b].linear.z, moves[a].linear.z);
      double* const row = &mass[std::size_t(link.first_mode + k) * n + link.first_mode];
      for (int f = 0; f <= d; ++f) {
        const int b2 = std::max(0, rotation_axis(static_cast<ModeDirection>(f)));
        const int a2 = std::max(0, displacement_axis(static_cast<ModeDirection>(f)));
        const double per_angle = angle * turn_turn[b2][b] + move * turn_move[b2][a];
        const double per_move = angle * turn_move[b][a2] + (a == a2 ? move * m.real : 0);
        for (int j = first[f]; j < first[f + 1] && j <= k; ++j)
          row[j] += at_.angle[j] * per_angle + at_.displacement[j] * per_move;
      }
    }
  }
}
/// Shortening of the section by each mode's unit rate, of order 1, moves the child along x.
void add_child_shortening(const FlexibleLink& link, const LinkMotion<FirstOrder>& child,
                          const StationModes& at_, const InertiaParameters<Dual<double>>& carried,
                          std::span<Vec6<Dual<double>>> momentum, std::size_t n,
                          std::span<double> mass) noexcept {
  const double m = carried.mass.real;
  const Vec3<> s = real_part(carried.first_moment), p = real_part(child.section.p);
  const Vec3<> angular = Vec3<>{0, s.z, -s.y} + cross(p, Vec3<>{m, 0, 0});
  const int count = link.invariants.modes;
  const std::array<int, 5>& first = link.invariants.first;
  const auto along_x = [&](int k) {  // order 0 of the momentum along x by mode k's rate
    const double angle = at_.angle[k];
    double sum = 0;
    if (k >= first[1] && k < first[2]) sum = -angle * s.y;
    if (k >= first[2] && k < first[3]) sum = angle * s.z;
    if (k >= first[3]) sum = at_.displacement[k] * m;
    return sum;
  };
  for (int k = 0; k < count; ++k) {
    const double short_by = -child.shortening[k];
    Vec6<Dual<double>>& sum = momentum[k];
    sum.linear.x.dual += m * short_by;
    sum.angular.x.dual += angular.x * short_by;
    sum.angular.y.dual += angular.y * short_by;
    sum.angular.z.dual += angular.z * short_by;
    for (int j = 0; j <= k; ++j)
      mass[std::size_t(link.first_mode + k) * n + (link.first_mode + j)] +=
          short_by * along_x(j) - child.shortening[j] * along_x(k);
  }
}

/// Momenta of the link's modes and joint, moved inwards two by two.
void columns_inwards(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion, int i,
                     std::span<const Vec6<Dual<double>>> momentum,
                     std::span<double> mass) noexcept {
  const FlexibleLink& link = tree.links[i];
  const std::size_t modes = link.invariants.modes;
  const auto coordinate = [&](std::size_t k) {
    return k < modes ? link.first_mode + static_cast<int>(k) : link.coordinate;
  };
  for (std::size_t k = 0; k < momentum.size(); k += 2) {
    const bool pair = k + 1 < momentum.size();
    TwoColumns b = two_columns(momentum[k], momentum[pair ? k + 1 : k], coordinate(k),
                               pair ? coordinate(k + 1) : -1);
    if (link.coordinate >= 0) write(joint_products(link, b), b, link.coordinate, tree.size, mass);
    move_inwards(tree, motion, i, b, mass);
  }
}

}  // namespace

void linear_mass_columns(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion,
                         std::span<const InertiaParameters<Dual<double>>> composite,
                         std::span<const InertiaParameters<Dual<double>>> moved, int i,
                         std::span<Vec6<Dual<double>>> momentum, std::span<double> mass) noexcept {
  const FlexibleLink& link = tree.links[i];
  const std::size_t n = tree.size, m = link.invariants.modes, first = link.first_mode;
  const LinkTerms<FirstOrder>& terms = motion.links[i].terms;
  // M = sum P~^T D P~, the rows of link i  [CibicikEgeland (112)]
  for (std::size_t k = 0; k < m; ++k) {
    momentum[k] = terms.momentum[k];
    for (std::size_t j = 0; j <= k; ++j)
      mass[(first + k) * n + first + j] =
          terms.modal_mass[k * m + j].real + terms.modal_mass[k * m + j].dual;
  }
  if (m > 0)
    for (const int child : link.children) {
      const LinkMotion<FirstOrder>& c = motion.links[child];
      const StationModes& station = tree.links[child].mount_modes;
      add_child(link, station, c, moved[child], momentum.first(m), n, mass);
      if (tree.stiffening)
        add_child_shortening(link, c, station, moved[child], momentum.first(m), n, mass);
    }
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t j = 0; j < k; ++j)
      mass[(first + j) * n + first + k] = mass[(first + k) * n + first + j];
  std::size_t count = m;
  if (link.coordinate >= 0)
    momentum[count++] = detail::momentum_of(
        composite[i], detail::constant<Dual<double>>(detail::joint_screw(link)));
  columns_inwards(tree, motion, i, momentum.first(count), mass);
}

void linear_mode_forces(const FlexibleLink& link, const StationModes& at_,
                        const LinkMotion<FirstOrder>& child, const Vec6<Dual<double>>& wrench,
                        std::span<double> forces) noexcept {
  if (forces.empty()) return;
  TwoColumns b = two_columns(wrench, wrench, 0, -1);
  shift(-child.section.p, b);
  const PairOfVectors torque = turned_back(child.section.gamma, b);
  const std::array<int, 5>& first = link.invariants.first;
  const auto add = [&](int d, double about, double along) {
    for (int k = first[d]; k < first[d + 1]; ++k) {
      forces[k] += at_.angle[k] * about + at_.displacement[k] * along;
      if (!child.shortening.empty()) forces[k] -= child.shortening[k] * b.linear.x[0];
    }
  };
  add(0, torque.x[0], 0);
  add(1, torque.z[0], b.linear_sum.y[0]);
  add(2, torque.y[0], b.linear_sum.z[0]);
  add(3, 0, b.linear_sum.x[0]);
}

}  // namespace axode
