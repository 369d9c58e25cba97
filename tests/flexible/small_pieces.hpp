/// A beam as many small rigid bodies, moved by its modes: the terms of a link by other means.
#pragma once
#include "axode/flexible/link/section_motion.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test {

struct Pieces {
  double mass = 0;
  Vec3<> first_moment{};
  Sym3<> inertia{};
  Vec6<> bias{};
  std::vector<Vec6<>> momentum;
  std::vector<double> modal_mass, modal_bias;
};

/// Newton's and Euler's laws for each piece at the middle of its part of the beam.
inline Pieces small_pieces(const FlexibleTree& tree, const FlexibleLink& link, const Vec3<>& w,
                           const std::vector<double>& e, const std::vector<double>& r,
                           int count = 2000) {
  using P = Exact<double>;
  const std::size_t m = e.size();
  Pieces sum{.momentum = std::vector<Vec6<>>(m),
             .modal_mass = std::vector<double>(m * m),
             .modal_bias = std::vector<double>(m)};
  const double h = link.beam->length / count;
  std::vector<Vec6<>> twists(m);
  for (int i = 0; i < count; ++i) {
    const double x = (i + .5) * h;
    const Section section = section_at(*link.beam, x);
    const double rho = link.beam->material.density * h, mass = rho * section.area;
    const StationModes at = station_modes(*link.beam, link.modes, x);
    const SectionMotion<P> s = section_motion<P>(tree, link.invariants, at, e, r);
    section_twists<P>(tree, link.invariants, at, e, s, twists);
    const Sym3<> J = congruence(
        s.R.matrix, Sym3<>::diagonal(Vec3<>{section.polar(), section.Iy, section.Iz} * rho));
    const Vec3<> spin = w + s.spin;
    const Vec3<> force = (cross(w, cross(w, s.p)) + cross(w, s.p_rate) * 2. + s.p_bias) * mass;
    const Vec3<> torque = J * (cross(w, s.spin) + s.spin_bias) + cross(spin, J * spin);
    const Vec6<> wrench{torque + cross(s.p, force), force};
    sum.mass += mass;
    sum.first_moment += s.p * mass;
    sum.inertia = sum.inertia + J + minus_skew_squared(s.p) * mass;
    sum.bias += wrench;
    for (std::size_t k = 0; k < m; ++k) {
      const Vec3<> v = twists[k].linear + cross(twists[k].angular, s.p);  // of the piece itself
      const Vec6<> momentum{J * twists[k].angular + cross(s.p, v * mass), v * mass};
      sum.momentum[k] += momentum;
      sum.modal_bias[k] += dot(twists[k], wrench);
      for (std::size_t j = 0; j < m; ++j) sum.modal_mass[k * m + j] += dot(twists[j], momentum);
    }
  }
  return sum;
}

}  // namespace axode::test
