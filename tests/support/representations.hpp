/// The same test for all four representations.
#pragma once
#include "axode/screw/twist.hpp"

namespace axode::test {

/// The key of a representation in the reference vectors.
constexpr const char* name(Rep rep) {
  return rep == Rep::body      ? "body"
         : rep == Rep::spatial ? "spatial"
         : rep == Rep::hybrid  ? "hybrid"
                               : "mixed";
}

/// Calls f.operator()<rep>() for each: for_representations([&]<Rep rep>() { ... }).
template <class F>
void for_representations(F&& f) {
  f.template operator()<Rep::body>();
  f.template operator()<Rep::spatial>();
  f.template operator()<Rep::hybrid>();
  f.template operator()<Rep::mixed>();
}

}  // namespace axode::test
