#include "axode/integrate/sundials/detail/number_form.hpp"

#include "axode/lie/quaternion.hpp"

namespace axode {

namespace {

using Kind = LieGroup::Kind;

}  // namespace

void number_jacobian(const LieGroup& group, std::span<const double> x, std::span<const double> v,
                     std::span<const double> A, std::span<double> scratch,
                     std::span<double> columns) noexcept {
  const int nv = group.nv, nx = group.nx;
  const auto a = [&](int i, int j) { return A[std::size_t(i) * nv + j]; };
  const auto b = [&](int i, int j) -> double& { return scratch[std::size_t(j) * nv + i]; };
  const auto c = [&](int i, int j) -> double& { return columns[std::size_t(j) * nx + i]; };
  for (const LieGroup::Factor& f : group.factors) {  // B = A P
    const bool real = f.kind == Kind::real;
    const FactorMaps maps =
        real ? FactorMaps{} : factor_maps(f.kind, x.data() + f.x, v.data() + f.v);
    for (int j = 0; j < (real ? f.count : maps.nx); ++j)
      for (int i = 0; i < nv; ++i) {
        double sum = real ? a(i, f.v + j) : 0;
        for (int k = 0; k < maps.nv; ++k) sum += a(i, f.v + k) * maps.tangent[k][j];
        b(i, f.x + j) = sum;
      }
  }
  for (const LieGroup::Factor& f : group.factors) {  // N B + dN v
    const bool real = f.kind == Kind::real;
    const FactorMaps maps =
        real ? FactorMaps{} : factor_maps(f.kind, x.data() + f.x, v.data() + f.v);
    for (int j = 0; j < nx; ++j)
      for (int i = 0; i < (real ? f.count : maps.nx); ++i) {
        double sum = real ? b(f.v + i, j) : 0;
        for (int k = 0; k < maps.nv; ++k) sum += maps.N[i][k] * b(f.v + k, j);
        c(f.x + i, j) = sum;
      }
    for (int i = 0; i < maps.nx; ++i)
      for (int j = 0; j < maps.nx; ++j) c(f.x + i, f.x + j) += maps.slope[i][j];
  }
}

void normalize(const LieGroup& group, std::span<double> x) noexcept {
  for (const LieGroup::Factor& f : group.factors) {
    if (f.kind == Kind::real) continue;
    double* q = x.data() + f.x;
    const Quaternion<double> unit = normalized(Quaternion<double>{q[0], {q[1], q[2], q[3]}});
    q[0] = unit.w, q[1] = unit.v.x, q[2] = unit.v.y, q[3] = unit.v.z;
  }
}

}  // namespace axode
