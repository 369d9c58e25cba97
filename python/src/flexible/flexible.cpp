/// Trees with elastic links: axode/flexible, their files and their simulation.
#include "src/flexible/flexible.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "src/shared/errors.hpp"
#include "src/shared/results.hpp"

namespace axode::python {

BorrowedDynamics::BorrowedDynamics(const PyFlexibleTree& tree,
                                   const FlexibleDynamicsOptions& options)
    : tree_(&tree) {
  if (options.exact_coordinates.empty() && !options.fall_back) {
    const std::lock_guard lock(tree.mutex_);
    auto& free = tree.free_[std::size_t(options.model)];
    if (!free.empty()) {
      dynamics_ = std::move(free.back());
      free.pop_back();
    }
  }
  if (!dynamics_) dynamics_ = std::make_unique<FlexibleDynamics>(tree.tree(), options);
}
BorrowedDynamics::~BorrowedDynamics() {
  const FlexibleDynamicsOptions& options = dynamics_->options();
  if (!options.exact_coordinates.empty() || options.fall_back) return;
  const std::lock_guard lock(tree_->mutex_);
  tree_->free_[std::size_t(options.model)].push_back(std::move(dynamics_));
}

nb::object fields_of(nb::handle self, const std::vector<const char*>& names) {
  nb::list values;
  for (const char* name : names) values.append(nb::object(nb::getattr(self, name)));
  return nb::tuple(values);
}
std::string fields_text(nb::handle self, const std::vector<const char*>& names) {
  const nb::object type = nb::borrow(self.type());
  const nb::object type_name = nb::getattr(type, "__name__");
  std::string text = nb::cast<std::string>(type_name) + "(";
  for (const char* name : names) {
    const nb::object value = nb::getattr(self, name);
    if (name != names.front()) text += ", ";
    text += std::string(name) + "=" + nb::repr(value).c_str();
  }
  return text + ")";
}

ModeDirection direction_named(std::string_view name) {
  return static_cast<ModeDirection>(
      choice(name, "direction", {"torsion", "bend_y", "bend_z", "axial"}));
}
FlexibleModel model_named(std::string_view name) {
  return static_cast<FlexibleModel>(choice(name, "model", {"linear", "nonlinear"}));
}
SectionRotation rotation_named(std::string_view name) {
  return static_cast<SectionRotation>(choice(name, "rotation", {"zyx", "xyz", "exp"}));
}

Inertia<> inertia_argument(nb::handle value, const char* argument) {
  if (nb::isinstance<Inertia<>>(value)) return nb::cast<Inertia<>>(value);
  double mass = 0;
  if (!nb::try_cast(value, mass))
    throw nb::type_error((std::string(argument) + ": give an Inertia, or a mass").c_str());
  if (!std::isfinite(mass)) throw Error("is a mass that is not finite", argument);
  return {.mass = mass};
}

int coordinate_argument(const FlexibleTree& tree, nb::handle value, const char* argument,
                        int count) {
  if (nb::isinstance<nb::str>(value)) {
    const std::string name = text_from(value, argument);
    const auto last = tree.coordinate_names.begin() + count;
    const auto found = std::find(tree.coordinate_names.begin(), last, name);
    if (found != last) return static_cast<int>(found - tree.coordinate_names.begin());
    std::string all;
    for (int i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + tree.coordinate_names[i];
    throw Error("there is no '" + name + "'", argument, "there are " + all);
  }
  int number = 0;
  if (!nb::try_cast(value, number))
    throw nb::type_error((std::string(argument) + ": give names or numbers").c_str());
  if (number < 0 || number >= count)
    throw Error("there is no coordinate " + std::to_string(number), argument,
                "choose from 0 to " + std::to_string(count - 1));
  return number;
}
std::vector<int> coordinates_argument(const FlexibleTree& tree, nb::handle value,
                                      const char* argument) {
  std::vector<int> result;
  if (nb::isinstance<nb::str>(value)) {
    result.push_back(coordinate_argument(tree, value, argument, tree.size));
    return result;
  }
  for (const nb::handle item : value)
    result.push_back(coordinate_argument(tree, item, argument, tree.size));
  return result;
}
int link_argument(const FlexibleTree& tree, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return link_named(tree, text_from(value, "link"));
  int number = 0;
  if (!nb::try_cast(value, number)) throw nb::type_error("link: give its name or number");
  if (number < 0 || number >= static_cast<int>(tree.links.size()))
    throw Error("there is no link " + std::to_string(number), "link",
                "links are 0 to " + std::to_string(tree.links.size() - 1));
  return number;
}
double station_argument(const FlexibleTree& tree, int link, std::optional<double> station) {
  const FlexibleLink& chosen = tree.links[link];
  return station.value_or(chosen.beam ? chosen.beam->length : 0);
}

const char* coordinate_unit(const FlexibleTree& tree, int coordinate) {
  return is_angle(tree, coordinate) ? "rad" : "m";
}

namespace {
nb::object zeros_if_none(const FlexibleTree& tree, nb::handle value) {
  if (!value.is_none()) return nb::borrow(value);
  return array(std::vector<double>(tree.size));
}
}  // namespace

Coordinates::Coordinates(const FlexibleTree& tree, nb::handle value, const char* argument)
    : states_(zeros_if_none(tree, value), argument, tree.size, "all joints and modes of the tree") {
  for (std::size_t i = 0; i < states_.count(); ++i)
    for (const double x : states_[i])
      if (!std::isfinite(x)) throw Error("has a number that is not finite", argument);
}
std::vector<double> one_state(const FlexibleTree& tree, nb::handle value, const char* argument,
                              const std::vector<double>& otherwise) {
  if (value.is_none()) return otherwise;
  const Coordinates given(tree, value, argument);
  if (given.states().batched())
    throw Error("is a batch where one state is wanted", argument,
                "give one number for each of the " + std::to_string(tree.size) + " coordinates");
  return {given[0].begin(), given[0].end()};
}

nb::object numbers_or_number(const Batching& batching, const Output& output) {
  return batching.batched ? output.array : nb::object(nb::float_(output.data[0]));
}

nb::object dual_pose(const G2<>& pose) {
  const Mat3<Dual<double>> R = to_dual(pose.X).matrix;
  return result("DualPose", matrix(real_part(R)), matrix(dual_part(R)), array(real_part(pose.v)),
                array(dual_part(pose.v)));
}
nb::object dual_twist(const DualTwist<double>& twist) { return array(rows_of({twist})); }

void bind_flexible(nb::module_& m) {
  bind_flexible_sections(m);
  bind_flexible_beams(m);
  bind_flexible_modes_of_beams(m);
  nb::class_<PyFlexibleTree> tree = bind_flexible_tree(m);
  bind_flexible_builder(m);
  bind_flexible_equations(m, tree);
  bind_flexible_poses(m, tree);
  bind_flexible_dual(m, tree);
  bind_flexible_modal(m, tree);
  bind_flexible_simulate(m, tree);
}

}  // namespace axode::python
