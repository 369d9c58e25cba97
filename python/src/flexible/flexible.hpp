/// What the bindings of axode/flexible share: the tree, values with named fields, arguments.
#pragma once
#include <array>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axode/flexible/tree/dual_jacobian.hpp"
#include "axode/flexible/tree/dynamics.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {

/// axode.FlexibleTree: the tree with all that its file says; constant once made, and it does not
/// move, as what evaluates it refers to it.
struct PyFlexibleTree {
  explicit PyFlexibleTree(FlexibleSetup made) : setup(std::move(made)) {}
  PyFlexibleTree(const PyFlexibleTree&) = delete;
  PyFlexibleTree& operator=(const PyFlexibleTree&) = delete;
  const FlexibleSetup setup;
  const FlexibleTree& tree() const noexcept { return setup.tree; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(setup.tree.size); }

 private:
  friend class BorrowedDynamics;
  mutable std::mutex mutex_;
  mutable std::array<std::vector<std::unique_ptr<FlexibleDynamics>>, 2> free_;  ///< by model
};

/// The equations of a tree for the time of a call: their memory is kept for the next one, so that
/// any number of threads may evaluate a tree.
class BorrowedDynamics {
 public:
  BorrowedDynamics(const PyFlexibleTree& tree, const FlexibleDynamicsOptions& options);
  ~BorrowedDynamics();
  BorrowedDynamics(const BorrowedDynamics&) = delete;
  BorrowedDynamics& operator=(const BorrowedDynamics&) = delete;
  FlexibleDynamics* operator->() const noexcept { return dynamics_.get(); }

 private:
  const PyFlexibleTree* tree_;
  std::unique_ptr<FlexibleDynamics> dynamics_;
};

void bind_flexible_sections(nb::module_& m);
void bind_flexible_beams(nb::module_& m);
void bind_flexible_modes_of_beams(nb::module_& m);
void bind_flexible_builder(nb::module_& m);
nb::class_<PyFlexibleTree> bind_flexible_tree(nb::module_& m);
void bind_flexible_equations(nb::module_& m, nb::class_<PyFlexibleTree>& tree);
void bind_flexible_poses(nb::module_& m, nb::class_<PyFlexibleTree>& tree);
void bind_flexible_dual(nb::module_& m, nb::class_<PyFlexibleTree>& tree);
void bind_flexible_modal(nb::class_<PyFlexibleTree>& tree);
void bind_flexible_simulate(nb::module_& m, nb::class_<PyFlexibleTree>& tree);

/// Values of named fields, in the order in which the constructor of their class takes them.
nb::object fields_of(nb::handle self, const std::vector<const char*>& names);
std::string fields_text(nb::handle self, const std::vector<const char*>& names);
/// Gives a class that is no more than its fields text, equality, copies and pickling.
template <class T>
void value_type(nb::class_<T>& type, std::initializer_list<const char*> names) {
  const std::vector<const char*> list(names);
  type.def("__repr__", [list](nb::handle self) { return fields_text(self, list); });
  type.def("__reduce__",
           [list](nb::handle self) { return nb::make_tuple(self.type(), fields_of(self, list)); });
  type.def(
      "__eq__",
      [list](nb::handle self, nb::handle other) {
        if (!self.type().is(other.type())) return false;
        const nb::object a = fields_of(self, list), b = fields_of(other, list);
        return a.equal(b);
      },
      nb::is_operator());
  type.attr("__hash__") = nb::none();
}

ModeDirection direction_named(std::string_view name);
/// An Inertia, or a mass [kg] at the origin.
Inertia<> inertia_argument(nb::handle value, const char* argument);
/// Number of a link by number or name. Throws Error.
int link_argument(const FlexibleTree& tree, nb::handle value);
/// Number of a coordinate among the first `count`, by number or name.
int coordinate_argument(const FlexibleTree& tree, nb::handle value, const char* argument,
                        int count);
std::vector<int> coordinates_argument(const FlexibleTree& tree, nb::handle value,
                                      const char* argument);
/// The station told, or the tip of a beam; 0 on a rigid link.
double station_argument(const FlexibleTree& tree, int link, std::optional<double> station);
FlexibleModel model_named(std::string_view name);
SectionRotation rotation_named(std::string_view name);
/// "rad" or "m".

/// Coordinates or rates, finite; zeros where the argument is None.
class Coordinates {
 public:
  Coordinates(const FlexibleTree& tree, nb::handle value, const char* argument);
  const States& states() const noexcept { return states_; }
  std::span<const double> operator[](std::size_t i) const noexcept { return states_[i]; }

 private:
  States states_;
};
/// The coordinates of one state as a list; `otherwise` where the argument is None.
std::vector<double> one_state(const FlexibleTree& tree, nb::handle value, const char* argument,
                              const std::vector<double>& otherwise);

/// f(i) for each state, without the GIL if there are many.
template <class F>
void for_each_state(const Batching& batching, const F& f) {
  std::optional<GilRelease> release;
  if (batching.batched) release.emplace();
  for (std::size_t i = 0; i < batching.count; ++i) f(i);
}
/// The array of a result of one number for each state, or that number.
nb::object numbers_or_number(const Batching& batching, const Output& output);

/// R_real, R_dual, p_real, p_dual.
nb::object dual_pose(const G2<>& pose);
/// (w_r, w_d, v_r, v_d).
nb::object dual_twist(const DualTwist<double>& twist);

}  // namespace axode::python
