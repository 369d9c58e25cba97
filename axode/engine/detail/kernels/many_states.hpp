// The arithmetic of many states; see arithmetic.hpp.
#pragma once
#include "axode/engine/detail/tree/engine_tree.hpp"
#include "axode/lie/vec3.hpp"

namespace axode {

template <class S>
struct ManyStates {
  using Scalar = S;
  using Vector = Vec3<S>;
  using Block = S;  ///< of consecutive numbers
  static constexpr int block = 1;

  static Vector load(const double* p) noexcept { return {S(p[0]), S(p[1]), S(p[2])}; }
  static Vector take(const S* p) noexcept { return {p[0], p[1], p[2]}; }
  /// Writes the components `stride` numbers apart.
  static void scatter(const Vector& a, S* to, std::ptrdiff_t stride) noexcept {
    to[0] = a.x, to[stride] = a.y, to[2 * stride] = a.z;
  }
  static void put(const Vector& a, S* to) noexcept { scatter(a, to, 1); }
  /// Six numbers, one after the other, and twelve.
  static void put_all(const Vector& a, const Vector& b, S* to) noexcept {
    put(a, to), put(b, to + 3);
  }
  static void put_all(const Vector& a, const Vector& b, const Vector& c, const Vector& d,
                      S* to) noexcept {
    put(a, to), put(b, to + 3), put(c, to + 6), put(d, to + 9);
  }
  static Vector take_packed(const S* p) noexcept { return take(p); }  ///< anything may follow
  static Block read(const S* p) noexcept { return *p; }
  static Block constant(const double* p) noexcept { return S(*p); }
  static Block unit(int) noexcept { return S(1); }  ///< one at a number of a block, zeros else
  static void write(const Block& b, S* to, int) noexcept { *to = b; }

  static Vector zero() noexcept { return {S(0), S(0), S(0)}; }
  static Vector along_z(const S& z) noexcept { return {S(0), S(0), z}; }
  static S z(const Vector& a) noexcept { return a.z; }
  static S dot(const Vector& a, const Vector& b) noexcept { return axode::dot(a, b); }
  static S dot2(const Vector& a, const Vector& b, const Vector& c, const Vector& d) noexcept {
    return axode::dot(a, b) + axode::dot(c, d);
  }
  /// Products of a six-vector with those of a block, and of a vector with their angular parts.
  template <class Six>
  static Block dots(const Six* s, const Six& f) noexcept {
    return dot2(s->angular, f.angular, s->linear, f.linear);
  }
  template <class Six>
  static Block dots(const Six* s, const Vector& f) noexcept {
    return axode::dot(s->angular, f);
  }
  template <class R>
  static R identity() noexcept {
    return {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
  }
  template <class R>
  static Vector times(const R& m, const Vector& a) noexcept {
    return m.x * a.x + m.y * a.y + m.z * a.z;
  }
  template <class R>
  static Vector transpose_times(const R& m, const Vector& a) noexcept {
    return {axode::dot(m.x, a), axode::dot(m.y, a), axode::dot(m.z, a)};
  }

  /// The constants the recursions in the bodies' frames take.
  using Constants = EngineBody;
  static const Constants& constants(const EngineBody& b, const EngineForm*, int) noexcept {
    return b;
  }
  /// The rotation of a joint of one screw.
  struct Turn {
    const EngineBody* b;
    S cos, sin;
  };
  static Turn turn(const EngineBody& b, const S& cos, const S& sin) noexcept {
    return {&b, cos, sin};
  }
  static Vector down(const Turn& t, const Vector& a) noexcept {
    Vector w;
    if (t.b->planar) {
      const S c(t.b->column[1][1]), s(t.b->column[1][2]);
      w = {a.x, a.y * c + a.z * s, a.z * c - a.y * s};
    } else {
      const auto column = [&](int j) {
        const double* k = t.b->column[j];
        return a.x * S(k[0]) + a.y * S(k[1]) + a.z * S(k[2]);
      };
      w = {column(0), column(1), column(2)};
    }
    return {t.cos * w.x + t.sin * w.y, t.cos * w.y - t.sin * w.x, w.z};
  }
  static Vector up(const Turn& t, const Vector& a) noexcept {
    const Vector w{t.cos * a.x - t.sin * a.y, t.sin * a.x + t.cos * a.y, a.z};
    if (t.b->planar) {
      const S c(t.b->column[1][1]), s(t.b->column[1][2]);
      return {w.x, w.y * c - w.z * s, w.y * s + w.z * c};
    }
    const auto row = [&](int i) {
      const double(&k)[3][3] = t.b->column;
      return w.x * S(k[0][i]) + w.y * S(k[1][i]) + w.z * S(k[2][i]);
    };
    return {row(0), row(1), row(2)};
  }
  /// b + up(t, a).
  static Vector up_onto(const Vector& b, const Turn& t, const Vector& a) noexcept {
    const Vector w{t.cos * a.x - t.sin * a.y, t.sin * a.x + t.cos * a.y, a.z};
    if (t.b->planar) {
      const S c(t.b->column[1][1]), s(t.b->column[1][2]);
      return {b.x + w.x, b.y + w.y * c - w.z * s, b.z + w.y * s + w.z * c};
    }
    const auto row = [&](int i) {
      const double(&k)[3][3] = t.b->column;
      return b[i] + w.x * S(k[0][i]) + w.y * S(k[1][i]) + w.z * S(k[2][i]);
    };
    return {row(0), row(1), row(2)};
  }

  /// skew(alpha) + skew(w)^2: acceleration of a point of the body beside that of its origin.
  struct Spin {
    Vector x, y, z;
  };
  static Spin spin(const Vector& w, const Vector& a) noexcept {
    const S xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const S xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return {{-yy - zz, xy + a.z, xz - a.y},
            {xy - a.z, -xx - zz, yz + a.x},
            {xz + a.y, yz - a.x, -xx - yy}};
  }
  static Vector apply(const Spin& k, const double* p) noexcept {
    return k.x * S(p[0]) + k.y * S(p[1]) + k.z * S(p[2]);
  }
  /// b + k p.
  static Vector apply_onto(const Vector& b, const Spin& k, const double* p) noexcept {
    return b + k.x * S(p[0]) + k.y * S(p[1]) + k.z * S(p[2]);
  }
  static Vector apply(const Spin& k, const Vector& p) noexcept {
    return k.x * p.x + k.y * p.y + k.z * p.z;
  }
  /// The integral of r x k r over the mass of a body, by its moments of inertia and second moments.
  static Vector turning_moment(const Spin& k, const double (&m)[3][3],
                               const double (&second)[3]) noexcept {
    const S x(second[0]), y(second[1]), z(second[2]), xy(m[0][1]), xz(m[0][2]), yz(m[1][2]);
    return {y * k.y.z - z * k.z.y + yz * (k.y.y - k.z.z) - xy * k.x.z + xz * k.x.y,
            z * k.z.x - x * k.x.z + xz * (k.z.z - k.x.x) - yz * k.y.x + xy * k.y.z,
            x * k.x.y - y * k.y.x + xy * (k.x.x - k.y.y) - xz * k.z.y + yz * k.z.x};
  }
  static Vector cross_fixed(const double* p, const Vector& b) noexcept { return cross(load(p), b); }
  /// a x z s.
  static Vector cross_z(const Vector& a, const S& s) noexcept { return {a.y * s, -a.x * s, S(0)}; }
  /// m a, m symmetric and constant.
  static Vector times(const double (&m)[3][3], const Vector& a) noexcept {
    return {S(m[0][0]) * a.x + S(m[0][1]) * a.y + S(m[0][2]) * a.z,
            S(m[0][1]) * a.x + S(m[1][1]) * a.y + S(m[1][2]) * a.z,
            S(m[0][2]) * a.x + S(m[1][2]) * a.y + S(m[2][2]) * a.z};
  }

  using Symmetric = Sym3<S>;
  /// R m R^T of a constant m.
  template <class R>
  static Symmetric congruence(const R& r, const double (&m)[3][3]) noexcept {
    const auto column = [&](int k) {
      return r.x * S(m[k][0]) + r.y * S(m[k][1]) + r.z * S(m[k][2]);
    };
    const Vector a = column(0), b = column(1), c = column(2);
    return {a.x * r.x.x + b.x * r.y.x + c.x * r.z.x, a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
            a.z * r.x.z + b.z * r.y.z + c.z * r.z.z, a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
            a.x * r.x.z + b.x * r.y.z + c.x * r.z.z, a.y * r.x.z + b.y * r.y.z + c.y * r.z.z};
  }
  static Symmetric symmetric(const double (&m)[3][3]) noexcept {
    return {S(m[0][0]), S(m[1][1]), S(m[2][2]), S(m[0][1]), S(m[0][2]), S(m[1][2])};
  }
  static Symmetric scalar_matrix(const S& s) noexcept { return {s, s, s, S(0), S(0), S(0)}; }
  static Vector times(const Symmetric& m, const Vector& a) noexcept { return m * a; }
  static Symmetric sum(const Symmetric& a, const Symmetric& b) noexcept { return a + b; }
  static S trace(const Symmetric& m) noexcept { return m.xx + m.yy + m.zz; }
  static Symmetric difference(const Symmetric& a, const Symmetric& b) noexcept { return a - b; }
  /// `pivot` is the determinant over that of x and y alone, of the size of a diagonal entry.
  static Symmetric inverse(const Symmetric& m, S& pivot) noexcept {
    const S xx = m.yy * m.zz - m.yz * m.yz, xy = m.xz * m.yz - m.xy * m.zz,
            xz = m.xy * m.yz - m.xz * m.yy, zz = m.xx * m.yy - m.xy * m.xy;
    const S determinant = m.xx * xx + m.xy * xy + m.xz * xz, s = S(1) / determinant;
    pivot = determinant / zz;
    return {xx * s, (m.xx * m.zz - m.xz * m.xz) * s, zz * s, xy * s,
            xz * s, (m.xy * m.xz - m.xx * m.yz) * s};
  }
  template <class R>
  static R columns(const Symmetric& m) noexcept {
    return {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  }
  /// a^T b, which is known to be symmetric.
  template <class R>
  static Symmetric symmetric_product(const R& a, const R& b) noexcept {
    return {axode::dot(a.x, b.x), axode::dot(a.y, b.y), axode::dot(a.z, b.z),
            axode::dot(a.x, b.y), axode::dot(a.x, b.z), axode::dot(a.y, b.z)};
  }
  /// m - u u'^T, u' along u.
  static Symmetric minus_outer(const Symmetric& m, const Vector& u, const Vector& w) noexcept {
    return {m.xx - u.x * w.x, m.yy - u.y * w.y, m.zz - u.z * w.z,
            m.xy - u.x * w.y, m.xz - u.x * w.z, m.yz - u.y * w.z};
  }
  /// m - u w^T.
  template <class R>
  static R minus_product(const R& m, const Vector& u, const Vector& w) noexcept {
    return {m.x - u * w.x, m.y - u * w.y, m.z - u * w.z};
  }
  /// m + s 1.
  template <class R>
  static R plus_diagonal(const R& m, const S& s) noexcept {
    return {{m.x.x + s, m.x.y, m.x.z}, {m.y.x, m.y.y + s, m.y.z}, {m.z.x, m.z.y, m.z.z + s}};
  }
  /// m + y + y^T.
  template <class R>
  static Symmetric plus_twice_symmetric(const Symmetric& m, const R& y) noexcept {
    return {m.xx + (y.x.x + y.x.x), m.yy + (y.y.y + y.y.y), m.zz + (y.z.z + y.z.z),
            m.xy + (y.x.y + y.y.x), m.xz + (y.x.z + y.z.x), m.yz + (y.y.z + y.z.y)};
  }
  /// (middle + c . h) 1 + a a^T - b b^T - h c^T, h along c: the moments of a body whose centre of
  /// mass is at c.
  static Symmetric moments(double middle, const Vector& a, const Vector& b, const Vector& c,
                           const Vector& h) noexcept {
    const S xx = c.x * h.x, yy = c.y * h.y, zz = c.z * h.z, m(middle);
    return {a.x * a.x - b.x * b.x + (yy + zz + m), a.y * a.y - b.y * b.y + (xx + zz + m),
            a.z * a.z - b.z * b.z + (xx + yy + m), a.x * a.y - b.x * b.y - c.x * h.y,
            a.x * a.z - b.x * b.z - c.x * h.z,     a.y * a.z - b.y * b.z - c.y * h.z};
  }
  /// c - d skew(r), d symmetric.
  template <class R>
  static R minus_times_skew(const R& c, const Symmetric& d, const Vector& r) noexcept {
    const Vector dx{d.xx, d.xy, d.xz}, dy{d.xy, d.yy, d.yz}, dz{d.xz, d.yz, d.zz};
    return {c.x - dy * r.z + dz * r.y, c.y - dz * r.x + dx * r.z, c.z - dx * r.y + dy * r.x};
  }
  /// -skew(h).
  template <class R>
  static R minus_skew(const Vector& h) noexcept {
    return {{S(0), -h.z, h.y}, {h.z, S(0), -h.x}, {-h.y, h.x, S(0)}};
  }
  /// m - skew(h).
  template <class R>
  static R minus_skew(const R& m, const Vector& h) noexcept {
    return {{m.x.x, m.x.y - h.z, m.x.z + h.y},
            {m.y.x + h.z, m.y.y, m.y.z - h.x},
            {m.z.x - h.y, m.z.y + h.x, m.z.z}};
  }
  /// m + s 1.
  static Symmetric plus_scalar(const Symmetric& m, const S& s) noexcept {
    return {m.xx + s, m.yy + s, m.zz + s, m.xy, m.xz, m.yz};
  }
  /// skew(w) m.
  template <class R>
  static R skew_times(const Vector& w, const Symmetric& m) noexcept {
    return {cross(w, Vector{m.xx, m.xy, m.xz}), cross(w, Vector{m.xy, m.yy, m.yz}),
            cross(w, Vector{m.xz, m.yz, m.zz})};
  }
};

}  // namespace axode
