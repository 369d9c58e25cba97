/// The integration methods a simulation can choose from, by name, and which kinds of model each is for.
///
///   trees            mk1 .. mk5, cf4, semi-implicit, momentum-preserving, variational, cvode, adams, arkode
///   in absolute coordinates   generalized-alpha, ida
///   mechanisms       projection, baumgarte, augmented-lagrangian, null-space, generalized-alpha,
///                    generalized-alpha-stabilized, ida
///   flexible trees   those of trees but momentum-preserving
/// Tests: tests/simulate/run/method_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace axode {

enum class Method : std::uint8_t {
  /// Trees: mk5, or cvode for contacts; absolute: generalized_alpha. Mechanisms: projection. Flexible trees:
  /// cvode, or adams for tolerances below 1e-7.
  automatic,
  mk1,  ///< Munthe-Kaas Runge-Kutta methods of order 1 to 5, step control
  mk2,
  mk3,
  mk4,
  mk5,
  cf4,                  ///< commutator-free, order 4, fixed step
  semi_implicit,        ///< semi-implicit Euler, fixed step: for real time
  momentum_preserving,  ///< keeps spatial momentum, order 2, fixed step
  variational,          ///< symplectic, order 2, fixed step
  cvode,                ///< SUNDIALS, BDF: stiff
  adams,                ///< SUNDIALS, Adams
  arkode,               ///< SUNDIALS, implicit Runge-Kutta of order 5: stiff
  /// Order 2, step control. Absolute coordinates of trees: positions and velocities meet the constraints
  /// (index 2). Mechanisms: direct, index 3: positions meet them, velocities to h^2.
  generalized_alpha,
  ida,  ///< SUNDIALS, constrained equations
  // Of mechanisms: the equations of index 1 by mk5, Phi_q a = c.
  projection,                    ///< q and v moved onto the equations after each step
  baumgarte,                     ///< c - 2 alpha (Phi_q v + Phi_t) - beta^2 Phi
  augmented_lagrangian,          ///< passes singular positions
  null_space,                    ///< independent velocities alone, v = R z' + b
  generalized_alpha_stabilized,  ///< index 2: positions and velocities meet the equations
};
enum class ModelKind : std::uint8_t { tree, mechanism, flexible_tree };
/// Joint coordinates, or all bodies in SE(3) with joints as constraints.
enum class Formulation : std::uint8_t { relative, absolute };

/// The name users write, such as "generalized-alpha".
std::string_view name(Method method) noexcept;
std::string_view name(Formulation formulation) noexcept;
/// "tree", "mechanism", "flexible tree".
std::string_view name(ModelKind kind) noexcept;
/// All methods of a kind of model, automatic first; of trees those of both formulations.
std::span<const Method> methods_of(ModelKind kind) noexcept;
/// The method of that name, also with '_' for '-', or the formulation. Throws Error, naming those that
/// exist; of methods those of the kind of model.
Method method_named(std::string_view wanted, ModelKind kind = ModelKind::tree);
Formulation formulation_named(std::string_view wanted);

/// Whether every step has the same length, that of the options.
bool has_fixed_step(Method method) noexcept;
/// What `automatic` means in a formulation of a tree; other methods are themselves. Throws Error if the
/// method does not exist there, naming those that do.
Method method_for(Method method, Formulation formulation);
/// Throws Error if the kind of model has no such method, naming those it has.
void check_method(Method method, ModelKind kind);

}  // namespace axode
