/// Pages for the browser: axode/view, from models and runs.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/view/scene/scene.hpp"
#include "src/flexible/flexible.hpp"
#include "src/mechanism/mechanism.hpp"
#include "src/model/py_tree.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {
namespace {

/// Name, names and units of the columns, values.
using Series =
    std::tuple<std::string, std::vector<std::string>, std::vector<std::string>, nb::object>;
using Event = std::tuple<double, std::string, std::string>;

Clip clip_from(nb::handle times, const std::vector<Series>& series, nb::handle poses,
               const std::vector<Event>& events) {
  Clip clip;
  clip.times = vector(times, "times");
  for (const auto& [name, names, units, values] : series) {
    const Numbers numbers(values, name.c_str());
    clip.series.push_back({name, names, units, {numbers.all().begin(), numbers.all().end()}});
  }
  if (!poses.is_none()) {
    const Numbers numbers(poses, "poses");
    clip.poses.assign(numbers.all().begin(), numbers.all().end());
  }
  for (const auto& [t, name, text] : events) clip.events.push_back({t, name, text});
  return clip;
}

std::string scene_of(nb::handle model, nb::handle start, nb::handle times,
                     const std::vector<Series>& series, nb::handle poses,
                     const std::vector<Event>& events, const std::vector<std::string>& messages) {
  const Clip clip = clip_from(times, series, poses, events);
  const SceneOptions options{.messages = messages};
  if (nb::isinstance<PyTree>(model)) {
    const Tree& tree = nb::cast<PyTree&>(model).tree;
    return tree_scene(tree, start.is_none() ? neutral(tree) : vector(start, "q"), clip, options);
  }
  if (nb::isinstance<PyFlexibleTree>(model)) {
    const auto& flexible = nb::cast<PyFlexibleTree&>(model);
    const std::vector<double> q =
        start.is_none() ? std::vector<double>(flexible.size()) : vector(start, "q");
    return flexible_scene(flexible.tree(), q, clip, options);
  }
  if (!nb::isinstance<mechanisms::PyMechanism>(model))
    throw nb::type_error("model: not a Tree, FlexibleTree or Mechanism");
  const Mechanism& mechanism = nb::cast<mechanisms::PyMechanism&>(model).mechanism;
  return mechanism_scene(mechanism, start_poses(mechanism), clip, options);
}

}  // namespace

void bind_view(nb::module_& m) {
  m.def("_scene", &scene_of, nb::arg("model"), nb::arg("start").none(), nb::arg("times"),
        nb::arg("series"), nb::arg("poses").none(), nb::arg("events"), nb::arg("messages"));
  m.def("_page", &view_page, nb::arg("scenes"));
}

}  // namespace axode::python
