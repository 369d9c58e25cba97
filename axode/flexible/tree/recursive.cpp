#include "axode/flexible/tree/recursive.hpp"

#include <fmt/format.h>

#include "axode/flexible/any_scalar/recursive.hpp"

namespace axode {

std::string message(const FlexibleTree& tree, const RecursiveOutcome& outcome) {
  if (outcome.solved) return {};
  const auto name_of = [&](int i) -> const std::string& { return tree.coordinate_names[i]; };
  return fmt::format(
      "link '{}': the mass matrix is not positive definite at coordinate '{}', or a number there "
      "is "
      "not finite; deflections may be too large for the linear model",
      tree.links[outcome.link].name, name_of(outcome.coordinate));
}

template RecursiveWork<Exact<double>> make_recursive_work<Exact<double>>(const FlexibleTree&);
template RecursiveWork<FirstOrder> make_recursive_work<FirstOrder>(const FlexibleTree&);
template RecursiveOutcome recursive_acceleration<Exact<double>>(
    const FlexibleTree&, std::span<const double>, std::span<const double>, std::span<const double>,
    RecursiveWork<Exact<double>>&, std::span<double>) noexcept;
template RecursiveOutcome recursive_acceleration<FirstOrder>(
    const FlexibleTree&, std::span<const double>, std::span<const double>, std::span<const double>,
    RecursiveWork<FirstOrder>&, std::span<double>) noexcept;

}  // namespace axode
