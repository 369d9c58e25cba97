/// Fuzzing of Axode's mechanism format (libFuzzer): a text that loads must read back, once written,
/// as the same text, and make equations or be refused; all others must end in axode::Error.
///
///   mkdir -p corpus && cp examples/mechanisms/*.json corpus && mechanism_fuzz -max_len=4096 corpus
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// Large mechanisms take their time; the reader is what is looked at here.
void make_all(const axode::Mechanism& mechanism) {
  if (mechanism.bodies.size() > 20 || mechanism.joints.size() > 40) return;
  for (const auto family :
       {axode::CoordinateFamily::natural, axode::CoordinateFamily::reference_point,
        axode::CoordinateFamily::relative}) {
    try {
      const auto equations = axode::make_equations(mechanism, {.family = family});
      for (int row = 0; row < equations.rows(); ++row)
        require(!axode::equation_text(equations, row).empty());
    } catch (const axode::Error&) {  // not every mechanism has every family
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  axode::Mechanism mechanism;
  try {
    mechanism = axode::parse_mechanism(text, "fuzz");
  } catch (const axode::Error&) {
    return 0;
  }
  const std::string written = axode::mechanism_text(mechanism);
  const axode::Mechanism again = axode::parse_mechanism(written, "again");
  require(again.bodies.size() == mechanism.bodies.size());
  require(again.joints.size() == mechanism.joints.size());
  require(again.coordinates.size() == mechanism.coordinates.size());
  require(again.couplings.size() == mechanism.couplings.size());
  require(again.drivers.size() == mechanism.drivers.size());
  make_all(mechanism);
  return 0;
}
