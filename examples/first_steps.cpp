#include <cstdio>

#include "axode/lie/se3.hpp"
#include "axode/screw/screw.hpp"
using namespace axode;

int main() {
  // A screw joint: its axis along z through (0.3, 0, 0), advancing 10 mm per radian.
  const Screw<> joint = make_screw(Vec3<>{0, 0, 1}, {0.3, 0, 0}, 0.01);
  // Where does turning by 90 degrees take a body whose frame was at the world's origin?
  const SE3<> T_WB = exp(coordinates(joint) * (pi<double> / 2));
  std::printf("origin (%.3f %.3f %.3f)\n", T_WB.p.x, T_WB.p.y, T_WB.p.z);
  // And which screw motion would bring it half the way to there?
  const Vec6<> half = log(T_WB) * 0.5;
  std::printf("turn %.3f rad, advance %.4f m\n", half.angular.z, half.linear.z);
}
