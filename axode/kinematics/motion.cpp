#include "axode/kinematics/any_scalar/motion.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

template struct Motion<Rep::body, double>;
template struct Motion<Rep::spatial, double>;
template struct Motion<Rep::hybrid, double>;
template struct Motion<Rep::mixed, double>;
template void twists(const Tree&, const Poses<double>&, In<double>,
                     Motion<Rep::body, double>&) noexcept;
template void twists(const Tree&, const Poses<double>&, In<double>,
                     Motion<Rep::spatial, double>&) noexcept;
template void twists(const Tree&, const Poses<double>&, In<double>,
                     Motion<Rep::hybrid, double>&) noexcept;
template void twists(const Tree&, const Poses<double>&, In<double>,
                     Motion<Rep::mixed, double>&) noexcept;
template void accelerations(const Tree&, const Poses<double>&, In<double>, In<double>,
                            Motion<Rep::body, double>&) noexcept;
template void accelerations(const Tree&, const Poses<double>&, In<double>, In<double>,
                            Motion<Rep::spatial, double>&) noexcept;
template void accelerations(const Tree&, const Poses<double>&, In<double>, In<double>,
                            Motion<Rep::hybrid, double>&) noexcept;
template void accelerations(const Tree&, const Poses<double>&, In<double>, In<double>,
                            Motion<Rep::mixed, double>&) noexcept;

template struct Motion<Rep::body, Dual<double>>;
template struct Motion<Rep::spatial, Dual<double>>;
template struct Motion<Rep::hybrid, Dual<double>>;
template struct Motion<Rep::mixed, Dual<double>>;
template void twists(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                     Motion<Rep::body, Dual<double>>&) noexcept;
template void twists(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                     Motion<Rep::spatial, Dual<double>>&) noexcept;
template void twists(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                     Motion<Rep::hybrid, Dual<double>>&) noexcept;
template void twists(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                     Motion<Rep::mixed, Dual<double>>&) noexcept;
template void accelerations(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                            In<Dual<double>>, Motion<Rep::body, Dual<double>>&) noexcept;
template void accelerations(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                            In<Dual<double>>, Motion<Rep::spatial, Dual<double>>&) noexcept;
template void accelerations(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                            In<Dual<double>>, Motion<Rep::hybrid, Dual<double>>&) noexcept;
template void accelerations(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                            In<Dual<double>>, Motion<Rep::mixed, Dual<double>>&) noexcept;

}  // namespace axode
