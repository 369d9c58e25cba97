/// The one exception of the library: misuse and bad input, told as what, where and remedy.
///
/// Numerical outcomes that can happen to a correct user (not converged, rank lost) are fields of
/// results, never exceptions; but a model that has no answer at all at a state is a SingularError of
/// the functions that return nothing else.
/// Tests: tests/core/error_test.cpp
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace axode {

/// Thrown on misuse or bad input. `what()` reads "where: problem; remedy", parts that are empty
/// left out; the parts stay readable one by one.
class Error : public std::runtime_error {
 public:
  /// `problem` says what is wrong, `where` names the function, file:line or joint, `remedy` tells
  /// the user how to mend it.
  explicit Error(const std::string& problem, std::string where = {}, std::string remedy = {})
      : std::runtime_error((where.empty() ? "" : where + ": ") + problem +
                           (remedy.empty() ? "" : "; " + remedy)),
        problem_(problem),
        where_(std::move(where)),
        remedy_(std::move(remedy)) {}

  const std::string& problem() const noexcept { return problem_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& remedy() const noexcept { return remedy_; }

 private:
  std::string problem_, where_, remedy_;
};

/// A file that cannot be read or written.
class IoError : public Error {
 public:
  using Error::Error;
};
/// Input beyond a limit of the library: file size, depth, number of items.
class LimitError : public Error {
 public:
  using Error::Error;
};
/// A model without an answer at this state: a degree of freedom that moves no inertia.
class SingularError : public Error {
 public:
  using Error::Error;
};

}  // namespace axode
