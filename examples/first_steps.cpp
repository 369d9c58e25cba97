#include <cstdio>

#include "axode/axode.hpp"
using namespace axode;

int main() {
  // Two joints by their axes in the world at q = 0. No joint frames, no body frames.
  const Tree tree = TreeBuilder{}
                        .body("upper arm")
                        .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {0, 0, 0.3}}))
                        .body("forearm")
                        .on("upper arm")
                        .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, 0.8}}))
                        .frame("hand", {.on = "forearm", .at = translation(Vec3<>{0, 0, 1.2})})
                        .build();
  const std::vector q{0.4, 1.1};
  const SE3<> T = transform(tree, q, {.of = "hand"});
  std::printf("hand at (%.3f %.3f %.3f) m\n", T.p.x, T.p.y, T.p.z);

  // Its velocity per joint velocity, at its own origin, in the axes of the world.
  const auto J = jacobian(tree, q, {.of = "hand"});
  for (const Vec6<>& column : J)
    std::printf("v = (%6.3f %6.3f %6.3f) m/rad\n", column.linear.x, column.linear.y,
                column.linear.z);
}
