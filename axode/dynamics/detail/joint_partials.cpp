#include "axode/dynamics/any_scalar/joint_partials.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

template struct JointPartials<double>;
template void joint_partials(const Tree&, int, const Poses<double>&, In<double>, In<double>,
                             JointPartials<double>&) noexcept;
template struct JointPartials<Dual<double>>;
template void joint_partials(const Tree&, int, const Poses<Dual<double>>&, In<Dual<double>>,
                             In<Dual<double>>, JointPartials<Dual<double>>&) noexcept;

}  // namespace axode
