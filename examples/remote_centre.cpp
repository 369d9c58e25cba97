/// The remote-centre-of-motion mechanism of a surgical robot [MuellerKin sec. 2.5]: five revolute
/// joints described by nothing but their axes in the world at q = 0, and the poses of all bodies by
/// the product of exponentials
///
///   C_i(q) = exp(Y_1 q_1) ... exp(Y_i q_i) A_i                                  [MuellerKin (10)]
#include <array>
#include <cstdio>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/chasles.hpp"
#include "axode/screw/screw.hpp"

using namespace axode;

namespace {

constexpr double degree = pi<double> / 180;

struct Body {
  const char* name;
  Screw<> axis;  // of the joint to the body before, in the world at q = 0
  SE3<> A;       // pose of the body's frame in the world at q = 0
};

void print(const char* label, const Vec3<>& v) {
  std::printf("%s(%7.4f %7.4f %7.4f)", label, v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

}  // namespace

int main() {
  // Lengths [m]; the symbols are those of Fig. 6 there.
  const double d2 = 0.35, d3 = 0.42, d4 = 0.95, h4 = 0.30, d5 = 0.78;
  const Vec3<> z{0, 0, 1}, tilted{-1, 0, 1};
  const std::array<Body, 5> bodies{{
      {"shoulder", make_screw(z, {0, 0, 0}), translation(Vec3<>{-0.12, 0, 0.25})},
      {"upper arm", make_screw(z, {-d2, 0, 0}), translation(Vec3<>{-0.06, 0, -0.14})},
      {"forearm", make_screw(z, {d3, 0, 0}), translation(Vec3<>{0.63, 0, 0.21})},
      {"cradle",
       make_screw(tilted, {d4, 0, h4}),
       {rotation_about(1, -45 * degree), {0.83, 0, 0.44}}},
      {"holder", make_screw(z, {d5, 0, 0}), translation(Vec3<>{1.05, 0, 0.37})},
  }};
  const std::array<double, 5> q{20 * degree, 35 * degree, -50 * degree, 30 * degree, -15 * degree};

  std::puts("Remote-centre-of-motion mechanism: five revolute joints, no joint frames.\n");
  std::puts("Joint screws Y in the world at q = 0: direction e and moment y x e");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec6<> Y = coordinates(bodies[i].axis);
    std::printf("  Y%zu  ", i + 1);
    print("e = ", Y.angular);
    print("   y x e = ", Y.linear);
    std::puts("");
  }
  std::puts("\nThe same screws X = Ad_A^-1 Y, each in the frame of its own body");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec6<> X = Ad_inverse(bodies[i].A, coordinates(bodies[i].axis));
    std::printf("  X%zu  ", i + 1);
    print("e = ", X.angular);
    print("   y x e = ", X.linear);
    std::puts("");
  }

  std::puts("\nPoses at q = (20, 35, -50, 30, -15) degrees: origin [m] and roll, pitch, yaw [deg]");
  SE3<> motion;  // exp(Y_1 q_1) ... exp(Y_i q_i)
  std::array<SE3<>, 5> poses;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    motion = motion * exp(coordinates(bodies[i].axis) * q[i]);
    poses[i] = motion * bodies[i].A;
    std::printf("  %-10s", bodies[i].name);
    print("p = ", poses[i].p);
    const Vec3<> rpy = to_roll_pitch_yaw(poses[i].R) / degree;
    std::printf("   rpy = (%8.3f %8.3f %8.3f)\n", rpy.x + 0.0, rpy.y + 0.0, rpy.z + 0.0);
  }

  // The remote centre: axes 4 and 5 meet in a point that turning about them leaves where it is.
  const double height = h4 + d4 - d5;  // the point of the tilted axis 4 above the vertical axis 5
  const Vec3<> centre{d5, 0, height};
  const SE3<> turned =
      exp(coordinates(bodies[3].axis) * q[3]) * exp(coordinates(bodies[4].axis) * q[4]);
  print("\nRemote centre at q = 0: ", centre);
  std::printf(" m; joints 4 and 5 move it by %.3f nm.\n", 1e9 * norm(turned * centre - centre));

  const ScrewDisplacement<> whole = chasles(motion);
  std::printf("The holder's whole displacement is one screw motion: %.3f deg about the axis\n  ",
              whole.displacement / degree);
  print("through ", whole.screw.point);
  print(" along ", whole.screw.axis);
  std::printf(", pitch %.4f m/rad.\n", whole.screw.pitch);
}
