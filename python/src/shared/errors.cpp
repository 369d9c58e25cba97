/// axode::Error and its kinds as the exceptions of axode/_errors.py.
#include "src/shared/errors.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "axode/core/names.hpp"

namespace axode::python {
namespace {

const char* kind_of(const Error& error) {
  if (dynamic_cast<const IoError*>(&error) != nullptr) return "IoError";
  if (dynamic_cast<const LimitError*>(&error) != nullptr) return "LimitError";
  if (dynamic_cast<const SingularError*>(&error) != nullptr) return "SingularError";
  return "Error";
}

/// Names of files may be no UTF-8: as os.fsdecode has them.
nb::object text_of(const std::string& text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

}  // namespace

std::string text_from(nb::handle value, const char* argument) {
  std::string text;
  if (nb::try_cast(value, text)) return text;
  if (PyUnicode_Check(value.ptr()) == 0)
    throw nb::type_error((std::string(argument) + ": not a text").c_str());
  throw Error("the text holds a lone surrogate, which is not a character", argument,
              "decode its bytes as what they are");
}

nb::object exception_object(const Error& error) {
  const nb::object kind = nb::module_::import_("axode._errors").attr(kind_of(error));
  return kind(text_of(error.problem()), text_of(error.where()), text_of(error.remedy()));
}

void bind_errors(nb::module_& m) {
  m.def("_similar_name", [](std::string_view name, const std::vector<std::string>& known) {
    SimilarName similar(name);
    for (const std::string& word : known) similar.consider(word);
    return std::string(similar.best());
  });
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& error) {
      const nb::object value = exception_object(error);
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())), value.ptr());
    } catch (const std::bad_cast&) {  // of a part of an argument; RuntimeError otherwise
      PyErr_SetString(PyExc_TypeError,
                      "a part of an argument has a wrong type, or a text that "
                      "holds a lone surrogate");
    }
  });
}

}  // namespace axode::python
