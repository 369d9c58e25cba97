#include <cmath>

#include "axode/mechanism/coordinates/detail/natural_equations.hpp"
#include "axode/mechanism/coordinates/rod_spin.hpp"

namespace axode::detail {

namespace {

Mat3<double> inverse_of(const Mat3<double>& X) {
  const double volume = determinant(X);
  return Mat3<double>::rows(cross(X.y, X.z) * (1 / volume), cross(X.z, X.x) * (1 / volume),
                            cross(X.x, X.y) * (1 / volume));
}

/// A constant axis of an element that keeps its attitude.
int constant_axis(NaturalMaker& n, int element, int k) {
  const auto found = n.axes.find({element, k});
  if (found != n.axes.end()) return found->second;
  const NaturalElement& e = n.model.elements[element];
  const std::string name = element_name(n.model, n.maker.eq.mechanism, element);
  const int node = fixed_node(n.maker.eq, e.R_WE.matrix.column(k), false, name + ".axis");
  n.axes[{element, k}] = node;
  return node;
}

BodyCoordinates body_coordinates(NaturalMaker& n, int body) {
  const int element = n.model.element_of[body];
  const NaturalElement& e = n.model.elements[element];
  const SE3<double>& T = n.model.T_EB[body];
  BodyCoordinates b;
  b.kind = BodyCoordinates::Kind::natural;
  b.reference = n.maker.eq.mechanism.bodies[body].inertia.com;
  std::array<Vec3<double>, 3> local{};
  if (element == 0) {
    b.origin = natural_node(n, body, {}, true);
  } else {
    b.origin = n.model.basics[e.origin].node;
    b.origin_local = inverse_times(T, e.origin_local);
  }
  if (e.translates) {
    b.base_count = n.model.is_planar ? 1 : 3;
    for (int k = 0; k < b.base_count; ++k) {
      b.base[k] = {constant_axis(n, element, k), -1};
      local[k] = Mat3<double>::identity().column(k);
    }
  } else {
    b.base_count = static_cast<int>(e.base.size());
    for (std::size_t k = 0; k < e.base.size(); ++k) {
      b.base[k] = arrow_of(n, e.base[k]);
      local[k] = e.base[k].local;
    }
  }
  for (Vec3<double>& x : local) x = inverse_times(T.R, x);
  b.base_local = local[0];
  // R = [b_1 b_2 b_3] [b_1' b_2' b_3']^-1, the second matrix constant
  if (b.base_count == 2) local[2] = cross(local[0], local[1]);
  if (b.base_count > 1) b.inverse = inverse_of({local[0], local[1], local[2]});
  return b;
}

/// A part of the motion of an element: r' = ... + c times this.
struct Share {
  std::vector<Node::Part> parts;
};
using Moment = std::array<std::array<double, 4>, 4>;

/// K of 1, c_1, c_2, c_3 over the body, the coefficients of its origin and base arrows.
Moment moments(const NaturalElement& e, const Mat3<double>& inverse, const Sym3<double>& binet) {
  const double m = e.inertia.mass;
  // of r = r_i + sum c_k b_k, c = X^-1 (local - local_i): integrals of c_k and c_k c_l are
  // a = m X^-1 com and Z = X^-1 J X^-T, J Binet's tensor about r_i  [GarciaBayo sec. 4.2]
  const Vec3<double> a = inverse * (e.inertia.com - e.origin_local) * m;
  const Mat3<double> Z = inverse * binet.matrix() * transpose(inverse);
  Moment K{};
  K[0][0] = m;
  for (int i = 0; i < 3; ++i) {
    K[0][i + 1] = K[i + 1][0] = a[i];
    for (int j = 0; j < 3; ++j) K[i + 1][j + 1] = Z(i, j);
  }
  return K;
}

void add_block(MechanismEquations& eq, const Node& a, const Node& b, const Mat3<double>& M) {
  for (int i = 0; i < a.size; ++i)
    for (int j = 0; j < b.size; ++j)
      if (M(i, j) != 0) eq.mass.push_back({a.v + i, b.v + j, M(i, j)});
}

void add_moments(MechanismEquations& eq, const Moment& K, const std::array<Share, 4>& shares) {
  // M = K (x) I_3 in the shares, each a sum of coordinates by constant factors
  std::map<std::pair<int, int>, Mat3<double>> blocks;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < 4; ++l)
      if (K[k][l] != 0)
        for (const Node::Part& a : shares[k].parts)
          for (const Node::Part& b : shares[l].parts) {
            const auto at_pair = blocks.try_emplace({a.node, b.node}, Mat3<double>{}).first;
            at_pair->second += transpose_times(a.factor, b.factor) * K[k][l];
          }
  for (const auto& [pair, M] : blocks)
    add_block(eq, eq.nodes[pair.first], eq.nodes[pair.second], M);
}

/// The sums of origin and base arrows, the third of two being their cross product.
std::array<Share, 4> shares_of(const NaturalMaker& n, int element) {
  const NaturalElement& e = n.model.elements[element];
  std::array<Share, 4> shares;
  shares[0] = {natural_sum(n, element, e.origin_local, true)->parts};
  if (e.translates) return shares;
  std::array<Vec3<double>, 3> local{};
  for (std::size_t k = 0; k < e.base.size(); ++k) local[k] = e.base[k].local;
  if (n.model.is_planar) local[1] = {-local[0].y, local[0].x, 0};
  if (!n.model.is_planar && e.base.size() == 2) local[2] = cross(local[0], local[1]);
  for (std::size_t k = 0; k < 3; ++k)
    if (norm(local[k]) > 0)
      if (const auto sum = natural_sum(n, element, local[k], false)) shares[k + 1] = {sum->parts};
  return shares;
}

/// A rod: no inertia of spin.
Moment rod_moments(const NaturalElement& e, const Sym3<double>& about) {
  const Vec3<double>& b = e.base[0].local;
  // r = r_i + c b: c of the centre of mass, and the mean moment across over L^2
  const double square = squared_norm(b), m = e.inertia.mass;
  Moment K{};
  K[0][0] = m;
  K[0][1] = K[1][0] = m * dot(b, e.inertia.com - e.origin_local) / square;
  K[1][1] = 0.5 * (trace(about) - dot(b, about * b) / square) / square;
  return K;
}

/// The third arrow u x b knows nothing of b' along u, which is zero: mass there keeps the matrix
/// definite.
void add_mass_along(NaturalMaker& n, const NaturalElement& e, double moment,
                    const std::array<Share, 4>& shares) {
  const std::size_t moving = e.base[0].fixed ? 1 : 0;
  const Vec3<double> u = fixed_value(n, e.base[1 - moving]);
  const Mat3<double> F = outer(u, u) * (1 / norm(u));
  std::array<Share, 4> along;
  along[3] = shares[moving + 1];
  for (Node::Part& part : along[3].parts) part.factor = F * part.factor;
  Moment only{};
  only[3][3] = moment;
  add_moments(n.maker.eq, only, along);
}

void add_element_mass(NaturalMaker& n, int element) {
  const NaturalElement& e = n.model.elements[element];
  const Inertia<double>& I = e.inertia;
  const std::array<Share, 4> shares = shares_of(n, element);
  const Sym3<double> about = I.about_com + minus_skew_squared(I.com - e.origin_local) * I.mass;
  Moment K{};
  if (e.translates) {
    K[0][0] = I.mass;
  } else if (n.model.is_planar) {  // only the polar moment counts: half of it to each direction
    const double half = 0.5 * about.zz;
    const Vec3<double>& b = e.base[0].local;
    const Mat3<double> X{b, {-b.y, b.x, 0}, {0, 0, 1}};
    K = moments(e, inverse_of(X), Sym3<double>::diagonal({half, half, 0}));
  } else if (e.base.size() == 1) {
    K = rod_moments(e, about);
  } else {
    const Vec3<double>&a = e.base[0].local, &b = e.base[1].local;
    const Mat3<double> X{a, b, e.base.size() == 3 ? e.base[2].local : cross(a, b)};
    K = moments(e, inverse_of(X), binet_of(about));
    if (e.base.size() == 2 && e.base[0].fixed != e.base[1].fixed)
      add_mass_along(n, e, K[3][3], shares);
  }
  add_moments(n.maker.eq, K, shares);
}

}  // namespace

void add_natural_bodies(NaturalMaker& n) {
  MechanismEquations& eq = n.maker.eq;
  eq.bodies.resize(eq.mechanism.bodies.size());
  for (int b = 1; b < static_cast<int>(eq.bodies.size()); ++b)
    eq.bodies[b] = body_coordinates(n, b);
}

void add_natural_mass(NaturalMaker& n) {
  n.maker.eq.mass_by_motion.assign(n.maker.eq.mechanism.bodies.size(), false);
  for (int e = 1; e < static_cast<int>(n.model.elements.size()); ++e) {
    const NaturalElement& element = n.model.elements[e];
    if (element.bodies.empty() || !has_inertia(element)) continue;
    add_element_mass(n, e);
    if (element.rod && element.base.size() == 1) {  // reactions see what the equations see
      const std::size_t b = element.bodies[0];
      const Vec3<double> u = inverse_times(n.model.T_EB[b].R, element.base[0].local);
      Sym3<double>& I = n.maker.eq.mechanism.bodies[b].inertia.about_com;
      I = slender_inertia(I, normalized(u));
    }
  }
}

}  // namespace axode::detail
