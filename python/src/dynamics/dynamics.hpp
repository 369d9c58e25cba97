/// What the functions of dynamics take: states, wrenches, effects.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/kinematics/system_jacobian.hpp"
#include "src/model/py_tree.hpp"
#include "src/shared/results.hpp"
#include "src/shared/states.hpp"

namespace axode::python {

// The parts of bind_dynamics, each in the file of its name.
void bind_dynamics_inverse(nb::module_& m);
void bind_dynamics_newton_euler(nb::module_& m);
void bind_dynamics_forward(nb::module_& m);
void bind_dynamics_matrices(nb::module_& m);
void bind_dynamics_derivatives(nb::module_& m);
void bind_dynamics_tensors(nb::module_& m);
void bind_dynamics_energy(nb::module_& m);
void bind_dynamics_momenta(nb::module_& m);
void bind_dynamics_momentum_form(nb::module_& m);
void bind_dynamics_rates(nb::module_& m);
void bind_dynamics_forms(nb::module_& m);
void bind_dynamics_moving_base(nb::module_& m);
void bind_dynamics_contacts(nb::module_& m);
void bind_dynamics_parameters(nb::module_& m);
void bind_dynamics_geometry(nb::module_& m);

/// An argument with as many numbers as the tree has velocities, by its name.
struct Argument {
  const char* name;
  nb::handle value;
};

/// The argument `wrenches`: None; one wrench for each body, (bodies, 6) or (batch, bodies, 6),
/// torque and force in the frame of the body; {name: wrench in that body or frame}; or a list of
/// NamedWrench.
/// Named wrenches are (6,) or (batch, 6).
class Wrenches {
 public:
  Wrenches(const Tree& tree, nb::handle value);
  /// Lets the batching count the states of the wrenches, too. Throws Error if they differ.
  void join(Batching& batching) const;
  bool none() const noexcept { return !given_; }
  /// Throws Error if a number is not finite, naming the body.
  void check(std::size_t state) const;
  /// Those of a state by body; the poses of the tree in that state count only for named wrenches.
  /// Empty if there are none.
  In<Wrench<Rep::body>> operator()(std::size_t state, const Poses<double>& poses);
  bool by_name() const noexcept { return !named_.empty(); }
  /// Six numbers for each body of all states, as Batch takes them. q holds all coordinates.
  /// Ctrl-C is heard meanwhile.
  std::span<const double> all(const Batching& batching, std::span<const double> q, Workspace& work,
                              RunErrors& errors);
  /// Memory of the array given, if any.
  std::span<const double> memory() const noexcept {
    return array_ ? array_->all() : std::span<const double>{};
  }

 private:
  struct Named {
    ExternalWrench<double> wrench;
    States numbers;
  };
  void add(nb::handle on, nb::handle wrench, nb::handle expressed_in);
  std::span<const double> row(std::size_t state) const noexcept;
  const Tree* tree_;
  bool given_ = false, batched_ = false;
  std::size_t count_ = 1;
  std::optional<Numbers> array_;
  std::vector<Named> named_;
  std::vector<Wrench<Rep::body>> sums_;
  std::vector<double> all_;
};

/// Coordinates q, and arguments by velocity, of one state or many.
class Motions {
 public:
  Motions(const Tree& tree, nb::handle q, std::initializer_list<Argument> others = {},
          const Wrenches* wrenches = nullptr);
  std::span<const double> q(std::size_t state) const noexcept { return (*states_[0])[state]; }
  /// Argument k of the others in that state.
  std::span<const double> operator()(std::size_t k, std::size_t state) const noexcept {
    return (*states_[k + 1])[state];
  }
  States& states(std::size_t k) noexcept { return *states_[k]; }
  const Batching& batching() const noexcept { return batching_; }
  /// Throws Error on numbers that are not finite and quaternions that are not of unit length.
  void check(std::size_t state) const;
  /// The same for a batch with arguments or results that are not finite. Throws Error in any case.
  [[noreturn]] void explain(std::size_t numbers_of_state, std::span<const double> result) const;
  /// Throws Error if a quaternion of any state has not unit length.
  void check_quaternions() const;
  /// Throws Error if q or v, the first of the others, of any state break a coupling of the tree.
  void check_couplings(const char* where) const;
  /// The array of a result, or the number. Throw Error if a number overflowed, naming the state.
  nb::object finished(const Output& result) const { return python::finished(batching_, result); }
  nb::object number(const Output& result) const { return number_or_array(batching_, result); }
  /// Checks each state and calls f(state); a batch without the GIL, errors then name the state.
  template <class F>
  void each(F&& f) const {
    for_states(batching_, [&](std::size_t i) {
      check(i);
      f(i);
    });
  }

 private:
  static constexpr std::size_t most = 6;  ///< arguments; no memory is asked for
  const Tree* tree_;
  std::optional<States> states_[most];
  const char* names_[most];
  std::size_t count_ = 1;  ///< arguments
  const Wrenches* wrenches_;
  Batching batching_;
};

/// Calls f(first, count) for one part of a batch after the other. Their arguments and results, of so
/// many numbers for each state, stay in the caches of the threads until they are looked at, and
/// threads need not meet too often. Ctrl-C is heard between parts; the errors are made with the GIL,
/// which is released here.
template <class F>
void in_parts(std::size_t states, std::size_t numbers, RunErrors& errors, F&& f) {
  const std::size_t bytes = 256 * 1024 * std::size_t(threads());
  const std::size_t most = std::max<std::size_t>(1024, bytes / (numbers * sizeof(double)));
  for (std::size_t first = 0; first < states; first += most) {
    errors.throw_if_interrupted();
    f(first, std::min(most, states - first));
  }
}

inline void write(const DenseMatrix<double>& m, std::span<double> row_by_row) {
  std::copy(m.values.begin(), m.values.end(), row_by_row.begin());
}
inline void write(std::span<const double> numbers, std::span<double> result) {
  std::copy(numbers.begin(), numbers.end(), result.begin());
}
/// All entries, row by row, of a symmetric matrix whose rows run along paths as in the pattern.
void spread(const PathMatrix<double>& pattern, const double* along_paths, std::span<double> all);
inline nb::object matrix(const DenseMatrix<double>& m) {
  return matrix(m.values, m.rows, m.columns);
}

/// Poses, in `work`, and body twists at the coordinates and the first other argument of a state.
const Motion<Rep::body>& motion_at(const Tree& tree, const Borrowed& work, const Motions& at,
                                   std::size_t state);

/// The representation, or none for "auto". Throws Error on another name.
std::optional<Rep> representation_or_auto(std::string_view name);
// Parts of arguments. They throw nb::type_error, naming the argument.

/// An attribute; `type` is what has it in the package.
nb::object member(nb::handle of, const char* argument, const char* name, const char* type);
double number(nb::handle value, const char* argument);
int whole_number(nb::handle value, const char* argument);
/// A body, or a joint as the body it carries, by name or number, whose range is not checked.
int body_argument(const Tree& tree, nb::handle value);
int joint_argument(const Tree& tree, nb::handle value);
/// The argument `springs`: None or axode.dynamics.Springs, checked.
Springs springs_argument(const Tree& tree, nb::handle value);

// Signatures: "def name(tree: Tree, q: ArrayLike, v: ArrayLike, <rest>) -> <result>".

inline const std::string wrenches_signature = "wrenches: axode.typing.Wrenches | None = None";
inline const std::string effects_signature =
    "*, gravity: bool = True, armature: bool = True, damping: bool = True, friction: bool = True";
/// `rest` are arguments after the arrays, separated by ", ".
std::string signature(const char* name, std::initializer_list<const char*> arrays,
                      const std::string& rest = "",
                      const std::string& result = "axode.typing.Array");

/// Defines a function whose last four arguments are the flags of Effects, by keyword. The arguments
/// before are given as nb::arg.
template <class F, class... Arguments>
void def_with_effects(nb::module_& m, const char* name, const std::string& signature_text,
                      const char* doc, F f, Arguments... arguments) {
  m.def(name, f, nb::arg("tree"), arguments..., nb::kw_only(), nb::arg("gravity") = true,
        nb::arg("armature") = true, nb::arg("damping") = true, nb::arg("friction") = true,
        nb::sig(signature_text.c_str()), doc);
}

}  // namespace axode::python
