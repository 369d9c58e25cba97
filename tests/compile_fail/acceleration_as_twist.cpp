// expect: no matching function for call to .convert_with_pose
#include "axode/screw/convert.hpp"

using namespace axode;

#ifdef AXODE_CONTROL
using Given = Twist<Rep::spatial>;
#else
using Given = Acceleration<Rep::spatial>;  // does not convert like a twist
#endif

Twist<Rep::body> in_body_frame(const SE3<double>& T_WB, const Given& V) {
  return convert_with_pose<Rep::body>(T_WB, V);
}
