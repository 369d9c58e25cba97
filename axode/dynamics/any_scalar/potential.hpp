// Definitions of potential.hpp; instantiated by potential.cpp.
#pragma once
#include "axode/dynamics/any_scalar/composite.hpp"
#include "axode/dynamics/potential.hpp"

namespace axode {

template <class S>
S potential_energy(const Tree& tree, const Poses<S>& poses) noexcept {
  Vec3<S> moment{S(0), S(0), S(0)};
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Inertia<double>& I = tree.bodies[i].inertia;
    moment += (poses.T_WB[i] * detail::cast<S>(I.com)) * S(static_cast<Real<S>>(I.mass));
  }
  return -dot(detail::cast<S>(tree.gravity), moment);
}

template <class S>
void gravity_forces(const Tree& tree, const Composite<S>& composite, Out<S> forces) noexcept {
  const Vec3<S> g = detail::cast<S>(tree.gravity);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const InertiaParameters<S>& M = composite.inertias[i];
    // weight of all that joint i carries: g(q)_k = -J_k . (h x g, m g)
    const Vec6<S> weight{cross(M.first_moment, g), g * M.mass};
    for (int k = link.v; k < link.v + link.nv; ++k) forces[k] = -dot(composite.screws[k], weight);
  }
}

namespace detail {

template <class S>
Vec3<S> spring_end(const Poses<S>& poses, const Frame& frame) noexcept {
  const Vec3<S> p = cast<S>(frame.T_BF.p);
  return frame.body < 0 ? p : poses.T_WB[frame.body] * p;
}
template <class S>
S spring_extension(const Tree& tree, const Poses<S>& poses, const JointSpring& spring) noexcept {
  const Link& link = tree.links[spring.body];
  return poses.q[link.q + spring.dof] - S(static_cast<Real<S>>(spring.rest));
}
/// Distance that has derivatives, though no useful ones, at zero.
template <class S>
S spring_distance(const Vec3<S>& d) noexcept {
  const S square = squared_norm(d);
  const auto none = square == S(0);
  return select(none, S(0), sqrt(select(none, S(1), square)));
}

/// Adds the force f, on body i at the point p of the world, along the degrees of freedom of its own joint.
template <class S>
void add_spring_force(const Link& link, std::size_t i, const Poses<S>& poses, const Vec3<S>& p,
                      const Vec3<S>& f, Out<S> forces) noexcept {
  const SE3<S>& T = poses.T_WB[i];
  const Vec3<S> f_B = inverse_times(T.R, f);
  const Vec6<S> W{cross(inverse_times(T.R, p - T.p), f_B), f_B};
  for (int k = link.v; k < link.v + link.nv; ++k) forces[k] += dot(poses.screws[k], W);
}

template <class S>
void add_line_spring(const Tree& tree, const Poses<S>& poses, const LineSpring& spring,
                     Out<S> forces) noexcept {
  const Vec3<S> p_a = spring_end(poses, spring.a), p_b = spring_end(poses, spring.b), d = p_b - p_a;
  const S length = spring_distance(d), rest(static_cast<Real<S>>(spring.length));
  const S slack = rest / select(length == S(0), S(1), length);
  const Vec3<S> f = d * (S(static_cast<Real<S>>(spring.stiffness)) * (S(1) - slack));
  // Joints that carry both ends feel nothing of it: up to where the paths meet.
  for (int a = spring.a.body, b = spring.b.body; a != b;) {
    int& outer = a > b ? a : b;
    const std::size_t i = outer;
    add_spring_force(tree.links[i], i, poses, a > b ? p_a : p_b, a > b ? f : -f, forces);
    outer = tree.links[i].parent;
  }
}

}  // namespace detail

template <class S>
S potential_energy(const Tree& tree, const Poses<S>& poses, const Springs& springs) noexcept {
  S sum(0);
  for (const JointSpring& spring : springs.joints) {
    const S x = detail::spring_extension(tree, poses, spring);
    sum += S(static_cast<Real<S>>(spring.stiffness)) * x * x;
  }
  for (const LineSpring& spring : springs.lines) {
    const Vec3<S> d = detail::spring_end(poses, spring.b) - detail::spring_end(poses, spring.a);
    const S x = detail::spring_distance(d) - S(static_cast<Real<S>>(spring.length));
    // A spring of no length is smooth where its ends meet.
    const S square = spring.length == 0 ? squared_norm(d) : x * x;
    sum += S(static_cast<Real<S>>(spring.stiffness)) * square;
  }
  return S(Real<S>(0.5)) * sum;
}

template <class S>
void add_spring_forces(const Tree& tree, const Poses<S>& poses, const Springs& springs,
                       Out<S> forces) noexcept {
  for (const JointSpring& spring : springs.joints) {
    const Link& link = tree.links[spring.body];
    forces[link.v + spring.dof] -=
        S(static_cast<Real<S>>(spring.stiffness)) * detail::spring_extension(tree, poses, spring);
  }
  for (const LineSpring& spring : springs.lines)
    detail::add_line_spring(tree, poses, spring, forces);
}

}  // namespace axode
