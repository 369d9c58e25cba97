#include "src/bind.hpp"

namespace axode::python {

void bind_mechanism(nb::module_&) {}

}  // namespace axode::python
