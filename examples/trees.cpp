// One arm described in four ways, and what the tree makes of them.
#include <cstdio>

#include "axode/kinematics/poses.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"

using namespace axode;

int main() {
  const Inertia<> steel{2.0, {0, 0, 0.2}, Sym3<>::diagonal({0.03, 0.03, 0.002})};
  const auto up = [](double z) { return translation(Vec3<>{0, 0, z}); };

  const Tree tree =
      TreeBuilder{"arm"}  // (a) Axis and point as they lie in the world at q = 0: no joint frames.
          .body("upper", steel)
          .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {0, 0, 0.3}}),
                 zero_reference(up(0.3)))
          .limits(-2, 2)
          .damping(0.1)
          // (b) Pose in the parent, axis in the frame of the body.
          .body("lower", steel)
          .on("upper")
          .joint("elbow", helical({.axis = {0, 1, 0}, .pitch = 0.01}), body_screws(up(0.4)))
          // (c) Joint frames on parent and body.
          .body("wrist", steel)
          .on("lower")
          .joint("wrist", universal(), joint_frames(up(0.4), up(-0.05)))
          // (d) A Denavit-Hartenberg row.
          .body("flange", steel)
          .on("wrist")
          .joint("turn", modified_dh({.d = 0.1}))
          .frame("tool", {.on = "flange", .at = up(0.15)})
          .build();

  std::printf("%d bodies, %d coordinates\n", tree.size(), tree.nq);
  for (int i = 0; i < tree.size(); ++i) {  // all of them read back in the form of (a)
    const ZeroReference g = zero_reference(tree, i);
    for (const Vec6<>& Y : g.Y)
      std::printf("%-8s Y = (%g %g %g, %g %g %g)\n", tree.bodies[i].joint_name.c_str(), Y.angular.x,
                  Y.angular.y, Y.angular.z, Y.linear.x, Y.linear.y, Y.linear.z);
  }

  const Poses<> p = poses(tree, std::vector{0.5, -0.8, 0.2, 0.1, 1.0});
  const Vec3<> tool = p.T_WB[3] * Vec3<>{0, 0, 0.15};
  std::printf("tool at (%.4f %.4f %.4f) m\n", tool.x, tool.y, tool.z);
}
