/// The layout of NumPy's arrays, compared with the buffer protocol; its C function for new ones.
#include "src/shared/numpy_layout.hpp"

#include <algorithm>
#include <string>

namespace axode::python {

namespace {

nb::handle numpy(const char* name) {
  return nb::object(nb::module_::import_("numpy").attr(name)).release();  // kept for good
}

nb::handle python_empty() {
  static const nb::handle f = numpy("empty");
  return f;
}

/// Whether arrays of this NumPy are laid out so, found by comparing with the buffer protocol.
class NumpyLayout {
 public:
  NumpyLayout() {
    const nb::object type = nb::module_::import_("numpy").attr("ndarray");
    const nb::object probe = python_empty()(nb::make_tuple(2, 3));
    const nb::object dtype = probe.attr("dtype");
    const nb::object turned = probe.attr("T");
    Py_buffer view;
    if (PyObject_GetBuffer(probe.ptr(), &view, PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
    const NumpyArray& array = at(probe.ptr());
    known_ = Py_TYPE(probe.ptr()) == reinterpret_cast<PyTypeObject*>(type.ptr()) &&
             array.data == view.buf && array.dimensions == 2 && array.shape[0] == 2 &&
             array.shape[1] == 3 && array.dtype == dtype.ptr() &&
             (array.flags & everything) == everything &&
             at(turned.ptr()).flags == ((array.flags & ~c_contiguous & ~4) | 2);
    PyBuffer_Release(&view);
    type_ = Py_TYPE(probe.ptr());
    float64_ = nb::object(dtype).release().ptr();  // kept for good
    find_empty();
  }
  /// numpy.empty without the way through Python's arguments; nullptr with an error set if it fails.
  PyObject* empty(std::span<const std::size_t> shape) const {
    Py_ssize_t sizes[8];
    std::copy(shape.begin(), shape.end(), sizes);
    return empty_(static_cast<int>(shape.size()), sizes, Py_NewRef(float64_), 0);
  }
  bool has_empty() const noexcept { return known_ && empty_ != nullptr; }
  /// The value as float64 array that has all these flags, or nullptr.
  const NumpyArray* plain(PyObject* value, int flags) const noexcept {
    if (!known_ || Py_TYPE(value) != type_) return nullptr;
    const NumpyArray& array = at(value);
    return array.dtype == float64_ && (array.flags & flags) == flags ? &array : nullptr;
  }

 private:
  /// Finds PyArray_Empty in the table of NumPy's C interface; its binary interface fixes the order.
  void find_empty() {
    for (const char* name : {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"}) {
      PyObject* module = PyImport_ImportModule(name);
      PyObject* table = module ? PyObject_GetAttrString(module, "_ARRAY_API") : nullptr;
      void** functions =
          table ? static_cast<void**>(PyCapsule_GetPointer(table, nullptr)) : nullptr;
      if (functions != nullptr) {
        const unsigned version = reinterpret_cast<unsigned (*)()>(functions[0])();
        if (version == 0x1000009 || version == 0x2000000)
          empty_ = reinterpret_cast<Empty*>(functions[184]);
      }
      PyErr_Clear();
      Py_XDECREF(table);
      Py_XDECREF(module);
      if (functions != nullptr) return;
    }
  }
  using Empty = PyObject*(int, const Py_ssize_t*, PyObject*, int);
  Empty* empty_ = nullptr;
  static constexpr int c_contiguous = NumpyArray::c_contiguous,
                       everything = c_contiguous | NumpyArray::aligned | NumpyArray::writeable;
  static const NumpyArray& at(PyObject* array) { return *reinterpret_cast<NumpyArray*>(array); }
  PyTypeObject* type_ = nullptr;
  PyObject* float64_ = nullptr;
  bool known_ = false;
};
const NumpyLayout& layout() {
  static const NumpyLayout found;
  return found;
}

}  // namespace

const NumpyArray* plain_array(PyObject* value, int flags) { return layout().plain(value, flags); }

nb::object numpy_empty(std::span<const std::size_t> shape) {
  PyObject* made = nullptr;
  if (layout().has_empty() && shape.size() <= 8) {
    made = layout().empty(shape);
  } else {
    nb::list sizes;
    for (const std::size_t n : shape) sizes.append(n);
    made = PyObject_CallOneArg(python_empty().ptr(), sizes.ptr());
  }
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object as_plain_array(nb::handle value, const char* argument) {
  static const nb::handle asarray = numpy("asarray"), float64 = numpy("float64");
  nb::object given;
  try {
    given = asarray(value);
  } catch (const nb::python_error&) {
    throw nb::type_error(
        (std::string(argument) + ": not an array of numbers; rows differ in length").c_str());
  }
  const nb::object type = given.attr("dtype"), kind_of = type.attr("kind");
  const nb::str kind_text(nb::handle(kind_of.ptr())), type_text(nb::handle(type.ptr()));
  const std::string kind = kind_text.c_str(), dtype = type_text.c_str();
  const bool empty = nb::len(nb::object(given.attr("ravel")())) == 0;
  if (!empty && dtype != "float64" && kind != "i" && kind != "u" && kind != "b")
    throw nb::type_error((std::string(argument) + ": numbers of type " + dtype +
                          "; give float64, such as by numpy.asarray(..., dtype=float)")
                             .c_str());
  if (kind == "b" && !empty)
    throw nb::type_error((std::string(argument) + ": truth values; give float64").c_str());
  // Not ascontiguousarray, which makes a single number an array of one.
  nb::object numbers = asarray(given, float64, "C");
  if (plain_array(numbers.ptr(), NumpyArray::plain) == nullptr)
    numbers = numbers.attr("copy")();  // aligned
  return numbers;
}

}  // namespace axode::python
