#include "axode/engine/detail/batch/lengths.hpp"

#include <string>

#include "axode/core/error.hpp"

namespace axode::batch {

std::ptrdiff_t count_states(const char* where, std::initializer_list<Length> lengths) {
  const Length* counted = nullptr;
  for (const Length& l : lengths)
    if (!counted && l.each > 0) counted = &l;
  const std::size_t states = counted ? counted->found / counted->each : 0;
  for (const Length& l : lengths)
    if (l.found != states * l.each)
      throw Error(std::string(l.name) + " has " + std::to_string(l.found) + " numbers", where,
                  "give " + std::to_string(l.each) + " for each state" +
                      (&l == counted ? "" : ": there are " + std::to_string(states)));
  return static_cast<std::ptrdiff_t>(states);
}

}  // namespace axode::batch
