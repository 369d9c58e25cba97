/// The dual screws of the linear model to look at: axode/flexible/tree/dual_jacobian.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "axode/flexible/tree/dual_jacobian.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

/// A section of an elastic link, or a point of a rigid one; the usual one where nothing is told.
DualPoint point_argument(const FlexibleTree& tree, nb::handle link, std::optional<double> station,
                         nb::handle point) {
  DualPoint at = usual_point(tree, link_argument(tree, link));
  if (station) at.station = *station;
  if (!point.is_none()) at.point = vec3(point, "point");
  return at;
}

nb::object dual_jacobian_of(const PyFlexibleTree& t, nb::handle link, nb::handle q_argument,
                            nb::handle v_argument, std::optional<double> station,
                            nb::handle point) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> zeros(t.size());
  const std::vector<double> q = one_state(tree, q_argument, "q", zeros),
                            v = one_state(tree, v_argument, "v", zeros);
  const DualJacobian P = dual_jacobian(tree, q, v, point_argument(tree, link, station, point));
  const auto rows = [&](const std::vector<DualTwist<double>>& columns) {
    return matrix(rows_of(columns), 12, t.size());
  };
  return result("DualJacobian", rows(P.hat), rows(P.breve), rows(P.rate));
}

nb::object dual_motion_of(const PyFlexibleTree& t, nb::handle q_argument, nb::handle v_argument) {
  const std::vector<double> zeros(t.size());
  const std::vector<double> q = one_state(t.tree(), q_argument, "q", zeros),
                            v = one_state(t.tree(), v_argument, "v", zeros);
  const DualMotion motion = dual_motion(t.tree(), q, v);
  nb::list poses;
  for (const G2<>& pose : motion.poses) poses.append(dual_pose(pose));
  const Output twists({motion.twists.size(), 12});
  double* to = twists.data;
  for (const DualTwist<double>& twist : motion.twists)
    to = std::ranges::copy(rows_of({twist}), to).out;
  return result("DualMotion", poses, twists.array);
}

nb::object dual_screw_of(const PyFlexibleTree& t, nb::handle coordinate, nb::handle link,
                         nb::handle q_argument, std::optional<double> station, nb::handle point) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> q = one_state(tree, q_argument, "q", std::vector<double>(t.size()));
  const DualScrew screw =
      dual_screw(tree, q, coordinate_argument(tree, coordinate, "coordinate", tree.size),
                 point_argument(tree, link, station, point));
  return result("DualScrew", screw.link, dual_twist(screw.projecting), dual_twist(screw.jacobian));
}

nb::object screw_transformation_of(const PyFlexibleTree& t, nb::handle link, nb::handle j,
                                   nb::handle q_argument, std::optional<double> station,
                                   nb::handle point) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> zeros(t.size()), q = one_state(tree, q_argument, "q", zeros);
  const DualMotion motion = dual_motion(tree, q, zeros);
  return dual_pose(screw_transformation(tree, motion, q, point_argument(tree, link, station, point),
                                        link_argument(tree, j)));
}

nb::object dual_differentiation_of(const PyFlexibleTree& t, nb::handle link, nb::handle j,
                                   nb::handle q_argument, nb::handle v_argument,
                                   std::optional<double> station, nb::handle point) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> zeros(t.size());
  const std::vector<double> q = one_state(tree, q_argument, "q", zeros),
                            v = one_state(tree, v_argument, "v", zeros);
  const DualMotion motion = dual_motion(tree, q, v);
  const DualDifferentiation d = dual_differentiation(
      tree, motion, q, v, point_argument(tree, link, station, point), link_argument(tree, j));
  const auto both = [](const DualVector<double>& x) {
    const Vec3<> r = real_part(x), e = dual_part(x);
    const double numbers[] = {r.x, r.y, r.z, e.x, e.y, e.z};
    return matrix(numbers, 2, 3);
  };
  const auto rows = matrix(d);
  return result("DualDifferentiation", both(d.w), both(d.v),
                matrix(std::span<const double>(rows.front().data(), 144), 12, 12));
}

nb::object dual_section_pose_of(const PyFlexibleTree& t, nb::handle q_argument, nb::handle link,
                                std::optional<double> station) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> q = one_state(tree, q_argument, "q", std::vector<double>(t.size()));
  const int chosen = link_argument(tree, link);
  return dual_pose(dual_section_pose(tree, q, chosen, station_argument(tree, chosen, station)));
}

}  // namespace

void bind_flexible_dual(nb::module_&, nb::class_<PyFlexibleTree>& tree) {
  tree.def(
          "dual_jacobian", &dual_jacobian_of, nb::arg("link"), nb::arg("q").none(),
          nb::arg("v") = nb::none(), nb::kw_only(), nb::arg("station") = nb::none(),
          nb::arg("point") = nb::none(),
          nb::sig("def dual_jacobian(self, link: str | int, q: axode.typing.ArrayLike | None, "
                  "v: axode.typing.ArrayLike | None = None, *, station: float | None = None, "
                  "point: axode.typing.ArrayLike | None = None) -> "
                  "axode._results.flexible.DualJacobian"),
          "The projection matrices P^ (hat), P~ (breve) and dP^/dt (rate), each (12, size), of a "
          "point of a link in its axes; rows are (w_r, w_d, v_r, v_d). The point is the section at "
          "`station` [m] of an elastic link, `point` [m] in the frame of a rigid one; if not told "
          "the tip, or the centre of mass.")
      .def("dual_motion", &dual_motion_of, nb::arg("q").none(), nb::arg("v") = nb::none(),
           nb::sig("def dual_motion(self, q: axode.typing.ArrayLike | None, "
                   "v: axode.typing.ArrayLike | None = None) -> "
                   "axode._results.flexible.DualMotion"),
           "First-order poses and twists of the frames of all links.")
      .def("dual_screw", &dual_screw_of, nb::arg("coordinate"), nb::arg("link"),
           nb::arg("q").none(), nb::kw_only(), nb::arg("station") = nb::none(),
           nb::arg("point") = nb::none(),
           nb::sig("def dual_screw(self, coordinate: str | int, link: str | int, "
                   "q: axode.typing.ArrayLike | None, *, station: float | None = None, "
                   "point: axode.typing.ArrayLike | None = None) -> "
                   "axode._results.flexible.DualScrew"),
           "The screw of a coordinate for what is beyond it on the way to the point; zero if it "
           "does not move that.")
      .def("screw_transformation", &screw_transformation_of, nb::arg("link"), nb::arg("j"),
           nb::arg("q").none(), nb::kw_only(), nb::arg("station") = nb::none(),
           nb::arg("point") = nb::none(),
           nb::sig("def screw_transformation(self, link: str | int, j: str | int, "
                   "q: axode.typing.ArrayLike | None, *, station: float | None = None, "
                   "point: axode.typing.ArrayLike | None = None) -> "
                   "axode._results.flexible.DualPose"),
           "Pose of link j seen from the point of the link, in the axes of that.")
      .def("dual_differentiation", &dual_differentiation_of, nb::arg("link"), nb::arg("j"),
           nb::arg("q").none(), nb::arg("v") = nb::none(), nb::kw_only(),
           nb::arg("station") = nb::none(), nb::arg("point") = nb::none(),
           nb::sig("def dual_differentiation(self, link: str | int, j: str | int, "
                   "q: axode.typing.ArrayLike | None, v: axode.typing.ArrayLike | None = None, *, "
                   "station: float | None = None, point: axode.typing.ArrayLike | None = None) -> "
                   "axode._results.flexible.DualDifferentiation"),
           "The operator that differentiates screws fixed in link j, seen from the point.")
      .def("dual_section_pose", &dual_section_pose_of, nb::arg("q").none(), nb::arg("link"),
           nb::arg("station") = nb::none(),
           nb::sig("def dual_section_pose(self, q: axode.typing.ArrayLike | None, "
                   "link: str | int, station: float | None = None) -> "
                   "axode._results.flexible.DualPose"),
           "Pose of a section in the world frame by orders: real part with all elastic "
           "coordinates zero, dual part linear in them.");
}

}  // namespace axode::python
