/// Python functions called from C++.
#include "src/shared/callbacks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"

namespace axode::python {
namespace {

thread_local RunErrors* errors_of_run = nullptr;

std::string at_time(const std::string& name, double t) {
  char text[40];
  std::snprintf(text, sizeof text, " at t = %.9g s", t);
  return name + text;
}

std::string shape_text(std::span<const std::size_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

double finite_number(nb::handle value, const std::string& name, double t) {
  const double x = PyFloat_AsDouble(value.ptr());
  if (x == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())));
    throw Error("returned " + std::string(nb::type_name(type).c_str()) + " instead of a number",
                at_time(name, t));
  }
  if (!std::isfinite(x)) throw Error("returned a number that is not finite", at_time(name, t));
  return x;
}

void finite_numbers(nb::handle value, const std::string& name, double t,
                    std::span<const std::size_t> shape, std::span<double> result) {
  if (value.is_none())
    throw Error("returned None", at_time(name, t), "return an array " + shape_text(shape));
  char argument[80];  // made for every call: without memory of its own
  std::snprintf(argument, sizeof argument, "%.40s at t = %.9g s", name.c_str(), t);
  const Numbers numbers(value, argument);
  // One number stands for an array of one.
  if (!std::ranges::equal(numbers.shape(), shape) &&
      !(numbers.all().size() == 1 && result.size() == 1))
    throw Error("returned an array of shape " + shape_text(numbers.shape()) + " where " +
                    shape_text(shape) + " is wanted",
                at_time(name, t));
  if (!axode::all_finite(numbers.all()))
    throw Error("returned a number that is not finite", at_time(name, t));
  std::ranges::copy(numbers.all(), result.begin());
}

}  // namespace

struct PyFunction::Held {
  Held(nb::handle f, std::string what) : function(nb::borrow(f)), name(std::move(what)) {
    all.insert(this);
  }
  ~Held() {
    if (!nb::is_alive()) {
      function.release();  // the interpreter has gone
      return;
    }
    const GilAcquire gil;
    all.erase(this);
    function.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  static inline std::set<Held*> all{};  ///< with the GIL only
  nb::object function;
  std::string name;
};

const std::string& PyFunction::name() const noexcept { return held_->name; }
nb::handle PyFunction::borrowed() const noexcept { return held_->function; }
nb::object PyFunction::object() const {
  return held_->function.is_valid() ? held_->function : nb::none();
}

void PyFunction::let_go() {
  RunErrors::stop_all();
  interpreter_ends();
  std::vector<nb::object> gone;  // what ends with them may change the set
  for (Held* held : Held::all) gone.push_back(std::move(held->function));
}

template <class... Arguments>
nb::object PyFunction::call(const Arguments&... arguments) const {
  const nb::object function = held_->function;  // one that the call itself might let go
  if (!function.is_valid()) throw Error("the program is ending", name());
  return function(arguments...);
}

PyFunction::PyFunction(nb::handle function, std::string name) {
  if (PyCallable_Check(function.ptr()) == 0)
    throw nb::type_error((name + ": not a function").c_str());
  held_ = std::make_shared<Held>(function, std::move(name));
}

double PyFunction::number(double t, std::span<const double> q, std::span<const double> v) const {
  const GilAcquire gil;
  const nb::object value = call(t, read_only_array(q), read_only_array(v));
  return finite_number(value, name(), t);
}
double PyFunction::number(double t, std::span<const double> x) const {
  const GilAcquire gil;
  const nb::object value = call(t, read_only_array(x));
  return finite_number(value, name(), t);
}
void PyFunction::numbers(double t, std::span<const double> q, std::span<const double> v,
                         std::span<const std::size_t> shape, std::span<double> result) const {
  const GilAcquire gil;
  const nb::object value = call(t, read_only_array(q), read_only_array(v));
  finite_numbers(value, name(), t, shape, result);
}
void PyFunction::numbers(double t, std::span<const double> x, std::span<const std::size_t> shape,
                         std::span<double> result) const {
  const GilAcquire gil;
  const nb::object value = call(t, read_only_array(x));
  finite_numbers(value, name(), t, shape, result);
}

void PyFunction::numbers(double t, std::span<const std::size_t> shape,
                         std::span<double> result) const {
  const GilAcquire gil;
  const nb::object value = call(t);
  finite_numbers(value, name(), t, shape, result);
}

nb::object read_only_array(std::span<const double> numbers) {
  if (numbers.empty()) return array(numbers);
  // An array on bytes cannot be written; to set its flag takes four times as long.
  static const nb::handle from_buffer =
      nb::object(nb::module_::import_("numpy").attr("frombuffer")).release();
  const nb::bytes memory(numbers.data(), numbers.size_bytes());
  return from_buffer(memory);
}

RunErrors::RunErrors() : before_(errors_of_run) {
  errors_of_run = this;
  all_.insert(this);
}
RunErrors::~RunErrors() {
  errors_of_run = before_;
  all_.erase(this);
}
void RunErrors::stop_all() noexcept {
  for (RunErrors* errors : all_) errors->stop_.store(true);
}
RunErrors* RunErrors::current() noexcept { return errors_of_run; }

OutsideRun::OutsideRun() noexcept : run_(errors_of_run) { errors_of_run = nullptr; }
OutsideRun::~OutsideRun() { errors_of_run = run_; }

void RunErrors::check_signals() noexcept {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < std::chrono::milliseconds(50)) return;
  looked_ = now;
  guard([] {
    const GilAcquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

void check_interval(double interval, double start, double end, const char* argument) {
  const double least =
      4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(start), std::abs(end));
  if (interval > 0 && std::isfinite(least) && interval < least)  // others are told by the library
    throw Error("is lost in the rounding of times as large as these", argument,
                "give a longer interval, or count the time from another start");
}

long steps_argument(nb::handle value) {
  long steps = 0;
  if (!nb::try_cast(value, steps)) throw nb::type_error("max_steps: not a whole number");
  if (steps < 0) throw Error("is negative", "max_steps", "give a number, or 0 for the default");
  return steps;
}

double PySignal::operator()(double t, std::span<const double> q, std::span<const double> v) const {
  RunErrors* errors = RunErrors::current();
  if (errors == nullptr) return function.number(t, q, v);
  double result = std::numeric_limits<double>::quiet_NaN();
  errors->guard([&] { result = function.number(t, q, v); });
  return result;
}

}  // namespace axode::python
