#include "axode/lie/so3.hpp"

namespace axode {

template SO3<double> exp(const Vec3<double>&) noexcept;
template Vec3<double> log(const SO3<double>&) noexcept;
template Mat3<double> left_jacobian(const Vec3<double>&) noexcept;
template Mat3<double> left_jacobian_inverse(const Vec3<double>&) noexcept;
template SO3<float> exp(const Vec3<float>&) noexcept;
template Vec3<float> log(const SO3<float>&) noexcept;
template Mat3<float> left_jacobian(const Vec3<float>&) noexcept;
template Mat3<float> left_jacobian_inverse(const Vec3<float>&) noexcept;

}  // namespace axode
