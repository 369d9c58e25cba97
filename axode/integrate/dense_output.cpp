#include "axode/integrate/dense_output.hpp"

#include "axode/core/spans.hpp"

namespace axode {

void hermite(In<> way, In<> rate0, In<> rate1, double h, double s,
             std::span<double> result) noexcept {
  const double r = 1 - s;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const double bend0 = h * rate0[i] - way[i], bend1 = way[i] - h * rate1[i] - bend0;
    result[i] = s * (way[i] + r * (bend0 + s * bend1));
  }
}

void hermite_state(const LieGroup& group, In<> x0, In<> x1, In<> v0, In<> v1, double h, double s,
                   std::span<double> scratch, std::span<double> result) noexcept {
  const std::size_t n = group.nv;
  const std::span<double> way = scratch.first(n), rate1 = scratch.subspan(n, n);
  const std::span<double> theta = scratch.subspan(2 * n, n);
  difference(group, x0, x1, way);
  inverse_dexp(group, way, v1, rate1);
  hermite(way, v0, rate1, h, s, theta);
  plus(group, x0, theta, result);
}

void mechanical_state(const LieGroup& configuration, In<> x0, In<> x1, double h, double s,
                      std::span<double> scratch, std::span<double> result) noexcept {
  const std::size_t nq = configuration.nx;
  const std::size_t nv = configuration.nv;
  for (std::size_t i = nq; i < x0.size(); ++i) result[i] = x0[i] + s * (x1[i] - x0[i]);
  hermite_state(configuration, x0.first(nq), x1.first(nq), x0.subspan(nq, nv), x1.subspan(nq, nv),
                h, s, scratch, result.first(nq));
}

}  // namespace axode
