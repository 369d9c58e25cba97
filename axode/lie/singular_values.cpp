#include "axode/lie/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "axode/lie/householder.hpp"

namespace axode {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

using detail::add;
using detail::dot;
using detail::reflect;
using detail::reflector;

/// a -= y u + v x; returns w . a.
double update_and_dot(double* __restrict a, double y, const double* __restrict u, double v,
                      const double* __restrict x, const double* __restrict w, int n) {
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) {
      a[i + k] -= y * u[i + k] + v * x[i + k];
      sum[k] += w[i + k] * a[i + k];
    }
  for (; i < n; ++i) {
    a[i] -= y * u[i] + v * x[i];
    sum[0] += w[i] * a[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
/// (a, b) := (c a + s b, c b - s a)
void rotate(double* __restrict a, double* __restrict b, int n, double c, double s) {
  for (int i = 0; i < n; ++i) {
    const double x = a[i], y = b[i];
    a[i] = c * x + s * y;
    b[i] = c * y - s * x;
  }
}

/// The decomposition of a matrix W with no more columns than rows, stored column by column.
struct Reduction {
  int rows, columns;
  std::vector<double> W;  ///< then below the diagonal of column k: the reflector u_k
  std::vector<double> V;  ///< row k from k + 1: the reflector v_k
  std::vector<double> d, e;
  std::vector<double> left{}, right{};  ///< vector k at k rows or k columns; empty: none

  void bidiagonalize();
  void multiply(int k, const double* v, double* x) const;
  std::vector<double> basis(const std::vector<double>& reflectors, int size, int first,
                            int count) const;
  bool diagonalize();
  void remove_zero(int zero, int from, int to);
  void qr_step(int from, int to);
  void rotate_left(int i, int j, double c, double s) {
    if (!left.empty()) rotate(&left[i * rows], &left[j * rows], rows, c, s);
  }
  void rotate_right(int i, int j, double c, double s) {
    if (!right.empty()) rotate(&right[i * columns], &right[j * columns], columns, c, s);
  }
};

/// W := (1 - u u^T) W (1 - v v^T) = W - u y^T - x v^T with y = W^T u, x = (W - u y^T) v, column after
/// column. A step is applied to the columns that follow while the next y is formed: memory is passed
/// twice, not four times.
void Reduction::bidiagonalize() {
  const int m = rows, n = columns;
  const std::vector<double> none(std::max(m, n), 0.0);
  std::vector<double> x(m, 0.0), y(n, 0.0);
  const double *u_before = none.data(), *v_before = none.data();
  for (int k = 0; k < n; ++k) {
    double *const u = &W[k * m], *const v = &V[k * n];
    const int rest = m - k;
    add(u + k, -y[k], u_before + k, rest);
    add(u + k, -v_before[k], &x[k], rest);
    d[k] = reflector(u + k, rest);
    if (k + 1 == n) break;
    for (int j = k + 1; j < n; ++j) {
      double* const w = &W[j * m + k];
      y[j] = update_and_dot(w, y[j], u_before + k, v_before[j], &x[k], u + k, rest);
      v[j] = w[0] - y[j] * u[k];
    }
    e[k] = reflector(v + k + 1, n - k - 1);
    multiply(k, v, x.data());
    add(&x[k], -dot(&y[k + 1], v + k + 1, n - k - 1), u + k, rest);
    u_before = u;
    v_before = v;
  }
}

/// x := W v by the rows from k and the columns behind k, four of them at a time.
void Reduction::multiply(int k, const double* v, double* x) const {
  std::fill(x + k, x + rows, 0.0);
  int j = k + 1;
  for (; j + 4 <= columns; j += 4) {
    const double *a = &W[j * rows], *b = a + rows, *c = b + rows, *f = c + rows;
    for (int i = k; i < rows; ++i)
      x[i] += (v[j] * a[i] + v[j + 1] * b[i]) + (v[j + 2] * c[i] + v[j + 3] * f[i]);
  }
  for (; j < columns; ++j) add(x + k, v[j], &W[j * rows + k], rows - k);
}

/// The first `count` columns of H_0 H_1 ..., the reflector k at k size from entry k + first.
std::vector<double> Reduction::basis(const std::vector<double>& reflectors, int size, int first,
                                     int count) const {
  std::vector<double> result(std::size_t(size) * count, 0.0);
  for (int j = 0; j < count; ++j) result[j * size + j] = 1;
  for (int k = columns - 1 - first; k >= 0; --k) {
    const int from = k + first;
    const double* const u = &reflectors[k * size + from];
    for (int j = from; j < count; ++j) reflect(u, &result[j * size + from], size - from);
  }
  return result;
}

/// d[zero] = 0: rotates the other entry of its row away, or of its column if it is the last one.
void Reduction::remove_zero(int zero, int from, int to) {
  d[zero] = 0;
  const bool row = zero < to;
  double f = std::exchange(e[row ? zero : zero - 1], 0.0);
  for (int j = row ? zero + 1 : zero - 1; j >= from && j <= to; j += row ? 1 : -1) {
    const double r = std::hypot(d[j], f), c = d[j] / r, s = f / r;
    d[j] = r;
    if (row)
      rotate_left(j, zero, c, s);
    else
      rotate_right(j, zero, c, s);
    if (j == (row ? to : from)) break;
    double& next = e[row ? j : j - 1];
    f = -s * next;
    next *= c;
    if (f == 0) break;
  }
}

/// One step on rows from..to, shifted by the smaller singular value of the last two.
void Reduction::qr_step(int from, int to) {
  const double a = std::abs(d[to - 1]), b = std::abs(d[to]), g = e[to - 1];
  const double shift = 2 * a * b / (std::hypot(a + b, g) + std::hypot(a - b, g));
  double f = (std::abs(d[from]) - shift) * (std::copysign(1, d[from]) + shift / d[from]);
  double h = e[from];
  const auto rotation = [](double x, double y, double& c, double& s) {
    const double r = std::hypot(x, y);
    c = r > 0 ? x / r : 1;
    s = r > 0 ? y / r : 0;
    return r;
  };
  for (int i = from; i < to; ++i) {
    double c = 1, s = 0;
    const double r = rotation(f, h, c, s);
    if (i > from) e[i - 1] = r;
    f = c * d[i] + s * e[i];
    e[i] = c * e[i] - s * d[i];
    h = s * d[i + 1];
    d[i + 1] *= c;
    rotate_right(i, i + 1, c, s);
    d[i] = rotation(f, h, c, s);
    f = c * e[i] + s * d[i + 1];
    d[i + 1] = c * d[i + 1] - s * e[i];
    rotate_left(i, i + 1, c, s);
    if (i + 1 == to) break;
    h = s * e[i + 1];
    e[i + 1] *= c;
  }
  e[to - 1] = f;
}

bool Reduction::diagonalize() {
  double largest = 0;
  for (const double x : d) largest = std::max(largest, std::abs(x));
  for (const double x : e) largest = std::max(largest, std::abs(x));
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double small = rounding / 4 * largest;
  // Steps on equal values leave roundings of them behind, now and then more than one: if a value
  // takes many steps more is forgiven.
  int tries = 0;
  const auto is_coupled = [&](int k) {
    const double tolerance = rounding * (1 + tries / 8);
    return std::abs(e[k]) > std::max(small, tolerance * (std::abs(d[k]) + std::abs(d[k + 1])));
  };
  int steps = 60 * columns;
  for (int to = columns - 1; to > 0;) {
    if (!is_coupled(to - 1)) {
      --to;
      tries = 0;
      continue;
    }
    int from = to - 1;
    while (from > 0 && is_coupled(from - 1)) --from;
    if (steps-- == 0) return false;
    ++tries;
    int zero = to;
    while (zero >= from && std::abs(d[zero]) > small) --zero;
    if (zero >= from)
      remove_zero(zero, from, to);
    else
      qr_step(from, to);
  }
  return true;
}

/// The vectors k of `numbers` in this order, then those behind it.
DenseMatrix<double> arranged(const std::vector<double>& numbers, int size,
                             const std::vector<int>& order) {
  DenseMatrix<double> result{0, size, numbers};
  if (size > 0) result.rows = static_cast<int>(numbers.size()) / size;
  for (int k = 0; k < std::ssize(order) && k < result.rows; ++k)
    std::copy_n(&numbers[order[k] * size], size, &result.values[k * size]);
  return result;
}

DenseMatrix<double> unit_vectors(int count, int size) {
  DenseMatrix<double> result = zero_matrix(count, size);
  for (int k = 0; k < count; ++k) result(k, k) = 1;
  return result;
}

}  // namespace

SingularDecomposition singular_decomposition(const DenseMatrix<double>& A, Vectors left,
                                             Vectors right) {
  const int m = std::max(A.rows, A.columns), n = std::min(A.rows, A.columns);
  const auto count = [&](Vectors vectors, int size) {
    return vectors == Vectors::full ? size : vectors == Vectors::thin ? n : 0;
  };
  const int lefts = count(left, A.rows), rights = count(right, A.columns);
  double largest = 0;
  bool finite = true;
  for (const double x : A.values) {
    largest = std::max(largest, std::abs(x));
    finite = finite && std::isfinite(x);
  }
  SingularDecomposition result{std::vector<double>(n, finite ? 0.0 : no_number),
                               unit_vectors(lefts, A.rows), unit_vectors(rights, A.columns)};
  if (!finite || largest == 0) return result;

  // By columns; the rows of a wide matrix are the columns of its transpose, which has U and V
  // exchanged.
  const bool wide = A.rows < A.columns;
  Reduction r{m, n, wide ? A.values : transpose(A).values, {}, {}, {}};
  for (double& x : r.W) x /= largest;
  r.V.assign(std::size_t(n) * n, 0.0);
  r.d.assign(n, 0.0);
  r.e.assign(n - 1, 0.0);
  r.bidiagonalize();
  if ((wide ? rights : lefts) > 0) r.left = r.basis(r.W, m, 0, wide ? rights : lefts);
  if ((wide ? lefts : rights) > 0) r.right = r.basis(r.V, n, 1, n);
  if (!r.diagonalize()) {
    std::ranges::fill(result.values, no_number);
    return result;
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](int k) { return std::abs(r.d[k]); });
  for (int k = 0; k < n; ++k) {
    result.values[k] = std::abs(r.d[order[k]]) * largest;
    if (r.d[k] < 0 && !r.right.empty())
      for (int i = 0; i < n; ++i) r.right[k * n + i] *= -1;
    else if (r.d[k] < 0 && !r.left.empty())
      for (int i = 0; i < m; ++i) r.left[k * m + i] *= -1;
  }
  DenseMatrix<double>& of_left = wide ? result.right : result.left;
  DenseMatrix<double>& of_right = wide ? result.left : result.right;
  if (of_left.rows > 0) of_left = arranged(r.left, m, order);
  if (of_right.rows > 0) of_right = arranged(r.right, n, order);
  return result;
}

std::vector<double> singular_values(const DenseMatrix<double>& A) {
  return singular_decomposition(A, Vectors::none, Vectors::none).values;
}

std::vector<double> least_squares(const DenseMatrix<double>& A, std::span<const double> b,
                                  double tolerance) {
  const SingularDecomposition svd = singular_decomposition(A, Vectors::thin, Vectors::thin);
  std::vector<double> x(A.columns, 0.0);
  for (int k = 0; k < std::ssize(svd.values); ++k) {
    if (!(svd.values[k] > tolerance * svd.values[0])) break;
    const double along = dot(&svd.left(k, 0), b.data(), A.rows) / svd.values[k];
    add(x.data(), along, &svd.right(k, 0), A.columns);
  }
  return x;
}

}  // namespace axode
