/// Trigonometry of single numbers, the choice of lanes for arrays, and the reduction of large
/// arguments. Compiled with -ffp-contract=off and for the baseline instruction set.
///
/// reduce_large is the method of Payne and Hanek in integers: x = m 2^e, and of the bits of 2/pi
/// only those 192 matter that lie between the multiples of 4 and the bits too small to be seen. No
/// double is nearer to a multiple of pi/2 than about 2^-61, which leaves 75 good bits.
/// Tests: tests/lie/trig_test.cpp
#include "axode/lie/trig.hpp"

#include <string>

#include "axode/core/error.hpp"
#include "axode/core/instruction_set.hpp"
#include "axode/lie/trig_kernel.hpp"

namespace axode {

namespace detail {

namespace {
__extension__ typedef unsigned __int128 Wide;

// 2/pi behind 64 zero bits: scripts/derive/trig_coefficients.py
constexpr std::uint64_t two_over_pi[20] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

constexpr std::uint64_t low(Wide w) { return static_cast<std::uint64_t>(w); }
constexpr std::uint64_t high(Wide w) { return static_cast<std::uint64_t>(w >> 64); }

/// 2^exponent
double power_of_two(int exponent) {
  return from_bits<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// 64 bits of a sequence of words, from bit `shift` of the first on.
std::uint64_t bits_from(const std::uint64_t* words, unsigned shift) {
  return shift == 0 ? words[0] : words[0] << shift | words[1] >> (64 - shift);
}

/// fraction * pi/2, for a fraction with its first bit set [2^-128] -> [2^-127]
Wide times_half_pi(Wide fraction) {
  const std::uint64_t pi_high = 0xc90fdaa22168c234, pi_low = 0xc4c6628b80dc1cd1;
  return static_cast<Wide>(high(fraction)) * pi_high +
         high(static_cast<Wide>(high(fraction)) * pi_low) +
         high(static_cast<Wide>(low(fraction)) * pi_high);
}
}  // namespace

LargeReduction reduce_large(double x) noexcept {
  const std::uint64_t bits = to_bits(x);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  if (biased == 0x7ff) return {x - x, 0, 0};
  const std::uint64_t m = (bits & 0xfffffffffffff) | std::uint64_t{1} << 52;
  const unsigned position = static_cast<unsigned>(biased - 1075 + 62);  // of the bit of weight 2
  const std::uint64_t* words = two_over_pi + position / 64;
  const unsigned shift = position % 64;

  // f = x 2/pi modulo 4 [2^-190]
  const Wide p2 = static_cast<Wide>(m) * bits_from(words + 2, shift);
  const Wide p1 = static_cast<Wide>(m) * bits_from(words + 1, shift) + high(p2);
  std::uint64_t f[4] = {m * bits_from(words, shift) + high(p1), low(p1), low(p2), 0};
  std::uint64_t quadrant = f[0] >> 62;
  for (int i = 0; i < 3; ++i) f[i] = bits_from(f + i, 2);
  const bool beyond = f[0] >> 63;  // more than half way to the next quadrant
  if (beyond) {
    ++quadrant;
    for (int i = 0; i < 3; ++i) f[i] = ~f[i];  // 1 - f, but for one unit of 2^-192
  }

  const int skipped = f[0] == 0 ? 1 : 0;
  const int zeros = __builtin_clzll(f[skipped]);
  const unsigned left = static_cast<unsigned>(zeros);
  const Wide fraction =
      static_cast<Wide>(bits_from(f + skipped, left)) << 64 | bits_from(f + skipped + 1, left);
  const Wide angle = times_half_pi(fraction);
  const int exponent = -zeros - 64 * skipped;

  // The nearest multiple of 2^11 in the upper word, and the signed rest.
  const std::uint64_t upper = (high(angle) + 0x400) & ~std::uint64_t{0x7ff};
  const std::uint64_t rest = (high(angle) - upper) << 53 | low(angle) >> 11;
  const bool negative = bits >> 63;
  const double sign = beyond != negative ? -1 : 1;
  return {
      sign * static_cast<double>(upper) * power_of_two(exponent - 63),
      -sign * static_cast<double>(static_cast<std::int64_t>(rest)) * power_of_two(exponent - 116),
      negative ? 0 - quadrant : quadrant};
}

}  // namespace detail

SinCos<double> sincos(double x) noexcept { return detail::sincos_kernel(x); }

SinCos<float> sincos(float x) noexcept {
  const SinCos<double> r = detail::sincos_kernel(static_cast<double>(x));
  return {static_cast<float>(r.sin), static_cast<float>(r.cos)};
}

template <std::floating_point S>
S atan2(S y, S x) noexcept {
  return static_cast<S>(detail::atan2_kernel(static_cast<double>(y), static_cast<double>(x)));
}
template double atan2(double, double) noexcept;
template float atan2(float, float) noexcept;

void sincos(std::span<const double> x, std::span<double> sin, std::span<double> cos) {
  if (sin.size() != x.size() || cos.size() != x.size())
    throw Error("x has " + std::to_string(x.size()) + " elements, sin " +
                    std::to_string(sin.size()) + " and cos " + std::to_string(cos.size()),
                "sincos", "give three arrays of one length");
  switch (best_instruction_set()) {
#if defined(__x86_64__)
    case InstructionSet::avx512:
      return detail::sincos_array<Pack<double, 8>>(x.data(), sin.data(), cos.data(), x.size());
    case InstructionSet::avx2:
      return detail::sincos_array<Pack<double, 4>>(x.data(), sin.data(), cos.data(), x.size());
#endif
    default:
      return detail::sincos_array<Pack<double, 2>>(x.data(), sin.data(), cos.data(), x.size());
  }
}

}  // namespace axode
