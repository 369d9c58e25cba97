/// Takes numbers below 2e-308 as zero while it lives: they cost a hundred times as much as others.
///
/// Implicit methods damp what shall be zero, such as motion out of the plane of a planar mechanism,
/// step by step, until it is a denormal number for the rest of the run. Restores what was set
/// before. On other processors than x86 it does nothing.
/// Tests: tests/integrate/detail/flush_denormals_test.cpp
#pragma once
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace axode {

class FlushDenormals {
 public:
#ifdef __SSE2__
  FlushDenormals() noexcept : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
  ~FlushDenormals() { _mm_setcsr(before_); }
#else
  FlushDenormals() noexcept = default;
  ~FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

#ifdef __SSE2__
 private:
  unsigned before_;
#endif
};

}  // namespace axode
