// expect: no match for .operator=|no viable overloaded .=
#include "axode/screw/twist.hpp"

using namespace axode;

#ifdef AXODE_CONTROL
void set(Momentum<Rep::body>& P, const Momentum<Rep::body>& Q) { P = Q; }
#else
void set(Momentum<Rep::body>& P, const Wrench<Rep::body>& Q) { P = Q; }
#endif
