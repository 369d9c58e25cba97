/// Fuzzing of Axode's format of flexible models (libFuzzer): a text that loads must read back, once
/// written, as the same text; all others must end in axode::Error.
///
///   mkdir -p corpus && cp examples/flexible/*.json corpus && flexible_fuzz -max_len=4096 corpus
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/flexible/flexible_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  axode::FlexibleSetup setup;
  try {
    setup = axode::parse_flexible(text, "fuzz");
  } catch (const axode::Error&) {
    return 0;
  }
  const std::string once = axode::flexible_text(setup);
  if (axode::flexible_text(axode::parse_flexible(once, "again")) != once) std::abort();
  return 0;
}
