#include "axode/flexible/tree/dual_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/flexible/any_scalar/equations.hpp"

namespace axode {
namespace {

using Column = DualTwist<double>;

void check_point(const FlexibleTree& tree, const DualPoint& point) {
  if (point.link < 0 || point.link >= static_cast<int>(tree.links.size()))
    throw Error(fmt::format("there is no link {}", point.link), tree.name,
                fmt::format("links are 0 to {}", tree.links.size() - 1));
  const FlexibleLink& link = tree.links[point.link];
  if (link.beam && !(point.station >= 0 && point.station <= link.beam->length))
    throw Error(fmt::format("there is no section at {} m", point.station),
                fmt::format("link '{}'", link.name),
                fmt::format("choose one in [0, {}] m", link.beam->length));
}
void check_sizes(const FlexibleTree& tree, std::span<const double> a) {
  if (std::ssize(a) != tree.size)
    throw Error(fmt::format("{} numbers for {} coordinates", a.size(), tree.size), tree.name,
                "give one for each coordinate, joints first");
}

/// Place and rate of the point in the frame of its link.
struct PlaceOnLink {
  DualVector<double> p, rate;
};
PlaceOnLink place_of(const FlexibleTree& tree, std::span<const double> q, std::span<const double> v,
                     const DualPoint& point) {
  const FlexibleLink& link = tree.links[point.link];
  if (!link.beam) return {make_dual(point.point, Vec3<>{}), {}};
  const StationModes station = station_modes(*link.beam, link.modes, point.station);
  const auto section = section_motion<FirstOrder>(tree, link.invariants, station, modes_of(link, q),
                                                  modes_of(link, v));
  return {section.p, section.p_rate};
}
/// Screws S~ of all modes of a link at a section, at the origin of the link.
std::vector<Column> section_screws(const FlexibleTree& tree, const FlexibleLink& link,
                                   const StationModes& station, std::span<const double> q) {
  std::vector<Column> screws(link.invariants.modes);
  const auto e = modes_of(link, q);
  const auto section = section_motion<FirstOrder>(tree, link.invariants, station, e, e);
  // S~ at the link's origin  [CibicikEgeland (94)-(95), corrected: docs/errata.md]
  section_twists<FirstOrder>(tree, link.invariants, station, e, section, std::span(screws));
  return screws;
}
/// The link that a coordinate belongs to.
int owner(const FlexibleTree& tree, int coordinate) {
  const auto found = std::ranges::find_if(tree.links, [&](const FlexibleLink& link) {
    return coordinate == link.coordinate ||
           (coordinate >= link.first_mode && coordinate < link.first_mode + link.invariants.modes);
  });
  if (coordinate < 0 || found == tree.links.end())
    throw Error(fmt::format("there is no coordinate {}", coordinate), tree.name,
                fmt::format("coordinates are 0 to {}", tree.size - 1));
  return static_cast<int>(found - tree.links.begin());
}
/// The pure dual screw eps s.
Column of_first_order(const Column& s) {
  return make_dual(Vec6<>{}, real_part(s));  // S^ = N S~ = eps S~  [CibicikEgeland (68)-(70)]
}

}  // namespace

DualPoint usual_point(const FlexibleTree& tree, int link) {
  DualPoint point{link, 0, {}};
  check_point(tree, point);
  const FlexibleLink& chosen = tree.links[link];
  if (chosen.beam)
    point.station = chosen.beam->length;
  else if (chosen.rigid.mass > 0)
    point.point = chosen.rigid.first_moment / chosen.rigid.mass;
  return point;
}

DualMotion dual_motion(const FlexibleTree& tree, std::span<const double> q,
                       std::span<const double> v) {
  check_sizes(tree, q);
  check_sizes(tree, v);
  DualMotion motion;
  motion.poses.resize(tree.links.size());
  link_poses(tree, q, std::span(motion.poses));
  motion.twists.resize(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    Column& twist = motion.twists[i];
    if (link.parent >= 0) {
      const FlexibleLink& parent = tree.links[link.parent];
      twist = motion.twists[link.parent];
      if (parent.beam) {
        // t_0i = Ad(T_ij) t_0j + t_ji  [CibicikEgeland (90)], t_ji = Ad(T_ij) S^_j' u_bj + L_i u_i:
        // real parts of the joint, dual parts of the modes  [CibicikEgeland (53)-(56)]
        const std::vector<Column> screws = section_screws(tree, parent, link.mount_modes, q);
        for (std::size_t k = 0; k < screws.size(); ++k)
          twist += of_first_order(screws[k]) * Dual<double>(v[parent.first_mode + k]);
      }
      twist = Ad(inverse(motion.poses[i]) * motion.poses[link.parent], twist);
    }
    if (link.coordinate >= 0)
      twist += make_dual(detail::joint_screw(link) * v[link.coordinate], Vec6<>{});
  }
  return motion;
}

DualScrew dual_screw(const FlexibleTree& tree, std::span<const double> q, int coordinate,
                     const DualPoint& point) {
  check_point(tree, point);
  const int j = owner(tree, coordinate);
  const FlexibleLink& link = tree.links[j];
  DualScrew screw{j, {}, {}};
  int next = -1, i = point.link;  // the link after j on the way to the point
  for (; i > j; i = tree.links[i].parent) next = i;
  if (i != j) return screw;
  if (coordinate == link.coordinate) {
    // L^ = (a; 0), of order 0  [CibicikEgeland (58)]
    screw.projecting = screw.jacobian = make_dual(detail::joint_screw(link), Vec6<>{});
    return screw;
  }
  const StationModes station = next >= 0 ? tree.links[next].mount_modes
                                         : station_modes(*link.beam, link.modes, point.station);
  screw.projecting = section_screws(tree, link, station, q)[coordinate - link.first_mode];
  screw.jacobian = of_first_order(screw.projecting);
  return screw;
}

G2<> screw_transformation(const FlexibleTree& tree, const DualMotion& motion,
                          std::span<const double> q, const DualPoint& point, int j) {
  check_point(tree, point);
  // V = Ad(R_ij, p_aj): all axes and points between at once  [CibicikEgeland (66)]
  G2<> Y = inverse(motion.poses[point.link]) * motion.poses[j];
  Y.v -= place_of(tree, q, q, point).p;
  return Y;
}

DualDifferentiation dual_differentiation(const FlexibleTree& tree, const DualMotion& motion,
                                         std::span<const double> q, std::span<const double> v,
                                         const DualPoint& point, int j) {
  check_point(tree, point);
  const G2<> T = inverse(motion.poses[point.link]) * motion.poses[j];
  const Column &own = motion.twists[point.link], &other = motion.twists[j];
  const PlaceOnLink a = place_of(tree, q, v, point);
  DualDifferentiation d;
  // w = w_ij, upsilon = w x p_aj - dp_aj/dt, which is the sum [CibicikEgeland (78)]
  d.w = T.X * other.angular - own.angular;
  const DualVector<double> rate =
      T.X * other.linear - own.linear - cross(own.angular, T.v) - a.rate;
  d.v = cross(d.w, T.v - a.p) - rate;
  return d;
}
DualTwist<double> derivative(const DualDifferentiation& d, const Column& screw) noexcept {
  // Delta L = [w^ 0; -upsilon^ w^] L  [CibicikEgeland (76)-(77), (79)]
  return {cross(d.w, screw.angular), cross(d.w, screw.linear) - cross(d.v, screw.angular)};
}
std::array<std::array<double, 12>, 12> matrix(const DualDifferentiation& d) noexcept {
  return ad_matrix(Column{d.w, -d.v});
}

DualJacobian dual_jacobian(const FlexibleTree& tree, std::span<const double> q,
                           std::span<const double> v, const DualPoint& point) {
  const DualMotion motion = dual_motion(tree, q, v);
  check_point(tree, point);
  DualJacobian result;
  result.size = tree.size;
  for (auto* columns : {&result.hat, &result.breve, &result.rate}) columns->resize(tree.size);
  for (int k = 0; k < tree.size; ++k) {
    const DualScrew screw = dual_screw(tree, q, k, point);
    const G2<> Y = screw_transformation(tree, motion, q, point, screw.link);
    // V L^, V S^ and V S~  [CibicikEgeland (73), (88)-(89), (94)], of the paper's arm
    // [CibicikEgeland (115)-(118), corrected: docs/errata.md]
    result.hat[k] = Ad(Y, screw.jacobian);      // P^  [CibicikEgeland (92)]
    result.breve[k] = Ad(Y, screw.projecting);  // P~  [CibicikEgeland (93)]
    // t' = P~ u' + dP^/dt u, which is not the derivative of P^ u
    // [CibicikEgeland (96), corrected: docs/errata.md]
    result.rate[k] =
        derivative(dual_differentiation(tree, motion, q, v, point, screw.link), result.hat[k]);
  }
  return result;
}

std::vector<double> rows_of(const std::vector<Column>& columns) {
  const std::size_t n = columns.size();
  std::vector<double> rows(12 * n);
  for (std::size_t k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) {
      const auto &w = columns[k].angular[i], &v = columns[k].linear[i];
      const double numbers[4] = {w.real, w.dual, v.real, v.dual};
      for (std::size_t block = 0; block < 4; ++block)
        rows[(3 * block + i) * n + k] = numbers[block];
    }
  return rows;
}

}  // namespace axode
