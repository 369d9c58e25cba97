#include "axode/simulate/systems/deflection_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/link/section_motion.hpp"

namespace axode {

DeflectionWatch::DeflectionWatch(const FlexibleTree& tree, double small)
    : tree_(&tree), small_(small) {
  links_.reserve(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    if (!link.beam || link.modes.empty()) continue;
    Stations stations;
    stations.link = static_cast<int>(i);
    double quarters = 0;
    for (StationModes& at : stations.at)
      at = station_modes(*link.beam, link.modes, link.beam->length * ++quarters / 4);
    links_.push_back(std::move(stations));
  }
}

DeflectionWatch::Largest DeflectionWatch::largest(int link,
                                                  std::span<const double> q) const noexcept {
  Largest most;
  const auto stations =
      std::find_if(links_.begin(), links_.end(), [&](const Stations& s) { return s.link == link; });
  if (stations == links_.end()) return most;
  const FlexibleLink& of = tree_->links[link];
  const double* e = q.data() + of.first_mode;
  for (const StationModes& at : stations->at) {
    std::array<double, 3> d{}, theta{};
    for (std::size_t k = 0; k < of.modes.size(); ++k) {
      const ModeDirection direction = of.modes[k].direction;
      if (const int axis = displacement_axis(direction); axis >= 0)
        d[axis] += at.displacement[k] * e[k];
      if (const int axis = rotation_axis(direction); axis >= 0) theta[axis] += at.angle[k] * e[k];
    }
    most.displacement = std::max(most.displacement, std::hypot(d[0], d[1], d[2]) / of.beam->length);
    most.rotation = std::max(most.rotation, std::hypot(theta[0], theta[1], theta[2]));
  }
  return most;
}

void DeflectionWatch::look(double t, std::span<const double> q) noexcept {
  for (Stations& stations : links_) {
    if (std::isfinite(stations.beyond_at)) continue;
    const Largest now = largest(stations.link, q);
    if (now.displacement <= small_ && now.rotation <= small_) continue;
    stations.beyond_at = t;
    stations.beyond = now;
  }
}

std::vector<std::string> DeflectionWatch::warnings() const {
  std::vector<const Stations*> found;
  for (const Stations& stations : links_)
    if (std::isfinite(stations.beyond_at)) found.push_back(&stations);
  std::ranges::stable_sort(found, {}, &Stations::beyond_at);
  std::vector<std::string> texts;
  texts.reserve(found.size());
  for (const Stations* stations : found)
    texts.push_back(fmt::format(
        "at t = {:.6g} s: deflections of link '{}' are no longer small, {}; results beyond are of "
        "doubtful accuracy",
        stations->beyond_at, tree_->links[stations->link].name,
        stations->beyond.rotation > small_
            ? fmt::format("a section turns by {:.3g} rad", stations->beyond.rotation)
            : fmt::format("{:.3g} of its length", stations->beyond.displacement)));
  return texts;
}

std::vector<double> DeflectionWatch::saved() const {
  std::vector<double> numbers;
  for (const Stations& stations : links_)
    numbers.insert(numbers.end(),
                   {stations.beyond_at, stations.beyond.displacement, stations.beyond.rotation});
  return numbers;
}

void DeflectionWatch::load(std::span<const double> numbers) {
  if (numbers.size() != 3 * links_.size())
    throw Error("the numbers are those of another tree", "DeflectionWatch::load",
                "give those of saved");
  for (std::size_t i = 0; i < links_.size(); ++i) {
    links_[i].beyond_at = numbers[3 * i];
    links_[i].beyond = {numbers[3 * i + 1], numbers[3 * i + 2]};
  }
}

}  // namespace axode
