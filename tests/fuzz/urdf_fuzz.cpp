/// libFuzzer harness of the URDF reader and writer: any text loads or is refused by an Error, and
/// what is written from it loads.
/// Built by the preset fuzz; seeds are tests/data/models/*.urdf.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "axode/model/builder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    written = axode::urdf_text(axode::build(axode::parse_urdf(text, "fuzz.urdf")));
  } catch (const axode::Error&) {  // refused
    return 0;
  }
  axode::build(axode::parse_urdf(written, "written.urdf"));
  return 0;
}
