// expect: no matching function for call to .pairing
#include "axode/screw/twist.hpp"

using axode::Rep;

#ifdef AXODE_CONTROL
constexpr Rep rep = Rep::hybrid;
#else
constexpr Rep rep = Rep::mixed;
#endif

double power(const axode::Wrench<Rep::hybrid>& W, const axode::Twist<rep>& V) {
  return axode::pairing(W, V);
}
