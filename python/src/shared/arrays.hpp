/// Arrays of float64 from and to Python.
///
/// Input borrows the memory of a C-ordered float64 array; lists, integers and other layouts of float64
/// are copied; other types are refused, so that no precision is lost unseen. Output is a new NumPy
/// array. An argument of shape (n,) is one state, of shape (batch, n) many.
#pragma once
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <complex>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/lie/vec6.hpp"
#include "axode/screw/twist.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

/// A float64 argument as C-ordered memory, with any shape. Holds what it borrows; needs the GIL.
class Numbers {
 public:
  Numbers() = default;
  /// Throws nb::type_error on a type that is not real numbers, naming the argument.
  Numbers(nb::handle value, const char* argument);
  Numbers(Numbers&& other) noexcept;
  Numbers& operator=(Numbers&&) = delete;
  ~Numbers();
  std::span<const double> all() const noexcept { return {data_, size_}; }
  std::span<const std::size_t> shape() const noexcept { return {shape_, dimensions_}; }

 private:
  void view_buffer(nb::handle value, const char* argument);
  const double* data_ = nullptr;
  std::size_t size_ = 0, dimensions_ = 0;
  std::size_t shape_[8];
  Py_buffer view_;
  bool viewed_ = false;
  PyObject* held_ = nullptr;
};

/// An argument of shape (n,) or (batch, n); `what` says in errors what the n numbers are. In a batch an
/// argument of one state stands for all.
class States {
 public:
  /// Throws Error naming the argument, its shape and the one wanted.
  States(nb::handle value, const char* argument, int n, const char* what);
  bool batched() const noexcept { return batched_; }
  std::size_t count() const noexcept { return count_; }
  std::span<const double> all() const noexcept { return numbers_.all(); }
  std::span<const double> operator[](std::size_t i) const noexcept {
    return numbers_.all().subspan(batched_ ? i * n_ : 0, n_);
  }
  /// All numbers of `count` states, one after the other; copied where this is one state for all.
  std::span<const double> repeated(std::size_t count);

 private:
  Numbers numbers_;
  std::size_t n_, count_ = 1;
  bool batched_ = false;
  const char* argument_;
  std::vector<double> repeated_;
  friend struct Batching;
};

/// Whether any argument is a batch, and of how many states. Throws Error if they differ.
struct Batching {
  explicit Batching(std::span<const States* const> arguments);
  Batching(std::initializer_list<const States*> arguments)
      : Batching(std::span(arguments.begin(), arguments.size())) {}
  bool batched = false;
  std::size_t count = 1;
};

/// A NumPy array; data is its memory.
struct Output {
  /// Of this shape, with `batching.count` in front of it if that is batched.
  Output(const Batching& batching, std::initializer_list<std::size_t> shape);
  /// The same, or the caller's array `out` unless that is None. Throws Error if it is not a writable
  /// float64 array of that shape in C order, or has memory of one of the inputs.
  Output(const Batching& batching, std::initializer_list<std::size_t> shape, nb::handle out,
         std::initializer_list<std::span<const double>> inputs);
  explicit Output(std::initializer_list<std::size_t> shape);
  explicit Output(std::span<const std::size_t> shape);
  std::span<double> operator[](std::size_t i) const noexcept { return {data + i * each, each}; }
  std::span<double> all() const noexcept { return {data, size}; }
  nb::object array;
  double* data = nullptr;
  std::size_t size = 1, each = 1;  ///< in all, of one state

 private:
  void make(std::span<const std::size_t> shape);
};

/// Arrays of given numbers.
nb::object array(std::span<const double> numbers);
nb::object array(const Vec3<double>& v);
nb::object array(const Vec6<double>& v);
nb::object matrix(std::span<const double> row_by_row, std::size_t rows, std::size_t columns);
nb::object matrix(const Mat3<double>& m);
nb::object complex_array(std::span<const std::complex<double>> numbers);
/// The 4x4 homogeneous matrix, row by row.
void write_homogeneous(const SE3<double>& T, double* row_by_row) noexcept;
nb::object homogeneous(const SE3<double>& T);
/// Six numbers, angular part first.
void write_six(const Vec6<double>& v, double* numbers) noexcept;
Vec6<double> read_six(const double* numbers) noexcept;

/// As Python writes it: "(3,)".
std::string shape_text(std::span<const std::size_t> shape);
/// Throws Error naming the argument if a number is not finite.
void check_finite(std::span<const double> numbers, const char* argument);
/// Finite numbers of an argument that has this shape. Throws Error.
Numbers shaped(nb::handle value, const char* argument, std::initializer_list<std::size_t> shape);
/// Numbers of an argument that has one shape. Throw Error.
Vec3<double> vec3(nb::handle value, const char* argument);
Vec6<double> vec6(nb::handle value, const char* argument);
std::vector<double> vector(nb::handle value, const char* argument);
/// The characters of a str; raises UnicodeEncodeError where UTF-8 has none for them.
std::string_view utf8_of(nb::handle text);
/// An SE3 or a 4x4 array, whose rotation is mended where digits are missing. Throws Error if it is no
/// pose.
SE3<double> pose(nb::handle value, const char* argument);

/// "body", "spatial", "hybrid", "mixed". Throws Error on another.
Rep representation(std::string_view name);
/// The index of the name among those given; Error "argument: 'x' is none of 'a', 'b'".
int choice(std::string_view name, const char* argument,
           std::initializer_list<std::string_view> names);

/// Calls f.template operator()<rep>() for the representation, known at run time.
template <class F>
decltype(auto) with_representation(Rep rep, F&& f) {
  switch (rep) {
    case Rep::body:
      return f.template operator()<Rep::body>();
    case Rep::spatial:
      return f.template operator()<Rep::spatial>();
    case Rep::hybrid:
      return f.template operator()<Rep::hybrid>();
    default:
      return f.template operator()<Rep::mixed>();
  }
}

}  // namespace axode::python
