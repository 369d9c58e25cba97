/// The integration methods a simulation can choose from, by name, and which formulation each is for.
/// Tests: tests/simulate/run/method_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace axode {

enum class Method : std::uint8_t {
  automatic,  ///< mk5, or cvode for contacts; absolute: generalized_alpha
  mk1,        ///< Munthe-Kaas Runge-Kutta methods of order 1 to 5, step control
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
  generalized_alpha,    ///< absolute coordinates, order 2, step control
  ida                   ///< SUNDIALS, absolute coordinates
};
/// Joint coordinates, or all bodies in SE(3) with joints as constraints.
enum class Formulation : std::uint8_t { relative, absolute };

/// The name users write, such as "generalized-alpha".
std::string_view name(Method method) noexcept;
std::string_view name(Formulation formulation) noexcept;
/// All methods, automatic first.
std::span<const Method> all_methods() noexcept;
/// The method or formulation of that name. Throws Error, naming those that exist.
Method method_named(std::string_view wanted);
Formulation formulation_named(std::string_view wanted);

/// Whether every step has the same length, told by the user.
bool has_fixed_step(Method method) noexcept;
/// What `automatic` means in a formulation; other methods are themselves. Throws Error if the method
/// does not exist there, naming those that do.
Method method_for(Method method, Formulation formulation);

}  // namespace axode
