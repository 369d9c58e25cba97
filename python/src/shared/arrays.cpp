/// Arguments as memory of float64 numbers, and results as arrays.
#include "src/shared/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/core/names.hpp"
#include "src/lie/lie.hpp"
#include "src/shared/numpy_layout.hpp"

namespace axode::python {
std::string shape_text(std::span<const std::size_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace {

bool is_aligned(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignof(double) == 0;
}
bool is_float64(const Py_buffer& view) {
  return view.itemsize == sizeof(double) && view.format != nullptr &&
         (std::strcmp(view.format, "d") == 0 || std::strcmp(view.format, "<d") == 0 ||
          std::strcmp(view.format, "=d") == 0);
}

}  // namespace

Numbers::Numbers(nb::handle value, const char* argument) {
  const Py_ssize_t* shape = nullptr;
  if (const NumpyArray* array = plain_array(value.ptr(), NumpyArray::plain);
      array != nullptr && array->dimensions <= 8) {
    held_ = Py_NewRef(value.ptr());
    data_ = reinterpret_cast<const double*>(array->data);
    dimensions_ = array->dimensions;
    shape = array->shape;
  } else {
    view_buffer(value, argument);
    data_ = static_cast<const double*>(view_.buf);
    dimensions_ = view_.ndim;
    shape = view_.shape;
  }
  size_ = 1;
  for (std::size_t i = 0; i < dimensions_; ++i) size_ *= shape_[i] = shape[i];
}

void Numbers::view_buffer(nb::handle value, const char* argument) {
  if (nb::hasattr(value, "mask") && nb::hasattr(value, "filled"))
    throw nb::type_error(
        (std::string(argument) + ": a masked array; give its numbers, such as by .filled(0.0)")
            .c_str());
  if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
    if (is_float64(view_) && is_aligned(view_.buf)) {
      viewed_ = true;
    } else {
      PyBuffer_Release(&view_);
    }
  } else {
    PyErr_Clear();
  }
  if (!viewed_) {
    const nb::object copy = as_plain_array(value, argument);
    if (PyObject_GetBuffer(copy.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
      throw nb::python_error();
    viewed_ = true;
  }
  if (view_.ndim > 8) {
    PyBuffer_Release(&view_);
    throw Error("more than eight dimensions", argument);
  }
}

Numbers::Numbers(Numbers&& other) noexcept
    : data_(other.data_),
      size_(other.size_),
      dimensions_(other.dimensions_),
      viewed_(other.viewed_),
      held_(other.held_) {
  std::copy(std::begin(other.shape_), std::end(other.shape_), shape_);
  if (viewed_) view_ = other.view_;
  other.viewed_ = false;
  other.held_ = nullptr;
}

Numbers::~Numbers() {
  Py_XDECREF(held_);
  if (viewed_) PyBuffer_Release(&view_);
}

States::States(nb::handle value, const char* argument, int n, const char* what)
    : numbers_(value, argument), n_(n), argument_(argument) {
  const auto shape = numbers_.shape();
  batched_ = shape.size() == 2;
  if ((shape.size() != 1 && !batched_) || shape.back() != n_)
    throw Error("has shape " + shape_text(shape) + " where (" + std::to_string(n) +
                    ",) or (batch, " + std::to_string(n) + ") is wanted",
                argument, std::string("give ") + what);
  if (batched_) count_ = shape[0];
}

std::span<const double> States::repeated(std::size_t count) {
  if (batched_) return numbers_.all();
  repeated_.resize(count * n_);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(numbers_.all().data(), n_, repeated_.data() + i * n_);
  return repeated_;
}

Batching::Batching(std::span<const States* const> arguments) {
  const States* first = nullptr;
  for (const States* s : arguments) {
    if (s == nullptr || !s->batched()) continue;
    if (first != nullptr && s->count() != count)
      throw Error("has " + std::to_string(s->count()) + " states, " + first->argument_ + " has " +
                      std::to_string(count),
                  s->argument_, "give as many, or one for all");
    first = s;
    count = s->count();
    batched = true;
  }
}

namespace {
/// Writes the shape with the batch in front of it; returns how many numbers that is.
std::size_t with_batch(const Batching& batching, std::initializer_list<std::size_t> shape,
                       std::size_t* result) {
  std::size_t dimensions = 0;
  if (batching.batched) result[dimensions++] = batching.count;
  for (const std::size_t n : shape) result[dimensions++] = n;
  return dimensions;
}
}  // namespace

Output::Output(std::span<const std::size_t> shape) { make(shape); }
Output::Output(std::initializer_list<std::size_t> shape)
    : Output(std::span(shape.begin(), shape.size())) {}
Output::Output(const Batching& batching, std::initializer_list<std::size_t> shape) {
  std::size_t whole[8];
  make({whole, with_batch(batching, shape, whole)});
  each = 1;
  for (const std::size_t n : shape) each *= n;
}

void Output::make(std::span<const std::size_t> shape) {
  for (const std::size_t n : shape) size *= n;
  each = size;
  array = numpy_empty(shape);
  if (const NumpyArray* made = plain_array(array.ptr(), NumpyArray::c_contiguous)) {
    data = reinterpret_cast<double*>(made->data);
    return;
  }
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0)
    throw nb::python_error();
  data = static_cast<double*>(view.buf);
  PyBuffer_Release(&view);  // NumPy keeps the memory as long as the array lives
}

Output::Output(const Batching& batching, std::initializer_list<std::size_t> shape, nb::handle out,
               std::initializer_list<std::span<const double>> inputs) {
  std::size_t whole[8];
  const std::span<const std::size_t> wanted(whole, with_batch(batching, shape, whole));
  if (out.is_none()) {
    make(wanted);
  } else {
    Py_buffer view;
    if (PyObject_GetBuffer(out.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE)) {
      PyErr_Clear();
      throw Error("is not a writable array in C order", "out");
    }
    const bool numbers = is_float64(view);
    std::size_t given[8] = {};
    const std::size_t dimensions = std::min(view.ndim, 8);
    std::copy_n(view.shape, dimensions, given);
    data = static_cast<double*>(view.buf);
    PyBuffer_Release(&view);  // `array` keeps it
    if (!numbers) throw nb::type_error("out: give an array of float64");
    if (!is_aligned(data))
      throw Error("starts within a number of the memory", "out", "give one by numpy.empty");
    if (!std::ranges::equal(std::span(given, dimensions), wanted))
      throw Error("has shape " + shape_text({given, dimensions}) + " where " + shape_text(wanted) +
                      " is wanted",
                  "out");
    for (const std::size_t n : wanted) size *= n;
    for (const std::span<const double> input : inputs)
      if (input.data() < data + size && data < input.data() + input.size())
        throw Error("has memory of an argument", "out", "give one of its own");
    array = nb::borrow(out);
  }
  each = 1;
  for (const std::size_t n : shape) each *= n;
}

nb::object array(std::span<const double> numbers) {
  const Output result({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), result.data);
  return result.array;
}
nb::object array(const Vec3<double>& v) {
  const double numbers[] = {v.x, v.y, v.z};
  return array(numbers);
}
nb::object array(const Vec6<double>& v) {
  double numbers[6];
  write_six(v, numbers);
  return array(numbers);
}
nb::object matrix(std::span<const double> row_by_row, std::size_t rows, std::size_t columns) {
  const Output result({rows, columns});
  std::copy(row_by_row.begin(), row_by_row.end(), result.data);
  return result.array;
}
nb::object matrix(const Mat3<double>& m) {
  const Output result({3, 3});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.data[3 * i + j] = m(i, j);
  return result.array;
}

nb::object complex_array(std::span<const std::complex<double>> numbers) {
  nb::list list;
  for (const std::complex<double>& z : numbers)
    list.append(nb::steal<nb::object>(PyComplex_FromDoubles(z.real(), z.imag())));
  const nb::module_ numpy = nb::module_::import_("numpy");
  return nb::object(numpy.attr("array")(list, nb::arg("dtype") = "complex128"));
}

void write_homogeneous(const SE3<double>& T, double* row_by_row) noexcept {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) row_by_row[4 * i + j] = T.R.matrix(i, j);
    row_by_row[4 * i + 3] = T.p[i];
  }
  row_by_row[12] = row_by_row[13] = row_by_row[14] = 0;
  row_by_row[15] = 1;
}
nb::object homogeneous(const SE3<double>& T) {
  const Output result({4, 4});
  write_homogeneous(T, result.data);
  return result.array;
}
void write_six(const Vec6<double>& v, double* numbers) noexcept {
  for (int i = 0; i < 3; ++i) {
    numbers[i] = v.angular[i];
    numbers[3 + i] = v.linear[i];
  }
}
Vec6<double> read_six(const double* numbers) noexcept {
  return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

void check_finite(std::span<const double> numbers, const char* argument) {
  if (!axode::all_finite(numbers)) throw Error("has a number that is not finite", argument);
}

Numbers shaped(nb::handle value, const char* argument, std::initializer_list<std::size_t> shape) {
  Numbers numbers(value, argument);
  const std::span<const std::size_t> wanted(shape.begin(), shape.size());
  if (!std::ranges::equal(numbers.shape(), wanted))
    throw Error(
        "has shape " + shape_text(numbers.shape()) + " where " + shape_text(wanted) + " is wanted",
        argument);
  check_finite(numbers.all(), argument);
  return numbers;
}

Vec3<double> vec3(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {3});
  return {numbers.all()[0], numbers.all()[1], numbers.all()[2]};
}
Vec6<double> vec6(nb::handle value, const char* argument) {
  return read_six(shaped(value, argument, {6}).all().data());
}
std::string_view utf8_of(nb::handle text_value) {
  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(text_value.ptr(), &length);
  if (text == nullptr) throw nb::python_error();
  return {text, std::size_t(length)};
}

std::vector<double> vector(nb::handle value, const char* argument) {
  const Numbers numbers(value, argument);
  if (numbers.shape().size() != 1)
    throw Error("has shape " + shape_text(numbers.shape()) + " where (n,) is wanted", argument);
  return {numbers.all().begin(), numbers.all().end()};
}
SE3<double> pose(nb::handle value, const char* argument) {
  if (SE3<double> T; nb::try_cast(value, T)) return T;
  return checked_pose(shaped(value, argument, {4, 4}).all().data(), argument);
}

int choice(std::string_view name, const char* argument,
           std::initializer_list<std::string_view> names) {
  const auto* found =
      std::ranges::find_if(names, [&](std::string_view n) { return is_same_name(n, name); });
  if (found != names.end()) return static_cast<int>(found - names.begin());
  std::string all;
  for (const std::string_view n : names) all += (all.empty() ? "'" : ", '") + std::string(n) + "'";
  throw Error("'" + std::string(name) + "' is none of " + all, argument);
}
Rep representation(std::string_view name) {
  return static_cast<Rep>(choice(name, "rep", {"body", "spatial", "hybrid", "mixed"}));
}

}  // namespace axode::python
