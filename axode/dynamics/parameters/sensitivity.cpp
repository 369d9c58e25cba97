#include "axode/dynamics/parameters/detail/sensitivity.hpp"

#include <string>

#include "axode/dynamics/errors.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

namespace {
void check_variations(const Tree& tree, std::span<const GeometricVariation> variations) {
  for (std::size_t k = 0; k < variations.size(); ++k) {
    const GeometricVariation& x = variations[k];
    const std::string where = "variation " + std::to_string(k);
    if (x.body < 0 || x.body >= tree.size())
      throw Error("there is no body " + std::to_string(x.body), where,
                  "the tree has bodies 0 to " + std::to_string(tree.size() - 1));
    if (!is_finite(x.U)) throw Error("U is not finite", where, "give six finite numbers");
  }
}
}  // namespace

std::vector<GeometricVariation> six_variations(int body) {
  std::vector<GeometricVariation> all(6, {body, {}});
  for (int c = 0; c < 6; ++c) all[c].U[c] = 1;
  return all;
}

std::vector<GeometricVariation> variations_at(const Tree& tree,
                                              std::span<const GeometricVariation> variations,
                                              In<double> pi) {
  check_variations(tree, variations);
  if (pi.size() != variations.size())
    throw Error("there are " + std::to_string(pi.size()) + " numbers for " +
                    std::to_string(variations.size()) + " variations",
                "geometric parameters", "give one number for each");
  std::vector<GeometricVariation> result(variations.begin(), variations.end());
  std::vector<SE3<double>> behind(tree.links.size());  // by body: the factors behind
  for (std::size_t k = result.size(); k-- > 0;) {
    SE3<double>& T = behind[result[k].body];
    result[k].U = Ad_inverse(T, variations[k].U);
    T = exp(variations[k].U * pi[k]) * T;
  }
  return result;
}

std::vector<std::vector<double>> force_sensitivities(const Tree& tree, In<double> q, In<double> v,
                                                     In<double> a,
                                                     std::span<const GeometricVariation> variations,
                                                     In<Wrench<Rep::body, double>> external,
                                                     const Effects& effects) {
  check_variations(tree, variations);
  check_velocity(tree, v, "v");
  check_velocity(tree, a, "a");
  detail::check_external(tree, external, "force_sensitivities");
  const Poses<double> at = poses(tree, q);
  InverseDynamics<Rep::body> dynamics(tree);
  GeometricSensitivity<double> sensitivity(tree);
  std::vector<double> tau(v.size());
  inverse_dynamics<Rep::body, double>(tree, at, v, a, dynamics, tau, external, effects);
  std::vector<std::vector<double>> all(variations.size(), std::vector<double>(v.size()));
  for (std::size_t k = 0; k < all.size(); ++k)
    force_sensitivity<double>(tree, at, v, dynamics, variations[k], sensitivity, all[k], effects);
  return all;
}

template struct GeometricSensitivity<double>;
template struct GeometricSensitivity<Dual<double>>;
template void pose_sensitivity(const Tree&, const Poses<double>&, const GeometricVariation&,
                               GeometricSensitivity<double>&) noexcept;
template void pose_sensitivity(const Tree&, const Poses<Dual<double>>&, const GeometricVariation&,
                               GeometricSensitivity<Dual<double>>&) noexcept;
template void motion_sensitivity(const Tree&, const Poses<double>&, In<double>,
                                 const Motion<Rep::body, double>&, const GeometricVariation&,
                                 GeometricSensitivity<double>&) noexcept;
template void motion_sensitivity(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                 const Motion<Rep::body, Dual<double>>&, const GeometricVariation&,
                                 GeometricSensitivity<Dual<double>>&) noexcept;
template void force_sensitivity(const Tree&, const Poses<double>&, In<double>,
                                const InverseDynamics<Rep::body, double>&,
                                const GeometricVariation&, GeometricSensitivity<double>&,
                                Out<double>, const Effects&) noexcept;
template void force_sensitivity(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>,
                                const InverseDynamics<Rep::body, Dual<double>>&,
                                const GeometricVariation&, GeometricSensitivity<Dual<double>>&,
                                Out<Dual<double>>, const Effects&) noexcept;

}  // namespace axode
