#include "axode/core/names.hpp"

#include <array>

namespace axode {
namespace {

constexpr std::size_t longest = 64;

/// Of words of at most `longest` letters, a row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
  std::array<std::size_t, longest + 1> row;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

SimilarName::SimilarName(std::string_view text) noexcept
    : text_(text), least_(text.size() > longest ? 0 : text.size() / 3 + 2) {}

void SimilarName::consider(std::string_view word) noexcept {
  if (word.size() > longest || least_ == 0) return;
  const std::size_t distance = edit_distance(text_, word);
  const bool is_equal = distance == least_ && !best_.empty() && word < best_;
  if (distance >= word.size() || (distance >= least_ && !is_equal)) return;
  least_ = distance;
  best_ = word;
}

std::string SimilarName::question(std::string_view otherwise) const {
  if (best_.empty()) return std::string(otherwise);
  return "did you mean '" + std::string(best_) + "'?";
}

}  // namespace axode
