// Tiles of T x T numbers, T = A::block, in registers: what factors.hpp is made of. Loops are unrolled by
// order, so that compilers do not take arrays of registers for memory.
#pragma once
#include "axode/engine/detail/kernels/arithmetic.hpp"

namespace axode::engine {

/// T x T numbers, row by row.
template <class A>
struct Tile {
  using S = typename A::Scalar;
  using B = typename A::Block;
  static constexpr int T = A::block, numbers = T * T;
  B row[T];

  [[gnu::always_inline]] static Tile read(const S* from) noexcept {
    Tile t;
    for (int r = 0; r < T; ++r) t.row[r] = A::read(from + r * T);
    return t;
  }
  [[gnu::always_inline]] static Tile identity() noexcept {
    Tile t;
    for (int r = 0; r < T; ++r) t.row[r] = A::unit(r);
    return t;
  }
  /// To rows `stride` numbers apart.
  [[gnu::always_inline]] void write(S* to, std::ptrdiff_t stride = T) const noexcept {
#pragma GCC unroll 4
    for (int r = 0; r < T; ++r) A::write(row[r], to + r * stride, T);
  }
  /// Less a^T b.
  [[gnu::always_inline]] void subtract_transposed_product(const S* a, const S* b) noexcept {
    for (int k = 0; k < T; ++k) {
      const B x = A::read(b + k * T);
      for (int r = 0; r < T; ++r) row[r] -= B(a[k * T + r]) * x;
    }
  }
  [[gnu::always_inline]] Tile transposed() const noexcept {
    if constexpr (T == 1) {
      return *this;
    } else {
      static_assert(T == 4);
      const auto a = __builtin_shufflevector(row[0].v, row[1].v, 0, 4, 2, 6);
      const auto b = __builtin_shufflevector(row[0].v, row[1].v, 1, 5, 3, 7);
      const auto c = __builtin_shufflevector(row[2].v, row[3].v, 0, 4, 2, 6);
      const auto d = __builtin_shufflevector(row[2].v, row[3].v, 1, 5, 3, 7);
      return {{{__builtin_shufflevector(a, c, 0, 1, 4, 5)},
               {__builtin_shufflevector(b, d, 0, 1, 4, 5)},
               {__builtin_shufflevector(a, c, 2, 3, 6, 7)},
               {__builtin_shufflevector(b, d, 2, 3, 6, 7)}}};
    }
  }
  /// The mean of it and its transpose.
  [[gnu::always_inline]] Tile symmetric() const noexcept {
    Tile t = transposed();
    for (int r = 0; r < T; ++r) t.row[r] = (row[r] + t.row[r]) * B(S(0.5));
    return t;
  }
};

/// The factors L^T D L of a symmetric tile, L with a diagonal of ones.
template <class A>
struct Pivot {
  using S = typename A::Scalar;
  using B = typename A::Block;
  static constexpr int T = A::block;
  S L[T][T], inverse[T];  ///< 1/D
  S minor[(T + 1) / 2];   ///< determinants of two by two numbers, or 1

  /// From the lower triangle. Writes D.
  [[gnu::always_inline]] Pivot(const S* from, S* D) noexcept {
    S m[T][T];
    for (int r = 0; r < T; ++r)
#pragma GCC unroll 4
      for (int c = 0; c <= r; ++c) m[r][c] = from[r * T + c];
    for (int k = T - 1; k >= 0; --k) {
      D[k] = m[k][k];
      // Two divisions at a time: D(k) is known from two by two numbers before k + 1 is eliminated.
      if ((T - k) % 2 == 0) {
        inverse[k] = m[k + 1][k + 1] / minor[k / 2];
      } else {
        inverse[k] = S(1) / m[k][k];
        minor[k / 2] = k > 0 ? m[k][k] * m[k - 1][k - 1] - m[k][k - 1] * m[k][k - 1] : S(1);
      }
#pragma GCC unroll 4
      for (int i = k - 1; i >= 0; --i) {
        L[k][i] = m[k][i] * inverse[k];
#pragma GCC unroll 4
        for (int j = 0; j <= i; ++j) m[i][j] -= L[k][i] * m[k][j];
      }
    }
  }
  /// t becomes L^-T t.
  [[gnu::always_inline]] void eliminate(Tile<A>& t) const noexcept {
    for (int k = T - 1; k > 0; --k)
      for (int i = 0; i < k; ++i) t.row[i] -= B(L[k][i]) * t.row[k];
  }
  /// t becomes D^-1 t.
  [[gnu::always_inline]] void divide(Tile<A>& t) const noexcept {
    for (int k = 0; k < T; ++k) t.row[k] *= B(inverse[k]);
  }
  /// t becomes L^-1 t.
  [[gnu::always_inline]] void substitute(Tile<A>& t) const noexcept {
    for (int k = 1; k < T; ++k)
      for (int i = 0; i < k; ++i) t.row[k] -= B(L[k][i]) * t.row[i];
  }
};

}  // namespace axode::engine
