#include "axode/integrate/number_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/lie/quaternion.hpp"
#include "axode/lie/vec3.hpp"

namespace axode {

namespace {

using Kind = LieGroup::Kind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Vec3<double> vector(const double* x) { return {x[0], x[1], x[2]}; }
void write(const Vec3<double>& a, double* to) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

bool is_left(Kind kind) { return kind == Kind::so3_left || kind == Kind::se3_left; }
bool has_position(Kind kind) { return kind == Kind::se3 || kind == Kind::se3_left; }

/// 1/2 q w or 1/2 w q.
void quaternion_rate(const double* q, const Vec3<double>& w, bool left, double* rate) {
  const Vec3<double> v = vector(q + 1);
  const Vec3<double> turned = left ? cross(w, v) : cross(v, w);
  rate[0] = -0.5 * dot(v, w);
  write((w * q[0] + turned) * 0.5, rate + 1);
}

Mat3<double> rotation(const double* q) {
  return rotation_matrix(normalized(Quaternion<double>{q[0], vector(q + 1)}));
}

/// N of a factor that is no vector: rows of numbers, columns of velocities.
struct Block {
  std::array<std::array<double, 7>, 7> a{};
};

Block velocity_to_rate(Kind kind, const double* x) {
  Block N;
  const bool left = is_left(kind);
  for (int j = 0; j < 3; ++j) {
    Vec3<double> unit{};
    unit[j] = 1;
    std::array<double, 4> rate{};
    quaternion_rate(x, unit, left, rate.data());
    for (int i = 0; i < 4; ++i) N.a[at(i)][at(j)] = rate[at(i)];
    if (!has_position(kind)) continue;
    const Vec3<double> along = left ? unit : rotation(x) * unit;
    const Vec3<double> turning = left ? cross(unit, vector(x + 4)) : Vec3<double>{};
    for (int i = 0; i < 3; ++i) {
      N.a[at(4 + i)][at(j)] = turning[i];
      N.a[at(4 + i)][at(3 + j)] = along[i];
    }
  }
  return N;
}

/// P of such a factor: rows of velocities, columns of numbers.
Block number_to_tangent(Kind kind, const double* x) {
  Block P;
  const bool left = is_left(kind);
  const Vec3<double> v = vector(x + 1);
  const double two = 2 / (x[0] * x[0] + squared_norm(v));
  for (int j = 0; j < 4; ++j) {  // 2 vec(conj(q) dq), or 2 vec(dq conj(q))
    std::array<double, 4> d{};
    d[at(j)] = 1;
    const Vec3<double> dv = vector(d.data() + 1);
    const Vec3<double> turned = left ? cross(v, dv) : cross(dv, v);
    const Vec3<double> angle = (dv * x[0] - v * d[0] + turned) * two;
    for (int i = 0; i < 3; ++i) P.a[at(i)][at(j)] = angle[i];
    if (kind != Kind::se3_left) continue;
    const Vec3<double> moved = cross(vector(x + 4), angle);
    for (int i = 0; i < 3; ++i) P.a[at(3 + i)][at(j)] = moved[i];
  }
  if (!has_position(kind)) return P;
  const Mat3<double> R = rotation(x);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      P.a[at(3 + i)][at(4 + j)] = left ? (i == j ? 1. : 0.) : R(j, i);
  return P;
}

/// dN v of such a factor: by numbers, of numbers.
Block rate_by_number(Kind kind, const double* x, const double* v, const Block& P) {
  Block D;
  const Vec3<double> w = vector(v);
  for (int j = 0; j < 4; ++j) {
    std::array<double, 4> d{}, rate{};
    d[at(j)] = 1;
    quaternion_rate(d.data(), w, is_left(kind), rate.data());
    for (int i = 0; i < 4; ++i) D.a[at(i)][at(j)] = rate[at(i)];
  }
  if (kind == Kind::se3) {  // R (angle x v)
    const Mat3<double> R = rotation(x);
    for (int j = 0; j < 4; ++j) {
      const Vec3<double> angle{P.a[0][at(j)], P.a[1][at(j)], P.a[2][at(j)]};
      const Vec3<double> turned = R * cross(angle, vector(v + 3));
      for (int i = 0; i < 3; ++i) D.a[at(4 + i)][at(j)] = turned[i];
    }
  } else if (kind == Kind::se3_left) {
    const Mat3<double> turn = skew(w);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) D.a[at(4 + i)][at(4 + j)] = turn(i, j);
  }
  return D;
}

int numbers(const LieGroup::Factor& f) {
  return f.kind == Kind::real ? f.count : has_position(f.kind) ? 7 : 4;
}
int velocities(const LieGroup::Factor& f) {
  return f.kind == Kind::real ? f.count : has_position(f.kind) ? 6 : 3;
}

}  // namespace

void number_rate(const LieGroup& group, std::span<const double> x, std::span<const double> v,
                 std::span<double> rate) noexcept {
  for (const LieGroup::Factor& f : group.factors) {
    const double* xf = x.data() + f.x;
    const double* vf = v.data() + f.v;
    double* to = rate.data() + f.x;
    if (f.kind == Kind::real) {
      std::copy_n(vf, f.count, to);
      continue;
    }
    quaternion_rate(xf, vector(vf), is_left(f.kind), to);
    if (f.kind == Kind::se3) write(rotation(xf) * vector(vf + 3), to + 4);
    if (f.kind == Kind::se3_left) write(vector(vf + 3) + cross(vector(vf), vector(xf + 4)), to + 4);
  }
}

void number_jacobian(const LieGroup& group, std::span<const double> x, std::span<const double> v,
                     std::span<const double> A, std::span<double> scratch,
                     std::span<double> columns) noexcept {
  const int nv = group.nv, nx = group.nx;
  const auto a = [&](int i, int j) { return A[at(i) * at(nv) + at(j)]; };
  const auto b = [&](int i, int j) -> double& { return scratch[at(j) * at(nv) + at(i)]; };
  const auto c = [&](int i, int j) -> double& { return columns[at(j) * at(nx) + at(i)]; };
  for (const LieGroup::Factor& f : group.factors) {  // B = A P
    const bool real = f.kind == Kind::real;
    const Block P = real ? Block{} : number_to_tangent(f.kind, x.data() + f.x);
    for (int j = 0; j < numbers(f); ++j)
      for (int i = 0; i < nv; ++i) {
        double sum = real ? a(i, f.v + j) : 0;
        for (int k = 0; !real && k < velocities(f); ++k) sum += a(i, f.v + k) * P.a[at(k)][at(j)];
        b(i, f.x + j) = sum;
      }
  }
  for (const LieGroup::Factor& f : group.factors) {  // N B + dN v
    const bool real = f.kind == Kind::real;
    const Block N = real ? Block{} : velocity_to_rate(f.kind, x.data() + f.x);
    for (int j = 0; j < nx; ++j)
      for (int i = 0; i < numbers(f); ++i) {
        double sum = real ? b(f.v + i, j) : 0;
        for (int k = 0; !real && k < velocities(f); ++k) sum += N.a[at(i)][at(k)] * b(f.v + k, j);
        c(f.x + i, j) = sum;
      }
    if (real) continue;
    const Block P = number_to_tangent(f.kind, x.data() + f.x);
    const Block D = rate_by_number(f.kind, x.data() + f.x, v.data() + f.v, P);
    for (int i = 0; i < numbers(f); ++i)
      for (int j = 0; j < numbers(f); ++j) c(f.x + i, f.x + j) += D.a[at(i)][at(j)];
  }
}

void normalize(const LieGroup& group, std::span<double> x) noexcept {
  for (const LieGroup::Factor& f : group.factors) {
    if (f.kind == Kind::real) continue;
    double* q = x.data() + f.x;
    const Quaternion<double> unit = normalized(Quaternion<double>{q[0], vector(q + 1)});
    q[0] = unit.w;
    write(unit.v, q + 1);
  }
}

}  // namespace axode
