/// Dual numbers twice: exact derivatives of any function, and the groups G1 and G2 of small elastic
/// displacements on top of large rigid ones.
#include <cstdio>

#include "axode/lie/dual.hpp"
#include "axode/lie/g2.hpp"

using namespace axode;

int main() {
  // Velocity of a tool on a revolute joint: put 1 into the dual part of the angle.
  const Dual<double> q(0.5, 1.0);
  const Dual<double> zero(0), reach(0.8);
  const SE3<Dual<double>> T = exp(Vec6<Dual<double>>{{zero, zero, q}, {zero, zero, zero}});
  const Vec3<Dual<double>> tool = T * Vec3<Dual<double>>{reach, zero, zero};
  std::printf("tool at (%.4f %.4f), moving (%.4f %.4f) per radian\n", tool.x.real, tool.y.real,
              tool.x.dual, tool.y.dual);

  // A link turned by 90 degrees whose tip deflects by 2 mm and bends by 0.01 rad.
  const G1<> turned{exp(Vec3<>{0, 0, pi<double> / 2}), {}};
  const G2<> link{turned, {}};
  const G2<> bent{{SO3<>{}, {0, 0, 0.01}}, make_dual(Vec3<>{1, 0, 0}, {0, 0.002, 0})};
  const G2<> tip = link * bent;
  std::printf("rigid tip (%.3f %.3f), elastic displacement (%.3f %.3f) m, rotation %.3f rad\n",
              tip.v.x.real + 0.0, tip.v.y.real, tip.v.x.dual, tip.v.y.dual + 0.0, tip.X.theta.z);
}
