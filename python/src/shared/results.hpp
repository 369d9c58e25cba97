/// Named tuples of axode/_results.py, made by name.
#pragma once
#include "src/shared/bind.hpp"

namespace axode::python {

template <class... Values>
nb::object result(const char* type, Values&&... values) {
  return nb::module_::import_("axode._results").attr(type)(std::forward<Values>(values)...);
}

}  // namespace axode::python
