#include "axode/io/flexible/flexible_run.hpp"

#include "axode/version.hpp"

namespace axode {

RunMetadata run_metadata(const FlexibleTree& tree) {
  RunMetadata result;
  result.axode_version = version;
  result.model_name = tree.name;
  result.q_names = result.v_names = tree.coordinate_names;
  for (int c = 0; c < tree.size; ++c) {
    const bool angle = is_angle(tree, c);
    const std::string unit = angle ? "rad" : "m";
    result.q_units.push_back(unit);
    result.v_units.push_back(unit + "/s");
    result.a_units.push_back(unit + "/s^2");
    result.tau_units.emplace_back(angle ? "N m" : "N");
  }
  return result;
}

}  // namespace axode
