#include "axode/linalg/detail/row_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>

namespace axode {
namespace {

using Row = std::vector<RowTriangle::Entry>;

/// Columns joined by rows, and by what eliminated columns leave behind: elements.
struct ColumnGraph {
  std::vector<std::vector<int>> elements;  ///< columns of each
  std::vector<std::vector<int>> of;        ///< elements of each column
  std::vector<char> gone, absorbed;
  std::vector<int> mark;

  explicit ColumnGraph(const SparseRows& J)
      : elements(J.rows),
        of(J.columns),
        gone(J.columns, 0),
        absorbed(J.rows, 0),
        mark(J.columns, -1) {
    for (int i = 0; i < J.rows; ++i)
      for (int k = J.start[i]; k < J.start[i + 1]; ++k) {
        elements[i].push_back(J.column[k]);
        of[J.column[k]].push_back(i);
      }
  }
  int degree(int column) const {
    std::size_t sum = 0;
    for (const int e : of[column]) sum += elements[e].size() - 1;
    return static_cast<int>(std::min(sum, gone.size()));
  }
  /// Returns the columns that are now joined.
  const std::vector<int>& eliminate(int column) {
    gone[column] = 1;
    std::vector<int> joined;
    for (const int e : of[column]) {
      for (const int c : elements[e])
        if (gone[c] == 0 && mark[c] != column) {
          mark[c] = column;
          joined.push_back(c);
        }
      absorbed[e] = 1;
      elements[e] = {};
    }
    of[column] = {};
    const int element = static_cast<int>(elements.size());
    for (const int c : joined) {
      std::erase_if(of[c], [&](int e) { return absorbed[e] != 0; });
      of[c].push_back(element);
    }
    elements.push_back(std::move(joined));
    absorbed.push_back(0);
    return elements.back();
  }
};

/// a, b = rotation of a, b with a leading nonzero a kept, the first entry of b gone.
void rotate(Row& a, Row& b, Row& new_a, Row& new_b) {
  const double length = std::hypot(a.front().value, b.front().value);
  const double c = a.front().value / length, s = b.front().value / length;
  new_a.clear();
  new_b.clear();
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool has_a = i < a.size() && (j >= b.size() || a[i].column <= b[j].column);
    const bool has_b = j < b.size() && (i >= a.size() || b[j].column <= a[i].column);
    const int column = has_a ? a[i].column : b[j].column;
    const double x = has_a ? a[i++].value : 0, y = has_b ? b[j++].value : 0;
    new_a.push_back({column, c * x + s * y});
    if (new_a.size() > 1) new_b.push_back({column, c * y - s * x});
  }
  a.swap(new_a);
  b.swap(new_b);
}

/// Takes one row in; returns the size of what is left of it, < 0 if it found its place.
double insert(Row& row, std::vector<Row>& triangle, double tolerance, Row& spare_a, Row& spare_b) {
  double dropped = 0;
  while (!row.empty()) {
    if (std::abs(row.front().value) <= tolerance) {
      dropped = std::max(dropped, std::abs(row.front().value));
      row.erase(row.begin());
      continue;
    }
    Row& place = triangle[row.front().column];
    if (place.empty()) {
      place = row;
      return -1;
    }
    rotate(place, row, spare_a, spare_b);
  }
  return dropped;
}

}  // namespace

std::vector<int> least_degree_order(const SparseRows& J) {
  ColumnGraph graph(J);
  using Item = std::pair<int, int>;  // degree, column
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  std::vector<int> degree(J.columns);
  const auto push = [&](int column) {
    degree[column] = graph.degree(column);
    queue.push({degree[column], column});
  };
  for (int j = 0; j < J.columns; ++j) push(j);
  std::vector<int> order;
  while (!queue.empty()) {
    const auto [known, column] = queue.top();
    queue.pop();
    if (graph.gone[column] != 0 || known != degree[column]) continue;
    order.push_back(column);
    for (const int c : std::vector<int>(graph.eliminate(column))) push(c);
  }
  return order;
}

RowTriangle row_triangle(const SparseRows& J, double tolerance) {
  RowTriangle result;
  result.order = least_degree_order(J);
  result.rows.resize(J.columns);
  std::vector<int> place(J.columns);
  for (std::size_t k = 0; k < result.order.size(); ++k)
    place[result.order[k]] = static_cast<int>(k);
  std::vector<std::pair<int, int>> by_first;
  for (int i = 0; i < J.rows; ++i) {
    int first = J.columns;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) first = std::min(first, place[J.column[k]]);
    by_first.emplace_back(first, i);
  }
  std::ranges::sort(by_first);
  const double rounding = 1e-14 * row_norm(J);  // rows below it have nothing to say
  Row row, a, b;
  for (const auto& [first, i] : by_first) {
    row.clear();
    double norm = 0;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) norm = std::hypot(norm, J.value[k]);
    for (int k = J.start[i]; k < J.start[i + 1] && norm > rounding; ++k)
      row.push_back({place[J.column[k]], J.value[k] / norm});
    std::ranges::sort(row, {}, &RowTriangle::Entry::column);
    const double left = insert(row, result.rows, tolerance, a, b);
    if (left < 0) continue;
    result.redundant.push_back(i);
    result.largest_dropped = std::max(result.largest_dropped, left);
  }
  for (const Row& r : result.rows)
    if (!r.empty()) result.smallest_kept = std::min(result.smallest_kept, std::abs(r[0].value));
  std::ranges::sort(result.redundant);
  return result;
}

std::vector<std::vector<double>> triangle_null_space(const RowTriangle& triangle, int columns) {
  std::vector<std::vector<double>> result;
  for (int free = 0; free < columns; ++free) {
    if (!triangle.rows[free].empty()) continue;
    std::vector<double> x(columns, 0.0), unordered(columns);
    x[free] = 1;
    double square = 1;
    for (int k = free - 1; k >= 0; --k) {
      const Row& row = triangle.rows[k];
      if (row.empty()) continue;
      double sum = 0;
      for (std::size_t n = 1; n < row.size(); ++n) sum += row[n].value * x[row[n].column];
      x[k] = -sum / row[0].value;
      square += x[k] * x[k];
    }
    for (int k = 0; k < columns; ++k) unordered[triangle.order[k]] = x[k] / std::sqrt(square);
    result.push_back(std::move(unordered));
  }
  return result;
}

std::vector<int> last_of_dependent(const std::vector<RowDependence>& dependences,
                                   double tolerance) {
  std::map<int, std::map<int, double>> reduced;  // by last row: combinations that give zero
  for (const RowDependence& d : dependences) {
    std::map<int, double> sum{{d.row, -1.0}};
    for (const auto& part : d.parts) sum[part.row] += part.factor;
    while (!sum.empty()) {
      const auto last = std::prev(sum.end());
      if (std::abs(last->second) <= tolerance) {
        sum.erase(last);
        continue;
      }
      const auto known = reduced.find(last->first);
      if (known == reduced.end()) {
        reduced.emplace(last->first, sum);
        break;
      }
      const double factor = last->second / known->second.rbegin()->second;
      for (const auto& [row, value] : known->second) sum[row] -= factor * value;
      sum.erase(known->first);
    }
  }
  std::vector<int> result;
  result.reserve(reduced.size());
  for (const auto& [row, sum] : reduced) result.push_back(row);
  return result;
}

}  // namespace axode
