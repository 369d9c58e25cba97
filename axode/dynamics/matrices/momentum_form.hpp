/// The equations of motion in momenta (Hamilton's form): from (q, p) to the rates of both.
///
///   p = M(q) v = J^T Pi,  Pi_i = M_i V_i the spatial momenta                  [MuellerDyn (79)]
///   v = M(q)^-1 p
///   J^T (Pi' - W) = 0:  p'_k = J'_k^T P_i + J_k^T F_i + tau_k - losses
///
/// with P_i the momentum of all that joint i carries, F_i the wrench of gravity and external forces
/// on it, J' = [V_i, J_k] + Ad(C_i) S_k'. Where velocities are rates of coordinates the first two
/// terms are -dH/dq_k of the Hamiltonian H = 1/2 p^T v + U. No Coriolis forces appear, and a free
/// body in spatial velocities keeps its six numbers p; the price is the factorization, O(sum of
/// squared depths). The rest is O(n). Couplings of joints are not seen: each moves on its own.
/// Units: kg m^2/s, kg m/s; N m, N; J.
/// Tests: tests/dynamics/matrices/momentum_form_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

/// Make one per tree and thread, then reuse it.
template <class S = double>
struct MomentumForm {
  explicit MomentumForm(const Tree& tree);
  Composite<S> composite;            ///< after a call: screws, inertias, twists and momenta
  PathMatrix<S> factors;             ///< of the mass matrix
  std::vector<Vec6<S>> screw_rates;  ///< by velocity: J'
  std::vector<Vec6<S>> wrenches;     ///< by body: F
};

/// Writes p of the velocity v, armatures included unless left out. `composite` holds the momenta at
/// v. None of these allocates.
template <class S>
void generalized_momenta(const Tree& tree, const Composite<S>& composite, In<S> v, Out<S> p,
                         const Effects& effects = {}) noexcept;
/// Writes v of the momenta p. Where the mass matrix is found singular (path_matrix.hpp) v is
/// of no use.
template <class S>
MassOutcome velocities_from_momenta(const Tree& tree, const Poses<S>& poses, In<S> p,
                                    MomentumForm<S>& work, Out<S> v,
                                    const Effects& effects = {}) noexcept;
/// Writes p' at velocity v under the joint forces tau. `external` is by body, or empty. `rates` may
/// be the memory of tau, not that of v.
template <class S>
void momentum_rates(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                    MomentumForm<S>& work, Out<S> rates, In<Wrench<Rep::body, S>> external = {},
                    const Effects& effects = {}) noexcept;
/// H = 1/2 p^T v + U of gravity, which is conserved without joint forces, losses and external
/// wrenches.
template <class S>
S hamiltonian(const Tree& tree, const Poses<S>& poses, In<S> p, In<S> v,
              const Effects& effects = {}) noexcept;

/// Straight from coordinates, momenta and joint forces, checked. Throws SingularError, naming a
/// body, if the mass matrix is singular, and Error if joints are coupled.
struct HamiltonRates {
  std::vector<double> v, momentum_rates;
};
HamiltonRates momentum_form(const Tree& tree, In<double> q, In<double> p, In<double> tau,
                            const Effects& effects = {});

}  // namespace axode
