// The arithmetic of one state; see arithmetic.hpp.
#pragma once
#include "axode/engine/detail/kernels/wide3.hpp"
#include "axode/engine/detail/tree/engine_tree.hpp"

namespace axode {

template <class P>
struct OneState {
  using Scalar = double;
  using Vector = Wide3<P>;
  using V = typename Vector::Vector;
  using Block = P;
  static constexpr int block = P::lanes;

  static Vector load(const double* p) noexcept { return {V{p[0], p[1], p[2], 0}}; }
  static Vector padded(const double* p) noexcept { return Vector::load(p); }  ///< and a zero
  static Vector take(const double* p) noexcept { return Vector::load(p); }
  static void scatter(const Vector& a, double* to, std::ptrdiff_t stride) noexcept {
    to[0] = a.v[0], to[stride] = a.v[1], to[2 * stride] = a.v[2];
  }
  static void put(const Vector& a, double* to) noexcept { scatter(a, to, 1); }
  static void put_all(const Vector& a, const Vector& b, double* to) noexcept {
    a.store(to), put(b, to + 3);  // each over the zero before
  }
  static void put_all(const Vector& a, const Vector& b, const Vector& c, const Vector& d,
                      double* to) noexcept {
    a.store(to), b.store(to + 3), put_all(c, d, to + 6);
  }
  static Vector take_packed(const double* p) noexcept { return load(p); }
  static Block read(const double* p) noexcept { return P::load(p); }
  static Block constant(const double* p) noexcept { return P::load(p); }
  static Block unit(int lane) noexcept {
    static constexpr double one[2 * block - 1] = {0, 0, 0, 1};
    return P::load(one + block - 1 - lane);
  }
  /// The first `count` numbers, at most all.
  static void write(const Block& b, double* to, int count) noexcept {
    static_assert(block == 4);
    if (count >= 4) [[likely]]
      return b.store(to);
    if (count >= 2) {
      __builtin_memcpy(to, &b.v, 2 * sizeof(double));
      if (count == 3) to[2] = b.v[2];
    } else {
      to[0] = b.v[0];
    }
  }

  static Vector zero() noexcept { return {V{}}; }
  static Vector along_z(double z) noexcept { return {V{0, 0, z, 0}}; }
  static double z(const Vector& a) noexcept { return a.v[2]; }
  static double dot(const Vector& a, const Vector& b) noexcept { return axode::dot(a, b); }
  static double dot2(const Vector& a, const Vector& b, const Vector& c, const Vector& d) noexcept {
    const V p = a.v * b.v + c.v * d.v;
    return p[0] + p[1] + p[2];
  }
  /// The sums of four vectors' components.
  [[gnu::always_inline]] static Block sums(const V& a, const V& b, const V& c,
                                           const V& d) noexcept {
    const V x =
        __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const V y =
        __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {__builtin_shufflevector(x, y, 0, 1, 4, 5) + __builtin_shufflevector(x, y, 2, 3, 6, 7)};
  }
  template <class Six>
  [[gnu::always_inline]] static Block dots(const Six* s, const Six& f) noexcept {
    const auto p = [&](int k) -> V {
      return s[k].angular.v * f.angular.v + s[k].linear.v * f.linear.v;
    };
    return sums(p(0), p(1), p(2), p(3));
  }
  template <class Six>
  [[gnu::always_inline]] static Block dots(const Six* s, const Vector& f) noexcept {
    const auto p = [&](int k) -> V { return s[k].angular.v * f.v; };
    return sums(p(0), p(1), p(2), p(3));
  }
  template <class R>
  static R identity() noexcept {
    return {{V{1, 0, 0, 0}}, {V{0, 1, 0, 0}}, {V{0, 0, 1, 0}}};
  }
  [[gnu::always_inline]] static Vector combine(const Vector& x, const Vector& y, const Vector& z,
                                               const Vector& a) noexcept {
    using namespace detail;
    return {x.v * spread<0>(a).v + y.v * spread<1>(a).v + z.v * spread<2>(a).v};
  }
  template <class R>
  static Vector times(const R& m, const Vector& a) noexcept {
    return combine(m.x, m.y, m.z, a);
  }
  template <class R>
  static R transposed(const R& m) noexcept {
    const V low = __builtin_shufflevector(m.x.v, m.y.v, 0, 4, 2, 6);   // x0 y0 x2 y2
    const V high = __builtin_shufflevector(m.x.v, m.y.v, 1, 5, 3, 7);  // x1 y1 0 0
    const V z = m.z.v;
    return {{__builtin_shufflevector(low, z, 0, 1, 4, 7)},
            {__builtin_shufflevector(high, z, 0, 1, 5, 7)},
            {__builtin_shufflevector(low, z, 2, 3, 6, 7)}};
  }
  template <class R>
  static Vector transpose_times(const R& m, const Vector& a) noexcept {
    return times(transposed(m), a);
  }

  struct Turn {
    Vector x, y, z, row0, row1, row2;
  };
  using Constants = EngineForm;
  static const Constants& constants(const EngineBody&, const EngineForm* forms, int i) noexcept {
    return forms[i];
  }
  static Turn turn(const EngineForm& b, double cos, double sin) noexcept {
    const Vector x = padded(b.column[0]), y = padded(b.column[1]);
    const V c = {cos, cos, 1, 0}, s = {sin, -sin, 0, 0};
    const auto row = [&](int k) -> Vector {
      return {padded(b.row[k]).v * c + padded(b.turned[k]).v * s};
    };
    return {x * cos + y * sin, y * cos - x * sin, padded(b.column[2]), row(0), row(1), row(2)};
  }
  static Vector down(const Turn& t, const Vector& a) noexcept {
    return combine(t.row0, t.row1, t.row2, a);
  }
  static Vector up(const Turn& t, const Vector& a) noexcept { return combine(t.x, t.y, t.z, a); }

  struct Spin {
    Vector w1, w2, a1, a2;
  };
  static Spin spin(const Vector& w, const Vector& a) noexcept {
    using namespace detail;
    return {yzx(w), zxy(w), yzx(a), zxy(a)};
  }
  /// By a x p = a_yzx p_zxy - a_zxy p_yzx.
  [[gnu::always_inline]] static Vector apply(const Spin& k, const V& p1, const V& p2) noexcept {
    const Vector r{k.w1.v * p2 - k.w2.v * p1};
    return {(k.a1.v * p2 - k.a2.v * p1) + (k.w1.v * detail::zxy(r).v - k.w2.v * detail::yzx(r).v)};
  }
  static Vector apply(const Spin& k, const double* p) noexcept {
    return apply(k, padded(p + 1).v, padded(p + 2).v);
  }
  static Vector apply(const Spin& k, const Vector& p) noexcept {
    return apply(k, detail::yzx(p).v, detail::zxy(p).v);
  }
  static Vector cross_fixed(const double* p, const Vector& b) noexcept {
    return {padded(p + 1).v * detail::zxy(b).v - padded(p + 2).v * detail::yzx(b).v};
  }
  static Vector cross_z(const Vector& a, double s) noexcept {
    const V t = {s, -s, 0, 0};
    return {__builtin_shufflevector(a.v, a.v, 1, 0, 2, 3) * t};
  }
  static Vector times(const double (&m)[3][4], const Vector& a) noexcept {
    return combine(padded(m[0]), padded(m[1]), padded(m[2]), a);
  }

  struct Symmetric {
    Vector x, y, z;
  };
  template <class R>
  static Symmetric congruence(const R& r, const double (&m)[3][3]) noexcept {
    const auto column = [&](int k) { return r.x * m[k][0] + r.y * m[k][1] + r.z * m[k][2]; };
    return outer_sum(column(0), r.x, column(1), r.y, column(2), r.z);
  }
  /// a u^T + b v^T + c w^T.
  [[gnu::always_inline]] static Symmetric outer_sum(const Vector& a, const Vector& u,
                                                    const Vector& b, const Vector& v,
                                                    const Vector& c, const Vector& w) noexcept {
    using namespace detail;
    return {{a.v * spread<0>(u).v + b.v * spread<0>(v).v + c.v * spread<0>(w).v},
            {a.v * spread<1>(u).v + b.v * spread<1>(v).v + c.v * spread<1>(w).v},
            {a.v * spread<2>(u).v + b.v * spread<2>(v).v + c.v * spread<2>(w).v}};
  }
  static Symmetric symmetric(const double (&m)[3][3]) noexcept {
    return {load(m[0]), load(m[1]), load(m[2])};
  }
  static Symmetric scalar_matrix(double s) noexcept {
    return {{V{1, 0, 0, 0} * s}, {V{0, 1, 0, 0} * s}, {V{0, 0, 1, 0} * s}};
  }
  static Symmetric sum(const Symmetric& a, const Symmetric& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  static double trace(const Symmetric& m) noexcept { return m.x.v[0] + m.y.v[1] + m.z.v[2]; }
  static Symmetric difference(const Symmetric& a, const Symmetric& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  static Symmetric inverse(const Symmetric& m, double& pivot) noexcept {
    const Vector x = cross(m.y, m.z), y = cross(m.z, m.x), z = cross(m.x, m.y);
    const double determinant = axode::dot(m.x, x), s = 1 / determinant;
    pivot = determinant / z.v[2];
    return {x * s, y * s, z * s};
  }
  template <class R>
  static R columns(const Symmetric& m) noexcept {
    return {m.x, m.y, m.z};
  }
  template <class R>
  static Symmetric symmetric_product(const R& a, const R& b) noexcept {
    const R t = transposed(a);
    return {times(t, b.x), times(t, b.y), times(t, b.z)};
  }
  static Symmetric minus_outer(const Symmetric& m, const Vector& u, const Vector& w) noexcept {
    using namespace detail;
    return {{m.x.v - u.v * spread<0>(w).v},
            {m.y.v - u.v * spread<1>(w).v},
            {m.z.v - u.v * spread<2>(w).v}};
  }
  template <class R>
  static R minus_product(const R& m, const Vector& u, const Vector& w) noexcept {
    using namespace detail;
    return {{m.x.v - u.v * spread<0>(w).v},
            {m.y.v - u.v * spread<1>(w).v},
            {m.z.v - u.v * spread<2>(w).v}};
  }
  template <class R>
  static R plus_diagonal(const R& m, double s) noexcept {
    return {{m.x.v + V{1, 0, 0, 0} * s}, {m.y.v + V{0, 1, 0, 0} * s}, {m.z.v + V{0, 0, 1, 0} * s}};
  }
  template <class R>
  static Symmetric plus_twice_symmetric(const Symmetric& m, const R& y) noexcept {
    const R t = transposed(y);
    return {m.x + (y.x + t.x), m.y + (y.y + t.y), m.z + (y.z + t.z)};
  }
  [[gnu::always_inline]] static Symmetric moments(double middle, const Vector& a, const Vector& b,
                                                  const Vector& c, const Vector& h) noexcept {
    using namespace detail;
    const Vector p{c.v * h.v + V{middle, 0, 0, 0}};
    const V d = p.v + yzx(p).v + zxy(p).v;
    const auto column = [&]<int k>() -> V {
      return a.v * spread<k>(a).v - b.v * spread<k>(b).v - h.v * spread<k>(c).v;
    };
    return {{column.template operator()<0>() + V{1, 0, 0, 0} * d},
            {column.template operator()<1>() + V{0, 1, 0, 0} * d},
            {column.template operator()<2>() + V{0, 0, 1, 0} * d}};
  }
  template <class R>
  static R minus_times_skew(const R& c, const Symmetric& d, const Vector& r) noexcept {
    using namespace detail;
    const V x = spread<0>(r).v, y = spread<1>(r).v, z = spread<2>(r).v;
    return {{c.x.v - d.y.v * z + d.z.v * y},
            {c.y.v - d.z.v * x + d.x.v * z},
            {c.z.v - d.x.v * y + d.y.v * x}};
  }
  template <class R>
  static R minus_skew(const Vector& h) noexcept {
    const V n = -h.v, none{};
    const V xy = __builtin_shufflevector(h.v, n, 2, 6, 1, 5);  // z -z y -y
    const V x = __builtin_shufflevector(h.v, n, 0, 4, 3, 7);   // x -x
    return {{__builtin_shufflevector(none, xy, 0, 5, 6, 0)},
            {__builtin_shufflevector(xy, x, 0, 6, 5, 6)},
            {__builtin_shufflevector(xy, x, 3, 4, 6, 6)}};
  }
  template <class R>
  static R skew_times(const Vector& w, const Symmetric& m) noexcept {
    return {cross(w, m.x), cross(w, m.y), cross(w, m.z)};
  }
};

}  // namespace axode
