/// The mass matrix of a tree whose joints are coupled: what forces do to it if the couplings hold.
///
///   M a = f + C^T l,   C a = 0          rows of C: a_follower - ratio a_leader
///   a = M_c^-1 f,      M_c^-1 = H^T (1 - Q Q^T) H,  H = D^-1/2 L^-T,  M = L^T D L,  H C^T = Q R
///
/// the same as E (E^T M E)^-1 E^T with a = E a_independent, but without the matrix E^T M E, which
/// has not the sparsity of the tree. The forces l of the couplings do no work. M must be regular by
/// itself. Cost O(c depth^2 + c^2 d) once for c couplings and d velocities on their paths, then
/// O(sum of depths + c d) for each f; c d numbers are kept. Without couplings M_c is M.
/// Units: those of M a, N m and N.
/// Tests: tests/dynamics/matrices/coupled_mass_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

/// Make one per tree and thread, then reuse it.
struct CoupledMass {
  explicit CoupledMass(const Tree& tree);
  int count() const noexcept { return static_cast<int>(couplings.size()); }

  struct Row {
    int follower, leader;  ///< velocities
    double ratio;
  };
  std::vector<Row> couplings;       ///< rows of C
  std::vector<int> slot;            ///< by velocity: its place among those on the paths, or -1
  std::vector<double> reflections;  ///< by coupling: Householder vector in slots, `height` numbers
  std::vector<double> factor;       ///< 2 / |u|^2 of these
  std::vector<double> scratch;
  int height = 0;  ///< velocities on the paths of coupled joints
};

/// Finds Q for a mass matrix given by its factors (factorize). None of these allocates.
void eliminate_couplings(const PathMatrix<double>& factors, CoupledMass& result) noexcept;
/// Numbers H f, the first `height` in slots, become [Q Q_2]^T H f: the first count() of them are
/// what the couplings take away.
void split_off_couplings(const CoupledMass& mass, double* in_slots) noexcept;
/// x becomes M_c^-1 x; followers are then exactly `ratio` times their leaders.
void solve(CoupledMass& mass, const PathMatrix<double>& factors, Out<double> x) noexcept;

}  // namespace axode
