/// States of a tree from the command line and from files: values by position or by joint name.
///
/// Values are numbers in rad or m, angles also as "30deg"; in order (all coordinates, or the
/// independent ones of a tree with couplings) or as joint=value, the rest staying neutral. Files
/// hold JSON objects {"q": .., "v": .., "a": .., "tau": ..} in a list or one after the other, or CSV
/// with a header; they are read as a stream.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "axode/model/state.hpp"
#include "axode/model/tree.hpp"

namespace axode::cli {

/// A coordinate or velocity of a tree.
struct Coordinate {
  std::string label;  ///< "elbow", or "ball[2]" in a joint of several
  int joint = 0;      ///< by body
  bool angle = false;
  bool follows = false;  ///< another, by a coupling
  bool quaternion = false;
  const char* unit() const { return quaternion ? "" : angle ? "rad" : "m"; }
};

/// Coordinates, velocities, accelerations, joint forces.
enum class Order { q, v, a, tau };
inline constexpr int orders = 4;

/// The coordinates of a tree, with the names to find them by.
struct StateSpace {
  explicit StateSpace(const Tree& tree);
  const Tree& tree;
  std::vector<Coordinate> q, v;
  std::unordered_map<std::string, int> q_by_label, v_by_label;
  std::size_t longest_name = 0;  ///< of joints and labels

  const std::vector<Coordinate>& of(Order order) const { return order == Order::q ? q : v; }
};

/// A number as it was written.
struct Number {
  double value = 0;
  bool degrees = false;  ///< it was in degrees; `value` is in rad
};
/// A finite number, "30deg" being an angle. Throws Error.
Number parse_value(std::string_view text, const std::string& where);
/// `n` numbers separated by commas or spaces, angles from that one on. Throws UsageError, also on
/// other numbers in degrees.
std::vector<double> parse_list(std::string_view text, std::size_t n, const std::string& where,
                               std::size_t first_angle);

/// Values of a joint, or of one of its coordinates if `name` is "joint[k]".
struct NamedNumbers {
  std::string name;
  std::vector<Number> numbers;
};

/// All numbers of one order, with which of them somebody gave; the others are neutral, or follow.
struct Values {
  std::vector<double> numbers;
  std::vector<char> given;
};
/// Neutral ones.
Values nothing_given(const StateSpace& space, Order order);
/// All coordinates from numbers in order, or from some by name. Throws Error, naming the joint, on
/// wrong counts, unknown names, violated couplings, degrees where there is no angle, quaternions
/// far from unit length; `where` says whose values they are. No force acts on a joint that follows
/// another, unless it is given.
Values in_order(const StateSpace& space, Order order, std::span<const Number> numbers,
                const std::string& where);
Values by_name(const StateSpace& space, Order order, std::span<const NamedNumbers> values,
               const std::string& where);
/// Gives joints that follow others their values, and checks as above; in_order and by_name end so.
void complete(const StateSpace& space, Order order, Values& values, const std::string& where);
/// Those of an option such as --q, in either way.
Values from_arguments(const StateSpace& space, Order order, std::span<const std::string> arguments,
                      const char* option);
/// "shoulder=0.3 ball=1,0,0,0", as --q takes it; if asked, only joints of which something was given.
std::string assignments(const StateSpace& space, Order order, const Values& values,
                        bool only_given = false);

struct GivenState {
  Values q;
  std::optional<Values> v, a, tau;
  std::optional<double> time;
  /// Sets those of that order.
  void set(Order order, Values values);
  /// Those of that order, if there are any.
  Values* find(Order order);
};

/// Warns of values outside the limits of joints, a few times, and then counts.
class LimitWarnings {
 public:
  explicit LimitWarnings(const StateSpace& space) : space_(space) {}
  /// `which` names the state, may be empty.
  void check(std::span<const double> q, const std::string& which);
  /// Says how many were not told.
  void finish() const;

 private:
  const StateSpace& space_;
  std::size_t found_ = 0;
};

/// One state after the other from a file, or "-" for standard input.
class StateReader {
 public:
  /// `before_waiting` is called whenever more must be read, unless it is there, in a regular file.
  StateReader(const StateSpace& space, const std::string& file,
              std::function<void()> before_waiting);
  ~StateReader();
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;
  /// False at the end, and when interrupted. Throws Error "file:line: ...", IoError, LimitError.
  bool next(GivenState& state);
  /// A state with all that the states have according to the header, if there is one, neutral.
  GivenState blank() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// From now on an interrupt (SIGINT) is only noted; a second one ends the program.
void note_interrupts();
bool interrupted();

}  // namespace axode::cli
