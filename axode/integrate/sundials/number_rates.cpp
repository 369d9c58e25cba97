#include "axode/integrate/sundials/number_rates.hpp"

#include "axode/lie/quaternion.hpp"
#include "axode/lie/so3.hpp"

namespace axode {
namespace {
using Q = Quaternion<double>;

Q unit(int k) {
  Q e{0, {}};
  if (k == 0)
    e.w = 1;
  else
    e.v[k - 1] = 1;
  return e;
}
double number(const Q& q, int k) { return k == 0 ? q.w : q.v[k - 1]; }

/// Rows and columns of the quaternion.
void rotation_maps(bool left, const Q& q, const Q& w, FactorMaps& m) {
  for (int k = 0; k < 3; ++k) {
    const Q e = unit(k + 1), rate = left ? e * q : q * e;
    for (int i = 0; i < 4; ++i) m.N[i][k] = 0.5 * number(rate, i);
  }
  const double scale = 2 / squared_norm(q);
  for (int j = 0; j < 4; ++j) {
    const Q e = unit(j);
    const Q turn = left ? e * conjugate(q) : conjugate(q) * e;
    for (int k = 0; k < 3; ++k) m.tangent[k][j] = scale * turn.v[k];
    const Q rate = left ? w * e : e * w;
    for (int i = 0; i < 4; ++i) m.slope[i][j] = 0.5 * number(rate, i);
  }
}

void body_position_maps(const Q& q, const Vec3<double>& u, FactorMaps& m) {
  const Mat3<double> R = rotation_matrix(normalized(q)), by_turn = -(R * skew(u));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      m.N[4 + i][3 + k] = R(i, k);
      m.tangent[3 + i][4 + k] = R(k, i);
      for (int j = 0; j < 4; ++j) m.slope[4 + i][j] += by_turn(i, k) * m.tangent[k][j];
    }
}

void space_position_maps(const Vec3<double>& p, const Vec3<double>& omega, FactorMaps& m) {
  const Mat3<double> P = skew(p), W = skew(omega);
  for (int i = 0; i < 3; ++i) {
    m.N[4 + i][3 + i] = 1;
    m.tangent[3 + i][4 + i] = 1;
    for (int k = 0; k < 3; ++k) {
      m.N[4 + i][k] = -P(i, k);
      m.slope[4 + i][4 + k] = W(i, k);
      for (int j = 0; j < 4; ++j) m.tangent[3 + i][j] += P(i, k) * m.tangent[k][j];
    }
  }
}
}  // namespace

FactorMaps factor_maps(LieGroup::Kind kind, const double* x, const double* w) noexcept {
  using Kind = LieGroup::Kind;
  const bool left = kind == Kind::so3_left || kind == Kind::se3_left;
  const bool moves = kind == Kind::se3 || kind == Kind::se3_left;
  FactorMaps m;
  m.nx = moves ? 7 : 4;
  m.nv = moves ? 6 : 3;
  const Q q{x[0], {x[1], x[2], x[3]}};
  const Vec3<double> omega{w[0], w[1], w[2]};
  rotation_maps(left, q, {0, omega}, m);
  if (kind == Kind::se3) body_position_maps(q, {w[3], w[4], w[5]}, m);
  if (kind == Kind::se3_left) space_position_maps({x[4], x[5], x[6]}, omega, m);
  return m;
}

void number_rates(const LieGroup& group, std::span<const double> x, std::span<const double> w,
                  std::span<double> rate) noexcept {
  for (const LieGroup::Factor& f : group.factors) {
    if (f.kind == LieGroup::Kind::real) {
      for (int k = 0; k < f.count; ++k) rate[f.x + k] = w[f.v + k];
      continue;
    }
    const FactorMaps m = factor_maps(f.kind, x.data() + f.x, w.data() + f.v);
    for (int i = 0; i < m.nx; ++i) {
      double sum = 0;
      for (int k = 0; k < m.nv; ++k) sum += m.N[i][k] * w[f.v + k];
      rate[f.x + i] = sum;
    }
  }
}

}  // namespace axode
