/// axode::Error and its kinds as the exceptions of axode/_errors.py.
#include "src/errors.hpp"

#include <nanobind/stl/string.h>

namespace axode::python {
namespace {

const char* kind_of(const Error& error) {
  if (dynamic_cast<const IoError*>(&error) != nullptr) return "IoError";
  if (dynamic_cast<const LimitError*>(&error) != nullptr) return "LimitError";
  if (dynamic_cast<const SingularError*>(&error) != nullptr) return "SingularError";
  return "Error";
}

}  // namespace

nb::object exception_object(const Error& error) {
  const nb::object kind = nb::module_::import_("axode._errors").attr(kind_of(error));
  return kind(error.problem(), error.where(), error.remedy());
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& error) {
      const nb::object value = exception_object(error);
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())), value.ptr());
    }
  });
}

}  // namespace axode::python
