/// What the tests of the engine's arithmetic share; for sources compiled once per instruction set.
#pragma once
#include <array>
#include <type_traits>

#include "axode/engine/detail/kernels/arithmetic.hpp"
#include "axode/lie/so3.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test {

template <class S>
double lane(const S& x, int k) {
  if constexpr (std::is_same_v<S, double>)
    return x;
  else
    return x[k];
}
template <class S>
void set(S& x, int k, double value) {
  if constexpr (std::is_same_v<S, double>)
    x = value;
  else
    x.set(k, value);
}

/// Columns of a matrix.
template <class A>
struct Columns {
  typename A::Vector x, y, z;
};

/// Random arguments of an arithmetic, and what it makes of them as plain numbers, state by state.
template <class A>
struct Kit {
  using S = typename A::Scalar;
  using V = typename A::Vector;
  static constexpr int states = std::is_same_v<S, double> ? 1 : AXODE_LANES;
  template <class T>
  using Each = std::array<T, static_cast<std::size_t>(states)>;

  static V make(const Each<Vec3<double>>& a) {
    std::array<S, 4> numbers{S(0), S(0), S(0), S(0)};
    for (int k = 0; k < states; ++k)
      for (int i = 0; i < 3; ++i) set(numbers[i], k, a[k][i]);
    return A::take(numbers.data());
  }
  static S make(const Each<double>& a) {
    S s(0);
    for (int k = 0; k < states; ++k) set(s, k, a[k]);
    return s;
  }
  static Columns<A> make(const Each<Mat3<double>>& m) {
    Each<Vec3<double>> x, y, z;
    for (std::size_t k = 0; k < states; ++k) x[k] = m[k].x, y[k] = m[k].y, z[k] = m[k].z;
    return {make(x), make(y), make(z)};
  }
  /// A symmetric matrix, out of functions that are tested by themselves.
  static typename A::Symmetric make_symmetric(const Each<Mat3<double>>& m) {
    const Columns<A> half = make(m);
    return A::plus_twice_symmetric(A::scalar_matrix(S(0)), half);
  }

  static Vec3<double> get(const V& a, int k) {
    std::array<S, 4> numbers{};
    A::put(a, numbers.data());
    return {lane(numbers[0], k), lane(numbers[1], k), lane(numbers[2], k)};
  }
  static double get(const S& s, int k) { return lane(s, k); }
  template <class R>
    requires requires(R r) { r.x; }
  static Mat3<double> get(const R& m, int k) { return {get(m.x, k), get(m.y, k), get(m.z, k)}; }
  static Mat3<double> get(const Sym3<S>& m, int k) {
    return Sym3<double>{lane(m.xx, k), lane(m.yy, k), lane(m.zz, k),
                        lane(m.xy, k), lane(m.xz, k), lane(m.yz, k)}
        .matrix();
  }

  static Each<double> reals(Random& random) {
    Each<double> all;
    for (double& x : all) x = random.uniform(-3, 3);
    return all;
  }
  static Each<Vec3<double>> vectors(Random& random) {
    Each<Vec3<double>> all;
    for (Vec3<double>& x : all) x = random.vec3();
    return all;
  }
  static Each<Mat3<double>> matrices(Random& random) {
    Each<Mat3<double>> all;
    for (Mat3<double>& x : all) x = {random.vec3(), random.vec3(), random.vec3()};
    return all;
  }
  /// found of state k is what `expected(k)` says, to rounding of numbers up to 50.
  template <class T, class F>
  static void same(const char* what, const T& found, F&& expected) {
    for (int k = 0; k < states; ++k) expect_near(get(found, k), expected(k), 1e-13, what);
  }
};

inline Mat3<double> outer(const Vec3<double>& a, const Vec3<double>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
inline Mat3<double> transposed(const Mat3<double>& m) {
  return transpose_times(m, Mat3<double>::identity());
}

/// A joint with constants of all kinds, in both forms.
struct RandomJoint {
  EngineBody body;
  EngineForm form;
};
template <class A>
RandomJoint random_joint(Random& random) {
  RandomJoint joint;
  EngineBody& b = joint.body;
  EngineForm& f = joint.form;
  b.planar = random.integer(0, 1) == 0;
  const Mat3<double> K =
      (b.planar ? exp(Vec3<double>{random.uniform(-3, 3), 0, 0}) : random.rotation()).matrix;
  const Vec3<double> p = random.vec3(), h = random.vec3();
  for (int j = 0; j < 3; ++j) {
    const std::size_t c = j;
    for (int i = 0; i < 3; ++i) {
      const std::size_t r = i;
      b.column[c][r] = f.column[c][r] = f.row[r][c] = K(i, j);
      b.inertia[c][r] = b.inertia[r][c] = random.uniform(-1, 1);
    }
    b.position[c] = f.position[c] = f.position[c + 3] = p[j];
    b.moment[c] = f.moment[c] = f.moment[c + 3] = h[j];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    f.turned[i][0] = f.row[i][1], f.turned[i][1] = f.row[i][0];
    for (std::size_t j = 0; j < 3; ++j) f.inertia[i][j] = b.inertia[i][j];
  }
  return joint;
}
inline Vec3<double> three(const double* a) { return {a[0], a[1], a[2]}; }
inline Mat3<double> nine(const double (&m)[3][3]) {
  return {three(m[0]), three(m[1]), three(m[2])};
}

}  // namespace axode::test
