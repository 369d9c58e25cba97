#include "tests/support/models/arms.hpp"

#include <cmath>
#include <string>

#include "axode/model/builder.hpp"

namespace axode::test {

std::string numbered(std::string prefix, std::size_t i) { return prefix.append(std::to_string(i)); }

Tree planar_arm(const std::vector<double>& lengths) {
  TreeBuilder b("planar");
  double x = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    b.body(numbered("l", i + 1));
    if (i > 0) b.on(numbered("l", i));
    b.joint(numbered("j", i + 1), revolute({.axis = {0, 0, 1}, .point = {x, 0, 0}}));
    x += lengths[i];
  }
  b.frame("tool", {.on = numbered("l", lengths.size()), .at = translation(Vec3<>{x, 0, 0})});
  return b.build();
}

Tree wrist_partitioned_arm(const WristPartitioned& size) {
  const double elbow = size.h + size.a, wrist = elbow + size.b;
  return TreeBuilder("wrist_partitioned")
      .body("l1")
      .joint("j1", revolute({.axis = {0, 0, 1}}))
      .body("l2")
      .on("l1")
      .joint("j2", revolute({.axis = {0, 1, 0}, .point = {0, 0, size.h}}))
      .body("l3")
      .on("l2")
      .joint("j3", revolute({.axis = {0, 1, 0}, .point = {0, 0, elbow}}))
      .body("l4")
      .on("l3")
      .joint("j4", revolute({.axis = {0, 0, 1}}))
      .body("l5")
      .on("l4")
      .joint("j5", revolute({.axis = {0, 1, 0}, .point = {0, 0, wrist}}))
      .body("l6")
      .on("l5")
      .joint("j6", revolute({.axis = {0, 0, 1}}))
      .frame("tool", {.on = "l6", .at = translation(Vec3<>{0, 0, wrist + size.t})})
      .build();
}

std::vector<std::array<double, 6>> wrist_partitioned_solutions(const WristPartitioned& size,
                                                               const SE3<double>& T_WF) {
  std::vector<std::array<double, 6>> solutions;
  const Vec3<double> c = T_WF * Vec3<double>{0, 0, -size.t};
  for (const double front : {1., -1.}) {
    const double q1 = front > 0 ? std::atan2(c.y, c.x) : std::atan2(-c.y, -c.x);
    const double r = front * std::hypot(c.x, c.y), z = c.z - size.h, a = size.a, b = size.b;
    const double cosine = (r * r + z * z - a * a - b * b) / (2 * a * b);
    if (std::abs(cosine) > 1) continue;
    for (const double bend : {1., -1.}) {
      const double q3 = bend * std::acos(cosine);
      const double q2 = std::atan2(r, z) - std::atan2(b * std::sin(q3), a + b * std::cos(q3));
      const SO3<double> R =
          inverse_times(exp(Vec3<>{0, 0, q1}) * exp(Vec3<>{0, q2 + q3, 0}), T_WF.R);
      const Mat3<double>& m = R.matrix;  // Rz(q4) Ry(q5) Rz(q6)
      for (const double flip : {1., -1.})
        solutions.push_back({q1, q2, q3, std::atan2(flip * m(1, 2), flip * m(0, 2)),
                             flip * std::atan2(std::hypot(m(0, 2), m(1, 2)), m(2, 2)),
                             std::atan2(flip * m(2, 1), -flip * m(2, 0))});
    }
  }
  return solutions;
}

namespace {

Tree denavit_hartenberg_arm(const std::vector<DenavitHartenberg>& rows,
                            const std::vector<double>& limits) {
  TreeBuilder b;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    b.body(numbered("l", i + 1));
    if (i > 0) b.on(numbered("l", i));
    b.joint(numbered("j", i + 1), classic_dh(rows[i]));
    if (!limits.empty()) b.limits(-limits[i], limits[i]);
  }
  b.frame("tool", {.on = numbered("l", rows.size())});
  return b.build();
}

void add_limb(TreeBuilder& b, const std::string& name, const Vec3<double>& root, double direction) {
  const auto at = [&](double x) { return root + Vec3<double>{0, 0, direction * x}; };
  const std::array<Vec3<double>, 5> axes{
      Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  const std::array<double, 5> along{0, 0, 0, .4, .75};
  std::string parent = "base";
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string link = numbered(name + "_link", k + 1);
    b.body(link)
        .on(parent)
        .joint(numbered(name + "_joint", k + 1), revolute({.axis = axes[k], .point = at(along[k])}))
        .limits(k == 3 ? -.1 : -2, 2);
    parent = link;
  }
  const char* end = direction > 0 ? "_hand" : "_foot";
  b.frame(name + end, {.on = parent, .at = translation(at(.85))});
}

}  // namespace

Tree six_axis_arm(bool limits) {
  const double r = pi<double> / 2;
  return denavit_hartenberg_arm(
      {{.d = .67, .alpha = r},
       {.a = .43},
       {.d = .15, .a = .02, .alpha = -r},
       {.d = .43, .alpha = r},
       {.alpha = -r},
       {.d = .1}},
      limits ? std::vector<double>{2.8, 2.1, 2.6, 3, 1.9, 3.1} : std::vector<double>{});
}
Tree seven_axis_arm(bool limits) {
  const double r = pi<double> / 2;
  return denavit_hartenberg_arm({{.d = .34, .alpha = -r},
                                 {.alpha = r},
                                 {.d = .4, .alpha = r},
                                 {.alpha = -r},
                                 {.d = .4, .alpha = -r},
                                 {.alpha = r},
                                 {.d = .126}},
                                limits
                                    ? std::vector<double>{2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 3.05}
                                    : std::vector<double>{});
}

Tree scara() {
  return TreeBuilder("scara")
      .body("upper")
      .joint("j1", revolute({.axis = {0, 0, 1}}))
      .body("fore")
      .on("upper")
      .joint("j2", revolute({.axis = {0, 0, 1}, .point = {.4, 0, 0}}))
      .body("quill")
      .on("fore")
      .joint("lift", prismatic({.axis = {0, 0, 1}}))
      .limits(-.2, .1)
      .body("hand")
      .on("quill")
      .joint("j4", revolute({.axis = {0, 0, 1}, .point = {.7, 0, 0}}))
      .frame("tool", {.on = "hand", .at = translation(Vec3<>{.7, 0, 0})})
      .build();
}

Tree four_limbs() {
  TreeBuilder b("four_limbs");
  b.body("base").joint("float", free_joint());
  add_limb(b, "left", {0, .2, .3}, 1);
  add_limb(b, "right", {0, -.2, .3}, 1);
  add_limb(b, "left_leg", {0, .1, 0}, -1);
  add_limb(b, "right_leg", {0, -.1, 0}, -1);
  return b.build();
}

double angle_distance(const double* a, const double* b, int n) {
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = max(worst, std::abs(std::remainder(a[i] - b[i], 2 * pi<double>)));  // keeps NaN
  return worst;
}

}  // namespace axode::test
