/// Arithmetic expressions such as "20*sin(2*pi*t) - 3*v[elbow]", compiled to a stack program.
///
///   variables   t [s], q[joint] [rad, m], v[joint] [rad/s, m/s]; joint.k for degree of freedom k of several
///   constants   pi, g = 9.81 (the default gravity [m/s^2]), numbers
///   operators   + - * / ^ (to the right, above unary minus), < <= > >= == !=, c ? a : b
///   functions   sin cos tan asin acos atan sqrt exp log abs sign step tanh; atan2 min max pow
///
/// step(x) is 1 for x >= 0, else 0; comparisons give 1 or 0. Values and, with dual numbers, exact
/// derivatives; a branch has the derivative of the side taken. O(length), without allocation.
/// Tests: tests/simulate/forces/expression_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/lie/dual.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// Longest text, deepest nesting and most numbers on the stack of an expression.
inline constexpr std::size_t max_expression_length = 4096;
inline constexpr int max_expression_depth = 64;

/// A compiled expression; make it by compile_expression.
struct Expression {
  /// Stack code: a number, a variable, or an operation on the numbers on top.
  enum class Code : std::uint8_t {
    number,
    time,
    position,
    velocity,  // push
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sqrt,
    exp,
    log,
    abs,
    sign,
    step,
    tanh,  // of one
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    min,
    max,  // of two
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    choose  // of three
  };
  struct Step {
    Code code = Code::number;
    int index = 0;     ///< of a variable: in q or in v
    double value = 0;  ///< of a number
  };
  std::string text;  ///< as given
  std::vector<Step> program;
  std::vector<double>
      switch_times;  ///< where step, sign and comparisons of c0 + c1 t change, sorted
};

/// Compiles the text for the joints of a tree. Throws Error "where, column n: problem; remedy", and
/// LimitError on a text too long or too deep. q[...] of a joint with quaternion counts the
/// coordinates (w x y z, of a free joint then the position), v[...] the degrees of freedom.
Expression compile_expression(const Tree& tree, std::string_view text,
                              const std::string& where = "expression");

/// The value at a time, with coordinates and velocities; NaN where there is none (sqrt(-1)).
template <class S>
S value(const Expression& expression, double t, std::span<const S> q,
        std::span<const S> v) noexcept;

/// The value with its first two derivatives by time, of an expression of t alone (compiled for an empty
/// tree); where it jumps, those of the side taken.
std::array<double, 3> value_in_time(const Expression& expression, double t) noexcept;

/// The velocity of "joint" or, if the joint has several degrees of freedom, "joint.k" (k from 0). Throws Error.
int dof_index(const Tree& tree, std::string_view name);

namespace detail {
struct JointComponent {
  int body = 0,
      k = 0;  ///< of the joint that carries the body: the coordinate or degree of freedom k
};
/// "joint", or "joint.k" split at its last point. Throws Error.
JointComponent joint_component(const Tree& tree, std::string_view name, bool position);
}  // namespace detail

}  // namespace axode
