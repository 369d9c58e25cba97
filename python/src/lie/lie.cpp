/// Rotations, poses and dual numbers: axode/lie.
#include "src/lie/lie.hpp"

#include "axode/core/instruction_set.hpp"

namespace axode::python {

void bind_lie(nb::module_& m) {
  bind_groups(m);
  bind_dual(m);
  bind_dual_groups(m);  // before the functions that take any array in place of a pose
  bind_exponentials(m);
  bind_adjoints(m);
  bind_rotations(m);
  m.def(
      "best_instruction_set",
      [] {
        constexpr const char* names[] = {"baseline", "avx2", "avx512"};
        return names[static_cast<int>(best_instruction_set())];
      },
      nb::sig("def best_instruction_set() -> typing.Literal['baseline', 'avx2', 'avx512']"),
      "The widest instruction set of this CPU: batches run with it.");
}

}  // namespace axode::python
