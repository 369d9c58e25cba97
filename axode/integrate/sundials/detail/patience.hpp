/// When a run of SUNDIALS' integrators is given up.
#pragma once

namespace axode {

inline constexpr int max_stuck = 100;  ///< steps in a row that do not get on

}  // namespace axode
