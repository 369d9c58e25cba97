#include "axode/view/plot/mechanism_svg.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/io/mechanism/mechanism_file.hpp"

namespace axode::test::mechanism_svg_test {
namespace {

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// A crank of 0.2 m on the world, with a name that SVG would misread.
Mechanism crank() {
  return parse_mechanism(R"({"axode_mechanism": 1, "name": "a<b", "planar": true,
    "bodies": [{"name": "world", "points": {"O": [0, 0]}},
               {"name": "crank", "points": {"O": [0, 0], "A": [0.2, 0]}}],
    "joints": [{"name": "O&", "type": "revolute", "bodies": ["world", "crank"],
                "points": ["O", "O"]}]})",
                         "crank.json");
}

TEST(MechanismSvg, DrawsBodiesJointsAndPaths) {
  const Mechanism m = crank();
  std::vector<SE3<double>> poses(m.bodies.size());
  poses[1].R = exp(Vec3<double>{0, 0, pi<double> / 2});
  const PointPath path{"A", {{0.2, 0, 0}, {0.1, 0.1, 0}, {0, 0.2, 0}}};
  const std::string svg = mechanism_svg(m, poses, {&path, 1});
  EXPECT_NE(svg.find("<title>a&lt;b</title>"), std::string::npos);
  EXPECT_NE(svg.find(">O&amp;</text>"), std::string::npos);
  EXPECT_NE(svg.find(">A</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 2U);  // the path and the crank
  EXPECT_EQ(count(svg, "<circle"), 1U);
  // The window is 640 wide with margins of 40: 0.2 m are 560. The crank stands upright at its left.
  EXPECT_NE(svg.find("points=\"40.00,600.00 40.00,40.00 \""), std::string::npos) << svg;
}

TEST(MechanismSvg, LeavesOutPointsThatAreNotFinite) {
  const Mechanism m = crank();
  const std::vector<SE3<double>> poses(m.bodies.size());
  const PointPath path{"A", {{std::nan(""), 0, 0}, {INFINITY, 0, 0}}};
  const std::string svg = mechanism_svg(m, poses, {&path, 1});
  EXPECT_NE(svg.find("width=\"640\""), std::string::npos);
  EXPECT_EQ(svg.find("nan,"), std::string::npos) << svg;
}

}  // namespace
}  // namespace axode::test::mechanism_svg_test
