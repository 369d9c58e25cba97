#include "axode/screw/chasles.hpp"

#include "axode/core/error.hpp"

namespace axode {

template <std::floating_point S>
ScrewDisplacement<S> chasles(const SE3<S>& T, std::type_identity_t<S> angle_tolerance) {
  const S length = norm(T.p);
  if (!is_finite(T.R.matrix) || !is_finite(length))
    throw Error("the displacement is not finite, or its length is not", "chasles",
                "give a pose of finite numbers below 1e308");
  const Vec3<S> xi = log(T.R);
  const S angle = min(norm(xi), S(pi<S>));
  // Below this the distance |p|/angle of the axis overflows.
  const S smallest = std::numeric_limits<S>::min() * (S(4) + length);
  if (angle <= angle_tolerance || angle <= smallest) {
    if (length == S(0)) return {};
    return {DisplacementKind::translation, {T.p / length, {}, infinite_pitch<S>}, length};
  }
  const Vec3<S> e = xi / angle;
  const S along = dot(e, T.p);
  const Vec3<S> across = T.p - along * e;
  // Nearest point of the axis: (across + cot(angle/2) e x across)/2.
  const SinCos<S> half = sincos(angle / S(2));
  const Vec3<S> point = S(0.5) * (across + (half.cos / half.sin) * cross(e, across));
  return {DisplacementKind::screw, {e, point, along / angle}, angle};
}

template <std::floating_point S>
SE3<S> displacement(const ScrewDisplacement<S>& motion) noexcept {
  const auto& [axis, point, pitch] = motion.screw;
  if (motion.kind == DisplacementKind::identity) return {};
  if (motion.kind == DisplacementKind::translation) return translation(motion.displacement * axis);
  const Vec3<S> xi = motion.displacement * axis;
  // (I - R) p = -c_1 xi x p - c_2 xi x (xi x p): accurate also for small angles about far axes.
  const Stumpff<S> c = stumpff(squared_norm(xi));
  const Vec3<S> turned = cross(xi, point);
  return {exp(xi), pitch * xi - c.c1 * turned - c.c2 * cross(xi, turned)};
}

template ScrewDisplacement<double> chasles(const SE3<double>&, double);
template ScrewDisplacement<float> chasles(const SE3<float>&, float);
template SE3<double> displacement(const ScrewDisplacement<double>&) noexcept;
template SE3<float> displacement(const ScrewDisplacement<float>&) noexcept;

}  // namespace axode
