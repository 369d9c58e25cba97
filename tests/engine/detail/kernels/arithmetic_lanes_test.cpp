// Compiled once per instruction set: both kinds of arithmetic against matrices as one writes them.
#include <gtest/gtest.h>

#include "axode/engine/detail/kernels/arithmetic.hpp"
#include "tests/engine/arithmetic_kit.hpp"
#include "tests/support/lanes.hpp"

namespace axode::test::arithmetic_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <class A>
void check_vectors(Random& random) {
  using K = Kit<A>;
  const auto a = K::vectors(random), b = K::vectors(random), c = K::vectors(random),
             d = K::vectors(random);
  const auto s = K::reals(random);
  const auto V = [](const auto& x) { return K::make(x); };
  K::same("sum", V(a) + V(b), [&](auto k) { return a[k] + b[k]; });
  K::same("cross", cross(V(a), V(b)), [&](auto k) { return cross(a[k], b[k]); });
  K::same("dot", A::dot(V(a), V(b)), [&](auto k) { return dot(a[k], b[k]); });
  K::same("dot2", A::dot2(V(a), V(b), V(c), V(d)),
          [&](auto k) { return dot(a[k], b[k]) + dot(c[k], d[k]); });
  K::same("zero", A::zero(), [](auto) { return Vec3<double>{}; });
  K::same("along_z", A::along_z(V(s)), [&](auto k) { return Vec3<double>{0, 0, s[k]}; });
  K::same("z", A::z(V(a)), [&](auto k) { return a[k].z; });
  K::same("cross_z", A::cross_z(V(a), V(s)), [&](auto k) { return cross(a[k], {0, 0, s[k]}); });
  const RandomJoint joint = random_joint<A>(random);
  const EngineBody& body = joint.body;
  const auto& constants = A::constants(body, &joint.form, 0);
  K::same("load", A::load(body.moment), [&](auto) { return three(body.moment); });
  K::same("cross_fixed", A::cross_fixed(constants.moment, V(a)),
          [&](auto k) { return cross(three(body.moment), a[k]); });
  K::same("constant times", A::times(constants.inertia, V(a)),
          [&](auto k) { return nine(body.inertia) * a[k]; });
  const auto spin = A::spin(V(a), V(b));
  const auto turning = [&](auto k, const Vec3<double>& p) {
    return cross(b[k], p) + cross(a[k], cross(a[k], p));
  };
  K::same("spin", A::apply(spin, V(c)), [&](auto k) { return turning(k, c[k]); });
  K::same("spin of a constant", A::apply(spin, constants.position),
          [&](auto k) { return turning(k, three(body.position)); });
}

template <class A>
void check_turns(Random& random) {
  using K = Kit<A>;
  const RandomJoint joint = random_joint<A>(random);
  const EngineBody& body = joint.body;
  const auto& constants = A::constants(body, &joint.form, 0);
  const auto a = K::vectors(random);
  const auto angle = K::reals(random);
  auto cosine = angle, sine = angle;
  for (std::size_t k = 0; k < angle.size(); ++k)
    cosine[k] = std::cos(angle[k]), sine[k] = std::sin(angle[k]);
  const auto turn = A::turn(constants, K::make(cosine), K::make(sine));
  const auto R = [&](auto k) {
    return nine(body.column) * exp(Vec3<double>{0, 0, angle[k]}).matrix;
  };
  K::same("up", A::up(turn, K::make(a)), [&](auto k) { return R(k) * a[k]; });
  K::same("down", A::down(turn, K::make(a)), [&](auto k) { return transpose_times(R(k), a[k]); });
}

template <class A>
void check_matrices(Random& random) {
  using K = Kit<A>;
  using C = Columns<A>;
  const auto m = K::matrices(random);
  const auto a = K::vectors(random), b = K::vectors(random);
  const auto s = K::reals(random);
  const C M = K::make(m);
  const auto u = K::make(a), w = K::make(b);
  K::same("identity", A::template identity<C>(), [](auto) { return Mat3<double>::identity(); });
  K::same("times", A::times(M, u), [&](auto k) { return m[k] * a[k]; });
  K::same("transpose_times", A::transpose_times(M, u),
          [&](auto k) { return transpose_times(m[k], a[k]); });
  K::same("minus_product", A::minus_product(M, u, w),
          [&](auto k) { return m[k] - outer(a[k], b[k]); });
  K::same("minus_skew", A::template minus_skew<C>(u), [&](auto k) { return -skew(a[k]); });
  K::same("plus_diagonal", A::plus_diagonal(M, K::make(s)), [&](auto k) {
    return m[k] + Mat3<double>::diagonal({s[k], s[k], s[k]});
  });
}

/// Of positive definite matrices, whose pivots are those of elimination.
template <class A>
void check_inverses(Random& random) {
  using K = Kit<A>;
  auto half = K::matrices(random);
  for (Mat3<double>& x : half)
    x = transpose_times(x, x) * .5 + Mat3<double>::identity();  // twice that is x^T x + 2
  const auto full = [](const Mat3<double>& x) { return x + transposed(x); };
  auto pivot = K::make(K::reals(random));
  const auto found = A::inverse(K::make_symmetric(half), pivot);
  for (int k = 0; k < K::states; ++k) {
    const Mat3<double> m = full(half[k]), inverse = K::get(found, k);
    expect_near(m * inverse, Mat3<double>::identity(), 1e-13, "inverse");
    expect_near(K::get(pivot, k), 1 / inverse(2, 2), 1e-12, "pivot");
  }
  const auto m = K::matrices(random), n = K::matrices(random);
  auto product = m;  // m^T n m is symmetric where n is
  for (std::size_t k = 0; k < m.size(); ++k) product[k] = full(n[k]) * m[k];
  K::same("symmetric_product", A::symmetric_product(K::make(m), K::make(product)),
          [&](auto k) { return transpose_times(m[k], product[k]); });
}

template <class A>
void check_symmetric(Random& random) {
  using K = Kit<A>;
  const auto m = K::matrices(random), half = K::matrices(random), other = K::matrices(random);
  const auto a = K::vectors(random);
  const auto s = K::reals(random);
  const EngineBody body = random_joint<A>(random).body;
  const auto M = K::make(m);
  const auto u = K::make(a);
  const auto full = [](const Mat3<double>& x) { return x + transposed(x); };
  const auto S = K::make_symmetric(half), T = K::make_symmetric(other);
  K::same("plus_twice_symmetric of zero", S, [&](auto k) { return full(half[k]); });
  K::same("plus_twice_symmetric", A::plus_twice_symmetric(S, M),
          [&](auto k) { return full(half[k]) + full(m[k]); });
  K::same("sum", A::sum(S, T), [&](auto k) { return full(half[k]) + full(other[k]); });
  K::same("symmetric times", A::times(S, u), [&](auto k) { return full(half[k]) * a[k]; });
  K::same("difference", A::difference(S, T),
          [&](auto k) { return full(half[k]) - full(other[k]); });
  K::same("trace", A::trace(S), [&](auto k) { return trace(full(half[k])); });
  K::same("scalar_matrix", A::scalar_matrix(K::make(s)), [&](auto k) {
    return Mat3<double>::diagonal({s[k], s[k], s[k]});
  });
  K::same("congruence", A::congruence(M, body.inertia),
          [&](auto k) { return m[k] * nine(body.inertia) * transposed(m[k]); });
  const auto along = u * K::make(s);
  K::same("minus_outer", A::minus_outer(S, u, along),
          [&](auto k) { return full(half[k]) - outer(a[k], a[k] * s[k]); });
  const auto b = K::vectors(random), c = K::vectors(random);
  K::same("moments", A::moments(body.mass, K::make(b), K::make(c), u, along), [&](auto k) {
    return Mat3<double>::diagonal({body.mass, body.mass, body.mass}) + outer(b[k], b[k]) -
           outer(c[k], c[k]) - skew(a[k]) * skew(a[k]) * s[k];
  });
  K::same("columns", A::template columns<Columns<A>>(S), [&](auto k) { return full(half[k]); });
  K::same("minus_times_skew", A::minus_times_skew(M, S, u),
          [&](auto k) { return m[k] - full(half[k]) * skew(a[k]); });
  K::same("skew_times", A::template skew_times<Columns<A>>(u, S),
          [&](auto k) { return skew(a[k]) * full(half[k]); });
}

/// Numbers one after the other, or apart; nothing else is touched.
template <class A>
void check_memory(Random& random) {
  using K = Kit<A>;
  using S = typename A::Scalar;
  const auto a = K::vectors(random);
  const auto b = K::vectors(random);
  const auto V = K::make(a), W = K::make(b);
  std::array<S, 32> memory;
  const auto clear = [&] { memory.fill(S(7)); };
  const auto expect = [&](const char* what, std::size_t i, const auto& number) {
    for (int k = 0; k < K::states; ++k) EXPECT_EQ(lane(memory[i], k), number(k)) << what << i;
  };
  const auto seven = [](std::size_t) { return 7.; };
  clear();
  A::scatter(V, memory.data(), 5);
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (i % 5 == 0 && i < 15)
      expect("scatter ", i, [&](auto k) { return a[k][static_cast<int>(i) / 5]; });
    else
      expect("scatter ", i, seven);
  clear();
  A::put_all(V, W, V, W, memory.data());
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (i < 12)
      expect("put_all ", i,
             [&](auto k) { return (i / 3 % 2 == 0 ? a : b)[k][static_cast<int>(i % 3)]; });
    else
      expect("put_all ", i, seven);
  K::same("take_packed", A::take_packed(memory.data() + 3), [&](auto k) { return b[k]; });
  clear();
  A::put_all(V, W, memory.data());
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (i < 6)
      expect("six ", i, [&](auto k) { return (i < 3 ? a : b)[k][static_cast<int>(i % 3)]; });
    else
      expect("six ", i, seven);
  const std::array<double, 4> constants{2, 3, 5, 8};
  A::write(A::constant(constants.data()), memory.data(), A::block);
  for (std::size_t i = 0; i < static_cast<std::size_t>(A::block); ++i)
    expect("constant ", i, [&](auto) { return constants[i]; });
  for (int count = 1; count <= A::block + 2; ++count) {
    clear();
    std::array<S, 16> from;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = S(static_cast<double>(i));
    A::write(A::read(from.data() + 1), memory.data() + 2, count);
    const std::size_t written = std::min(count, A::block);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const bool inside = i >= 2 && i < 2 + written;
      expect("write ", i, [&](auto) { return inside ? static_cast<double>(i) - 1 : 7.; });
    }
  }
  for (int one = 0; one < A::block; ++one) {
    clear();
    A::write(A::unit(one), memory.data(), A::block);
    for (int i = 0; i < A::block; ++i) expect("unit ", i, [&](auto) { return i == one ? 1. : 0.; });
  }
}

template <class A>
void check_all(Random& random) {
  check_vectors<A>(random);
  check_turns<A>(random);
  check_matrices<A>(random);
  check_symmetric<A>(random);
  check_inverses<A>(random);
  check_memory<A>(random);
}

template <class>
class ArithmeticInLanes : public testing::Test {};
TYPED_TEST_SUITE(ArithmeticInLanes, Width<lanes>, WidthName);

TYPED_TEST(ArithmeticInLanes, OfManyStates) { for_random_cases(200, check_all<ManyStates<P>>); }
#if AXODE_LANES == 2
TYPED_TEST(ArithmeticInLanes, OfManyStatesThatAreOne) {
  for_random_cases(200, check_all<ManyStates<double>>);
}
#elif AXODE_LANES == 4
TYPED_TEST(ArithmeticInLanes, OfOneState) { for_random_cases(200, check_all<OneState<P>>); }

/// The fourth number stays zero whatever is computed: sums over four would see it.
TYPED_TEST(ArithmeticInLanes, TheFourthNumberStaysZero) {
  using A = OneState<P>;
  using K = Kit<A>;
  for_random_cases(100, [](Random& random) {
    const RandomJoint joint = random_joint<A>(random);
    const EngineBody& body = joint.body;
    const auto& constants = A::constants(body, &joint.form, 0);
    const auto v = [&] { return K::make(std::array{random.vec3()}); };
    const Columns<A> M{v(), v(), v()};
    const auto turn = A::turn(constants, .6, .8);
    const auto zero = [](const auto& a) { EXPECT_EQ(a.v[3], 0); };
    const auto columns = [&](const auto& m) { zero(m.x), zero(m.y), zero(m.z); };
    for (const auto& a :
         {A::up(turn, v()), A::down(turn, v()), A::apply(A::spin(v(), v()), v()),
          A::apply(A::spin(v(), v()), constants.position), A::cross_fixed(constants.moment, v()),
          A::cross_z(v(), 2), A::along_z(3), A::times(M, v()), A::transpose_times(M, v()),
          A::times(constants.inertia, v()), cross(v(), v())})
      zero(a);
    const auto S = A::congruence(M, body.inertia);
    columns(S);
    columns(A::plus_twice_symmetric(S, M));
    columns(A::moments(2, v(), v(), v(), v()));
    columns(A::minus_outer(S, v(), v()));
    columns(A::minus_product(M, v(), v()));
    columns(A::plus_diagonal(M, 2));
    columns(A::template minus_skew<Columns<A>>(v()));
    columns(A::symmetric_product(M, M));
    columns(A::minus_times_skew(M, S, v()));
    columns(A::template skew_times<Columns<A>>(v(), S));
  });
}
#endif

}  // namespace
}  // namespace axode::test::arithmetic_lanes_test
