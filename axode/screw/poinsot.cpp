#include "axode/screw/poinsot.hpp"

#include "axode/core/error.hpp"

namespace axode {

namespace {
/// A wrench in ray order (force, torque) has the coordinates of a screw in axis order.
template <class S>
constexpr Vec6<S> swapped(const Vec6<S>& a) noexcept {
  return {a.linear, a.angular};
}
}  // namespace

template <std::floating_point S>
CentralAxis<S> central_axis(const Vec6<S>& W) {
  if (!is_finite(W))
    throw Error("the wrench is not finite", "central_axis", "give six finite numbers");
  const auto [screw, intensity] = screw_from_coordinates(swapped(W));
  if (intensity == S(0)) return {};
  return {is_finite(screw.pitch) ? WrenchKind::force : WrenchKind::couple, screw, intensity};
}

template <std::floating_point S>
Vec6<S> wrench(const CentralAxis<S>& axis) noexcept {
  return swapped(axis.intensity * coordinates(axis.screw));
}

template CentralAxis<double> central_axis(const Vec6<double>&);
template CentralAxis<float> central_axis(const Vec6<float>&);
template Vec6<double> wrench(const CentralAxis<double>&) noexcept;
template Vec6<float> wrench(const CentralAxis<float>&) noexcept;

}  // namespace axode
