#include "axode/dynamics/forward/detail/prescribed_dynamics.inl"

#include <algorithm>
#include <string>

#include "axode/core/error.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {
constexpr const char* in_hybrid_dynamics = "hybrid dynamics";

/// Throws Error if of a coupled joint the force is given.
void check_coupled_given(const Tree& tree, In<Given> given) {
  for (const Coupling& c : tree.couplings)
    for (const int i : {c.follower, c.leader})
      if (given[tree.links[i].v] == Given::force)
        throw Error("joint '" + tree.bodies[i].joint_name +
                        "' is coupled to another, but its force is given",
                    in_hybrid_dynamics,
                    "give the accelerations of all coupled joints, or use forward_dynamics, which "
                    "keeps couplings");
}

/// The numbers of freedoms of one kind must be finite; the others are not looked at.
std::vector<double> given_numbers(const Tree& tree, In<double> all, In<Given> given, Given kind,
                                  const char* what) {
  std::vector<double> numbers(all.begin(), all.end());
  for (std::size_t k = 0; k < std::min(numbers.size(), given.size()); ++k)
    if (given[k] != kind) numbers[k] = 0;
  check_velocity(tree, numbers, what);
  return numbers;
}
}  // namespace

std::vector<Given> given_accelerations(const Tree& tree, std::span<const std::string_view> joints) {
  std::vector<Given> given(tree.dofs.size(), Given::force);
  for (const std::string_view joint : joints) {
    const Link& link = tree.links[joint_index(tree, joint)];
    std::fill_n(given.begin() + link.v, link.nv, Given::acceleration);
  }
  return given;
}

HybridDynamics hybrid_dynamics(const Tree& tree, In<double> q, In<double> v, In<Given> given,
                               In<double> a, In<double> tau, const HybridDynamicsOptions& options) {
  check_velocity(tree, v);
  if (given.size() != tree.dofs.size())
    throw Error("'given' has " + std::to_string(given.size()) + " entries, the tree has " +
                    std::to_string(tree.nv) + " velocities",
                in_hybrid_dynamics, "give one for each");
  check_coupled_given(tree, given);
  const Poses<double> p = poses(tree, q);
  const std::vector<Wrench<Rep::body>> external =
      external_wrenches(tree, p, options.external, options.body_wrenches, in_hybrid_dynamics);
  HybridDynamics result{given_numbers(tree, a, given, Given::acceleration, "a"),
                        given_numbers(tree, tau, given, Given::force, "tau")};
  detail::check_couplings(tree, q, v, in_hybrid_dynamics);
  detail::check_couplings(tree, q, result.a, in_hybrid_dynamics);
  ForwardDynamics<Rep::body> work(tree);
  hybrid_dynamics<double>(tree, p, v, given, work, result.a, result.tau, external, options.effects);
  if (work.singular_body >= 0) detail::throw_singular(tree, work.singular_body, in_hybrid_dynamics);
  return result;
}

template void hybrid_dynamics(const Tree&, const Poses<double>&, In<double>, In<Given>,
                              ForwardDynamics<Rep::body, double>&, Out<double>, Out<double>,
                              In<Wrench<Rep::body, double>>, const Effects&) noexcept;
template void hybrid_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>, In<Given>,
                              ForwardDynamics<Rep::body, Dual<double>>&, Out<Dual<double>>,
                              Out<Dual<double>>, In<Wrench<Rep::body, Dual<double>>>,
                              const Effects&) noexcept;

}  // namespace axode
