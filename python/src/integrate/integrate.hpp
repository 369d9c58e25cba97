/// What the bindings of axode/integrate share.
#pragma once
#include <span>

#include "axode/integrate/lie_group.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

void bind_lie_group(nb::module_& m);

}  // namespace axode::python
