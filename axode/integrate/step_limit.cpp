#include "axode/integrate/step_limit.hpp"

#include <fmt/format.h>

namespace axode {

std::string limit_text(const StepLimit& limit, double t) {
  const double expected = limit.expected(t);
  return fmt::format(
      "{} steps: the run needs more than max_steps allows{}", limit.steps,
      std::isfinite(expected) ? fmt::format(", about {:.2g} at its present pace", expected) : "");
}

}  // namespace axode
