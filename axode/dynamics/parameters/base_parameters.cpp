#include "axode/dynamics/parameters/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "axode/core/error.hpp"
#include "axode/dynamics/parameters/regressor.hpp"
#include "axode/linalg/dense_solve.hpp"

namespace axode {
namespace {

constexpr const char* where = "base_parameters";
constexpr int max_bodies = 200;

void check(const Tree& tree, const BaseParameterOptions& options) {
  if (tree.nv == 0)
    throw Error("no joint of the tree moves", where, "give a tree with a joint that does");
  if (tree.size() > max_bodies)
    throw LimitError("the tree has " + std::to_string(tree.size()) + " bodies", where,
                     "take parts of at most " + std::to_string(max_bodies));
  if (options.states < 0 || options.states > 1'000'000)
    throw Error("the number of states is out of range", where, "give one, or 0 for the default");
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error("the tolerance is not in (0, 1)", where, "give one such as 1e-9");
}

/// Regressors of random states, one below the other.
DenseMatrix<double> stacked(const Tree& tree, const BaseParameterOptions& options) {
  std::mt19937_64 random(options.seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int nv = tree.nv, columns = 10 * tree.size();
  const int states = options.states > 0 ? options.states : std::max(20, 3 * columns / nv);
  DenseMatrix<double> Y{states * nv, columns, {}};
  Y.values.reserve(std::size_t(Y.rows) * columns);
  Poses<double> here(tree);
  Regressor<double> one(tree);
  std::vector<double> v(nv), a(v);
  for (int s = 0; s < states; ++s) {
    const std::vector<double> q = random_configuration(tree, random);
    for (double& x : v) x = uniform(random);
    for (double& x : a) x = uniform(random);
    poses<double>(tree, q, here);
    regressor<double>(tree, here, v, a, one, options.effects);
    const DenseMatrix<double> all = dense(tree, one);
    Y.values.insert(Y.values.end(), all.values.begin(), all.values.end());
  }
  return Y;
}

/// The largest of the norms, or 1 if all are zero.
double largest_norm(std::span<const double> norms) {
  const double largest = max_abs(norms);
  return largest > 0 ? largest : 1;
}

/// Makes masses, first and second moments of like size, whatever the unit of length, then rows of
/// forces and torques; columns of one kind keep their ratios, so that what should vanish stays
/// small. Returns the factors of the columns.
std::vector<double> scale(DenseMatrix<double>& Y, int nv) {
  std::vector<double> norms(Y.columns, 0.0), factors(Y.columns);
  for (int i = 0; i < Y.rows; ++i)
    for (int j = 0; j < Y.columns; ++j) norms[j] += Y(i, j) * Y(i, j);
  for (double& x : norms) x = std::sqrt(x);
  constexpr int kind[10] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2};
  std::vector<double> of_kind[3];
  for (int j = 0; j < Y.columns; ++j) of_kind[kind[j % 10]].push_back(norms[j]);
  for (int j = 0; j < Y.columns; ++j) factors[j] = 1 / largest_norm(of_kind[kind[j % 10]]);
  for (int i = 0; i < Y.rows; ++i)
    for (int j = 0; j < Y.columns; ++j) Y(i, j) *= factors[j];
  for (int k = 0; k < nv; ++k) {
    double largest = 0;
    for (int i = k; i < Y.rows; i += nv) largest = std::max(largest, norm(Y.row(i)));
    if (!(largest > 0)) continue;
    for (int i = k; i < Y.rows; i += nv)
      for (double& y : Y.row(i)) y /= largest;
  }
  return factors;
}

/// K with R_1 K = R_2: the triangle of the first `rank` columns and those behind it.
DenseMatrix<double> dependences(const DenseMatrix<double>& R, int rank) {
  DenseMatrix<double> K = zero_matrix(rank, R.columns - rank);
  for (int i = rank - 1; i >= 0; --i) {
    const std::span<double> row = K.row(i);
    std::ranges::copy(R.row(i).subspan(rank), row.begin());
    for (int k = i + 1; k < rank; ++k)
      for (int j = 0; j < K.columns; ++j) row[j] -= R(i, k) * K(k, j);
    for (double& x : row) x /= R(i, i);
  }
  return K;
}

}  // namespace

BaseParameters base_parameters(const Tree& tree, const BaseParameterOptions& options) {
  check(tree, options);
  DenseMatrix<double> Y = stacked(tree, options);
  const std::vector<double> factors = scale(Y, tree.nv);
  const auto [R, column] = pivoted_qr(Y);
  std::vector<double> pivots(R.rows);
  for (int k = 0; k < R.rows; ++k) pivots[k] = std::abs(R(k, k));
  const double largest = largest_norm(pivots);
  int rank = 0;
  while (rank < R.rows && pivots[rank] > options.tolerance * largest) ++rank;
  BaseParameters result;
  result.rank = rank;
  result.smallest_pivot = rank > 0 ? pivots[rank - 1] / largest : 0;
  result.largest_no_pivot = rank < R.rows ? pivots[rank] / largest : 0;

  const DenseMatrix<double> K = dependences(R, rank);
  std::vector<int> order(rank);  // pivots in ascending order of their columns
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&of = column](int i) { return of[i]; });
  result.combinations = zero_matrix(rank, Y.columns);
  for (const int i : order) {
    const auto row = static_cast<int>(result.columns.size());
    result.columns.push_back(column[i]);
    result.combinations(row, column[i]) = 1;
    for (int j = 0; j < K.columns; ++j)
      if (std::abs(K(i, j)) > options.tolerance)  // the rest is rounding
        result.combinations(row, column[rank + j]) =
            K(i, j) * factors[column[i]] / factors[column[rank + j]];
  }
  return result;
}

std::vector<double> base_values(const BaseParameters& base, In<double> p) {
  const DenseMatrix<double>& C = base.combinations;
  if (static_cast<int>(p.size()) != C.columns)
    throw Error("there are " + std::to_string(p.size()) + " parameters", "base_values",
                "give " + std::to_string(C.columns) + ", ten for each body");
  std::vector<double> b(C.rows, 0.);
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.columns; ++j) b[i] += C(i, j) * p[j];
  return b;
}

DenseMatrix<double> base_regressor(const BaseParameters& base, const DenseMatrix<double>& Y) {
  if (Y.columns != base.combinations.columns)
    throw Error("the regressor has " + std::to_string(Y.columns) + " columns", "base_regressor",
                "give one of the same tree, with all its zeros");
  DenseMatrix<double> result{Y.rows, base.rank,
                             std::vector<double>(std::size_t(Y.rows) * base.rank)};
  for (int i = 0; i < Y.rows; ++i)
    for (int j = 0; j < base.rank; ++j) result(i, j) = Y(i, base.columns[j]);
  return result;
}

}  // namespace axode
