/// One velocity in its four representations, and a wrench that does the same work on each.
#include <cstdio>

#include "axode/screw/convert.hpp"

using namespace axode;

namespace {
template <Rep rep>
void show(const char* name, const SE3<>& T_WB, const Twist<Rep::body>& V_b,
          const Wrench<Rep::body>& W_b) {
  const Twist<rep> V = convert_with_pose<rep>(T_WB, V_b);
  const Wrench<rep> W = convert_with_pose<rep>(T_WB, W_b);
  std::printf("%-8s omega (%6.3f %6.3f %6.3f)  v (%6.3f %6.3f %6.3f)  power %.3f W\n", name,
              V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z,
              pairing(W, V));
}
}  // namespace

int main() {
  const SE3<> T_WB{exp(Vec3<>{0, 0, 0.5}), {1, 2, 3}};
  const Twist<Rep::body> V{{0.1, 0.2, 0.3}, {1, 0, 0}};  // omega, v in the body's axes
  const Wrench<Rep::body> W{{1, 1, 1}, {10, 20, 30}};    // torque, force
  show<Rep::body>("body", T_WB, V, W);
  show<Rep::spatial>("spatial", T_WB, V, W);
  show<Rep::hybrid>("hybrid", T_WB, V, W);
  show<Rep::mixed>("mixed", T_WB, V, W);
  // V + convert_with_pose<Rep::spatial>(T_WB, V) would not compile: two representations.
  const auto numbers = linear_first(V);  // (v, omega), for tools of the other order
  std::printf("linear first: %.1f %.1f %.1f %.1f %.1f %.1f\n", numbers[0], numbers[1], numbers[2],
              numbers[3], numbers[4], numbers[5]);
}
