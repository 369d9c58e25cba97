/// What the bindings of axode/kinematics share: states, bodies and frames as arguments, columns as
/// matrices.
#pragma once
#include <string>
#include <utility>

#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "src/model/py_tree.hpp"
#include "src/shared/states.hpp"

namespace axode::python {

void bind_poses(nb::module_& m);
void bind_higher_order(nb::module_& m);
void bind_jacobians(nb::module_& m);
void bind_frame_kinematics(nb::module_& m);
void bind_centre_of_mass(nb::module_& m);
void bind_manipulability(nb::module_& m);
void bind_system_jacobian(nb::module_& m);
void bind_overall_inverse(nb::module_& m);
void bind_targets(nb::module_& m);
void bind_inverse_kinematics(nb::module_& m);
void bind_joint_variables(nb::module_& m);

inline States coordinates(const Tree& tree, nb::handle value, const char* argument = "q") {
  return {value, argument, tree.nq, "the tree's coordinates"};
}
inline States velocities(const Tree& tree, nb::handle value, const char* argument = "v") {
  return {value, argument, tree.nv, "one number for each velocity of the tree"};
}

/// The coordinates of one state, checked. Throws Error on a batch.
std::vector<double> single_state(const Tree& tree, nb::handle value, const char* argument = "q");

/// An argument of shape (rows, columns) or (batch, rows, columns), as states of so many numbers.
States blocks(nb::handle value, const char* argument, std::size_t rows, std::size_t columns,
              const char* what);

nb::object pose_result(const SE3<double>& T);
/// Poses as axes x, y, z and origin, 12 numbers each, to 4x4 matrices row by row.
void write_homogeneous_all(std::span<const double> poses, double* matrices) noexcept;

/// Checks the coordinates and writes their poses to work.poses().
inline void place(Workspace& work, std::span<const double> q) {
  check_configuration(work.tree(), q);
  work.poses(q);
}
/// Checks the velocities and writes their twists; also accelerations, if there are any.
template <Rep rep>
void move(const Tree& tree, const Poses<double>& poses, std::span<const double> v,
          Motion<rep>& motion) {
  check_velocity(tree, v);
  twists(tree, poses, v, motion);
}
template <Rep rep>
void move(const Tree& tree, const Poses<double>& poses, std::span<const double> v,
          std::span<const double> a, Motion<rep>& motion) {
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  accelerations(tree, poses, v, a, motion);
}

/// A body by name or number; None, where it is allowed, is the whole tree, -1.
int body_number_of(const Tree& tree, nb::handle value, const char* argument = "body");
/// A frame by name ("tool", "tool[world]"), as axode.Frame or by the number of its body; None is
/// the world.
FrameChoice frame_of(const Tree& tree, nb::handle value, const char* argument);
/// A frame fixed on one body: Error on a composite one.
Frame simple_frame_of(const Tree& tree, nb::handle value, const char* argument);
/// The frame as the text that names it: for results and targets.
std::string frame_text(nb::handle value, const char* argument);

/// Columns of six numbers, as rows of a 6 x n matrix.
template <class Six>
void write_columns(std::span<const Six> columns, double* row_by_row) noexcept {
  const std::size_t n = columns.size();
  for (std::size_t k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) {
      row_by_row[std::size_t(i) * n + k] = columns[k].angular[i];
      row_by_row[std::size_t(3 + i) * n + k] = columns[k].linear[i];
    }
}
/// Six numbers each, one after the other.
template <class Six>
void write_sixes(std::span<const Six> all, double* numbers) noexcept {
  for (std::size_t k = 0; k < all.size(); ++k)
    write_six({all[k].angular, all[k].linear}, numbers + 6 * k);
}
template <class Six>
void read_sixes(std::span<const double> numbers, std::vector<Six>& all) {
  all.resize(numbers.size() / 6);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Vec6<double> six = read_six(numbers.data() + 6 * k);
    all[k] = {six.angular, six.linear};
  }
}

}  // namespace axode::python
