/// libFuzzer harness of the URDF reader and writer: any text loads or is refused by an Error.
///
///   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -I. -Ibuild/release/include
///       tests/fuzz/urdf_fuzz.cpp $(find axode -name '*.cpp') -lpugixml -o urdf_fuzz
///   ./urdf_fuzz corpus tests/data/models
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "axode/error.hpp"
#include "axode/io/urdf.hpp"
#include "axode/model/builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const axode::Tree tree = axode::build(axode::parse_urdf(text, "fuzz.urdf"));
    const std::string written = axode::urdf_text(tree);
    axode::build(axode::parse_urdf(written, "written.urdf"));
  } catch (const axode::Error&) {  // refused
  }
  return 0;
}
