/// Rotations, poses and dual numbers: axode/lie.
#include "src/lie.hpp"

namespace axode::python {

void bind_lie(nb::module_& m) { bind_groups(m); }

}  // namespace axode::python
