#include "axode/flexible/any_scalar/link_terms.hpp"

namespace axode {

template LinkTerms<Exact<double>> make_link_terms<Exact<double>>(const FlexibleTree&,
                                                                 const FlexibleLink&);
template void link_terms<Exact<double>>(const FlexibleTree&, const FlexibleLink&,
                                        const Vec3<double>&, std::span<const double>,
                                        std::span<const double>,
                                        LinkTerms<Exact<double>>&) noexcept;
template LinkTerms<FirstOrder> make_link_terms<FirstOrder>(const FlexibleTree&,
                                                           const FlexibleLink&);
template void link_terms<FirstOrder>(const FlexibleTree&, const FlexibleLink&,
                                     const Vec3<Dual<double>>&, std::span<const double>,
                                     std::span<const double>, LinkTerms<FirstOrder>&) noexcept;
template LinkTerms<Exact<Dual<double>>> make_link_terms<Exact<Dual<double>>>(const FlexibleTree&,
                                                                             const FlexibleLink&);
template void link_terms<Exact<Dual<double>>>(const FlexibleTree&, const FlexibleLink&,
                                              const Vec3<Dual<double>>&,
                                              std::span<const Dual<double>>,
                                              std::span<const Dual<double>>,
                                              LinkTerms<Exact<Dual<double>>>&) noexcept;

}  // namespace axode
