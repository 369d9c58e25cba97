#include "src/bind.hpp"

namespace axode::python {

void bind_screw(nb::module_&) {}

}  // namespace axode::python
