#include "axode/dynamics/any_scalar/composite.hpp"

#include "axode/lie/dual.hpp"

namespace axode {

std::size_t first_moving_body(const Tree& tree) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.links[i].nv > 0) return i;
  return 0;
}

template struct Composite<double>;
template void composite_inertias(const Tree&, const Poses<double>&, Composite<double>&) noexcept;
template void composite_momenta(const Tree&, const Poses<double>&, In<double>,
                                Composite<double>&) noexcept;
template void composite_motion(const Tree&, const Poses<double>&, In<double>, In<double>,
                               Composite<double>&, In<Wrench<Rep::body, double>>,
                               const Effects&) noexcept;
template struct Composite<Dual<double>>;
template void composite_inertias(const Tree&, const Poses<Dual<double>>&,
                                 Composite<Dual<double>>&) noexcept;
template void composite_momenta(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                Composite<Dual<double>>&) noexcept;
template void composite_motion(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                               In<Dual<double>>, Composite<Dual<double>>&,
                               In<Wrench<Rep::body, Dual<double>>>, const Effects&) noexcept;

}  // namespace axode
