#include "axode/flexible/tree/tangent.hpp"

#include <fmt/format.h>

#include <optional>

#include "axode/core/error.hpp"

namespace axode {
namespace {

/// A coordinate with its derivative; of the linear model the elastic ones are of order 1.
Dual<double> number(bool /*elastic*/, double value, double rate, Dual<double> /*type*/) {
  return {value, rate};
}
Dual<Dual<double>> number(bool elastic, double value, double rate, Dual<Dual<double>> /*type*/) {
  return elastic ? Dual<Dual<double>>{{0, value}, {0, rate}}
                 : Dual<Dual<double>>{{value, 0}, {rate, 0}};
}
Dual<double> orders_together(const Dual<double>& a) { return a; }
Dual<double> orders_together(const Dual<Dual<double>>& a) {
  return {a.real.real + a.real.dual, a.dual.real + a.dual.dual};
}

template <class S>
struct Memory {
  FlexibleWork<Exact<S>> work;
  std::vector<S> q, v, mass, forces;
};
template <class S>
Memory<S> make_memory(const FlexibleTree& tree) {
  const std::size_t n = tree.size;
  return {make_flexible_work<Exact<S>>(tree), std::vector<S>(n), std::vector<S>(n),
          std::vector<S>(n * n), std::vector<S>(n)};
}

}  // namespace

struct TangentEquations::Parts {
  const FlexibleTree& tree;
  std::vector<bool> elastic;
  std::optional<Memory<Dual<double>>> exact;
  std::optional<Memory<Dual<Dual<double>>>> linear;
  FlexibleTangent result;

  template <class S>
  void evaluate(std::span<const double> q, std::span<const double> v, TangentDirection along,
                Effect effect, Memory<S>& memory) {
    const std::size_t n = tree.size;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = static_cast<int>(i) == along.coordinate ? 1 : 0;
      memory.q[i] = number(elastic[i], q[i], along.speed ? 0 : step, S{});
      memory.v[i] = number(elastic[i], v.empty() ? 0 : v[i], along.speed ? step : 0, S{});
    }
    flexible_equations<Exact<S>>(tree, memory.q, memory.v, memory.work, memory.mass, memory.forces,
                                 effect);
    for (std::size_t i = 0; i < n; ++i) {
      const Dual<double> f = orders_together(memory.forces[i]);
      result.forces[i] = f.real;
      result.forces_rate[i] = f.dual;
    }
    for (std::size_t i = 0; i < n * n; ++i) {
      const Dual<double> m = orders_together(memory.mass[i]);
      result.mass[i] = m.real;
      result.mass_rate[i] = m.dual;
    }
  }
};

TangentEquations::TangentEquations(const FlexibleTree& tree, FlexibleModel model,
                                   const std::vector<int>& kept_exact)
    : parts_(new Parts{tree, std::vector<bool>(tree.size), {}, {}, {}}) {
  for (int i = tree.joints; i < tree.size; ++i) parts_->elastic[i] = true;
  for (const int i : kept_exact) {
    if (i < tree.joints || i >= tree.size)
      throw Error(fmt::format("coordinate {} is not elastic", i), tree.name,
                  fmt::format("choose from {} to {}", tree.joints, tree.size - 1));
    parts_->elastic[i] = false;
  }
  if (model == FlexibleModel::nonlinear)
    parts_->exact = make_memory<Dual<double>>(tree);
  else
    parts_->linear = make_memory<Dual<Dual<double>>>(tree);
  const std::size_t n = tree.size;
  parts_->result = {std::vector<double>(n * n), std::vector<double>(n * n), std::vector<double>(n),
                    std::vector<double>(n)};
}
TangentEquations::~TangentEquations() = default;

const FlexibleTree& TangentEquations::tree() const noexcept { return parts_->tree; }

const FlexibleTangent& TangentEquations::operator()(std::span<const double> q,
                                                    std::span<const double> v,
                                                    TangentDirection along, Effect effect) {
  if (parts_->exact)
    parts_->evaluate(q, v, along, effect, *parts_->exact);
  else
    parts_->evaluate(q, v, along, effect, *parts_->linear);
  return parts_->result;
}

}  // namespace axode
