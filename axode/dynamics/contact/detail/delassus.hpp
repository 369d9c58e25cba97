/// Contacts and the inertia behind them: the Delassus matrix J M^-1 J^T of a set of contacts, and the
/// wrenches or impulses that change the velocities of the contacts by given amounts.
///
///   (J M^-1 J^T) f = b          J: the rows of the directions the contacts hold
///
/// With M = L^T D L along the paths of the tree the matrix is B^T B, B = D^-1/2 L^-T J^T. B itself is
/// factorized: it tells sets that are nearly redundant from those that are, which the product would
/// not, having the square of the condition number. If the rank is less than the number of rows,
///
///   b       is replaced by the nearest b that some f brings about
///   f       is the shortest of all f that do, |f|^2 the sum of squares in the contact frames, in N m
///           and N (N m s and N s) alike: it depends on the unit of length and on the points the
///           torques refer to, as every such choice does; J^T f and the motion do not
///
/// If joints of the tree are coupled, M^-1 is M_c^-1 of coupled_mass.hpp: only motion that keeps
/// the couplings counts. They are eliminated first and are no rows; the shortest f is that of the
/// contacts.
///
/// Cost O(m depth^2 + d m^2) for m directions held and d velocities on their paths; with c
/// couplings and d of theirs O(c d m + c^2 d) more.
/// Tests: tests/dynamics/contact/detail/delassus_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "axode/dynamics/contact/contact.hpp"
#include "axode/dynamics/matrices/coupled_mass.hpp"

namespace axode {

/// Make it once per tree and thread for the largest number of contacts, then reuse it.
struct Delassus {
  Delassus(const Tree& tree, int contacts_at_once);

  CoupledMass mass;  ///< of the last call: M_c^-1 by solve(delassus.mass, factors, x)
  int max_contacts = 0;
  int constraints = 0;  ///< m: directions held, of all contacts
  int rank = 0;         ///< of their rows in J
  bool redundant() const noexcept { return rank < constraints; }

  /// One direction held.
  struct Row {
    int contact, direction;
  };
  std::vector<Row> rows;              ///< the first m
  std::vector<Vec6<double>> columns;  ///< J by contact, nv columns each
  std::vector<int> ends;              ///< two by contact: where the paths of its bodies begin
  std::vector<double> reach;          ///< by contact: lengths that its velocities come from [m]
  std::vector<int> slot;              ///< by velocity: its place among those on the paths, or -1
  std::vector<double> scale;          ///< lengths of the columns of B
  std::vector<int> pivot;             ///< pivot[j]: the row of J that comes j-th
  std::vector<double> triangle;       ///< R of B / scale = Q R P^T, in the place of B, by columns
  std::vector<double> range;          ///< Householder vectors of the range of J, by columns
  std::vector<double> factor;         ///< 2 / |u|^2 of these
  std::vector<Vec6<double>> half;     ///< scratch, as the following
  std::vector<double> x;
  int height = 0;  ///< of B: velocities on the paths, also of coupled joints
};

/// J of the contacts at the configuration of the poses, and what is behind it in mass: `factors` are
/// those of the mass matrix (factorize). A direction counts as independent if the tree can move in
/// it, and more than this part of it is left when those before are taken away. Throws Error if there
/// are more contacts than `result` was made for. Does not allocate.
void delassus(const Tree& tree, const Poses<double>& poses, const PathMatrix<double>& factors,
              std::span<const Contact> contacts, Delassus& result, double rank_tolerance = 1e-7);

/// b, one number for each row, becomes the solution f. Does not allocate, as all the following.
void solve(Delassus& delassus, Out<double> b) noexcept;
/// Row r of J times x.
double row_times(const Delassus& delassus, const PathMatrix<double>& factors, int r,
                 In<double> x) noexcept;
/// Sums of |J_k| |x_k| over the velocities k, angular [1/s, 1/s^2] and linear [m/s, m/s^2]: the
/// numbers from which J x of a contact comes by cancellation, so that rounding errors of J x are to
/// be compared with these. Linear ones contain those of rotations over the lengths of the tree.
struct Magnitudes {
  double angular = 0, linear = 0;
};
Magnitudes magnitudes(const Delassus& delassus, const PathMatrix<double>& factors, int contact,
                      In<double> x) noexcept;
/// Adds J^T f to the forces.
void add_transpose_times(const Delassus& delassus, const PathMatrix<double>& factors, In<double> f,
                         Out<double> force) noexcept;

/// The matrix J M^-1 J^T itself, m x m [1/(kg m^2), 1/(kg m), 1/kg].
DenseMatrix<double> dense(const Delassus& delassus);

}  // namespace axode
