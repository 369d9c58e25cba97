/// What the bindings of axode/lie and axode/screw share: arguments, stacks of items, and what makes a
/// class of plain numbers a good Python value.
#pragma once
#include <nanobind/stl/array.h>

#include <array>
#include <bit>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "axode/lie/quaternion.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {

void bind_groups(nb::module_& m);
void bind_exponentials(nb::module_& m);
void bind_adjoints(nb::module_& m);
void bind_rotations(nb::module_& m);
void bind_dual(nb::module_& m);
void bind_dual_groups(nb::module_& m);

/// Matrices of an argument. Throw Error on another shape and on numbers that are not finite.
Mat3<double> mat3(nb::handle value, const char* argument);
Mat6<double> mat6(nb::handle value, const char* argument);
std::array<std::array<double, 4>, 4> mat4(nb::handle value, const char* argument);
/// Symmetric within rounding, (3, 3); or its diagonal, (3,).
Sym3<double> sym3(nb::handle value, const char* argument);
/// An SO3, a Quaternion or a 3x3 array, mended where digits are missing. Throws Error.
SO3<double> rotation(nb::handle value, const char* argument);
/// A Quaternion or an array (w, x, y, z) of any length but zero. Throws Error.
Quaternion<double> quaternion_of(nb::handle value, const char* argument);
/// A finite number, or a type of nothing but finite numbers. Throws Error.
double finite(double value, const char* argument);
template <class T>
T all_finite(const T& value, const char* argument) {
  using All = std::array<double, sizeof(T) / sizeof(double)>;
  for (const double x : std::bit_cast<All>(value)) finite(x, argument);
  return value;
}

nb::object matrix(const Mat6<double>& m);
inline nb::object matrix(const Sym3<double>& m) { return matrix(m.matrix()); }
template <std::size_t rows, std::size_t columns>
nb::object matrix(const std::array<std::array<double, columns>, rows>& m) {
  return matrix(std::span<const double>(m[0].data(), rows * columns), rows, columns);
}
nb::object array(const Quaternion<double>& q);

void write(const Mat3<double>& m, double* row_by_row) noexcept;
void write(const Mat6<double>& m, double* row_by_row) noexcept;
Vec3<double> read_three(const double* numbers) noexcept;
/// Three rows that lie `stride` numbers apart.
Mat3<double> read_mat3(const double* numbers, std::size_t stride) noexcept;
/// The pose of a 4x4 matrix row by row, and the rotation of a matrix; mended or refused like those of
/// models. Throw Error.
SE3<double> checked_pose(const double* row_by_row, const char* argument);
SO3<double> checked_rotation(const Mat3<double>& m, const char* argument);

/// Numbers in the shortest form that reads back exactly: "1, 0.5".
std::string text(std::span<const double> numbers);
std::string text(double number);
std::string text(const Vec3<double>& v);  ///< "[1, 0, 0]"
std::string text(const Vec6<double>& v);
std::string text(const Mat3<double>& m);

/// Items of one shape along any number of leading axes: shape (..., item).
class Stack {
 public:
  /// Throws Error on another shape and on numbers that are not finite.
  Stack(Numbers numbers, const char* argument, std::initializer_list<std::size_t> item);
  Stack(nb::handle value, const char* argument, std::initializer_list<std::size_t> item)
      : Stack(Numbers(value, argument), argument, item) {}
  std::size_t count() const noexcept { return count_; }
  bool single() const noexcept { return leading_.empty(); }
  const double* operator[](std::size_t i) const noexcept {
    return numbers_.all().data() + i * each_;
  }
  /// An array of shape (..., item) with the same leading axes.
  Output output(std::initializer_list<std::size_t> item) const;

 private:
  Numbers numbers_;
  std::vector<std::size_t> leading_;
  std::size_t count_ = 1, each_ = 1;
};

/// One result of shape `item` for each of the stack: f(numbers, result). Throws Error where the result
/// is not finite; `argument` names the input.
template <class F>
nb::object each_of(const Stack& stack, std::initializer_list<std::size_t> item,
                   const char* argument, F&& f) {
  const Output result = stack.output(item);
  const std::size_t size = stack.count() == 0 ? 0 : result.size / stack.count();
  for (std::size_t i = 0; i < stack.count(); ++i) f(stack[i], result.data + i * size);
  for (const double x : result.all()) finite(x, argument);
  return result.array;
}

/// NumPy takes the object as the array `to_array` makes; products of arrays with it are left to it.
template <class T, class F>
void converts_to_array(nb::class_<T>& type, F to_array) {
  type.def(
      "__array__",
      [to_array](const T& self, nb::object dtype, nb::object copy) {
        if (copy.is(nb::handle(Py_False)))
          throw nb::value_error("the array is made anew: it cannot be had without a copy");
        nb::object made = to_array(self);
        return dtype.is_none() ? made : nb::object(made.attr("astype")(dtype));
      },
      nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
      nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
              "axode.typing.Array"));
  type.attr("__array_ufunc__") = nb::none();
}

/// Compared by value, therefore without hash.
template <class T>
void compares(nb::class_<T>& type) {
  type.def(
      "__eq__", [](const T& a, const T& b) { return a == b; }, nb::is_operator(),
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  type.attr("__hash__") = nb::none();
}

/// Pickles and copies a type that is nothing but float64 numbers.
template <class T>
void pickles(nb::class_<T>& type) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
  using State = std::array<double, sizeof(T) / sizeof(double)>;
  type.def(
          "__getstate__", [](const T& self) { return std::bit_cast<State>(self); },
          nb::sig("def __getstate__(self) -> list[float]"))
      .def(
          "__setstate__",
          [](T& self, const State& state) { new (&self) T(std::bit_cast<T>(state)); },
          nb::sig("def __setstate__(self, state: list[float], /) -> None"));
}

}  // namespace axode::python
