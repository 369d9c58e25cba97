/// axode::Error as exceptions of Python.
#pragma once
#include <string>

#include "axode/core/error.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

/// The exception of axode/_errors.py of the same kind.
nb::object exception_object(const Error& error);

/// A text given as argument. Throws nb::type_error on other types, Error on lone surrogates, which no text
/// in UTF-8 has; both name the argument.
std::string text_from(nb::handle value, const char* argument);

}  // namespace axode::python
