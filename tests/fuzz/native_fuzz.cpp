/// Fuzzing of Axode's model format (libFuzzer): a text that loads must read back, once written, as
/// the same tree; all others must end in axode::Error.
///
/// Compiled by clang++ with -fsanitize=fuzzer,address,undefined, it runs on the shipped models:
///
///   mkdir -p corpus && cp models/*.json corpus && native_fuzz -max_len=4096 corpus
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/scene_file.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// Far numbers lose their last digits on the way through products of poses.
void require_near(const axode::Vec3<double>& a, const axode::Vec3<double>& b, double size) {
  require(axode::max_abs(a - b) <= 1e-9 * size);
}

void require_same(const axode::Tree& a, const axode::Tree& b) {
  require(a.name == b.name && a.size() == b.size() && a.nq == b.nq && a.nv == b.nv);
  require(a.dofs == b.dofs && a.frames.size() == b.frames.size());
  require(a.couplings.size() == b.couplings.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    const axode::Link &m = a.links[i], &n = b.links[i];
    const axode::Body &x = a.bodies[i], &y = b.bodies[i];
    require(x.name == y.name && x.joint_name == y.joint_name && x.joint_type == y.joint_type);
    require(x.coordinates == y.coordinates && x.inertia == y.inertia);
    require(x.shapes.size() == y.shapes.size());
    require(m.parent == n.parent && m.map == n.map && m.velocity == n.velocity);
    require_near(m.B.p, n.B.p, 1 + axode::max_abs(m.B.p));
    require_near(m.B.R.matrix.x, n.B.R.matrix.x, 1);
    require_near(m.B.R.matrix.y, n.B.R.matrix.y, 1);
  }
  for (std::size_t k = 0; k < a.screws.size(); ++k) {
    const double size = 1 + axode::max_abs(a.screws[k].linear);
    require_near(a.screws[k].angular, b.screws[k].angular, 1);
    require_near(a.screws[k].linear, b.screws[k].linear, size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  axode::Tree tree;
  try {
    tree = axode::build(axode::parse_native(text, "fuzz"));
  } catch (const axode::Error&) {
    return 0;
  }
  try {
    axode::parse_scene(text, "fuzz");
  } catch (const axode::Error&) {  // the tree is one, its forces are none
  }
  const std::string written = axode::native_text(tree, {axode::GeometryForm::body_screws});
  require_same(tree, axode::build(axode::parse_native(written, "again")));
  return 0;
}
