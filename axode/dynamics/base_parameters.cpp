#include "axode/dynamics/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "axode/dynamics/regressor.hpp"
#include "axode/error.hpp"
#include "axode/lie/eigen.hpp"

namespace axode {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr const char* where = "base_parameters";
constexpr int most_bodies = 200;

void check(const Tree& tree, const BaseParameterOptions& options) {
  if (tree.nv == 0)
    throw Error("no joint of the tree moves", where, "give a tree with a joint that does");
  if (tree.size() > most_bodies)
    throw LimitError("the tree has " + std::to_string(tree.size()) + " bodies", where,
                     "take parts of at most " + std::to_string(most_bodies));
  if (options.states < 0 || options.states > 1'000'000)
    throw Error("the number of states is out of range", where, "give one, or 0 for the default");
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error("the tolerance is not in (0, 1)", where, "give one such as 1e-9");
}

/// Regressors of random states, one below the other.
Eigen::MatrixXd stacked(const Tree& tree, const BaseParameterOptions& options) {
  std::mt19937_64 random(options.seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Index nv = tree.nv, columns = 10 * Index{tree.size()};
  const Index states = options.states > 0 ? options.states : std::max<Index>(20, 3 * columns / nv);
  Eigen::MatrixXd Y(states * nv, columns);
  Poses<double> here(tree);
  Regressor<double> one(tree);
  std::vector<double> v(nv), a(v);
  for (Index s = 0; s < states; ++s) {
    const std::vector<double> q = random_configuration(tree, random);
    for (double& x : v) x = uniform(random);
    for (double& x : a) x = uniform(random);
    poses<double>(tree, q, here);
    regressor<double>(tree, here, v, a, one, options.effects);
    const DenseMatrix<double> all = dense(tree, one);
    for (Index k = 0; k < nv; ++k)
      for (Index c = 0; c < columns; ++c)
        Y(s * nv + k, c) = all(static_cast<int>(k), static_cast<int>(c));
  }
  return Y;
}

/// The largest of the norms, or 1 if all are zero.
double largest_norm(const VectorXd& norms) {
  const double largest = norms.size() > 0 ? norms.maxCoeff() : 0;
  return largest > 0 ? largest : 1;
}

/// Makes masses, first and second moments of like size, whatever the unit of length, then rows of
/// forces and torques; columns of one kind keep their ratios, so that what should vanish stays
/// small. Returns the factors of the columns.
VectorXd scale(Eigen::MatrixXd& Y, Index nv) {
  const VectorXd norms = Y.colwise().norm();
  VectorXd factors(Y.cols());
  for (const auto& [from, size] : {std::pair<Index, Index>{0, 1}, {1, 3}, {4, 6}}) {
    VectorXd of_kind(Y.cols() / 10);
    for (Index i = 0; i < of_kind.size(); ++i)
      of_kind(i) = norms.segment(10 * i + from, size).maxCoeff();
    for (Index i = 0; i < of_kind.size(); ++i)
      factors.segment(10 * i + from, size).setConstant(1 / largest_norm(of_kind));
  }
  Y = Y * factors.asDiagonal();
  for (Index k = 0; k < nv; ++k) {
    double largest = 0;
    for (Index r = k; r < Y.rows(); r += nv) largest = std::max(largest, Y.row(r).norm());
    if (largest > 0)
      for (Index r = k; r < Y.rows(); r += nv) Y.row(r) /= largest;
  }
  return factors;
}

/// The pivots in ascending order of their columns.
std::vector<Index> ascending(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Index rank) {
  std::vector<Index> order(rank);
  for (Index i = 0; i < rank; ++i) order[i] = i;
  const auto& column = qr.colsPermutation().indices();
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return column(a) < column(b); });
  return order;
}

}  // namespace

BaseParameters base_parameters(const Tree& tree, const BaseParameterOptions& options) {
  check(tree, options);
  Eigen::MatrixXd Y = stacked(tree, options);
  const VectorXd factors = scale(Y, tree.nv);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Y);
  const VectorXd pivots = qr.matrixQR().diagonal().cwiseAbs();
  const double largest = largest_norm(pivots);
  BaseParameters result;
  while (result.rank < pivots.size() && pivots(result.rank) > options.tolerance * largest)
    ++result.rank;
  const Index rank = result.rank, columns = Y.cols();
  result.smallest_pivot = rank > 0 ? pivots(rank - 1) / largest : 0;
  result.largest_no_pivot = rank < pivots.size() ? pivots(rank) / largest : 0;

  const Eigen::MatrixXd R = qr.matrixQR().topRows(rank);
  Eigen::MatrixXd K(rank, columns - rank);
  if (K.size() > 0)
    K = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(columns - rank));
  const auto& column = qr.colsPermutation().indices();
  result.combinations = {result.rank, static_cast<int>(columns),
                         std::vector<double>(rank * columns, 0.)};
  for (const Index i : ascending(qr, rank)) {
    const auto row = static_cast<int>(result.columns.size());
    result.columns.push_back(static_cast<int>(column(i)));
    result.combinations(row, column(i)) = 1;
    for (Index j = 0; j < columns - rank; ++j)
      if (std::abs(K(i, j)) > options.tolerance)  // the rest is rounding
        result.combinations(row, column(rank + j)) =
            K(i, j) * factors(column(i)) / factors(column(rank + j));
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
  DenseMatrix<double> result{Y.rows, base.rank, std::vector<double>(Y.rows * base.rank)};
  for (int i = 0; i < Y.rows; ++i)
    for (int j = 0; j < base.rank; ++j) result(i, j) = Y(i, base.columns[j]);
  return result;
}

}  // namespace axode
