/// Rotations, poses and dual numbers: axode/lie.
#include "src/lie.hpp"

namespace axode::python {

void bind_lie(nb::module_& m) {
  bind_groups(m);
  bind_dual(m);
  bind_dual_groups(m);  // before the functions that take any array in place of a pose
  bind_exponentials(m);
  bind_adjoints(m);
  bind_rotations(m);
}

}  // namespace axode::python
