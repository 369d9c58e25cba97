#include "axode/view/plot/mechanism_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/view/plot/figure.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 6> colours{"#1f77b4", "#d62728", "#2ca02c",
                                                  "#9467bd", "#ff7f0e", "#8c564b"};

/// The window in the world, and from there to the figure.
struct DrawingWindow {
  double left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;
  static constexpr double width = 640, margin = 40;
  void take(const Vec3<double>& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    bottom = std::min(bottom, p.y);
    top = std::max(top, p.y);
  }
  double size() const { return std::max({right - left, top - bottom, 1e-9}); }
  double scale() const { return (width - 2 * margin) / size(); }
  double height() const { return (top - bottom) * scale() + 2 * margin; }
  std::string at(const Vec3<double>& p) const {
    return fmt::format("{:.2f},{:.2f}", (p.x - left) * scale() + margin,
                       (top - p.y) * scale() + margin);
  }
  double x(const Vec3<double>& p) const { return (p.x - left) * scale() + margin; }
  double y(const Vec3<double>& p) const { return (top - p.y) * scale() + margin; }
};

/// The points a body is drawn through: those of its joints, then its named ones.
std::vector<Vec3<double>> outline(const Mechanism& m, std::size_t body, const SE3<double>& T) {
  std::vector<Vec3<double>> points;
  const auto add = [&](const Vec3<double>& local) {
    const Vec3<double> p = T * local;
    for (const Vec3<double>& q : points)
      if (max_abs(p - q) < 1e-9) return;
    points.push_back(p);
  };
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t k = 0; k < 2; ++k)
      if (std::size_t(joint.body[k]) == body) add(joint.point[k]);
  for (const NamedVector& point : m.bodies[body].points) add(point.at);
  return points;
}

std::string polyline(const DrawingWindow& f, std::span<const Vec3<double>> points,
                     std::string_view style, bool closed) {
  std::string list;
  for (const Vec3<double>& p : points)
    if (std::isfinite(p.x) && std::isfinite(p.y)) list += f.at(p) + " ";
  return fmt::format("<{} points=\"{}\" {}/>\n", closed ? "polygon" : "polyline", list, style);
}

void draw_joint(const MechanismJoint& joint, std::span<const SE3<double>> poses,
                const DrawingWindow& f, std::string& svg) {
  const SE3<double>& Ti = poses[joint.body[0]];
  const Vec3<double> i = Ti * joint.point[0], j = poses[joint.body[1]] * joint.point[1];
  const bool fixed = joint.body[0] == 0 || joint.body[1] == 0;
  const std::string_view fill = fixed ? "black" : "white";
  switch (joint.type) {
    case PairType::prismatic:
    case PairType::point_on_line:
    case PairType::rolling: {
      const Vec3<double> along = Ti.R * joint.axis[0] * (0.5 * f.size());
      svg += polyline(f, std::array{i - along, i + along},
                      "stroke=\"#999\" stroke-dasharray=\"6 4\" fill=\"none\"", false);
      if (joint.type == PairType::rolling)
        svg += fmt::format(
            "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" stroke=\"black\" fill=\"none\"/>\n",
            f.x(j), f.y(j), joint.value * f.scale());
      else
        svg += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"14\" height=\"10\" stroke=\"black\" "
            "fill=\"{}\"/>\n",
            f.x(j) - 7, f.y(j) - 5, fill);
      break;
    }
    case PairType::rod:
      svg +=
          polyline(f, std::array{i, j}, "stroke=\"black\" stroke-width=\"2\" fill=\"none\"", false);
      break;
    default:
      svg += fmt::format(
          "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"5\" stroke=\"black\" fill=\"{}\"/>\n", f.x(j),
          f.y(j), fill);
  }
  svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", f.x(j) + 7, f.y(j) - 7,
                     xml_text(joint.name));
}

}  // namespace

std::string mechanism_svg(const Mechanism& m, std::span<const SE3<double>> poses,
                          std::span<const PointPath> paths) {
  DrawingWindow f;
  std::vector<std::vector<Vec3<double>>> outlines;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    outlines.push_back(outline(m, b, poses[b]));
    for (const Vec3<double>& p : outlines.back()) f.take(p);
  }
  for (const PointPath& path : paths)
    for (const Vec3<double>& p : path.points) f.take(p);
  if (f.left > f.right) f.take({});
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      DrawingWindow::width, f.height(), xml_text(m.name));
  for (std::size_t k = 0; k < paths.size(); ++k)
    svg += polyline(f, paths[k].points,
                    fmt::format("stroke=\"{}\" stroke-width=\"1.5\" fill=\"none\"",
                                colours[(k + 1) % colours.size()]),
                    false);
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const std::string_view colour = colours[(b - 1) % colours.size()];
    const auto& points = outlines[b];
    if (points.size() > 1)
      svg += polyline(f, points,
                      fmt::format("stroke=\"{0}\" stroke-width=\"4\" stroke-linejoin=\"round\" "
                                  "fill=\"{1}\" fill-opacity=\"0.15\"",
                                  colour, points.size() > 2 ? colour : "none"),
                      points.size() > 2);
  }
  for (const MechanismJoint& joint : m.joints) draw_joint(joint, poses, f, svg);
  for (const PointPath& path : paths)
    if (!path.points.empty())
      svg +=
          fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" fill=\"#555\">{}</text>\n",
                      f.x(path.points.front()) + 5, f.y(path.points.front()), xml_text(path.name));
  return svg + "</svg>\n";
}

}  // namespace axode
