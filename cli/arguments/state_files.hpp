/// Shared by the readers of states: the bytes of a file, and what reads states from them.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/arguments/states.hpp"

namespace axode::cli {

inline constexpr int at_end = -1;

/// Bytes of a file, or of standard input for "-", with the line they are on. Ends early when
/// interrupted. Throws IoError. `before_waiting` is called before each read that may wait, as those of
/// regular files do not.
class Bytes {
 public:
  Bytes(const std::string& file, std::function<void()> before_waiting);
  ~Bytes();
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  int peek() {
    if (next_ == end_) fill();
    return next_ == end_ ? at_end : static_cast<unsigned char>(buffer_[next_]);
  }
  int take() {
    const int byte = peek();
    if (byte == at_end) return byte;
    ++next_;
    if (byte == '\n') ++line;
    return byte;
  }
  /// The next n bytes, fewer at the end and where n is beyond the buffer; none are taken.
  std::string_view ahead(std::size_t n);
  /// Those that are in memory, at least one unless there are no more; none are taken.
  std::string_view at_hand() {
    peek();
    return {buffer_.data() + next_, end_ - next_};
  }
  /// Adds the next n of them to the text of one state. Throws LimitError if that grows beyond all
  /// measure.
  void take(std::size_t n, std::string& text);
  /// The rest of the line without its end, which is taken as well; false at the end of the file.
  bool take_line(std::string& text);
  /// "file:line".
  std::string place() const;

  std::string name;
  int line = 1;

 private:
  void fill();
  void read_more();
  void take_within_line(std::size_t n, std::string& text);
  [[noreturn]] void fail(const char* what) const;
  std::function<void()> before_waiting_;
  int file_;
  bool may_wait_ = true;
  std::size_t next_ = 0, end_ = 0;
  std::array<char, 1 << 16> buffer_;
};

/// States in one format.
class StateFormat {
 public:
  virtual ~StateFormat() = default;
  /// False at the end.
  virtual bool next(Bytes& bytes, GivenState& state) = 0;
  /// A state as the header says they are, neutral.
  virtual GivenState blank() const = 0;
};
/// A state of nothing but numbers in order, {"q": [0.1, 2e-3], "time": 1} or [0.1, 2e-3], as most are,
/// at ten times the speed. False if it is anything else or something is wrong; `state` is then any.
bool plain_json_state(const StateSpace& space, std::string_view from, GivenState& state);
std::unique_ptr<StateFormat> json_states(const StateSpace& space);
std::unique_ptr<StateFormat> csv_states(const StateSpace& space);

}  // namespace axode::cli
