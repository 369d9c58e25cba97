#include "axode/flexible/any_scalar/section_motion.hpp"

namespace axode {

template SectionMotion<Exact<double>> section_motion<Exact<double>>(
    const FlexibleTree&, const ModalInvariants&, const StationModes&, std::span<const double>,
    std::span<const double>) noexcept;
template void section_twists<Exact<double>>(const FlexibleTree&, const ModalInvariants&,
                                            const StationModes&, std::span<const double>,
                                            const SectionMotion<Exact<double>>&,
                                            std::span<Vec6<double>>) noexcept;
template SectionMotion<FirstOrder> section_motion<FirstOrder>(const FlexibleTree&,
                                                              const ModalInvariants&,
                                                              const StationModes&,
                                                              std::span<const double>,
                                                              std::span<const double>) noexcept;
template void section_twists<FirstOrder>(const FlexibleTree&, const ModalInvariants&,
                                         const StationModes&, std::span<const double>,
                                         const SectionMotion<FirstOrder>&,
                                         std::span<Vec6<Dual<double>>>) noexcept;
template SectionMotion<Exact<Dual<double>>> section_motion<Exact<Dual<double>>>(
    const FlexibleTree&, const ModalInvariants&, const StationModes&, std::span<const Dual<double>>,
    std::span<const Dual<double>>) noexcept;
template void section_twists<Exact<Dual<double>>>(const FlexibleTree&, const ModalInvariants&,
                                                  const StationModes&,
                                                  std::span<const Dual<double>>,
                                                  const SectionMotion<Exact<Dual<double>>>&,
                                                  std::span<Vec6<Dual<double>>>) noexcept;

}  // namespace axode
