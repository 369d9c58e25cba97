/// Derivatives of high order of a plane arm whose joints move by f exp(s t), so that none of the
/// derivatives of its velocities vanishes, against Taylor series of complex numbers: the position of
/// a body is x + i y = sum of l exp(i phi), its twist follows in each representation. The series are
/// multiplied and exponentiated without binomial coefficients.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "axode/kinematics/higher_order.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::higher_order_planar_test {
namespace {

using Complex = std::complex<long double>;
using Series = std::vector<Complex>;  // Taylor coefficients at t = 0
constexpr int order = 56;             // of the twists: the highest; one more for the poses
constexpr std::size_t terms = order + 2;
constexpr Complex imaginary{0, 1};

Series operator*(const Series& a, const Series& b) {
  Series c(terms);
  for (std::size_t k = 0; k < terms; ++k)
    for (std::size_t j = 0; j <= k; ++j) c[k] += a[j] * b[k - j];
  return c;
}
Series operator*(const Complex& s, Series a) {
  for (Complex& x : a) x *= s;
  return a;
}
Series operator+(Series a, const Series& b) {
  for (std::size_t k = 0; k < terms; ++k) a[k] += b[k];
  return a;
}
Series derivative(const Series& a) {
  Series c(terms);
  for (std::size_t k = 0; k + 1 < terms; ++k) c[k] = static_cast<long double>(k + 1) * a[k + 1];
  return c;
}
/// By (exp a)' = a' exp a.
Series exponential(const Series& a) {
  const Series rate = derivative(a);
  Series c(terms);
  c[0] = std::exp(a[0]);
  for (std::size_t k = 0; k + 1 < terms; ++k) {
    for (std::size_t j = 0; j <= k; ++j) c[k + 1] += rate[j] * c[k - j];
    c[k + 1] /= static_cast<long double>(k + 1);
  }
  return c;
}
/// The k-th derivative at t = 0.
std::complex<double> at_zero(const Series& a, int k) {
  Complex x = a[k];
  for (int j = 2; j <= k; ++j) x *= static_cast<long double>(j);
  return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
}

/// f exp(s t), a joint coordinate.
struct Growth {
  double f, s;
  Series series() const {
    Series a(terms);
    Complex c = static_cast<long double>(f);
    for (std::size_t k = 0; k < terms; ++k) {
      a[k] = c;
      c *= static_cast<long double>(s) / static_cast<long double>(k + 1);
    }
    return a;
  }
};

/// Two axes in one joint, so that a screw moves in its body, a slide and an axis after them.
constexpr Vec3<double> first{}, second{1, 0, 0}, third{1.5, 0, 0}, last{3, .5, 0};
constexpr std::array growths{Growth{.3, 1}, Growth{-.4, 1.25}, Growth{.2, -1}, Growth{.1, 1},
                             Growth{.25, -.75}};
constexpr std::array<Vec3<double>, 4> origins{{{1, .125, 0}, {2, .25, 0}, {2.5, .5, 0}, {3, 1, 0}}};

Tree arm() {
  const Vec3<double> z{0, 0, 1};
  const std::array pair{coordinates(make_screw(z, second)), coordinates(make_screw(z, third))};
  const auto at = [](std::size_t i) { return zero_reference(translation(origins[i])); };
  return TreeBuilder{}
      .body("a")
      .joint("ja", revolute({.axis = z, .point = first}), at(0))
      .body("b")
      .on("a")
      .joint("jb", screws_joint(pair), at(1))
      .body("c")
      .on("b")
      .joint("jc", prismatic({.axis = {1, 0, 0}}), at(2))
      .body("d")
      .on("c")
      .joint("jd", revolute({.axis = z, .point = last}), at(3))
      .build();
}

Complex in_plane(const Vec3<double>& a) {
  return {static_cast<long double>(a.x), static_cast<long double>(a.y)};
}

/// Direction exp(i phi) and position x + i y of the bodies.
struct Planar {
  Series phi, direction, position;
};
std::array<Planar, 4> motion() {
  std::array<Series, 5> q, phi, e;  // phi after the joints; the slide does not turn
  for (std::size_t k = 0; k < 5; ++k) {
    q[k] = growths[k].series();
    phi[k] = k == 0 ? q[0] : k == 3 ? phi[2] : phi[k - 1] + q[k];
    e[k] = exponential(imaginary * phi[k]);
  }
  const auto arm = [&](const Vec3<double>& from, const Vec3<double>& to, const Series& along) {
    return in_plane(to - from) * along;
  };
  const Series to_third = arm(first, second, e[0]) + arm(second, third, e[1]);
  const Series slid = q[3] * e[2];
  return {{{phi[0], e[0], arm(first, origins[0], e[0])},
           {phi[2], e[2], to_third + arm(third, origins[1], e[2])},
           {phi[2], e[2], to_third + slid + arm(third, origins[2], e[2])},
           {phi[4], e[4], to_third + slid + arm(third, last, e[2]) + arm(last, origins[3], e[4])}}};
}

/// The linear part of the twist: that of the origin, in body axes, or of the point in the world's.
template <Rep rep>
Series linear_part(const Planar& body) {
  Series velocity = derivative(body.position);
  if (rep == Rep::body) return exponential(-imaginary * body.phi) * velocity;
  if (rep == Rep::spatial)
    return velocity + Complex(-1) * (imaginary * derivative(body.phi)) * body.position;
  return velocity;
}

Series magnitudes(Series a) {
  for (Complex& x : a) x = std::abs(x);
  return a;
}
/// The largest k-th derivative of the twist of a body: what is in the sums for any of them.
template <Rep rep>
double twist_size(const std::array<Planar, 4>& bodies, int k) {
  double size = 0;
  for (const Planar& body : bodies)
    size = std::max({size, std::abs(at_zero(derivative(body.position), k)),
                     std::abs(at_zero(linear_part<rep>(body), k))});
  return size;
}
/// The sum of the magnitudes of the terms of the k-th derivative of a pose, products of those of
/// the pose and the twist: more than that of the sum.
template <Rep rep>
double pose_size(const Planar& body, int k) {
  const Series pose = magnitudes(body.position) + magnitudes(body.direction),
               twist = magnitudes(linear_part<rep>(body)) + magnitudes(derivative(body.phi));
  return std::abs(k == 0 ? at_zero(pose, 0) : at_zero(pose * twist, k - 1));
}

struct Rates {
  std::vector<double> q;
  std::array<std::vector<double>, order + 1> v;
  std::vector<const double*> pointers;
};
Rates rates() {
  Rates r;
  for (const Growth& g : growths) r.q.push_back(g.f);
  for (int k = 0; k <= order; ++k) {
    auto& v = r.v[k];
    for (const Growth& g : growths) v.push_back(g.f * std::pow(g.s, k + 1));
  }
  for (const auto& v : r.v) r.pointers.push_back(v.data());
  return r;
}

/// Roundings in the sums of k terms in each of the four bodies.
double rounding(int k) { return 4 * (k + 1) * std::numeric_limits<double>::epsilon(); }

TEST(HigherOrderPlanar, TwistsToTheHighestOrder) {
  const Tree tree = arm();
  const Rates input = rates();
  const std::array<Planar, 4> expected = motion();
  const Poses<double> at = poses(tree, input.q);
  double worst = 0;
  for_representations([&]<Rep rep>() {
    HigherOrder<rep> found(tree, order);
    twist_derivatives(tree, at, input.pointers, found);
    for (int k = 0; k <= order; ++k) {
      const double size = twist_size<rep>(expected, k);
      for (int i = 0; i < tree.size(); ++i) {
        const Planar& body = expected[i];
        const std::complex<double> v = at_zero(linear_part<rep>(body), k),
                                   w = at_zero(derivative(body.phi), k);
        const Vec6<double> V{{0, 0, w.real()}, {v.real(), v.imag(), 0}};
        expect_near(found.derivative(i, k), V, rounding(k) * size, name(rep));
        worst = std::max(worst, largest_difference(found.derivative(i, k), V) / size);
      }
    }
  });
  record("worst_relative_error", worst);
}

TEST(HigherOrderPlanar, PosesToTheHighestOrder) {
  const Tree tree = arm();
  const Rates input = rates();
  const std::array<Planar, 4> expected = motion();
  const Poses<double> at = poses(tree, input.q);
  double worst = 0;
  for_representations([&]<Rep rep>() {
    HigherOrder<rep> twists(tree, order);
    twist_derivatives(tree, at, input.pointers, twists);
    PoseDerivatives<double> found(tree, order + 1);
    pose_derivatives(tree, at, twists, found);
    for (int k = 0; k <= order + 1; ++k) {
      for (int i = 0; i < tree.size(); ++i) {
        const Planar& body = expected[i];
        const double size = pose_size<rep>(body, k);
        const std::complex<double> z = at_zero(body.position, k), e = at_zero(body.direction, k);
        const PoseDerivative<double>& C = found.derivative(i, k);
        const Vec3<double> x{e.real(), e.imag(), 0}, y{-e.imag(), e.real(), 0},
            p{z.real(), z.imag(), 0};
        for (const double error : {largest_difference(C.R.x, x), largest_difference(C.R.y, y),
                                   largest_difference(C.p, p)}) {
          EXPECT_LE(error, rounding(k) * size) << name(rep) << " order " << k << " body " << i;
          worst = std::max(worst, error / size);
        }
        EXPECT_EQ(C.R.z, (Vec3<double>{0, 0, k == 0 ? 1. : 0.}));
      }
    }
  });
  record("worst_relative_error", worst);
}

}  // namespace
}  // namespace axode::test::higher_order_planar_test
