/// axode::Error and its kinds as the exceptions of axode/_errors.py.
#include <nanobind/stl/string.h>

#include "axode/error.hpp"
#include "src/bind.hpp"

namespace axode::python {
namespace {

void raise(const char* type, const Error& error) {
  const nb::object kind = nb::module_::import_("axode._errors").attr(type);
  const nb::object value = kind(error.problem(), error.where(), error.remedy());
  PyErr_SetObject(kind.ptr(), value.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const IoError& error) {
      raise("IoError", error);
    } catch (const LimitError& error) {
      raise("LimitError", error);
    } catch (const SingularError& error) {
      raise("SingularError", error);
    } catch (const Error& error) {
      raise("Error", error);
    }
  });
}

}  // namespace axode::python
