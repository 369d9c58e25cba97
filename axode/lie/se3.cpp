#include "axode/lie/se3.hpp"

namespace axode {

template SE3<double> exp(const Vec6<double>&) noexcept;
template Vec6<double> log(const SE3<double>&) noexcept;
template Mat6<double> left_jacobian(const Vec6<double>&) noexcept;
template Mat6<double> left_jacobian_inverse(const Vec6<double>&) noexcept;
template SE3<float> exp(const Vec6<float>&) noexcept;
template Vec6<float> log(const SE3<float>&) noexcept;
template Mat6<float> left_jacobian(const Vec6<float>&) noexcept;
template Mat6<float> left_jacobian_inverse(const Vec6<float>&) noexcept;

}  // namespace axode
