#include "axode/screw/screw.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include "axode/core/error.hpp"

namespace axode {

namespace {

/// a = (largest * factor) unit. Kept as two factors, neither tiny nor huge vectors over- or underflow.
template <class S>
struct Direction {
  Vec3<S> unit;
  S largest, factor;
};
template <class S>
Direction<S> direction_of(const Vec3<S>& a) {
  const S largest = max_abs(a);
  const Vec3<S> scaled = a / largest;
  const S factor = norm(scaled);
  return {scaled / factor, largest, factor};
}
template <class S>
S finite_length(const Direction<S>& a, const char* where) {
  const S length = a.largest * a.factor;
  if (!is_finite(length)) throw Error("the coordinates are too large", where, "scale them down");
  return length;
}

template <class S>
Direction<S> direction_of_axis(const Vec3<S>& a, const char* where) {
  if (!is_finite(a)) throw Error("the axis is not finite", where, "give three finite numbers");
  if (max_abs(a) == S(0))
    throw Error("the axis is zero", where, "give a direction of any length but zero");
  return direction_of(a);
}

}  // namespace

template <std::floating_point S>
Screw<S> make_screw(const Vec3<S>& axis, const Vec3<S>& point,
                    const std::type_identity_t<S>& pitch) {
  const char* where = "make_screw";
  const Vec3<S> e = direction_of_axis(axis, where).unit;
  if (std::isnan(pitch))
    throw Error("the pitch is not a number", where,
                "give metres per radian, 0 for a revolute axis, infinite_pitch for a translation");
  if (std::isinf(pitch)) return {e, {}, infinite_pitch<S>};
  if (!is_finite(point))
    throw Error("the point on the axis is not finite", where,
                "give any point on the line; translations have an infinite pitch instead");
  return {e, point, pitch};
}

template <std::floating_point S>
Screw<S> make_translation_screw(const Vec3<S>& axis) {
  return {direction_of_axis(axis, "make_translation_screw").unit, {}, infinite_pitch<S>};
}

template <std::floating_point S>
Screw<S> screw_from_pluecker(const Vec3<S>& direction, const Vec3<S>& moment,
                             const std::type_identity_t<S>& length) {
  const char* where = "screw_from_pluecker";
  const auto [e, largest, factor] = direction_of_axis(direction, where);
  if (!(length >= S(0))) throw Error("the length must not be negative", where, "give metres");
  if (!is_finite(moment)) throw Error("the moment is not finite", where, "give finite numbers");
  const Vec3<S> m = moment / largest / factor;
  const S distance = norm(m);
  if (!is_finite(distance))
    throw Error("the line is too far away for its point to be a number", where,
                "scale the coordinates");
  const S along = dot(e, m);
  if (!(abs(along) <= S(1e4) * epsilon<S> * (distance + length))) {
    std::ostringstream problem;
    problem << "direction and moment are not perpendicular: they belong to a screw of pitch "
            << along;
    throw Error(problem.str(), where, "take screw_from_coordinates");
  }
  return {e, cross(e, m), S(0)};
}

template <std::floating_point S>
ScrewWithMagnitude<S> screw_from_coordinates(const Vec6<S>& X) {
  const char* where = "screw_from_coordinates";
  if (!is_finite(X))
    throw Error("the coordinates are not finite", where, "give six finite numbers");
  const S turning = max_abs(X.angular), moving = max_abs(X.linear);
  if (turning == S(0) && moving == S(0)) return {{}, S(0)};
  // Beyond this quotient the point or the pitch would overflow.
  if (turning == S(0) || moving / turning > std::numeric_limits<S>::max() / S(8)) {
    const Direction<S> along = direction_of(X.linear);
    return {{along.unit, {}, infinite_pitch<S>}, finite_length(along, where)};
  }
  const Direction<S> about = direction_of(X.angular);
  const Vec3<S>&e = about.unit, m = X.linear / about.largest / about.factor;
  return {{e, cross(e, m), dot(e, m)}, finite_length(about, where)};
}

template Screw<double> make_screw(const Vec3<double>&, const Vec3<double>&, const double&);
template Screw<float> make_screw(const Vec3<float>&, const Vec3<float>&, const float&);
template Screw<double> make_translation_screw(const Vec3<double>&);
template Screw<float> make_translation_screw(const Vec3<float>&);
template Screw<double> screw_from_pluecker(const Vec3<double>&, const Vec3<double>&, const double&);
template Screw<float> screw_from_pluecker(const Vec3<float>&, const Vec3<float>&, const float&);
template ScrewWithMagnitude<double> screw_from_coordinates(const Vec6<double>&);
template ScrewWithMagnitude<float> screw_from_coordinates(const Vec6<float>&);

}  // namespace axode
