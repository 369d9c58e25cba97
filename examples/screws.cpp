/// Displacements, wrenches and joints as screws: Chasles, Poinsot and the motion subgroups.
#include <array>
#include <cstdio>

#include "axode/screw/chasles.hpp"
#include "axode/screw/poinsot.hpp"
#include "axode/screw/subgroup.hpp"

using namespace axode;

int main() {
  const SE3<> T{exp(Vec3<>{0, 0, 1.2}), {0.4, 0.1, 0.3}};
  const ScrewDisplacement<> motion = chasles(T);
  const auto& [axis, point, pitch] = motion.screw;
  std::printf(
      "displacement: %.3f rad about (%.2f %.2f %.2f) through (%.3f %.3f %.3f), %.3f m/rad\n",
      motion.displacement, axis.x, axis.y, axis.z, point.x, point.y, point.z, pitch);

  const CentralAxis<> force = central_axis(Vec6<>{{0, 2, 6}, {0, 0, 20}});  // torque, force
  std::printf("wrench: %.0f N along a line through (%.2f %.2f %.2f), couple %.0f N m about it\n",
              force.intensity, force.screw.point.x, force.screw.point.y, force.screw.point.z,
              force.intensity * force.screw.pitch);

  // Which motions do two parallel revolute joints and a prismatic joint along them generate?
  const std::array<Vec6<>, 3> joints{coordinates(make_screw(Vec3<>{0, 0, 1}, {0, 0, 0})),
                                     coordinates(make_screw(Vec3<>{0, 0, 1}, {0.5, 0, 0})),
                                     coordinates(make_translation_screw(Vec3<>{0, 0, 1}))};
  const auto generated = generated_subgroup(std::span<const Vec6<>>(joints));
  std::printf("the three joints generate %s, of dimension %d\n", symbol(generated.group).data(),
              dimension(generated.group));
  std::printf("reciprocal product of joints 1 and 2: %.1f (their axes are parallel)\n",
              reciprocal_product(joints[0], joints[1]));
}
