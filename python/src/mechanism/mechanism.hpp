/// Mechanisms in Python: the objects, functions of time that Python gives, and safe use of systems.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/callbacks.hpp"
#include "src/shared/results.hpp"

namespace axode::python::mechanisms {

// functions.cpp

/// A number of Python or NumPy; arrays, which may stand for one, are none.
bool is_number(nb::handle value) noexcept;

/// axode.mechanism.TimeFunction.
struct PyTimeFunction {
  TimeFunction function;
  std::string text;  ///< JSON; empty: a function of the program
};
/// A number, an expression, {"polynomial": ...}, {"times": ..., "values": ...}, a TimeFunction or
/// a function of t that returns value, rate and acceleration. `what` names it in errors.
PyTimeFunction time_function(nb::handle value, const std::string& what);
/// The same of forces, where functions return a number; none for None.
struct ForceFunction {
  std::function<double(double)> function;
  std::string text;
};
ForceFunction force_function(nb::handle value, const std::string& what);
/// A function of t that returns torque and force, in world axes; none for None.
std::function<Vec6<double>(double)> load_function(nb::handle value, const std::string& what);
void bind_time_functions(nb::module_& m);

/// axode.Mechanism.
struct PyMechanism {
  Mechanism mechanism;
};

/// axode.mechanism.MechanismSystem. Evaluation changes it: one thread at a time.
class PySystem {
 public:
  PySystem(const Mechanism& mechanism, const FormulationOptions& how, std::string name);
  const MechanismEquations& equations() const noexcept { return system_.equations(); }
  const Mechanism& mechanism() const noexcept { return system_.mechanism(); }
  int nq() const noexcept { return system_.equations().numbers(); }
  int nv() const noexcept { return system_.equations().velocities(); }
  int rows() const noexcept { return system_.equations().rows(); }
  const std::string& name() const noexcept { return name_; }

  /// f(system) without the GIL, alone; no Python inside f. Throws what Python functions threw, and
  /// Error if such a function uses the system that calls it.
  template <class F>
  auto use(F&& f) {
    RunErrors errors;
    return use(std::forward<F>(f), errors);
  }
  /// The same with errors kept by the caller, who throws them.
  template <class F>
  std::invoke_result_t<F, MechanismSystem&> use(F&& f, RunErrors& errors) {
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<F, MechanismSystem&>>) {
        alone(f);
        errors.rethrow();
      } else {
        auto result = alone(f);
        errors.rethrow();
        return result;
      }
    } catch (const Error&) {
      errors.rethrow();  // the cause comes first
      throw;
    }
  }

 private:
  class Lock {
   public:
    explicit Lock(PySystem& system);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    PySystem& system_;
  };
  template <class F>
  auto alone(F&& f) {
    const GilRelease release;  // before the lock: its holder may need the GIL
    const Lock lock(*this);
    return f(system_);
  }
  MechanismSystem system_;
  std::string name_;
  std::mutex mutex_;
  std::atomic<std::thread::id> user_{};
};

// methods.cpp

/// That of FormulationOptions and of the command.
inline constexpr const char* default_formulation = "natural";

/// A method of systems: the text of its arguments after self, and of its result.
struct MethodText {
  const char* name;
  const char* arguments;
  const char* result;
  const char* doc;
};
using SystemClass = nb::class_<PySystem>;
using MechanismClass = nb::class_<PyMechanism>;
/// "def name(self, arguments) -> result", kept for good.
const char* signature(const MethodText& text, const char* more = "");
/// Gives mechanisms the method too, with the coordinates as last argument.
void forward_from_mechanism(MechanismClass& mechanisms, const MethodText& text);

/// Both classes, and a method for the one or for both.
struct MechanismClasses {
  SystemClass systems;
  MechanismClass mechanisms;

  template <class F, class... Arguments>
  void system_only(const MethodText& text, F&& f, const Arguments&... arguments) {
    systems.def(text.name, std::forward<F>(f), arguments..., nb::sig(signature(text)), text.doc);
  }
  template <class F, class... Arguments>
  void both(const MethodText& text, F&& f, const Arguments&... arguments) {
    system_only(text, std::forward<F>(f), arguments...);
    forward_from_mechanism(mechanisms, text);
  }
};

// What a state's numbers are, in errors.
inline constexpr const char* coordinates_text = "the system's coordinates";
inline constexpr const char* velocities_text = "the system's velocities";

/// Numbers of an argument; throw Error on wrong sizes and on what is not finite.
std::vector<double> state(nb::handle value, const char* argument, int n, const char* what);
double time(double t);
/// By name or number. Throw Error naming what exists.
int coordinate_argument(const Mechanism& mechanism, nb::handle value, const char* argument);
int driver_argument(const Mechanism& mechanism, nb::handle value, const char* argument);
int body_argument(const Mechanism& mechanism, nb::handle value, const char* argument);
/// Poses (bodies, 4, 4) or by SE3.
std::vector<SE3<double>> poses_argument(const Mechanism& mechanism, nb::handle value,
                                        const char* argument);
nb::object poses_array(std::span<const SE3<double>> poses);
nb::object sixes_array(std::span<const Vec6<double>> sixes);
nb::list int_list(std::span<const int> numbers);

// assemble.cpp

/// What the user should know of it: the warning, or why it is not assembled and what to do.
std::string message_of(const Assembly& found);
/// The assembled q at t, or the one given. Throws Error if there is none.
std::vector<double> configuration(PySystem& system, double t, nb::handle q);

void bind_mechanism_class(nb::module_& m, MechanismClass& c);
void bind_mechanism_parts(MechanismClass& c);
void bind_mechanism_builder(nb::module_& m);
void bind_mechanism_system(MechanismClasses& c);
void bind_mechanism_written(MechanismClasses& c);
void bind_mechanism_evaluation(MechanismClasses& c);
void bind_mechanism_motion(MechanismClasses& c);
void bind_mechanism_assemble(MechanismClasses& c);
void bind_mechanism_solve(MechanismClasses& c);
void bind_mechanism_paths(MechanismClasses& c);
void bind_mechanism_forces(nb::module_& m, MechanismClasses& c);
// linearize.cpp
void bind_mechanism_linearize(MechanismClasses& c);
void bind_mechanism_dynamics(nb::module_& m);
void bind_mechanism_simulate(nb::module_& m, MechanismClasses& c);

}  // namespace axode::python::mechanisms
