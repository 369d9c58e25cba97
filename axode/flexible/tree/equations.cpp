#include "axode/flexible/tree/equations.hpp"

namespace axode {

template void flexible_equations<Exact<double>>(const FlexibleTree&, std::span<const double>,
                                                std::span<const double>,
                                                FlexibleWork<Exact<double>>&, std::span<double>,
                                                std::span<double>, Effect) noexcept;
template void flexible_equations<FirstOrder>(const FlexibleTree&, std::span<const double>,
                                             std::span<const double>, FlexibleWork<FirstOrder>&,
                                             std::span<double>, std::span<double>, Effect) noexcept;

}  // namespace axode
