/// The operations in Axode, for double and for packs. The operation names are those of the table.
#pragma once
#include <type_traits>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/pack.hpp"
#include "axode/lie/se3.hpp"
#include "bench/lie/inputs.hpp"
#include "bench/support/kernel.hpp"

namespace axode::bench {

template <class S>
struct AxodeKernels {
  static constexpr int lanes = static_cast<int>(sizeof(S) / sizeof(double));

  /// Sets one lane of a struct of scalars, or reads it: they are arrays of S in memory.
  template <class T>
  static void set(T& x, int lane, const double* from) {
    double* to = reinterpret_cast<double*>(&x);
    for (std::size_t k = 0; k < sizeof(T) / sizeof(S); ++k) to[k * lanes + lane] = from[k];
  }
  struct Numbers {
    template <class T>
    void operator()(const T& x, int lane, std::vector<double>& list) const {
      const double* from = reinterpret_cast<const double*>(&x);
      for (std::size_t k = 0; k < sizeof(T) / sizeof(S); ++k)
        list.push_back(from[k * lanes + lane]);
    }
  };

  template <class T, class From>
  static std::vector<T> packed(const std::vector<From>& from, std::size_t skip = 0) {
    std::vector<T> all(from.size() / lanes);
    for (std::size_t i = 0; i < from.size(); ++i)
      set(all[i / lanes], static_cast<int>(i % lanes),
          reinterpret_cast<const double*>(&from[i]) + skip);
    return all;
  }

  template <class Out, class F, class... In>
  static Kernel kernel(const char* operation, F f, const std::vector<In>&... in) {
    return bench::kernel<Out, lanes>(operation, "", Numbers{}, f, in...);
  }

  static std::vector<Kernel> all() {
    const Inputs l1 = inputs(few), l2 = inputs(many);
    using Pose = SE3<S>;
    using V = Vec3<S>;
    using X = Vec6<S>;
    const auto a = packed<Pose>(l1.a), b = packed<Pose>(l1.b), T = packed<Pose>(l2.a);
    const auto point = packed<V>(l1.x, 3), xi = packed<V>(l2.x);
    const auto twist = packed<X>(l1.x), x = packed<X>(l2.x);
    const auto R = packed<SO3<S>>(l2.a);
    const auto Ad_times = [](X& out, const Pose& t, const X& y) { out = Ad(t, y); };
    std::vector<Kernel> all{
        kernel<Pose>(
            "SE3 * SE3", [](Pose& out, const Pose& s, const Pose& t) { out = s * t; }, a, b),
        kernel<V>(
            "SE3 * point", [](V& out, const Pose& t, const V& p) { out = t * p; }, a, point),
        kernel<Pose>(
            "SE3 inverse", [](Pose& out, const Pose& t) { out = inverse(t); }, a),
        kernel<Pose>(
            "SE3 inverse * SE3",
            [](Pose& out, const Pose& s, const Pose& t) { out = inverse_times(s, t); }, a, b),
        kernel<X>("Ad * twist", Ad_times, a, twist),
        kernel<X>("Ad * twist, 6x6 ready", Ad_times, a, twist),
        kernel<SO3<S>>(
            "SO3 exp", [](SO3<S>& out, const V& y) { out = exp(y); }, xi),
        kernel<V>(
            "SO3 log", [](V& out, const SO3<S>& r) { out = log(r); }, R),
        kernel<Pose>(
            "SE3 exp", [](Pose& out, const X& y) { out = exp(y); }, x),
        kernel<X>(
            "SE3 log", [](X& out, const Pose& t) { out = log(t); }, T),
        kernel<Mat3<S>>(
            "SO3 left_jacobian", [](Mat3<S>& out, const V& y) { out = left_jacobian(y); }, xi),
        kernel<Mat6<S>>(
            "SE3 left_jacobian", [](Mat6<S>& out, const X& y) { out = left_jacobian(y); }, x),
    };
    // Lanes would multiply other poses than the chain of the other contenders.
    if constexpr (lanes == 1)
      all.push_back(kernel<Pose>(
          "SE3 chain",
          [chain = Pose()](Pose& out, const Pose& t) mutable { out = chain = chain * t; }, b));
    return all;
  }
};

}  // namespace axode::bench
