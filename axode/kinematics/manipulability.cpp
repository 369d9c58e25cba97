#include "axode/kinematics/manipulability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/linalg/singular_values.hpp"

namespace axode {
namespace {

/// The numbers of the rows that count.
std::vector<int> chosen(const TaskRows& rows) {
  std::vector<int> result;
  for (int i = 0; i < 6; ++i)
    if (rows[i]) result.push_back(i);
  return result;
}

double weight(const ManipulabilityOptions& options, int row) {
  return row < 3 ? options.length : 1;
}

void check(std::span<const Vec6<double>> columns, const ManipulabilityOptions& options) {
  const char* where = "manipulability";
  if (columns.empty())
    throw Error("the Jacobian has no columns", where, "give that of a tree with joints");
  if (!std::all_of(columns.begin(), columns.end(), [](const auto& c) { return is_finite(c); }))
    throw Error("the Jacobian is not finite", where, "check the coordinates it was made from");
  if (chosen(options.rows).empty())
    throw Error("no row counts", where, "choose all_rows, rotation_rows or translation_rows");
  if (!(options.length > 0) || !std::isfinite(options.length))
    throw Error("the length is not positive", where, "give the metres that count as a radian");
  if (!(options.rank_tolerance >= 0) || !(options.rank_tolerance < 1))
    throw Error("the tolerance of the rank is not in [0, 1)", where, "give one such as 1e-10");
}

/// sum_i joint_vectors_i factor(sigma_i) (axis_i . twist), the twist scaled like the Jacobian.
template <class Factor>
std::vector<double> inverse_times(const Manipulability& m, const Vec6<double>& twist,
                                  Factor&& factor) {
  if (!is_finite(twist))
    throw Error("the twist is not finite", "manipulability", "give finite numbers");
  Vec6<double> scaled;
  for (int row : chosen(m.options.rows)) scaled[row] = weight(m.options, row) * twist[row];
  std::vector<double> v(m.joint_vectors.front().size(), 0);
  for (std::size_t i = 0; i < m.singular_values.size(); ++i) {
    const double amount = factor(i) * dot(m.axes[i].axis, scaled);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += amount * m.joint_vectors[i][k];
  }
  return v;
}

}  // namespace

Manipulability manipulability(std::span<const Vec6<double>> columns,
                              const ManipulabilityOptions& options) {
  check(columns, options);
  const std::vector<int> rows = chosen(options.rows);
  const int m = static_cast<int>(rows.size()), n = static_cast<int>(columns.size());
  DenseMatrix<double> J = zero_matrix(m, n);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < n; ++k) J(i, k) = weight(options, rows[i]) * columns[k][rows[i]];
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto [sigma, U, V] = singular_decomposition(J, Vectors::full, Vectors::full);
  Manipulability result;
  result.options = options;
  result.singular_values = sigma;
  result.index = 1;
  for (const double s : sigma) {
    result.index *= s;
    if (s > options.rank_tolerance * sigma.front()) ++result.rank;
  }
  result.condition = sigma.back() > 0 ? sigma.front() / sigma.back() : infinity;
  for (int i = 0; i < m; ++i) {
    const double s = i < std::ssize(sigma) ? sigma[i] : 0;
    PrincipalAxis axis{{}, s, s > 0 ? 1 / s : infinity};
    for (int k = 0; k < m; ++k) axis.axis[rows[k]] = U(i, k);
    result.axes.push_back(axis);
  }
  for (int i = 0; i < n; ++i) {
    const std::vector<double> v(V.row(i).begin(), V.row(i).end());
    if (i < std::ssize(sigma)) result.joint_vectors.push_back(v);
    if (i >= result.rank) result.null_space.push_back(v);
  }
  return result;
}

Manipulability manipulability(const Tree& tree, std::span<const Vec6<double>> J,
                              const ManipulabilityOptions& options) {
  Columns independent(independent_nv(tree));
  std::vector<double> row(J.size());
  for (int r = 0; r < 6; ++r) {
    for (std::size_t k = 0; k < J.size(); ++k) row[k] = J[k][r];
    const std::vector<double> reduced = reduce_force(tree, row);
    for (std::size_t k = 0; k < reduced.size(); ++k) independent[k][r] = reduced[k];
  }
  return manipulability(independent, options);
}

std::vector<double> pseudo_inverse_times(const Manipulability& m, const Vec6<double>& twist) {
  return inverse_times(m, twist, [&](std::size_t i) {
    return static_cast<int>(i) < m.rank ? 1 / m.singular_values[i] : 0;
  });
}

std::vector<double> damped_inverse_times(const Manipulability& m, const Vec6<double>& twist,
                                         double damping) {
  if (!(damping > 0) || !std::isfinite(damping))
    throw Error("the damping is not positive", "damped_inverse_times",
                "give one, or use pseudo_inverse_times");
  return inverse_times(m, twist, [&](std::size_t i) {
    const double s = m.singular_values[i];
    return s / (s * s + damping * damping);
  });
}

}  // namespace axode
