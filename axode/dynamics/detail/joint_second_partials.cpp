#include "axode/dynamics/any_scalar/joint_second_partials.hpp"

namespace axode {

template struct JointSecondPartials<double>;
template void joint_second_partials(const Tree&, int, const Poses<double>&, In<double>, In<double>,
                                    const JointPartials<double>&,
                                    JointSecondPartials<double>&) noexcept;
template struct JointSecondPartials<Dual<double>>;
template void joint_second_partials(const Tree&, int, const Poses<Dual<double>>&, In<Dual<double>>,
                                    In<Dual<double>>, const JointPartials<Dual<double>>&,
                                    JointSecondPartials<Dual<double>>&) noexcept;

}  // namespace axode
