// expect: no matching function for call to .momentum|could not convert|no viable conversion
#include "axode/screw/inertia.hpp"

using namespace axode;

#ifdef AXODE_CONTROL
using Given = Twist<Rep::body>;
#else
using Given = Twist<Rep::spatial>;  // the inertia is that of the body frame
#endif

Momentum<Rep::body> momentum_of(const Inertia<double>& I, const Given& V) { return momentum(I, V); }
