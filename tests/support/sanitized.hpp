/// Whether the library under test is the sanitized one, in which long cases are shortened: asked at run time,
/// since most tests are compiled once for both libraries.
#pragma once

extern "C" void __asan_init() __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

namespace axode::test {

inline bool is_sanitized() { return __asan_init != nullptr; }

}  // namespace axode::test
