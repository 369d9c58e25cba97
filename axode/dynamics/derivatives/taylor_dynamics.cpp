#include "axode/dynamics/any_scalar/taylor_dynamics.hpp"

#include <string>

#include "axode/core/error.hpp"

namespace axode {

namespace {
template <int order>
std::vector<std::vector<double>> rates(const Tree& tree, In<double> q,
                                       std::span<const double* const> velocities,
                                       const Effects& effects) {
  TaylorDynamics<order, double> work(tree);
  inverse_dynamics_rates<order, double>(tree, q, velocities, work, {}, effects);
  std::vector<std::vector<double>> result(order + 1);
  for (int k = 0; k <= order; ++k)
    for (const Taylor<double, order>& x : work.tau) result[k].push_back(x.derivative(k));
  return result;
}
}  // namespace

std::vector<std::vector<double>> inverse_dynamics_rates(
    const Tree& tree, In<double> q, std::span<const std::vector<double>> velocities,
    const Effects& effects) {
  check_configuration(tree, q);
  std::vector<const double*> pointers;
  for (const std::vector<double>& v : velocities) {
    check_velocity(tree, v, "velocities");
    pointers.push_back(v.data());
  }
  switch (velocities.size()) {
    case 3:
      return rates<1>(tree, q, pointers, effects);
    case 4:
      return rates<2>(tree, q, pointers, effects);
    case 5:
      return rates<3>(tree, q, pointers, effects);
    case 6:
      return rates<4>(tree, q, pointers, effects);
    case 7:
      return rates<5>(tree, q, pointers, effects);
    case 8:
      return rates<6>(tree, q, pointers, effects);
    default:
      throw Error("there are " + std::to_string(velocities.size()) + " vectors", "velocities",
                  "give v and its derivatives, 3 to 8 vectors for the orders 1 to 6");
  }
}

template struct TaylorDynamics<1, double>;
template struct TaylorDynamics<2, double>;
template struct TaylorDynamics<3, double>;
template struct TaylorDynamics<4, double>;
template struct TaylorDynamics<5, double>;
template struct TaylorDynamics<6, double>;

template void coordinate_polynomials<1, double>(const Tree&, In<double>, In<Taylor<double, 1>>,
                                                Out<Taylor<double, 1>>) noexcept;
template void coordinate_polynomials<2, double>(const Tree&, In<double>, In<Taylor<double, 2>>,
                                                Out<Taylor<double, 2>>) noexcept;
template void coordinate_polynomials<3, double>(const Tree&, In<double>, In<Taylor<double, 3>>,
                                                Out<Taylor<double, 3>>) noexcept;
template void coordinate_polynomials<4, double>(const Tree&, In<double>, In<Taylor<double, 4>>,
                                                Out<Taylor<double, 4>>) noexcept;
template void coordinate_polynomials<5, double>(const Tree&, In<double>, In<Taylor<double, 5>>,
                                                Out<Taylor<double, 5>>) noexcept;
template void coordinate_polynomials<6, double>(const Tree&, In<double>, In<Taylor<double, 6>>,
                                                Out<Taylor<double, 6>>) noexcept;

template void inverse_dynamics_rates<1, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<1, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 1>>>,
                                                const Effects&) noexcept;
template void inverse_dynamics_rates<2, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<2, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 2>>>,
                                                const Effects&) noexcept;
template void inverse_dynamics_rates<3, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<3, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 3>>>,
                                                const Effects&) noexcept;
template void inverse_dynamics_rates<4, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<4, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 4>>>,
                                                const Effects&) noexcept;
template void inverse_dynamics_rates<5, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<5, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 5>>>,
                                                const Effects&) noexcept;
template void inverse_dynamics_rates<6, double>(const Tree&, In<double>,
                                                std::span<const double* const>,
                                                TaylorDynamics<6, double>&,
                                                In<Wrench<Rep::body, Taylor<double, 6>>>,
                                                const Effects&) noexcept;

}  // namespace axode
