/// Poses of links and sections and forces of loads: axode/flexible/tree/loads.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "src/flexible/flexible.hpp"
#include "src/flexible/forces.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

nb::object link_poses_of(const PyFlexibleTree& t, nb::handle q_argument, std::string_view model) {
  const Coordinates q(t.tree(), q_argument, "q");
  const Batching batching{&q.states()};
  const std::size_t links = t.tree().links.size();
  const bool linear = model_named(model) == FlexibleModel::linear;
  const Output poses(batching, {links, 4, 4});
  std::vector<SE3<>> exact(links);
  std::vector<G2<>> dual(links);
  for_each_state(batching, [&](std::size_t i) {
    if (linear)
      link_poses(t.tree(), q[i], std::span(dual));
    else
      link_poses(t.tree(), q[i], std::span(exact));
    for (std::size_t k = 0; k < links; ++k)
      write_homogeneous(linear ? sum_of_orders(dual[k]) : exact[k], poses[i].data() + 16 * k);
  });
  return poses.array;
}

/// Places [m] on a link: as given, or as many as told from its root to its tip.
std::vector<double> places_on(const FlexibleTree& tree, int link, nb::handle stations) {
  int count = 0;
  if (nb::isinstance<nb::int_>(stations) && nb::try_cast(stations, count)) {
    if (count < 2 || count > 1000000)
      throw Error(std::to_string(count) + " of them", "stations", "give 2 to 1000000, or places");
    const double length = station_argument(tree, link, {});
    std::vector<double> places(count);
    for (int k = 0; k < count; ++k) places[k] = k == count - 1 ? length : length * k / (count - 1);
    return places;
  }
  const Numbers numbers(stations, "stations");
  if (numbers.shape().size() != 1)
    throw Error("is not a list of places", "stations", "give an array (n,) of places [m]");
  return {numbers.all().begin(), numbers.all().end()};
}

/// write(section pose, numbers) for each section and state; `shape` of one result.
template <class Write>
nb::object at_sections(const PyFlexibleTree& t, nb::handle q_argument, int link,
                       const std::vector<double>& places, std::string_view model,
                       std::initializer_list<std::size_t> shape, std::size_t each,
                       const Write& write) {
  const bool linear = model_named(model) == FlexibleModel::linear;
  const LinkSections sections = make_link_sections(t.tree(), link, places);
  const Coordinates q(t.tree(), q_argument, "q");
  const Batching batching{&q.states()};
  const Output result(batching, shape);
  std::vector<SE3<>> exact(places.size());
  std::vector<G2<>> dual(places.size());
  for_each_state(batching, [&](std::size_t i) {
    if (linear)
      section_poses(t.tree(), q[i], sections, std::span(dual));
    else
      section_poses(t.tree(), q[i], sections, std::span(exact));
    for (std::size_t k = 0; k < places.size(); ++k)
      write(linear ? sum_of_orders(dual[k]) : exact[k], result[i].data() + each * k);
  });
  return result.array;
}

nb::object section_poses_of(const PyFlexibleTree& t, nb::handle q, nb::handle link_argument_,
                            nb::handle stations, std::string_view model) {
  const int link = link_argument(t.tree(), link_argument_);
  const std::vector<double> places = places_on(t.tree(), link, stations);
  return at_sections(t, q, link, places, model, {places.size(), 4, 4}, 16, write_homogeneous);
}
nb::object deformed_shape(const PyFlexibleTree& t, nb::handle q, nb::handle link_argument_,
                          nb::handle stations, std::string_view model) {
  const int link = link_argument(t.tree(), link_argument_);
  const std::vector<double> places = places_on(t.tree(), link, stations);
  return at_sections(t, q, link, places, model, {places.size(), 3}, 3,
                     [](const SE3<>& T, double* p) {
                       for (int c = 0; c < 3; ++c) p[c] = T.p[c];
                     });
}
nb::object section_pose_of(const PyFlexibleTree& t, nb::handle q, nb::handle link_argument_,
                           std::optional<double> station, std::string_view model) {
  const int link = link_argument(t.tree(), link_argument_);
  const double at = station_argument(t.tree(), link, station);
  return at_sections(t, q, link, {at}, model, {4, 4}, 16, write_homogeneous);
}

template <class P>
void add_forces(const FlexibleTree& tree, const std::vector<FlexibleLoad>& loads,
                const Batching& batching, const Coordinates& q, const Output& tau) {
  FlexibleLoads<P> made = make_flexible_loads<P>(tree, loads);
  for_each_state(batching, [&](std::size_t i) {
    std::ranges::fill(tau[i], 0.);
    add_load_forces(tree, q[i], made, tau[i]);
  });
}
nb::object load_forces(const PyFlexibleTree& t, nb::handle q_argument, nb::handle loads_argument,
                       std::string_view model) {
  const Coordinates q(t.tree(), q_argument, "q");
  std::vector<FlexibleLoad> loads;
  for (const nb::handle load : loads_argument) loads.push_back(load_argument(t.tree(), load));
  const Batching batching{&q.states()};
  const Output tau(batching, {t.size()});
  if (model_named(model) == FlexibleModel::linear)
    add_forces<FirstOrder>(t.tree(), loads, batching, q, tau);
  else
    add_forces<Exact<double>>(t.tree(), loads, batching, q, tau);
  return tau.array;
}

}  // namespace

void bind_flexible_poses(nb::module_&, nb::class_<PyFlexibleTree>& tree) {
  tree.def("link_poses", &link_poses_of, nb::arg("q"), nb::kw_only(),
           nb::arg("model") = "nonlinear",
           nb::sig("def link_poses(self, q: axode.typing.ArrayLike, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> axode.typing.Array"),
           "Poses of all links in the world frame, (links, 4, 4). Of the linear model orders 0 "
           "and 1 together, rotations to first order only.")
      .def("section_pose", &section_pose_of, nb::arg("q"), nb::arg("link"),
           nb::arg("station") = nb::none(), nb::kw_only(), nb::arg("model") = "nonlinear",
           nb::sig("def section_pose(self, q: axode.typing.ArrayLike, link: str | int, "
                   "station: float | None = None, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> axode.typing.Array"),
           "Pose in the world frame of the section of a link at `station` [m], its tip if not "
           "told, (4, 4); of a rigid link that of its frame moved by `station` along x.")
      .def("section_poses", &section_poses_of, nb::arg("q"), nb::arg("link"),
           nb::arg("stations") = 21, nb::kw_only(), nb::arg("model") = "nonlinear",
           nb::sig("def section_poses(self, q: axode.typing.ArrayLike, link: str | int, "
                   "stations: int | axode.typing.ArrayLike = 21, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> axode.typing.Array"),
           "The same of several sections, (stations, 4, 4): places [m], or how many from root to "
           "tip.")
      .def("deformed_shape", &deformed_shape, nb::arg("q"), nb::arg("link"),
           nb::arg("stations") = 21, nb::kw_only(), nb::arg("model") = "nonlinear",
           nb::sig("def deformed_shape(self, q: axode.typing.ArrayLike, link: str | int, "
                   "stations: int | axode.typing.ArrayLike = 21, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> axode.typing.Array"),
           "Points [m] of the axis of a link in the world frame, to draw it, (stations, 3).")
      .def("load_forces", &load_forces, nb::arg("q"), nb::arg("loads"), nb::kw_only(),
           nb::arg("model") = "nonlinear",
           nb::sig("def load_forces(self, q: axode.typing.ArrayLike, "
                   "loads: collections.abc.Sequence[axode._flexible.FlexibleLoad], *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> axode.typing.Array"),
           "Generalized forces (size,) of loads at their full size: factors are not looked at.");
}

}  // namespace axode::python
