/// Linearized equations of motion of mechanisms and flexible trees as axode.dynamics.Linearization.
#pragma once
#include "axode/dynamics/derivatives/linearize.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/results.hpp"

namespace axode::python {

/// Of coordinates of these names, whose rates are the velocities: G = 0.
template <class L>
nb::object linearization(const L& l, const nb::list& names) {
  const auto dense = [](const DenseMatrix<double>& m) {
    return matrix(m.values, std::size_t(m.rows), std::size_t(m.columns));
  };
  return result("Linearization", dense(l.A), dense(l.B), dense(l.M), dense(l.D), dense(l.K),
                dense(zero_matrix(l.M.rows, l.M.rows)), array(l.a), array(l.tau), array(l.q),
                array(l.v), names);
}

}  // namespace axode::python
