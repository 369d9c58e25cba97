/// NumPy's arrays without the way through Python: their memory, and new ones.
#pragma once
#include <span>

#include "src/shared/bind.hpp"

namespace axode::python {

/// The first members of NumPy's arrays, as its C interface promises (PyArrayObject_fields). Reading
/// them takes a few nanoseconds, the buffer protocol longer than evaluating a small tree.
struct NumpyArray {
  PyObject head;
  char* data;
  int dimensions;
  Py_ssize_t *shape, *strides;
  PyObject *base, *dtype;
  int flags;

  static constexpr int c_contiguous = 0x1, aligned = 0x100, writeable = 0x400,
                       plain = c_contiguous | aligned;
};

/// The value as float64 array that has all these flags, or nullptr: also if arrays of this NumPy
/// are laid out otherwise.
const NumpyArray* plain_array(PyObject* value, int flags);

/// The value as float64 array in C order and aligned. Throws nb::type_error, naming the argument,
/// on what would lose digits or is no real number.
nb::object as_plain_array(nb::handle value, const char* argument);
/// numpy.empty. Throws nb::python_error.
nb::object numpy_empty(std::span<const std::size_t> shape);

}  // namespace axode::python
