#include "axode/screw/screw.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include "axode/error.hpp"

namespace axode {

namespace {

template <class S>
Vec3<S> unit_vector(const Vec3<S>& a, const std::string& where) {
  if (!is_finite(a)) throw Error("the axis is not finite", where, "give three finite numbers");
  const S largest = max_abs(a);
  if (largest == S(0))
    throw Error("the axis is zero", where, "give a direction of any length but zero");
  const Vec3<S> scaled = a / largest;  // so that neither tiny nor huge axes over- or underflow
  return scaled / norm(scaled);
}

}  // namespace

template <class S>
Screw<S> make_screw(const Vec3<S>& axis, const Vec3<S>& point,
                    const std::type_identity_t<S>& pitch) {
  const std::string where = "make_screw";
  const Vec3<S> e = unit_vector(axis, where);
  if (std::isnan(pitch)) throw Error("the pitch is not a number", where);
  if (std::isinf(pitch)) return {e, {}, infinite_pitch<S>};
  if (!is_finite(point))
    throw Error("the point on the axis is not finite", where,
                "give any point on the line; translations have an infinite pitch instead");
  return {e, point, pitch};
}

template <class S>
Screw<S> make_translation_screw(const Vec3<S>& axis) {
  return {unit_vector(axis, "make_translation_screw"), {}, infinite_pitch<S>};
}

template <class S>
Screw<S> screw_from_pluecker(const Vec3<S>& direction, const Vec3<S>& moment) {
  const std::string where = "screw_from_pluecker";
  const Vec3<S> e = unit_vector(direction, where);
  if (!is_finite(moment)) throw Error("the moment is not finite", where);
  const Vec3<S> m = moment / norm(direction);
  const S along = dot(e, m);
  if (abs(along) > S(1e4) * epsilon<S> * norm(m)) {
    std::ostringstream problem;
    problem << "direction and moment are not perpendicular: they belong to a screw of pitch "
            << along;
    throw Error(problem.str(), where, "take screw_from_coordinates");
  }
  return {e, cross(e, m), S(0)};
}

template <class S>
ScrewWithMagnitude<S> screw_from_coordinates(const Vec6<S>& X) {
  if (!is_finite(X)) throw Error("the coordinates are not finite", "screw_from_coordinates");
  const S turning = norm(X.angular), moving = norm(X.linear);
  if (turning == S(0) && moving == S(0)) return {{}, S(0)};
  if (turning == S(0)) return {{X.linear / moving, {}, infinite_pitch<S>}, moving};
  const Vec3<S> e = X.angular / turning, m = X.linear / turning;
  return {{e, cross(e, m), dot(e, m)}, turning};
}

template Screw<double> make_screw(const Vec3<double>&, const Vec3<double>&, const double&);
template Screw<float> make_screw(const Vec3<float>&, const Vec3<float>&, const float&);
template Screw<double> make_translation_screw(const Vec3<double>&);
template Screw<float> make_translation_screw(const Vec3<float>&);
template Screw<double> screw_from_pluecker(const Vec3<double>&, const Vec3<double>&);
template Screw<float> screw_from_pluecker(const Vec3<float>&, const Vec3<float>&);
template ScrewWithMagnitude<double> screw_from_coordinates(const Vec6<double>&);
template ScrewWithMagnitude<float> screw_from_coordinates(const Vec6<float>&);

}  // namespace axode
