/// What evaluating the Jacobian of a formulation costs, in floating-point operations.
///
/// The rule [GarciaBayo 2.3 gives figures without one]: additions, subtractions and products count
/// one each; products with structural 0 or 1, changes of sign and constant factors of two are free
/// (they can be folded into constants); common subexpressions count once; sines and cosines are
/// counted apart. Points and vectors of bodies enter by blocks d(A s')/dp = 2 G S' (60 for Euler
/// parameters), values of vectors by the rotation matrix (31) and A s' (15).
/// Tests: tests/mechanism/equations/operation_count_test.cpp
#pragma once
#include "axode/mechanism/equations/equations.hpp"

namespace axode {

struct JacobianOperations {
  long operations = 0;
  long trigonometric = 0;  ///< sines and cosines
};
/// Of one Jacobian, in the forms of equations in use.
JacobianOperations jacobian_operations(const MechanismEquations& equations);

}  // namespace axode
