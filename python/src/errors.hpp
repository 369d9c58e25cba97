/// axode::Error as exceptions of Python.
#pragma once
#include "axode/error.hpp"
#include "src/bind.hpp"

namespace axode::python {

/// The exception of axode/_errors.py of the same kind.
nb::object exception_object(const Error& error);

}  // namespace axode::python
