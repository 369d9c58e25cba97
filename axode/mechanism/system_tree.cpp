#include "axode/error.hpp"
#include "axode/mechanism/system.hpp"

namespace axode {

void MechanismSystem::place_tree(std::span<const double>) { throw Error("not there yet"); }
void MechanismSystem::move_tree(std::span<const double>) {}
std::vector<double> MechanismSystem::tree_from_poses(std::span<const SE3<double>>) const {
  return {};
}
void MechanismSystem::tree_from_twists(std::span<const double>, std::span<const Twist<Rep::hybrid>>,
                                       std::span<double>) {}

}  // namespace axode
