/// One rotation in many parametrisations, and what happens to a matrix that is none.
#include <cstdio>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"

using namespace axode;

int main() {
  const SO3<> R = rotation_from_roll_pitch_yaw(0.1, 0.2, 0.3);
  const Quaternion<> q = to_quaternion(R);
  std::printf("quaternion %.6f %.6f %.6f %.6f\n", q.w, q.v.x, q.v.y, q.v.z);
  const auto [axis, angle] = to_axis_angle(R);
  std::printf("angle %.6f rad about (%.6f %.6f %.6f)\n", angle, axis.x, axis.y, axis.z);
  const Vec3<> zxz = to_euler_angles(R, euler_order("zxz")).angles;
  std::printf("Euler angles zxz %.6f %.6f %.6f\n", zxz.x, zxz.y, zxz.z);

  Mat3<> rounded = R.matrix;  // as if read from a file with three digits
  rounded.x.x = 0.936;
  try {
    (void)rotation_from_matrix(rounded);
  } catch (const Error& error) {
    std::puts(error.what());
  }
  const auto nearest = nearest_rotation(rounded);
  std::printf("nearest rotation: changed by %.1e\n", nearest.distance);
}
