#include "axode/kinematics/motion.inl"

#include "axode/lie/dual.hpp"

namespace axode {

using D = Dual<double>;

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

template struct Motion<Rep::body, D>;
template struct Motion<Rep::spatial, D>;
template struct Motion<Rep::hybrid, D>;
template struct Motion<Rep::mixed, D>;
template void twists(const Tree&, const Poses<D>&, In<D>, Motion<Rep::body, D>&) noexcept;
template void twists(const Tree&, const Poses<D>&, In<D>, Motion<Rep::spatial, D>&) noexcept;
template void twists(const Tree&, const Poses<D>&, In<D>, Motion<Rep::hybrid, D>&) noexcept;
template void twists(const Tree&, const Poses<D>&, In<D>, Motion<Rep::mixed, D>&) noexcept;
template void accelerations(const Tree&, const Poses<D>&, In<D>, In<D>,
                            Motion<Rep::body, D>&) noexcept;
template void accelerations(const Tree&, const Poses<D>&, In<D>, In<D>,
                            Motion<Rep::spatial, D>&) noexcept;
template void accelerations(const Tree&, const Poses<D>&, In<D>, In<D>,
                            Motion<Rep::hybrid, D>&) noexcept;
template void accelerations(const Tree&, const Poses<D>&, In<D>, In<D>,
                            Motion<Rep::mixed, D>&) noexcept;

}  // namespace axode
