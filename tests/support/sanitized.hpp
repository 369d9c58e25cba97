/// Whether the library under test is the sanitized one, in which long cases are shortened: asked at run time,
/// since most tests are compiled once for both libraries.
#pragma once

extern "C" void __asan_init() __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

namespace axode::test {

inline bool is_sanitized() { return __asan_init != nullptr; }

/// Whether times are those users see: compiled for release, without sanitizers.
inline bool is_release() {
#ifdef NDEBUG
  return !is_sanitized();
#else
  return false;
#endif
}

}  // namespace axode::test
