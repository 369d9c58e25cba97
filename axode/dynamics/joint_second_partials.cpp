#include "axode/dynamics/joint_second_partials.inl"

namespace axode {

template struct JointSecondPartials<double>;
template void joint_second_partials(const Tree&, int, const Poses<double>&, In<double>, In<double>,
                                    const JointPartials<double>&,
                                    JointSecondPartials<double>&) noexcept;
using D = Dual<double>;
template struct JointSecondPartials<D>;
template void joint_second_partials(const Tree&, int, const Poses<D>&, In<D>, In<D>,
                                    const JointPartials<D>&, JointSecondPartials<D>&) noexcept;

}  // namespace axode
