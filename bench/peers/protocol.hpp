/// What every program of the comparison of libraries shares: the model and the states it reads, the
/// command line, the measuring, the line of JSON it writes. C++17 and the standard library only, so
/// that each library is built by the compiler and the flags that suit it.
///
///   <library>_<variant> MODEL.model [--list] [--function F[,F...]] [--samples n] [--budget s]
///                                   [--no-time] [--no-results] [--count F]
///
/// MODEL.states is read beside MODEL.model (bench/peers/flat_model.hpp, also about coordinates).
/// --count F is to be run by `valgrind --tool=callgrind --instr-atstart=no`: only the calls of F are
/// counted, and the JSON says how many they are.
/// What the results are is said at `Program::add`. Tests: scripts/bench_peers compares all results.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/peers/flat_model.hpp"

namespace peers {

/// Makes the compiler believe that all memory reached from p is read and written here.
template <class T>
inline void keep(T* p) {
  asm volatile("" : : "g"(p) : "memory");
}

/// The compiler of the file that includes this, and its flags if the build says them.
inline std::string compiler() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}
inline std::string flags() {
#if defined(PEERS_FLAGS)
  return PEERS_FLAGS;
#else
  return "";
#endif
}

/// One library on one model: add the functions, then return run() from main.
class Program {
 public:
  /// Reads the command line, the model and the states; ends the program with status 2 if it cannot.
  Program(int argc, char** argv, std::string library, std::string version,
          std::string compiler = peers::compiler(), std::string flags = peers::flags());

  const Model& model() const { return model_; }
  const States& states() const { return states_; }

  /// A function: call(k) evaluates it at state k and is what is timed; result(k, out) is called
  /// after call(k) and appends to std::vector<double>& out what was found (not timed). A function
  /// that evaluates several states by one call(k) says how many; its result(k, out) is that of
  /// state k. Names and results:
  ///   poses                 12 numbers per body: R row-major, p, body frame to world
  ///   jacobians             poses and Jacobians of all bodies or joints; 6 x nv row-major of the last
  ///                         body, then of body N/2: velocity of the origin, angular, world axes
  ///   inverse_dynamics      tau of q, v, a
  ///   mass_matrix           nv x nv, both triangles
  ///   forward_dynamics      a of q, v, tau; other ways of it: forward_dynamics_<way>
  ///   inverse_mass_matrix   nv x nv, both triangles
  ///   coriolis_matrix       C(q, v) v, without gravity (C itself is not unique)
  ///   inverse_derivatives   nv x nv row-major each: dtau/dq, dtau/dv, dtau/da = M
  ///   forward_derivatives   nv x nv row-major each: da/dq, da/dv, da/dtau = M^-1
  /// Derivatives by q are along the velocity coordinates, with the numbers v and a (tau) held.
  template <class Call, class Result>
  void add(std::string name, Call call, Result result, std::string note = "",
           int states_per_call = 1) {
    const int count = states_.count();
    auto loop = [call, count](int first, long calls) mutable {
      for (int k = first; calls > 0; --calls) {
        call(k);
        asm volatile("" : : : "memory");
        if (++k == count) k = 0;
      }
    };
    functions_.push_back({std::move(name), std::move(note), states_per_call, std::move(loop),
                          [result](int k, std::vector<double>& out) mutable { result(k, out); }});
  }
  /// A function the library does not have, and why.
  void unsupported(const std::string& name, const std::string& reason) {
    unsupported_[name] = reason;
  }

  /// What the model and all work space take in memory, for the JSON.
  void bytes(std::size_t number) { bytes_ = number; }

  /// Measures what the command line asks for and writes the JSON.
  int run();

 private:
  struct Function {
    std::string name, note;
    int states_per_call = 1;
    std::function<void(int first, long calls)> loop;
    std::function<void(int k, std::vector<double>& out)> result;
  };
  struct Options {
    std::string model;
    std::vector<std::string> functions;
    std::string count;
    int samples = 21;
    double budget = 2;  ///< no more samples of a function after so many seconds (3 at least)
    bool list = false, time = true, results = true;
  };
  bool selected(const std::string& name) const;
  std::string results_of(const Function& f);
  std::string samples_of(const Function& f);
  int count_instructions();
  Options read_options(int argc, char** argv);

  std::string library_, version_, compiler_, flags_;
  Options options_;
  Model model_;
  States states_;
  std::vector<Function> functions_;
  std::map<std::string, std::string> unsupported_;
  std::size_t bytes_ = 0;  ///< not said
};

/// A result of more than `most` numbers, thinned to be compared: 64 sums of all numbers with signs
/// that are random but the same in every program, then `most` of the numbers, equally spaced.
std::vector<double> thinned(const std::vector<double>& numbers, std::size_t most = 4096);

}  // namespace peers
