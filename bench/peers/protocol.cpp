#include "bench/peers/protocol.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace peers {
namespace {

constexpr int checked_states = 3;
constexpr double sample_seconds = 2e-3;

std::string number(double x) {
  if (!std::isfinite(x)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out += '"';
}

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ',';
    out += text(item);
  }
  return out;
}

std::string list(const std::vector<double>& numbers) { return "[" + joined(numbers, number) + "]"; }

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

std::vector<double> thinned(const std::vector<double>& numbers, std::size_t most) {
  if (numbers.size() <= most) return numbers;
  std::vector<double> out(64, 0.0);
  std::uint64_t bits = 0x9e3779b97f4a7c15U;  // xorshift: 64 signs for each number
  for (const double x : numbers) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    for (std::size_t j = 0; j < 64; ++j) out[j] += (bits >> j) & 1U ? x : -x;
  }
  for (std::size_t i = 0; i < most; ++i) out.push_back(numbers[i * numbers.size() / most]);
  return out;
}

Program::Program(int argc, char** argv, std::string library, std::string version,
                 std::string compiler, std::string flags)
    : library_(std::move(library)),
      version_(std::move(version)),
      compiler_(std::move(compiler)),
      flags_(std::move(flags)) {
  try {
    options_ = read_options(argc, argv);
    model_ = read_model(options_.model);
    const auto dot = options_.model.find_last_of('.');
    states_ = read_states(options_.model.substr(0, dot) + ".states", model_);
  } catch (const std::exception& problem) {
    std::cerr << library_ << ": " << problem.what() << '\n';
    std::exit(2);
  }
}

Program::Options Program::read_options(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw std::runtime_error(word + " needs a value");
      return argv[i];
    };
    if (word == "--list")
      o.list = true;
    else if (word == "--no-time")
      o.time = false;
    else if (word == "--no-results")
      o.results = false;
    else if (word == "--samples")
      o.samples = std::stoi(value());
    else if (word == "--budget")
      o.budget = std::stod(value());
    else if (word == "--count")
      o.count = value();
    else if (word == "--function") {
      std::istringstream names(value());
      for (std::string name; std::getline(names, name, ',');) o.functions.push_back(name);
    } else if (word.rfind("--", 0) == 0 || !o.model.empty()) {
      throw std::runtime_error("unknown argument " + word);
    } else {
      o.model = word;
    }
  }
  if (o.model.empty())
    throw std::runtime_error("which model? Usage: " + library_ + " MODEL.model [--list] ...");
  return o;
}

bool Program::selected(const std::string& name) const {
  if (options_.functions.empty()) return true;
  return std::any_of(
      options_.functions.begin(), options_.functions.end(),
      [&](const std::string& f) { return name == f || name.rfind(f + "_", 0) == 0; });
}

std::string Program::results_of(const Function& f) {
  std::vector<std::vector<double>> results;
  for (int k = 0; k < std::min(checked_states, states_.count()); ++k) {
    std::vector<double> out;
    f.loop(k, 1);
    f.result(k, out);
    results.push_back(thinned(out));
  }
  return "[" + joined(results, list) + "]";
}

std::string Program::samples_of(const Function& f) {
  long calls = 1;
  int first = 0;
  const auto sample = [&] {
    const double start = seconds();
    f.loop(first, calls);
    const double spent = seconds() - start;
    first = static_cast<int>((first + calls) % states_.count());
    return spent;
  };
  const double begin = seconds();
  for (double spent = sample(); spent < sample_seconds / 2 && calls < 1L << 40; spent = sample())
    calls = spent * 8 < sample_seconds
                ? calls * 4
                : std::max(calls + 1,
                           static_cast<long>(static_cast<double>(calls) * sample_seconds / spent));
  std::vector<double> ns;
  while (static_cast<int>(ns.size()) < options_.samples &&
         (ns.size() < 3 || seconds() - begin < options_.budget))
    ns.push_back(sample() * 1e9 / static_cast<double>(calls) / f.states_per_call);
  return list(ns);
}

int Program::count_instructions() {
  for (const Function& f : functions_) {
    if (f.name != options_.count) continue;
    // A batch has all states, some of them several times.
    const long calls = f.states_per_call > 1 ? 1 : model_.nv > 200 ? 2 : states_.count();
    f.loop(0, calls);
#if defined(CALLGRIND_START_INSTRUMENTATION)
    CALLGRIND_START_INSTRUMENTATION;
    f.loop(0, calls);
    CALLGRIND_STOP_INSTRUMENTATION;
#else
    std::cerr << library_ << ": built without valgrind/callgrind.h\n";
    return 2;
#endif
    std::cout << "{\"library\":" << quoted(library_) << ",\"model\":" << quoted(model_.name)
              << ",\"count\":" << quoted(f.name) << ",\"calls\":" << calls * f.states_per_call
              << "}\n";
    return 0;
  }
  std::cerr << library_ << ": no function " << options_.count << " to count\n";
  return 2;
}

int Program::run() {
  if (options_.list) {
    for (const Function& f : functions_) std::cout << f.name << '\n';
    return 0;
  }
  if (!options_.count.empty()) return count_instructions();
  std::vector<std::string> parts;
  for (const Function& f : functions_) {
    if (!selected(f.name)) continue;
    std::string part = quoted(f.name) + ":{\"note\":" + quoted(f.note);
    if (options_.results) part += ",\"results\":" + results_of(f);
    if (options_.time) part += ",\"ns\":" + samples_of(f);
    parts.push_back(part + "}");
  }
  const auto reason = [](const auto& entry) {
    return quoted(entry.first) + ":" + quoted(entry.second);
  };
  std::cout << "{\"library\":" << quoted(library_) << ",\"version\":" << quoted(version_)
            << ",\"compiler\":" << quoted(compiler_) << ",\"flags\":" << quoted(flags_)
            << ",\"model\":" << quoted(model_.name) << ",\"nv\":" << model_.nv
            << ",\"bodies\":" << model_.size()
            << (bytes_ ? ",\"bytes\":" + std::to_string(bytes_) : "") << ",\"functions\":{"
            << joined(parts, [](const std::string& s) { return s; }) << "},\"unsupported\":{"
            << joined(unsupported_, reason) << "}}" << std::endl;
  return 0;
}

}  // namespace peers
