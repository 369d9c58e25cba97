// Trees of model files with loops closed by more joints.
#include "axode/error.hpp"
#include "axode/io/mechanism_file.hpp"

namespace axode {

Mechanism load_mechanism(const std::filesystem::path& model, const std::filesystem::path& loops) {
  throw Error("not yet", model.string(), loops.string());
}

}  // namespace axode
