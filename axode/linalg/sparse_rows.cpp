#include "axode/linalg/sparse_rows.hpp"

#include <algorithm>
#include <numeric>

namespace axode {

void SparseRows::begin(int row_count, int column_count) {
  if (ready && row_count == rows && column_count == columns) {
    std::fill(value.begin(), value.end(), 0.);
  } else {
    forget();
    rows = row_count;
    columns = column_count;
  }
  next = 0;
}

void SparseRows::forget() {
  ready = false;
  next = 0;
  entries.clear();
  slots.clear();
}

void SparseRows::end() {
  if (ready) return;
  // By rows in linear time, then within each.
  std::vector<std::size_t> order(entries.size()), next_of(rows + 1, 0);
  for (const Entry& e : entries) ++next_of[e.row + 1];
  std::partial_sum(next_of.begin(), next_of.end(), next_of.begin());
  const std::vector<std::size_t> first = next_of;
  for (std::size_t k = 0; k < entries.size(); ++k) order[next_of[entries[k].row]++] = k;
  for (std::size_t r = 0; r + 1 < first.size(); ++r)
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(first[r]),
              order.begin() + static_cast<std::ptrdiff_t>(first[r + 1]),
              [&](std::size_t a, std::size_t b) {
                const int x = entries[a].column, y = entries[b].column;
                return x != y ? x < y : a < b;
              });
  start.assign(rows + 1, 0);
  column.clear();
  value.clear();
  slots.assign(entries.size(), 0);
  int row = -1, last = -1;
  for (const std::size_t k : order) {
    const Entry& e = entries[k];
    if (e.row != row || e.column != last) {
      column.push_back(e.column);
      value.push_back(0);
      ++start[e.row + 1];
      row = e.row;
      last = e.column;
    }
    slots[k] = static_cast<int>(column.size()) - 1;
    value.back() += e.value;
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  entries.clear();
  entries.shrink_to_fit();
  ready = true;
}

void SparseRows::multiply(std::span<const double> x, std::span<double> result) const noexcept {
  for (std::size_t r = 0; r + 1 < start.size(); ++r) {
    double sum = 0;
    for (std::size_t k = start[r]; k < static_cast<std::size_t>(start[r + 1]); ++k)
      sum += value[k] * x[column[k]];
    result[r] = sum;
  }
}

void SparseRows::add_transposed(std::span<const double> y,
                                std::span<double> result) const noexcept {
  for (std::size_t r = 0; r + 1 < start.size(); ++r)
    for (std::size_t k = start[r]; k < static_cast<std::size_t>(start[r + 1]); ++k)
      result[column[k]] += value[k] * y[r];
}

}  // namespace axode
