#include "src/bind.hpp"

namespace axode::python {

void bind_simulate(nb::module_&) {}

}  // namespace axode::python
