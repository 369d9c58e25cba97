/// What the bindings of axode/integrate share.
#pragma once
#include "src/bind.hpp"

namespace axode::python {

void bind_lie_group(nb::module_& m);

}  // namespace axode::python
