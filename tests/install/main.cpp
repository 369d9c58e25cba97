// What a user of the installed library might write first; compiled and run by scripts/ctest/install.
#include <cstdio>

#include "axode/axode.hpp"
#include "axode/lie/homogeneous.hpp"
#include "axode/version.hpp"
#include "axode/view/scene/scene.hpp"

using Vec3 = axode::Vec3<double>;

int main() {
  const auto quarter_turn = exp(axode::Vec6<double>{Vec3{0, 0, axode::pi<double> / 2}, Vec3{}});
  const auto pose = quarter_turn * axode::translation(Vec3{1, 2, 3});
  const Vec3 p = axode::pose_from_matrix(matrix(pose)).p;  // calls into the compiled library
  std::printf("axode %s: (%.3f, %.3f, %.3f)\n", axode::version, p.x, p.y, p.z);
  // The page of the viewer is in the library, and zlib is linked.
  const std::string page =
      axode::view_page({"\"" + axode::packed(std::vector<double>{1, 2}) + "\""});
  if (page.find("{\"scenes\":[\"e") == std::string::npos) return 1;
  return squared_norm(p - Vec3{-2, 1, 3}) < 1e-30 ? 0 : 1;
}
