// Only velocities on the paths to the contacts have a part in B. Its columns that are zero but for
// rounding, as measured by what the tree can do in other directions at that contact, are left out; the
// others are scaled to length one, so that the rank depends neither on units nor on masses. Then
// reflections with pivoting, and a second set of them for the range of J where the rank is deficient.
// Couplings are eliminated before: of the columns of B the part along them is dropped, the first
// count() numbers after their reflections.
#include "axode/dynamics/contact/detail/delassus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "axode/core/error.hpp"
#include "axode/dynamics/detail/paths.hpp"
#include "axode/linalg/householder.hpp"

namespace axode {
namespace {

/// The last velocity on the path to a body, -1 if nothing moves it.
int path_end(const Tree& tree, int body) noexcept {
  while (body >= 0 && tree.links[body].nv == 0) body = tree.links[body].parent;
  if (body < 0) return -1;
  return tree.links[body].v + tree.links[body].nv - 1;
}

/// Calls take(k) for the velocities on the paths to a contact, towards the root.
template <class Take>
void for_paths(const Delassus& d, const std::vector<int>& parent, int contact,
               Take&& take) noexcept {
  detail::for_paths(parent, d.ends[std::size_t(2 * contact)], d.ends[2 * contact + 1], take);
}

double* column(std::vector<double>& A, int height, int j) noexcept {
  return A.data() + std::size_t(height) * j;
}
const double* column(const std::vector<double>& A, int height, int j) noexcept {
  return A.data() + std::size_t(height) * j;
}
/// What couplings leave of column j of B, and how many numbers.
double* reduced(Delassus& d, int j) noexcept {
  return column(d.triangle, d.height, j) + d.mass.count();
}
const double* reduced(const Delassus& d, int j) noexcept {
  return column(d.triangle, d.height, j) + d.mass.count();
}
int reduced_height(const Delassus& d) noexcept { return d.height - d.mass.count(); }

/// Lists the directions held and numbers the velocities on the paths.
void list_rows(const Tree& tree, const std::vector<int>& parent, std::span<const Contact> contacts,
               Delassus& d) noexcept {
  d.constraints = 0;
  d.height = d.mass.height;
  std::copy(d.mass.slot.begin(), d.mass.slot.end(), d.slot.begin());
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    for (int i = 0; i < 6; ++i)
      if (contacts[c].directions[i]) d.rows[d.constraints++] = {c, i};
    d.ends[std::size_t(2 * c)] = path_end(tree, contacts[c].link);
    d.ends[2 * c + 1] = path_end(tree, contacts[c].against);
    for_paths(d, parent, c, [&](int k) {
      if (d.slot[k] < 0) d.slot[k] = d.height++;
    });
  }
}

/// The lengths that the tree has on the paths to a contact at p: what rounding errors of linear
/// velocities are to be compared with.
double reach(const Tree& tree, const Poses<double>& poses, const Contact& contact,
             const Vec3<double>& p) noexcept {
  double most = 0;
  for (const int end : {contact.link, contact.against})
    for (int i = end; i >= 0; i = tree.links[i].parent)
      most = std::max({most, max_abs(poses.T_WB[i].p - p), max_abs(poses.T_PB[i].p)});
  return most;
}

/// The columns of B that belong to one contact, D^-1/2 L^-T J^T; zero if they are no more than
/// `tolerance` beside all six.
void fill_contact(const PathMatrix<double>& factors, int contact, int first_row, double tolerance,
                  Delassus& d) noexcept {
  const int nv = factors.size();
  const Vec6<double>* J = d.columns.data() + std::size_t(contact) * nv;
  double angular = 0, linear = 0;
  // B = D^-1/2 L^-T J^T with M = L^T D L: L^T y = J^T from the outermost velocity inwards
  for_paths(d, factors.parent, contact, [&](int k) { d.half[k] = J[k]; });
  for_paths(d, factors.parent, contact, [&](int k) {
    const double* L = factors.row(k);
    const Vec6<double> h = d.half[k];
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) d.half[i] -= *++L * h;
    d.half[k] = h / std::sqrt(*factors.row(k));
    angular += squared_norm(d.half[k].angular);
    linear += squared_norm(d.half[k].linear);
  });
  linear += d.reach[contact] * d.reach[contact] * angular;
  for (int r = first_row; r < d.constraints && d.rows[r].contact == contact; ++r) {
    double* B = column(d.triangle, d.height, r);
    std::fill_n(B, d.height, 0.);
    for_paths(d, factors.parent, contact,
              [&](int k) { B[d.slot[k]] = d.half[k][d.rows[r].direction]; });
    split_off_couplings(d.mass, B);
    // zero but for rounding, beside what the tree can do in all directions at the contact
    const double all = d.rows[r].direction < 3 ? angular : linear;
    if (squares(B, d.mass.count(), d.height) <= tolerance * tolerance * all)
      std::fill_n(B, d.height, 0.);
  }
}

/// B, its columns scaled to length one, becomes R by reflections, always of the longest column left.
void triangularize(double tolerance, Delassus& d) noexcept {
  const int n = reduced_height(d), m = d.constraints;
  std::iota(d.pivot.begin(), d.pivot.begin() + m, 0);
  for (int j = 0; j < m; ++j) {
    double* B = reduced(d, j);
    const double length = std::sqrt(squares(B, 0, n));
    d.scale[j] = length > 0 ? length : 1;
    for (int i = 0; i < n; ++i) B[i] /= d.scale[j];
  }
  d.rank = 0;
  for (int r = 0; r < std::min(n, m); ++r) {
    int longest = r;
    double most = 0;
    for (int j = r; j < m; ++j) {
      const double left = squares(reduced(d, j), r, n);
      if (left > most) {
        most = left;
        longest = j;
      }
    }
    if (!(most > tolerance * tolerance)) return;
    double* u = reduced(d, r);
    if (longest != r) {
      std::swap_ranges(u, u + n, reduced(d, longest));
      std::swap(d.pivot[r], d.pivot[longest]);
    }
    double head = 0;
    const double factor = make_reflection(u, r, n, head);
    for (int j = r + 1; j < m; ++j) reflect(u, factor, r, n, reduced(d, j));
    u[r] = head;
    ++d.rank;
  }
}

/// The range of J M^-1 J^T, which is that of G(pivot[j], i) = scale R(i, j), as reflections.
void find_range(Delassus& d) noexcept {
  const int m = d.constraints, r = d.rank;
  for (int i = 0; i < r; ++i) {
    double* G = column(d.range, m, i);
    for (int j = 0; j < m; ++j) {
      const int row = d.pivot[j];
      G[row] = j < i ? 0 : d.scale[row] * reduced(d, j)[i];
    }
  }
  for (int i = 0; i < r; ++i) {
    double* u = column(d.range, m, i);
    double head = 0;
    d.factor[i] = make_reflection(u, i, m, head);
    for (int j = i + 1; j < r; ++j) reflect(u, d.factor[i], i, m, column(d.range, m, j));
  }
}

/// x becomes its orthogonal projection on the range.
void project(const Delassus& d, double* x) noexcept {
  const int m = d.constraints, r = d.rank;
  for (int i = 0; i < r; ++i) reflect(column(d.range, m, i), d.factor[i], i, m, x);
  std::fill(x + r, x + m, 0.);
  for (int i = r - 1; i >= 0; --i) reflect(column(d.range, m, i), d.factor[i], i, m, x);
}

}  // namespace

Delassus::Delassus(const Tree& tree, int contacts_at_once)
    : mass(tree), max_contacts(contacts_at_once) {
  if (max_contacts < 0)
    throw Error("room for " + std::to_string(max_contacts) + " contacts", "Delassus",
                "give the largest number of contacts that are closed at once");
  const std::size_t contacts = max_contacts, m = 6 * contacts, nv = tree.nv;
  rows.resize(m);
  columns.resize(contacts * nv);
  ends.resize(2 * contacts);
  reach.resize(contacts);
  slot.resize(nv);
  scale.resize(m);
  pivot.resize(m);
  triangle.resize(nv * m);
  range.resize(std::min(nv, m) * m);
  factor.resize(m);
  half.resize(nv);
  x.resize(m);
}

void delassus(const Tree& tree, const Poses<double>& poses, const PathMatrix<double>& factors,
              std::span<const Contact> contacts, Delassus& result, double rank_tolerance) {
  Delassus& d = result;
  if (std::ssize(contacts) > d.max_contacts)
    throw Error(std::to_string(contacts.size()) + " contacts in a place made for " +
                    std::to_string(d.max_contacts),
                "delassus", "make it for the largest number of contacts");
  eliminate_couplings(factors, d.mass);
  list_rows(tree, factors.parent, contacts, d);
  int row = 0;
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    const std::span<Vec6<double>> J(d.columns.data() + std::size_t(c) * tree.nv, tree.nv);
    // J_k  [TraversaroSaccon (81)]
    contact_jacobian<double>(tree, poses, contacts[c], J);
    d.reach[c] = reach(tree, poses, contacts[c], contact_pose(poses, contacts[c]).p);
    fill_contact(factors, c, row, rank_tolerance, d);
    row += contacts[c].directions.count();
  }
  triangularize(rank_tolerance, d);
  if (d.redundant()) find_range(d);
}

void solve(Delassus& d, Out<double> b) noexcept {
  const int m = d.constraints, r = d.rank;
  if (d.redundant()) project(d, b.data());
  // R^T R y = b / scale of the independent rows, the others zero.
  double* y = d.x.data();
  for (int j = 0; j < r; ++j) {
    const double* R = reduced(d, j);
    double sum = b[d.pivot[j]] / d.scale[d.pivot[j]];
    for (int i = 0; i < j; ++i) sum -= R[i] * y[i];
    y[j] = sum / R[j];
  }
  for (int i = r - 1; i >= 0; --i) {
    y[i] /= reduced(d, i)[i];
    for (int k = 0; k < i; ++k) y[k] -= reduced(d, i)[k] * y[i];
  }
  std::fill_n(b.begin(), m, 0.);
  for (int j = 0; j < r; ++j) b[d.pivot[j]] = y[j] / d.scale[d.pivot[j]];
  if (d.redundant()) project(d, b.data());
}

double row_times(const Delassus& d, const PathMatrix<double>& factors, int r,
                 In<double> x) noexcept {
  const auto [contact, direction] = d.rows[r];
  const Vec6<double>* J = d.columns.data() + std::size_t(contact) * d.slot.size();
  double sum = 0;
  const int i = direction;  // a binding cannot be captured
  for_paths(d, factors.parent, contact, [&](int k) { sum += J[k][i] * x[k]; });
  return sum;
}

Magnitudes magnitudes(const Delassus& d, const PathMatrix<double>& factors, int contact,
                      In<double> x) noexcept {
  const Vec6<double>* J = d.columns.data() + std::size_t(contact) * d.slot.size();
  Magnitudes sum;
  for_paths(d, factors.parent, contact, [&](int k) {
    sum.angular += norm(J[k].angular) * std::abs(x[k]);
    sum.linear += norm(J[k].linear) * std::abs(x[k]);
  });
  sum.linear += d.reach[contact] * sum.angular;
  return sum;
}

void add_transpose_times(const Delassus& d, const PathMatrix<double>& factors, In<double> f,
                         Out<double> force) noexcept {
  for (int r = 0; r < d.constraints; ++r) {
    const int c = d.rows[r].contact, i = d.rows[r].direction;
    const Vec6<double>* J = d.columns.data() + std::size_t(c) * d.slot.size();
    for_paths(d, factors.parent, c, [&](int k) { force[k] += J[k][i] * f[r]; });
  }
}

DenseMatrix<double> dense(const Delassus& d) {
  const int m = d.constraints;
  DenseMatrix<double> A{m, m, std::vector<double>(std::size_t(m) * m)};
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const int row = d.pivot[i], other = d.pivot[j];
      // J M^-1 J^T = B^T B with B = Q R P^T scale
      double sum = 0;
      for (int k = 0; k < std::min({i + 1, j + 1, d.rank}); ++k)
        sum += reduced(d, i)[k] * reduced(d, j)[k];
      A(row, other) = d.scale[row] * d.scale[other] * sum;
    }
  return A;
}

}  // namespace axode
