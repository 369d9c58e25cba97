#include "src/bind.hpp"

namespace axode::python {

void bind_flexible(nb::module_&) {}

}  // namespace axode::python
