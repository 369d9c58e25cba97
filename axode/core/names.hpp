/// Names of choices (methods, coordinates, forms) and of what a user made: equal and similar ones.
///
/// Commands write choices with hyphens, C++ and Python with underscores; readers accept both.
/// Tests: tests/core/names_test.cpp
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace axode {

/// Whether the names are equal when '-' and '_' are taken for the same.
constexpr bool is_same_name(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) { return c == '_' ? '-' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return plain(x) == plain(y); });
}

/// Finds the word that a misspelt one was meant to be: the fewest letters inserted, removed or
/// changed (Levenshtein), fewer than a third of them and two; of equals the first in the alphabet.
/// Words of more than 64 letters are passed over. Cost: the product of the lengths for each word.
class SimilarName {
 public:
  explicit SimilarName(std::string_view text) noexcept;
  void consider(std::string_view word) noexcept;
  /// Empty if nothing that was considered is similar. It refers to the word's characters.
  std::string_view best() const noexcept { return best_; }
  /// "did you mean 'elbow'?", or `otherwise` if nothing is similar.
  std::string question(std::string_view otherwise = {}) const;

 private:
  std::string_view text_, best_;
  std::size_t least_;  ///< changes from here on make another word
};
/// The best of these words, asked for: the remedy of errors about names.
template <class Words>
std::string did_you_mean(std::string_view text, const Words& known,
                         std::string_view otherwise = {}) {
  SimilarName similar(text);
  for (const std::string_view word : known) similar.consider(word);
  return similar.question(otherwise);
}

}  // namespace axode
