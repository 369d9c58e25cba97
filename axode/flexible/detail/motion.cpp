#include "axode/flexible/any_scalar/motion.hpp"

namespace axode {

template FlexibleMotion<Exact<double>> make_motion<Exact<double>>(const FlexibleTree&);
template void flexible_motion<Exact<double>>(const FlexibleTree&, std::span<const double>,
                                             std::span<const double>,
                                             FlexibleMotion<Exact<double>>&, Effect) noexcept;
template FlexibleMotion<FirstOrder> make_motion<FirstOrder>(const FlexibleTree&);
template void flexible_motion<FirstOrder>(const FlexibleTree&, std::span<const double>,
                                          std::span<const double>, FlexibleMotion<FirstOrder>&,
                                          Effect) noexcept;
template FlexibleMotion<Exact<Dual<double>>> make_motion<Exact<Dual<double>>>(const FlexibleTree&);
template void flexible_motion<Exact<Dual<double>>>(const FlexibleTree&,
                                                   std::span<const Dual<double>>,
                                                   std::span<const Dual<double>>,
                                                   FlexibleMotion<Exact<Dual<double>>>&,
                                                   Effect) noexcept;

}  // namespace axode
