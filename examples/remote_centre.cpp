/// The remote-centre-of-motion mechanism of a surgical robot [MuellerKin sec. 2.5], from its file:
/// five revolute joints described by nothing but their axes in the world at q = 0.
/// Usage: remote_centre [models/remote_centre.json]
#include <cstdio>
#include <string>

#include "axode/io/model_file.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/chasles.hpp"

using namespace axode;

namespace {

constexpr double degree = pi<double> / 180;

double tidy(double x) { return x > -1e-12 && x < 1e-12 ? 0.0 : x; }  // no "-0.0000"

void print(const char* label, const Vec3<>& v) {
  std::printf("%s(%7.4f %7.4f %7.4f)", label, tidy(v.x), tidy(v.y), tidy(v.z));
}

void print_screw(const char* symbol, int i, const Vec6<>& screw) {
  std::printf("  %s%d  ", symbol, i + 1);
  print("e = ", screw.angular);
  print("   y x e = ", screw.linear);
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  const Tree tree = load_tree(argc > 1 ? argv[1] : "models/remote_centre.json");
  std::printf("Remote-centre-of-motion mechanism: %d revolute joints, no joint frames.\n\n",
              tree.nv);

  std::puts("Joint screws Y in the world at q = 0: direction e and moment y x e");
  for (int i = 0; i < tree.size(); ++i) print_screw("Y", i, zero_reference(tree, i).Y.screws[0]);
  std::puts("\nThe same screws X = Ad_A^-1 Y, each in the frame of its own body");
  for (int i = 0; i < tree.size(); ++i) print_screw("X", i, body_screws(tree, i).X.screws[0]);

  const std::vector<double> q{20 * degree, 35 * degree, -50 * degree, 30 * degree, -15 * degree};
  const Poses<> at_q = poses(tree, q), at_zero = poses(tree, neutral(tree));
  std::puts("\nPoses at q = (20, 35, -50, 30, -15) degrees: origin [m] and roll, pitch, yaw [deg]");
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    std::printf("  %-10s", tree.bodies[i].name.c_str());
    print("p = ", at_q.T_WB[i].p);
    const Vec3<> rpy = to_roll_pitch_yaw(at_q.T_WB[i].R) / degree;
    std::printf("   rpy = (%8.3f %8.3f %8.3f)\n", tidy(rpy.x), tidy(rpy.y), tidy(rpy.z));
  }

  // The remote centre: axes 4 and 5 meet in a point that turning about them leaves where it is.
  const FrameChoice centre = frame(tree, "remote centre");
  const auto centre_in_world = [&](const Poses<>& p) {
    return (p.T_WB.back() * centre.origin.T_BF).p;
  };
  std::vector<double> last_two(q.size());
  last_two[3] = q[3], last_two[4] = q[4];
  const double moved = norm(centre_in_world(poses(tree, last_two)) - centre_in_world(at_zero));
  print("\nRemote centre at q = 0: ", centre_in_world(at_zero));
  std::printf(" m; joints 4 and 5 move it by %.3f nm.\n", 1e9 * moved);

  const ScrewDisplacement<> whole = chasles(at_q.T_WB.back() * inverse(at_zero.T_WB.back()));
  std::printf("The holder's whole displacement is one screw motion: %.3f deg about the axis\n  ",
              whole.displacement / degree);
  print("through ", whole.screw.point);
  print(" along ", whole.screw.axis);
  std::printf(", pitch %.4f m/rad.\n", whole.screw.pitch);
}
