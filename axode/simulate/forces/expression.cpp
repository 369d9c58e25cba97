#include "axode/simulate/forces/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"

namespace axode {

namespace {

using Code = Expression::Code;

struct Function {
  std::string_view name;
  Code code;
  int arguments;
};
constexpr std::array<Function, 17> functions{{{"sin", Code::sin, 1},
                                              {"cos", Code::cos, 1},
                                              {"tan", Code::tan, 1},
                                              {"asin", Code::asin, 1},
                                              {"acos", Code::acos, 1},
                                              {"atan", Code::atan, 1},
                                              {"sqrt", Code::sqrt, 1},
                                              {"exp", Code::exp, 1},
                                              {"log", Code::log, 1},
                                              {"abs", Code::abs, 1},
                                              {"sign", Code::sign, 1},
                                              {"step", Code::step, 1},
                                              {"tanh", Code::tanh, 1},
                                              {"atan2", Code::atan2, 2},
                                              {"min", Code::min, 2},
                                              {"max", Code::max, 2},
                                              {"pow", Code::power, 2}}};

/// What is known of a number on the stack: where its program begins, and c0 + c1 t if it is that.
struct Known {
  std::size_t start = 0;
  bool linear = false;
  double c0 = 0, c1 = 0;
  bool constant() const { return linear && c1 == 0; }
};

double at_time(std::span<const Expression::Step> program, double t) {
  Expression part;
  part.program.assign(program.begin(), program.end());
  return value<double>(part, t, {}, {});
}

/// The first time near t at which the program, which jumps there, has its value of afterwards: the
/// zero of the linear form is rounded, and the integrator must find the new value on it.
double first_after(std::span<const Expression::Step> program, double t) {
  const double margin = 1e-6 * std::max(1.0, std::abs(t)), after = at_time(program, t + margin);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 8 && at_time(program, t) != after; ++i) t = std::nextafter(t, infinity);
  for (int i = 0; i < 8 && at_time(program, std::nextafter(t, -infinity)) == after; ++i)
    t = std::nextafter(t, -infinity);
  return t;
}

class Compiler {
 public:
  Compiler(const Tree& tree, std::string_view text, const std::string& where)
      : tree_(tree), text_(text), where_(where) {}

  Expression run() {
    if (text_.size() > max_expression_length)
      throw LimitError(fmt::format("the expression has {} characters", text_.size()), where_,
                       fmt::format("use at most {}", max_expression_length));
    result_.text = text_;
    choice();
    if (next() != '\0') fail("this is not part of the expression", "write an operator before it");
    auto& times = result_.switch_times;
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    fail_at(at_, problem, remedy);
  }
  [[noreturn]] void fail_at(std::size_t at, const std::string& problem,
                            const std::string& remedy) const {
    throw Error(problem, fmt::format("{}, column {}", where_, at + 1), remedy);
  }

  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view symbol) {
    next();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol))
      fail(fmt::format("'{}' is missing", symbol), "add it, or remove what is open");
  }
  /// Counts nesting while it lives, so that no text overflows the stack.
  struct Nesting {
    explicit Nesting(Compiler& c) : compiler(c) {
      if (++compiler.depth_ > 4 * max_expression_depth)
        throw LimitError("the expression is nested too deeply", compiler.where_, "simplify it");
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --compiler.depth_; }
    Compiler& compiler;
  };

  void push(const Expression::Step& step, const Known& known) {
    if (stack_.size() >= static_cast<std::size_t>(max_expression_depth))
      throw LimitError("the expression keeps too many numbers waiting", where_,
                       "write the long part first, or simplify it");
    stack_.push_back(known);
    stack_.back().start = result_.program.size();
    result_.program.push_back(step);
  }
  void number(double x) { push({Code::number, 0, x}, {0, true, x, 0}); }

  /// What c0 + c1 t becomes.
  static Known combine(Code code, const Known& a, const Known& b) {
    if (!a.linear || !b.linear) return {};
    if (code == Code::add) return {0, true, a.c0 + b.c0, a.c1 + b.c1};
    if (code == Code::subtract) return {0, true, a.c0 - b.c0, a.c1 - b.c1};
    if (code == Code::multiply && a.constant()) return {0, true, a.c0 * b.c0, a.c0 * b.c1};
    if (code == Code::multiply && b.constant()) return {0, true, a.c0 * b.c0, a.c1 * b.c0};
    if (code == Code::divide && b.constant() && b.c0 != 0)
      return {0, true, a.c0 / b.c0, a.c1 / b.c0};
    return {};
  }
  static bool jumps(Code code) {
    return code == Code::step || code == Code::sign ||
           (code >= Code::less && code <= Code::greater_equal);
  }
  static bool bends(Code code) {
    return code == Code::abs || code == Code::min || code == Code::max;
  }

  /// Appends an operation on the last numbers; one of constants is done at once.
  void operate(Code code, std::size_t arguments) {
    const Known a = stack_[stack_.size() - arguments];
    const Known b = arguments > 1 ? stack_[stack_.size() - arguments + 1] : Known{0, true, 0, 0};
    bool constant = true;
    for (std::size_t i = stack_.size() - arguments; i < stack_.size(); ++i)
      constant = constant && stack_[i].constant();
    result_.program.push_back({code, 0, 0});
    stack_.resize(stack_.size() - arguments + 1);
    const auto part = std::span(result_.program).subspan(a.start);
    if (constant) {
      const double x = at_time(part, 0);
      result_.program.resize(a.start);
      stack_.pop_back();
      number(x);
      return;
    }
    Known known =
        code == Code::negate ? combine(Code::subtract, {0, true, 0, 0}, a) : combine(code, a, b);
    known.start = a.start;
    stack_.back() = known;
    const Known gap = combine(Code::subtract, a, b);
    if ((jumps(code) || bends(code)) && gap.linear && gap.c1 != 0) {
      const double t = -gap.c0 / gap.c1;
      if (std::isfinite(t)) result_.switch_times.push_back(jumps(code) ? first_after(part, t) : t);
    }
  }

  void choice() {
    const Nesting nesting(*this);
    comparison();
    if (!take("?")) return;
    choice();
    expect(":");
    choice();
    operate(Code::choose, 3);
  }
  void comparison() {
    sum();
    constexpr std::array<std::pair<std::string_view, Code>, 6> signs{{{"<=", Code::less_equal},
                                                                      {">=", Code::greater_equal},
                                                                      {"==", Code::equal},
                                                                      {"!=", Code::not_equal},
                                                                      {"<", Code::less},
                                                                      {">", Code::greater}}};
    for (const auto& [sign, code] : signs)
      if (take(sign)) {
        sum();
        return operate(code, 2);
      }
  }
  void sum() {
    product();
    while (true) {
      const Code code = take("+") ? Code::add : take("-") ? Code::subtract : Code::number;
      if (code == Code::number) return;
      product();
      operate(code, 2);
    }
  }
  void product() {
    factor();
    while (true) {
      const Code code = take("*") ? Code::multiply : take("/") ? Code::divide : Code::number;
      if (code == Code::number) return;
      factor();
      operate(code, 2);
    }
  }
  void factor() {
    const Nesting nesting(*this);
    if (take("-")) {
      factor();
      return operate(Code::negate, 1);
    }
    if (take("+")) return factor();
    primary();
    if (!take("^")) return;
    factor();
    operate(Code::power, 2);
  }

  void primary() {
    const char c = next();
    if (take("(")) {
      choice();
      return expect(")");
    }
    if ((c >= '0' && c <= '9') || c == '.') return literal();
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return name();
    fail(c == '\0' ? "the expression ends where a value is needed" : "a value is needed here",
         "write a number, t, q[joint], v[joint], a function or '('");
  }
  void literal() {
    double x = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), x);
    if (error != std::errc{} || !std::isfinite(x))
      fail("this is not a finite number", "write one such as 0.5 or 2e-3");
    at_ += end - first;
    number(x);
  }
  void name() {
    const std::size_t first = at_;
    const auto part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && part(text_[at_])) ++at_;
    const std::string_view word = text_.substr(first, at_ - first);
    if (word == "t") return push({Code::time, 0, 0}, {0, true, 0, 1});
    if (word == "pi") return number(pi<double>);
    if (word == "g") return number(9.81);
    if (word == "q" || word == "v") return variable(word == "q");
    for (const Function& f : functions)
      if (f.name == word) return call(f);
    fail_at(first, fmt::format("'{}' is neither a variable nor a function", word),
            "known are t, q[joint], v[joint], pi, g and functions such as sin");
  }
  void call(const Function& function) {
    expect("(");
    choice();
    for (int i = 1; i < function.arguments; ++i) {
      expect(",");
      choice();
    }
    expect(")");
    operate(function.code, function.arguments);
  }
  void variable(bool position);

  const Tree& tree_;
  std::string_view text_;
  const std::string& where_;
  Expression result_;
  std::vector<Known> stack_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void Compiler::variable(bool position) {
  expect("[");
  const std::size_t first = at_, end = text_.find(']', first);
  if (end == std::string_view::npos) fail("']' is missing", "close the name of the joint");
  try {
    const detail::JointComponent c =
        detail::joint_component(tree_, text_.substr(first, end - first), position);
    const Link& link = tree_.links[c.body];
    at_ = end + 1;
    push({position ? Code::position : Code::velocity, (position ? link.q : link.v) + c.k, 0}, {});
  } catch (const LimitError&) {
    throw;
  } catch (const Error& e) {
    fail_at(first, e.problem(), e.remedy());
  }
}

}  // namespace

Expression compile_expression(const Tree& tree, std::string_view text, const std::string& where) {
  return Compiler(tree, text, where).run();
}

}  // namespace axode
