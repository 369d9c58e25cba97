#include "axode/dynamics/joint_partials.inl"

#include "axode/lie/dual.hpp"

namespace axode {

template struct JointPartials<double>;
template void joint_partials(const Tree&, int, const Poses<double>&, In<double>, In<double>,
                             JointPartials<double>&) noexcept;
using D = Dual<double>;
template struct JointPartials<D>;
template void joint_partials(const Tree&, int, const Poses<D>&, In<D>, In<D>,
                             JointPartials<D>&) noexcept;

}  // namespace axode
