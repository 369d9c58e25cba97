#include "axode/integrate/integrate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"

namespace axode {

void check_plan(const IntegratePlan& plan, double t, double t_end) {
  const char* where = "integrate";
  if (!(t_end >= t) || !std::isfinite(t_end))
    throw Error("from " + std::to_string(t) + " to " + std::to_string(t_end), where,
                "give an end that is finite and not before the start");
  if (!(plan.sample_interval >= 0 && plan.checkpoint_interval >= 0))
    throw Error("an interval below zero or not a number", where, "give 0 for none");
  if (plan.max_steps < 0)
    throw Error("max_steps " + std::to_string(plan.max_steps), where, "give 0 for any number");
  if (plan.event_checks < 1)
    throw Error("event_checks " + std::to_string(plan.event_checks), where, "give at least 1");
  for (const auto* times : {&plan.sample_times, &plan.discontinuities})
    if (!all_finite(*times) || !std::is_sorted(times->begin(), times->end()))
      throw Error("times that are not finite or not in order", where, "sort them");
  for (const Event& event : plan.events)
    if (!(event.tolerance > 0))
      throw Error("tolerance of an event not above zero", where, "give the tolerance of its time");
}

}  // namespace axode
