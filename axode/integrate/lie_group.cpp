#include "axode/integrate/lie_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/core/spans.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/quaternion.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

namespace {

using Kind = LieGroup::Kind;
using Vec = Vec3<double>;
using Six = Vec6<double>;

template <class Numbers>
auto at(Numbers numbers, int i) noexcept {
  return numbers.data() + i;
}
Vec vec(const double* a) noexcept { return {a[0], a[1], a[2]}; }
Six six(const double* a) noexcept { return {vec(a), vec(a + 3)}; }
Quaternion<double> quaternion_at(const double* a) noexcept { return {a[0], vec(a + 1)}; }
void put(double* a, const Vec& b) noexcept { a[0] = b.x, a[1] = b.y, a[2] = b.z; }
void put(double* a, const Six& b) noexcept {
  put(a, b.angular);
  put(a + 3, b.linear);
}
void put(double* a, const Quaternion<double>& q) noexcept {
  a[0] = q.w;
  put(a + 1, q.v);
}

/// q v q^-1 without the matrix.
Vec turned(const Quaternion<double>& q, const Vec& v) noexcept {
  const Vec t = cross(q.v, v) * 2.0;
  return v + q.w * t + cross(q.v, t);
}
/// dexp_xi eta.
Vec dexp(const Vec& xi, const Vec& eta) noexcept {
  const Stumpff<double> c = stumpff(squared_norm(xi));
  const Vec t = cross(xi, eta);
  return eta + c.c2 * t + c.c3 * cross(xi, t);
}
/// dexp_xi^-1 v; with `sign` -1 of -xi.
Vec inverse_dexp3(const Vec& xi, const Vec& v, double sign) noexcept {
  const Vec t = cross(xi, v);
  return v - (0.5 * sign) * t + cotangent_series(squared_norm(xi)).value * cross(xi, t);
}
/// The same over the dual numbers, which is dexp^-1 of SE(3) (lie/se3.hpp).
Six inverse_dexp6(const Six& X, const Six& V, double sign) noexcept {
  const Vec &xi = X.angular, &eta = X.linear;
  const CotangentSeries<double> c = cotangent_series(squared_norm(xi));
  const Vec t = cross(xi, V.angular), tt = cross(xi, t);
  const Vec s = cross(eta, V.angular) + cross(xi, V.linear);
  const Vec ss = cross(eta, t) + cross(xi, s);
  return {V.angular - (0.5 * sign) * t + c.value * tt,
          V.linear - (0.5 * sign) * s + c.value * ss + (2 * dot(xi, eta) * c.slope) * tt};
}

void plus_right(const double* x, const Six& d, double* result) noexcept {
  const Quaternion<double> q = quaternion_at(x);
  const Vec p = vec(x + 4);
  put(result, normalized(q * quaternion_exp(d.angular)));
  put(result + 4, p + turned(q, dexp(d.angular, d.linear)));
}
void plus_left(const double* x, const Six& d, double* result) noexcept {
  const Quaternion<double> q = quaternion_at(x), e = quaternion_exp(d.angular);
  const Vec p = vec(x + 4);
  put(result, normalized(e * q));
  put(result + 4, turned(e, p) + dexp(d.angular, d.linear));
}
Six difference_right(const double* a, const double* b) noexcept {
  const Quaternion<double> inverse = conjugate(quaternion_at(a));
  const Vec xi = log(inverse * quaternion_at(b));
  return {xi, inverse_dexp3(xi, turned(inverse, vec(b + 4) - vec(a + 4)), 1)};
}
Six difference_left(const double* a, const double* b) noexcept {
  const Quaternion<double> e = quaternion_at(b) * conjugate(quaternion_at(a));
  const Vec xi = log(e);
  return {xi, inverse_dexp3(xi, vec(b + 4) - turned(e, vec(a + 4)), 1)};
}

int numbers(Kind kind) noexcept { return kind == Kind::so3 || kind == Kind::so3_left ? 4 : 7; }
int velocities(Kind kind) noexcept { return kind == Kind::so3 || kind == Kind::so3_left ? 3 : 6; }
LieGroup& add(LieGroup& group, Kind kind) {
  group.factors.push_back({kind, group.nx, group.nv, 1});
  group.nx += numbers(kind);
  group.nv += velocities(kind);
  return group;
}

}  // namespace

LieGroup& LieGroup::real(int n) {
  if (n <= 0) return *this;
  if (!factors.empty() && factors.back().kind == Kind::real)
    factors.back().count += n;
  else
    factors.push_back({Kind::real, nx, nv, n});
  nx += n;
  nv += n;
  return *this;
}
LieGroup& LieGroup::so3() { return add(*this, Kind::so3); }
LieGroup& LieGroup::so3_left() { return add(*this, Kind::so3_left); }
LieGroup& LieGroup::se3() { return add(*this, Kind::se3); }
LieGroup& LieGroup::se3_left() { return add(*this, Kind::se3_left); }
LieGroup& LieGroup::times(const LieGroup& other) {
  const std::vector<Factor> others = other.factors;  // `other` may be this one
  for (const Factor& factor : others)
    if (factor.kind == Kind::real)
      real(factor.count);
    else
      add(*this, factor.kind);
  return *this;
}

void check_state(const LieGroup& group, std::span<const double> x, const char* what) {
  if (std::ssize(x) != group.nx)
    throw Error(fmt::format("there are {} numbers of a state of {}", x.size(), group.nx), what);
  if (!all_finite(x)) throw Error("has a number that is not finite", what);
  for (const LieGroup::Factor& f : group.factors) {
    if (f.kind == Kind::real) continue;
    const double length = std::sqrt(squared_norm(quaternion_at(x.data() + f.x)));
    if (!(std::abs(length - 1) <= 1e-6))
      throw Error(fmt::format("the quaternion at number {} has length {}", f.x, length), what,
                  "give unit quaternions w, x, y, z");
  }
}

bool is_real(const LieGroup& group) noexcept {
  return std::ranges::all_of(group.factors,
                             [](const LieGroup::Factor& f) { return f.kind == Kind::real; });
}

void plus(const LieGroup& group, In<> x, In<> d, Out<> result) noexcept {
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *a = at(x, first), *b = at(d, velocity);
    double* r = at(result, first);
    switch (kind) {
      case Kind::real:
        for (int i = 0; i < count; ++i) r[i] = a[i] + b[i];
        break;
      case Kind::so3:
        put(r, normalized(quaternion_at(a) * quaternion_exp(vec(b))));
        break;
      case Kind::so3_left:
        put(r, normalized(quaternion_exp(vec(b)) * quaternion_at(a)));
        break;
      case Kind::se3:
        plus_right(a, six(b), r);
        break;
      case Kind::se3_left:
        plus_left(a, six(b), r);
        break;
    }
  }
}

void difference(const LieGroup& group, In<> from, In<> to, Out<> d) noexcept {
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *a = at(from, first), *b = at(to, first);
    double* r = at(d, velocity);
    switch (kind) {
      case Kind::real:
        for (int i = 0; i < count; ++i) r[i] = b[i] - a[i];
        break;
      case Kind::so3:
        put(r, log(conjugate(quaternion_at(a)) * quaternion_at(b)));
        break;
      case Kind::so3_left:
        put(r, log(quaternion_at(b) * conjugate(quaternion_at(a))));
        break;
      case Kind::se3:
        put(r, difference_right(a, b));
        break;
      case Kind::se3_left:
        put(r, difference_left(a, b));
        break;
    }
  }
}

void inverse_dexp(const LieGroup& group, In<> theta, In<> v, Out<> rate) noexcept {
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *a = at(theta, velocity), *b = at(v, velocity);
    double* r = at(rate, velocity);
    switch (kind) {
      case Kind::real:
        for (int i = 0; i < count; ++i) r[i] = b[i];
        break;
      case Kind::so3:
        put(r, inverse_dexp3(vec(a), vec(b), -1));
        break;
      case Kind::so3_left:
        put(r, inverse_dexp3(vec(a), vec(b), 1));
        break;
      case Kind::se3:
        put(r, inverse_dexp6(six(a), six(b), -1));
        break;
      case Kind::se3_left:
        put(r, inverse_dexp6(six(a), six(b), 1));
        break;
    }
  }
}

void dexp_transpose(const LieGroup& group, In<> theta, In<> p, Out<> result) noexcept {
  // dexp_X^T = dexp_{-X} on so(3), whose ad is skew.
  const auto of_twist = [](const Six& X, const Six& W) -> Six {
    const Mat6<double> J = left_jacobian(X);
    return {transpose_times(J.aa, W.angular) + transpose_times(J.la, W.linear),
            transpose_times(J.ll, W.linear)};
  };
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *a = at(theta, velocity), *b = at(p, velocity);
    double* r = at(result, velocity);
    switch (kind) {
      case Kind::real:
        for (int i = 0; i < count; ++i) r[i] = b[i];
        break;
      case Kind::so3:
        put(r, dexp(vec(a), vec(b)));
        break;
      case Kind::so3_left:
        put(r, dexp(-vec(a), vec(b)));
        break;
      case Kind::se3:
        put(r, of_twist(-six(a), six(b)));
        break;
      case Kind::se3_left:
        put(r, of_twist(six(a), six(b)));
        break;
    }
  }
}

void coadjoint(const LieGroup& group, In<> d, In<> p, Out<> result) noexcept {
  for (const auto& [kind, first, velocity, count] : group.factors) {
    const double *a = at(d, velocity), *b = at(p, velocity);
    double* r = at(result, velocity);
    switch (kind) {
      case Kind::real:
        for (int i = 0; i < count; ++i) r[i] = b[i];
        break;
      case Kind::so3:
        put(r, turned(quaternion_exp(-vec(a)), vec(b)));
        break;
      case Kind::so3_left:
        put(r, turned(quaternion_exp(vec(a)), vec(b)));
        break;
      case Kind::se3:
        put(r, Ad_transpose(exp(six(a)), six(b)));
        break;
      case Kind::se3_left:
        put(r, Ad_transpose(exp(-six(a)), six(b)));
        break;
    }
  }
}

}  // namespace axode
