#include "axode/flexible/any_scalar/equations.hpp"

namespace axode {

template FlexibleWork<Exact<double>> make_flexible_work<Exact<double>>(const FlexibleTree&);
template void flexible_equations<Exact<double>>(const FlexibleTree&, std::span<const double>,
                                                std::span<const double>,
                                                FlexibleWork<Exact<double>>&, std::span<double>,
                                                std::span<double>, Effect) noexcept;
template FlexibleWork<FirstOrder> make_flexible_work<FirstOrder>(const FlexibleTree&);
template void flexible_equations<FirstOrder>(const FlexibleTree&, std::span<const double>,
                                             std::span<const double>, FlexibleWork<FirstOrder>&,
                                             std::span<double>, std::span<double>, Effect) noexcept;
template FlexibleWork<Exact<Dual<double>>> make_flexible_work<Exact<Dual<double>>>(
    const FlexibleTree&);
template void flexible_equations<Exact<Dual<double>>>(const FlexibleTree&,
                                                      std::span<const Dual<double>>,
                                                      std::span<const Dual<double>>,
                                                      FlexibleWork<Exact<Dual<double>>>&,
                                                      std::span<Dual<double>>,
                                                      std::span<Dual<double>>, Effect) noexcept;

}  // namespace axode
