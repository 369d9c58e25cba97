/// Truncated Taylor polynomials x(t) = c_0 + c_1 t + ... + c_n t^n, with t^(n+1) = 0, as a scalar.
///
/// Carried through any function of the library, the coefficients of the result are the exact time
/// derivatives along the motion put into the arguments, c_k = x^(k)/k!. Each operation is the
/// recurrence that its differential equation gives for the coefficients (products by Cauchy, quotient,
/// root, sine and cosine from z' = u' f(z)): O(n^2), where nested dual numbers take O(4^n). The order n
/// is part of the type, so nothing allocates. Comparisons look at the value only, so a branch is taken
/// as without derivatives. Dual<Taylor<S, n>> and Taylor<Pack<S, m>, n> work, too.
/// Tests: tests/lie/taylor_test.cpp
#pragma once
#include <array>

#include "axode/lie/scalar.hpp"
#include "axode/lie/trig.hpp"

namespace axode {

template <class S, int order>
struct Taylor {
  static_assert(order >= 0);
  static constexpr std::size_t size = order + 1;
  std::array<S, size> coefficients{};

  constexpr Taylor() noexcept = default;
  /// A constant.
  constexpr Taylor(const S& value) noexcept {
    coefficients.fill(S(Real<S>(0)));
    coefficients[0] = value;
  }
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, S>)
  constexpr Taylor(T value) noexcept : Taylor(S(static_cast<Real<S>>(value))) {}

  constexpr const S& operator[](int k) const noexcept { return coefficients[k]; }
  constexpr S& operator[](int k) noexcept { return coefficients[k]; }
  constexpr const S& value() const noexcept { return coefficients[0]; }
  /// The k-th derivative at t = 0, k! c_k.
  constexpr S derivative(int k) const noexcept {
    Real<S> factorial(1);
    for (int j = 2; j <= k; ++j) factorial *= static_cast<Real<S>>(j);
    return (*this)[k] * S(factorial);
  }

  constexpr Taylor& operator+=(const Taylor& b) noexcept {
    for (int k = 0; k <= order; ++k) (*this)[k] += b[k];
    return *this;
  }
  constexpr Taylor& operator-=(const Taylor& b) noexcept {
    for (int k = 0; k <= order; ++k) (*this)[k] -= b[k];
    return *this;
  }
  constexpr Taylor& operator*=(const Taylor& b) noexcept { return *this = *this * b; }
  constexpr Taylor& operator/=(const Taylor& b) noexcept { return *this = *this / b; }
  friend constexpr Taylor operator+(Taylor a, const Taylor& b) noexcept { return a += b; }
  friend constexpr Taylor operator-(Taylor a, const Taylor& b) noexcept { return a -= b; }
  friend constexpr Taylor operator-(Taylor a) noexcept {
    for (S& c : a.coefficients) c = -c;
    return a;
  }
  friend constexpr Taylor operator*(const Taylor& a, const Taylor& b) noexcept {
    Taylor product;
    for (int k = 0; k <= order; ++k) {
      S sum = a[0] * b[k];
      for (int j = 1; j <= k; ++j) sum += a[j] * b[k - j];
      product[k] = sum;
    }
    return product;
  }
  friend constexpr Taylor operator/(const Taylor& a, const Taylor& b) noexcept {
    Taylor quotient;  // a = quotient b
    for (int k = 0; k <= order; ++k) {
      S rest = a[k];
      for (int j = 1; j <= k; ++j) rest -= b[j] * quotient[k - j];
      quotient[k] = rest / b[0];
    }
    return quotient;
  }
  friend constexpr auto operator<(const Taylor& a, const Taylor& b) noexcept { return a[0] < b[0]; }
  friend constexpr auto operator<=(const Taylor& a, const Taylor& b) noexcept {
    return a[0] <= b[0];
  }
  friend constexpr auto operator>(const Taylor& a, const Taylor& b) noexcept { return a[0] > b[0]; }
  friend constexpr auto operator>=(const Taylor& a, const Taylor& b) noexcept {
    return a[0] >= b[0];
  }
  friend constexpr auto operator==(const Taylor& a, const Taylor& b) noexcept {
    return a[0] == b[0];
  }
};

template <class S, int order>
struct RealOf<Taylor<S, order>> {
  using type = Real<S>;
};

template <LaneMask Mask, class S, int order>
constexpr Taylor<S, order> select(const Mask& mask, const Taylor<S, order>& a,
                                  const Taylor<S, order>& b) noexcept {
  Taylor<S, order> chosen;
  for (int k = 0; k <= order; ++k) chosen[k] = select(mask, a[k], b[k]);
  return chosen;
}

/// Not differentiable at 0: the derivatives are then infinite or NaN.
template <class S, int order>
inline Taylor<S, order> sqrt(const Taylor<S, order>& a) noexcept {
  Taylor<S, order> root;  // root^2 = a
  root[0] = sqrt(a[0]);
  const S twice = root[0] + root[0];
  for (int k = 1; k <= order; ++k) {
    S rest = a[k];
    for (int j = 1; j < k; ++j) rest -= root[j] * root[k - j];
    root[k] = rest / twice;
  }
  return root;
}
template <class S, int order>
inline SinCos<Taylor<S, order>> sincos(const Taylor<S, order>& a) noexcept {
  using R = Real<S>;
  SinCos<Taylor<S, order>> f;  // sin' = cos a', cos' = -sin a'
  const SinCos<S> at = sincos(a[0]);
  f.sin[0] = at.sin;
  f.cos[0] = at.cos;
  for (int k = 1; k <= order; ++k) {
    S sine = S(R(0)), cosine = S(R(0));
    for (int j = 1; j <= k; ++j) {
      const S rate = S(static_cast<R>(j)) * a[j];
      sine += rate * f.cos[k - j];
      cosine -= rate * f.sin[k - j];
    }
    f.sin[k] = sine / S(static_cast<R>(k));
    f.cos[k] = cosine / S(static_cast<R>(k));
  }
  return f;
}
template <class S, int order>
inline Taylor<S, order> atan2(const Taylor<S, order>& y, const Taylor<S, order>& x) noexcept {
  using R = Real<S>;
  const Taylor<S, order> r2 = x * x + y * y;
  Taylor<S, order> angle;  // (x^2 + y^2) angle' = x y' - y x'
  angle[0] = atan2(y[0], x[0]);
  for (int k = 1; k <= order; ++k) {
    S rest = S(R(0));
    for (int j = 1; j <= k; ++j) rest += S(static_cast<R>(j)) * (x[k - j] * y[j] - y[k - j] * x[j]);
    for (int j = 1; j < k; ++j) rest -= S(static_cast<R>(j)) * angle[j] * r2[k - j];
    angle[k] = rest / (S(static_cast<R>(k)) * r2[0]);
  }
  return angle;
}
/// At 0 the right-hand derivatives.
template <class S, int order>
constexpr Taylor<S, order> abs(const Taylor<S, order>& a) noexcept {
  return select(a[0] < S(Real<S>(0)), -a, a);
}
template <class S, int order>
constexpr auto is_finite(const Taylor<S, order>& a) noexcept {
  auto finite = is_finite(a[0]);
  for (int k = 1; k <= order; ++k) finite = finite && is_finite(a[k]);
  return finite;
}

/// The polynomial whose k-th derivative at t = 0 is derivatives(k), k = 0..order.
template <class S, int order, class F>
constexpr Taylor<S, order> taylor_from_derivatives(F&& derivatives) noexcept {
  Taylor<S, order> x;
  Real<S> factorial(1);
  for (int k = 0; k <= order; ++k) {
    if (k > 1) factorial *= static_cast<Real<S>>(k);
    x[k] = derivatives(k) / S(factorial);
  }
  return x;
}
/// The value of the polynomial at t.
template <class S, int order>
constexpr S evaluate(const Taylor<S, order>& x, const std::type_identity_t<S>& t) noexcept {
  S sum = x[order];
  for (int k = order - 1; k >= 0; --k) sum = sum * t + x[k];
  return sum;
}

}  // namespace axode
