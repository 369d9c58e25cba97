/// What the bindings of axode/integrate share.
#pragma once
#include <span>

#include "axode/integrate/lie_group.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

/// Throws Error unless the numbers are finite and the quaternions of unit length.
void check_point(const LieGroup& group, std::span<const double> x, const char* what);
void bind_lie_group(nb::module_& m);

}  // namespace axode::python
