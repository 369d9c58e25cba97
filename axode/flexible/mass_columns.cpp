#include "axode/flexible/mass_columns.hpp"

#include "axode/flexible/flexible_equations.hpp"

namespace axode {
namespace {

using D = Dual<double>;
constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

template <int width>
void put(const Vec6<D>& momentum, int coordinate, MomentumBlock<width>& b) noexcept {
  const int c = b.count++;
  b.coordinate[c] = coordinate;
  const auto set = [&](int i, const D& angular, const D& linear) {
    b.angular[i][c] = angular.real;
    b.angular_sum[i][c] = angular.real + angular.dual;
    b.linear[i][c] = linear.real;
    b.linear_sum[i][c] = linear.real + linear.dual;
  };
  set(0, momentum.angular.x, momentum.linear.x);
  set(1, momentum.angular.y, momentum.linear.y);
  set(2, momentum.angular.z, momentum.linear.z);
}

/// From the frame of a link to that of its parent.
template <int width>
void move_to_parent(const LinkMotion<FirstOrder>& link, MomentumBlock<width>& b) noexcept {
  const Mat3<>& A = link.R.A.matrix;
  const Vec3<> t = link.R.theta, p0 = real_part(link.origin), p1 = dual_part(link.origin);
  for (int c = 0; c < width; ++c) {
    const auto turned = [&](const double(&v)[3][width]) {
      return Vec3<>{A.x.x * v[0][c] + A.y.x * v[1][c] + A.z.x * v[2][c],
                    A.x.y * v[0][c] + A.y.y * v[1][c] + A.z.y * v[2][c],
                    A.x.z * v[0][c] + A.y.z * v[1][c] + A.z.z * v[2][c]};
    };
    const Vec3<> force = turned(b.linear), force_sum = turned(b.linear_sum) + cross(t, force);
    const Vec3<> torque = turned(b.angular);
    const Vec3<> angular = torque + cross(p0, force);
    const Vec3<> angular_sum =
        turned(b.angular_sum) + cross(t, torque) + cross(p0, force_sum) + cross(p1, force);
    b.linear[0][c] = force.x, b.linear[1][c] = force.y, b.linear[2][c] = force.z;
    b.linear_sum[0][c] = force_sum.x, b.linear_sum[1][c] = force_sum.y;
    b.linear_sum[2][c] = force_sum.z;
    b.angular[0][c] = angular.x, b.angular[1][c] = angular.y, b.angular[2][c] = angular.z;
    b.angular_sum[0][c] = angular_sum.x, b.angular_sum[1][c] = angular_sum.y;
    b.angular_sum[2][c] = angular_sum.z;
  }
}

/// Products of a twist with all columns.
template <int width>
void products(const Vec6<D>& h, const MomentumBlock<width>& b, double (&result)[width]) noexcept {
  for (int c = 0; c < width; ++c)
    result[c] = h.angular.x.real * b.angular_sum[0][c] + h.angular.x.dual * b.angular[0][c] +
                h.angular.y.real * b.angular_sum[1][c] + h.angular.y.dual * b.angular[1][c] +
                h.angular.z.real * b.angular_sum[2][c] + h.angular.z.dual * b.angular[2][c] +
                h.linear.x.real * b.linear_sum[0][c] + h.linear.x.dual * b.linear[0][c] +
                h.linear.y.real * b.linear_sum[1][c] + h.linear.y.dual * b.linear[1][c] +
                h.linear.z.real * b.linear_sum[2][c] + h.linear.z.dual * b.linear[2][c];
}
template <int width>
void write(const double (&value)[width], const MomentumBlock<width>& b, int row, std::size_t n,
           std::span<double> mass) noexcept {
  for (int c = 0; c < b.count; ++c) {
    mass[at(row) * n + at(b.coordinate[c])] = value[c];
    mass[at(b.coordinate[c]) * n + at(row)] = value[c];
  }
}
/// Products with the joint's screw, which is of order 0.
template <int width>
void joint_products(const FlexibleLink& link, const MomentumBlock<width>& b,
                    double (&result)[width]) noexcept {
  const Vec6<> screw = detail::joint_screw(link);
  const Vec3<>&w = screw.angular, &v = screw.linear;
  for (int c = 0; c < width; ++c)
    result[c] = w.x * b.angular_sum[0][c] + w.y * b.angular_sum[1][c] + w.z * b.angular_sum[2][c];
  if (link.joint == FlexibleLink::Joint::revolute) return;
  for (int c = 0; c < width; ++c)
    result[c] += v.x * b.linear_sum[0][c] + v.y * b.linear_sum[1][c] + v.z * b.linear_sum[2][c];
}

template <int width>
void move_inwards(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion, int i,
                  MomentumBlock<width>& b, std::span<double> mass) noexcept {
  const std::size_t n = at(tree.size);
  double value[width];
  for (int link = i; tree.links[at(link)].parent >= 0;) {
    const LinkMotion<FirstOrder>& m = motion.links[at(link)];
    move_to_parent(m, b);
    link = tree.links[at(link)].parent;
    const FlexibleLink& parent = tree.links[at(link)];
    for (std::size_t k = 0; k < m.mount.size(); ++k) {
      products(m.mount[k], b, value);
      write(value, b, parent.first_mode + static_cast<int>(k), n, mass);
    }
    if (parent.coordinate < 0) continue;
    joint_products(parent, b, value);
    write(value, b, parent.coordinate, n, mass);
  }
}

/// The momentum that the modes of a link give to what one child carries: added to the columns, and to the
/// modal masses by the child's own twists.
void add_child(const FlexibleLink& link, const std::vector<Vec6<D>>& mount,
               const InertiaParameters<D>& carried, std::span<Vec6<D>> momentum, std::size_t n,
               std::span<double> mass) noexcept {
  const std::size_t m = momentum.size(), first = at(link.first_mode);
  for (std::size_t k = 0; k < m; ++k) {
    const Vec6<D> own = detail::momentum_of(carried, mount[k]);
    momentum[k] += own;
    for (std::size_t j = 0; j <= k; ++j)
      mass[(first + k) * n + first + j] += detail::total_dot(mount[j], own, FirstOrder{});
  }
}

/// Columns from `from` to at most `width` more, moved inwards.
template <int width>
void block(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion, int i,
           std::span<const Vec6<D>> momentum, std::span<double> mass) noexcept {
  const FlexibleLink& link = tree.links[at(i)];
  const std::size_t n = at(tree.size), modes = at(link.invariants.modes);
  for (std::size_t from = 0; from < momentum.size(); from += width) {
    MomentumBlock<width> b;
    for (std::size_t k = from; k < momentum.size() && k < from + width; ++k)
      put(momentum[k], k < modes ? link.first_mode + static_cast<int>(k) : link.coordinate, b);
    if (link.coordinate >= 0) {
      double value[width];
      joint_products(link, b, value);
      write(value, b, link.coordinate, n, mass);
    }
    move_inwards(tree, motion, i, b, mass);
  }
}

}  // namespace

void linear_mass_columns(const FlexibleTree& tree, const FlexibleMotion<FirstOrder>& motion,
                         std::span<const InertiaParameters<D>> composite,
                         std::span<const InertiaParameters<D>> moved, int i,
                         std::span<Vec6<D>> momentum, std::span<double> mass) noexcept {
  const FlexibleLink& link = tree.links[at(i)];
  const std::size_t n = at(tree.size), m = at(link.invariants.modes), first = at(link.first_mode);
  const LinkTerms<FirstOrder>& terms = motion.links[at(i)].terms;
  for (std::size_t k = 0; k < m; ++k) {
    momentum[k] = terms.momentum[k];
    for (std::size_t j = 0; j <= k; ++j)
      mass[(first + k) * n + first + j] =
          terms.modal_mass[k * m + j].real + terms.modal_mass[k * m + j].dual;
  }
  if (m > 0)
    for (const int child : link.children)
      add_child(link, motion.links[at(child)].mount, moved[at(child)], momentum.first(m), n, mass);
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t j = 0; j < k; ++j)
      mass[(first + j) * n + first + k] = mass[(first + k) * n + first + j];
  std::size_t count = m;
  if (link.coordinate >= 0)
    momentum[count++] =
        detail::momentum_of(composite[at(i)], detail::constant<D>(detail::joint_screw(link)));
  if (count <= 2)
    block<2>(tree, motion, i, momentum.first(count), mass);
  else
    block<8>(tree, motion, i, momentum.first(count), mass);
}

}  // namespace axode
