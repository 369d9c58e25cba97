/// Vectors and matrices of three, as plain structs of scalars.
///
/// Plain members and unrolled arithmetic: a compiler keeps them in registers, and the same code
/// serves double, Dual and Pack. `Mat3` is stored by columns because the columns of a rotation
/// matrix mean something: R_AB.x is the x axis of frame B seen in A. `Sym3` packs a symmetric
/// matrix into six numbers. Conversions to Eigen are in eigen.hpp.
/// Tests: tests/lie/vec3_test.cpp
#pragma once
#include <type_traits>

#include "axode/lie/scalar.hpp"

namespace axode {

template <class S = double>
struct Vec3 {
  static_assert(!std::is_integral_v<S>, "components are real: write Vec3<>{1, 0, 0}");
  S x{}, y{}, z{};

  constexpr const S& operator[](int i) const noexcept { return i == 0 ? x : i == 1 ? y : z; }
  constexpr S& operator[](int i) noexcept { return i == 0 ? x : i == 1 ? y : z; }

  constexpr Vec3& operator+=(const Vec3& b) noexcept { return *this = *this + b; }
  constexpr Vec3& operator-=(const Vec3& b) noexcept { return *this = *this - b; }
  constexpr Vec3& operator*=(const S& s) noexcept { return *this = *this * s; }
  constexpr Vec3& operator/=(const S& s) noexcept { return *this = *this / s; }
  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a) noexcept { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const Vec3& a, const S& s) noexcept {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend constexpr Vec3 operator*(const S& s, const Vec3& a) noexcept { return a * s; }
  friend constexpr Vec3 operator/(const Vec3& a, const S& s) noexcept {
    return {a.x / s, a.y / s, a.z / s};
  }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class S>
constexpr S dot(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
constexpr Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
constexpr S squared_norm(const Vec3<S>& a) noexcept {
  return dot(a, a);
}
/// Largest magnitude of the components.
template <class S>
constexpr S max_abs(const Vec3<S>& a) noexcept {
  return max(max(abs(a.x), abs(a.y)), abs(a.z));
}
/// Euclidean length, safe from overflow and underflow. Infinite components give infinity.
template <class S>
inline S norm(const Vec3<S>& a) noexcept {
  const S scale = max_abs(a);
  // In this range a plain sum of squares is safe; outside, divide by the largest first.
  const auto plain = scale > S(Real<S>(1e-15)) && scale < S(Real<S>(1e15));
  return choose(
      plain, [&] { return sqrt(squared_norm(a)); },
      [&] {
        const auto usable = is_finite(scale) && scale > S(0);
        const S divisor = select(usable, scale, S(1));
        return select(usable, divisor * sqrt(squared_norm(a / divisor)), squared_norm(a));
      });
}
/// The unit vector along a, also of tiny and huge ones; NaN for zero.
template <class S>
inline Vec3<S> normalized(const Vec3<S>& a) noexcept {
  const Vec3<S> scaled = a / max_abs(a);
  return scaled / sqrt(squared_norm(scaled));
}
template <class S>
constexpr auto is_finite(const Vec3<S>& a) noexcept {
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}
template <LaneMask Mask, class S>
constexpr Vec3<S> select(const Mask& mask, const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

/// A 3x3 matrix, stored as its columns x, y, z.
template <class S = double>
struct Mat3 {
  Vec3<S> x, y, z;

  static constexpr Mat3 identity() noexcept {
    return {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
  }
  static constexpr Mat3 diagonal(const Vec3<S>& d) noexcept {
    return {{d.x, S(0), S(0)}, {S(0), d.y, S(0)}, {S(0), S(0), d.z}};
  }
  /// From the rows, as matrices are written on paper.
  static constexpr Mat3 rows(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c) noexcept {
    return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
  }

  constexpr const Vec3<S>& column(int j) const noexcept { return j == 0 ? x : j == 1 ? y : z; }
  constexpr Vec3<S>& column(int j) noexcept { return j == 0 ? x : j == 1 ? y : z; }
  constexpr const S& operator()(int i, int j) const noexcept { return column(j)[i]; }
  constexpr S& operator()(int i, int j) noexcept { return column(j)[i]; }

  constexpr Mat3& operator+=(const Mat3& b) noexcept { return *this = *this + b; }
  constexpr Mat3& operator-=(const Mat3& b) noexcept { return *this = *this - b; }
  friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Mat3 operator-(const Mat3& a) noexcept { return {-a.x, -a.y, -a.z}; }
  friend constexpr Mat3 operator*(const Mat3& a, const S& s) noexcept {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend constexpr Mat3 operator*(const S& s, const Mat3& a) noexcept { return a * s; }
  friend constexpr Vec3<S> operator*(const Mat3& a, const Vec3<S>& b) noexcept {
    if constexpr (std::is_same_v<S, double>) {
      if (!std::
              is_constant_evaluated()) {  // a pair and a number: left to itself, g++ shuffles more
        using Pair [[gnu::vector_size(16)]] = double;
        const Pair xy =
            Pair{a.x.x, a.x.y} * b.x + Pair{a.y.x, a.y.y} * b.y + Pair{a.z.x, a.z.y} * b.z;
        return {xy[0], xy[1], a.x.z * b.x + a.y.z * b.y + a.z.z * b.z};
      }
    }
    return {a.x.x * b.x + a.y.x * b.y + a.z.x * b.z, a.x.y * b.x + a.y.y * b.y + a.z.y * b.z,
            a.x.z * b.x + a.y.z * b.y + a.z.z * b.z};
  }
  friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) noexcept {
    return {a * b.x, a * b.y, a * b.z};
  }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

template <class S>
constexpr Mat3<S> transpose(const Mat3<S>& a) noexcept {
  return Mat3<S>::rows(a.x, a.y, a.z);
}
/// transpose(a) * b without forming the transpose.
template <class S>
constexpr Vec3<S> transpose_times(const Mat3<S>& a, const Vec3<S>& b) noexcept {
  return {dot(a.x, b), dot(a.y, b), dot(a.z, b)};
}
template <class S>
constexpr Mat3<S> transpose_times(const Mat3<S>& a, const Mat3<S>& b) noexcept {
  return {transpose_times(a, b.x), transpose_times(a, b.y), transpose_times(a, b.z)};
}
template <class S>
constexpr S trace(const Mat3<S>& a) noexcept {
  return a.x.x + a.y.y + a.z.z;
}
template <class S>
constexpr S determinant(const Mat3<S>& a) noexcept {
  return dot(a.x, cross(a.y, a.z));
}
template <class S>
constexpr S max_abs(const Mat3<S>& a) noexcept {
  return max(max(max_abs(a.x), max_abs(a.y)), max_abs(a.z));
}
template <class S>
constexpr auto is_finite(const Mat3<S>& a) noexcept {
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}
/// The matrix of the cross product: skew(a) * b = a x b [TraversaroSaccon (5)-(6)].
template <class S>
constexpr Mat3<S> skew(const Vec3<S>& a) noexcept {
  return {{S(0), a.z, -a.y}, {-a.z, S(0), a.x}, {a.y, -a.x, S(0)}};
}
/// The vector of the skew-symmetric part of a matrix: unskew(skew(a)) = a.
template <class S>
constexpr Vec3<S> unskew(const Mat3<S>& a) noexcept {
  const S half(Real<S>(0.5));
  return {half * (a.y.z - a.z.y), half * (a.z.x - a.x.z), half * (a.x.y - a.y.x)};
}
/// I + p skew(a) + q skew(a)^2: the form of rotation matrices and of the derivatives of exp.
template <class S>
constexpr Mat3<S> skew_polynomial(const S& p, const S& q, const Vec3<S>& a) noexcept {
  const Vec3<S> s = p * a, d = q * a;
  const S xx = d.x * a.x, yy = d.y * a.y, zz = d.z * a.z;
  const S xy = d.x * a.y, xz = d.x * a.z, yz = d.y * a.z;
  return {{S(1) - (yy + zz), xy + s.z, xz - s.y},
          {xy - s.z, S(1) - (xx + zz), yz + s.x},
          {xz + s.y, yz - s.x, S(1) - (xx + yy)}};
}
/// a b^T.
template <class S>
constexpr Mat3<S> outer(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {a * b.x, a * b.y, a * b.z};
}

/// A symmetric 3x3 matrix in six numbers.
template <class S = double>
struct Sym3 {
  S xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  static constexpr Sym3 diagonal(const Vec3<S>& d) noexcept {
    return {d.x, d.y, d.z, S(0), S(0), S(0)};
  }
  /// The symmetric part of a matrix.
  static constexpr Sym3 of(const Mat3<S>& a) noexcept {
    const S half(Real<S>(0.5));
    return {a.x.x,
            a.y.y,
            a.z.z,
            half * (a.x.y + a.y.x),
            half * (a.x.z + a.z.x),
            half * (a.y.z + a.z.y)};
  }
  constexpr Mat3<S> matrix() const noexcept { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }

  friend constexpr Sym3 operator+(const Sym3& a, const Sym3& b) noexcept {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
  }
  friend constexpr Sym3 operator-(const Sym3& a, const Sym3& b) noexcept {
    return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
  }
  friend constexpr Sym3 operator-(const Sym3& a) noexcept {
    return {-a.xx, -a.yy, -a.zz, -a.xy, -a.xz, -a.yz};
  }
  friend constexpr Sym3 operator*(const Sym3& a, const S& s) noexcept {
    return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
  }
  friend constexpr Sym3 operator*(const S& s, const Sym3& a) noexcept { return a * s; }
  friend constexpr Vec3<S> operator*(const Sym3& a, const Vec3<S>& b) noexcept {
    return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
            a.xz * b.x + a.yz * b.y + a.zz * b.z};
  }
  friend constexpr bool operator==(const Sym3&, const Sym3&) = default;
};

template <class S>
constexpr S trace(const Sym3<S>& a) noexcept {
  return a.xx + a.yy + a.zz;
}
/// R a R^T: the same tensor in other axes.
template <class S>
constexpr Sym3<S> congruence(const Mat3<S>& R, const Sym3<S>& a) noexcept {
  const Mat3<S> b = R * Mat3<S>{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
  const auto entry = [&](int i, int j) {
    return b.x[i] * R.x[j] + b.y[i] * R.y[j] + b.z[i] * R.z[j];
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}
/// |a|^2 I - a a^T = -skew(a)^2, the rotational inertia of a unit point mass at a.
template <class S>
constexpr Sym3<S> minus_skew_squared(const Vec3<S>& a) noexcept {
  const S x2 = a.x * a.x, y2 = a.y * a.y, z2 = a.z * a.z;
  return {y2 + z2, x2 + z2, x2 + y2, -a.x * a.y, -a.x * a.z, -a.y * a.z};
}

}  // namespace axode
