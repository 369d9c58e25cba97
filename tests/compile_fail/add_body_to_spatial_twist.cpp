// expect: no match for .operator\+.|invalid operands to binary expression
#include "axode/screw/twist.hpp"

using axode::Rep;
using axode::Twist;

#ifdef AXODE_CONTROL
Twist<Rep::body> sum(const Twist<Rep::body>& a, const Twist<Rep::body>& b) { return a + b; }
#else
Twist<Rep::body> sum(const Twist<Rep::body>& a, const Twist<Rep::spatial>& b) { return a + b; }
#endif
