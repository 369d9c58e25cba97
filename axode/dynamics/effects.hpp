/// What the equations of motion take into account beside the inertia of the bodies.
///
///   tau = M(q) a + c(q, v) + g(q) - J^T W_external + armature a + damping v + friction sign(v)
///
/// Armature, damping and friction are those of the tree's degrees of freedom (Dof). Friction of a joint at
/// rest is taken as zero.
/// Tests: tests/dynamics/effects_test.cpp
#pragma once
#include "axode/model/state.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// Each can be left out, by designated initialisers: {.friction = false}.
struct Effects {
  bool gravity = true, armature = true, damping = true, friction = true;
};
/// The inertia of the bodies and nothing else: what is left is M a + c.
inline constexpr Effects no_effects{false, false, false, false};

/// Gravity as the acceleration of the world that has the same effect: -g, or zero if left out.
template <class S>
constexpr Vec3<S> world_acceleration(const Tree& tree, const Effects& effects) noexcept {
  if (!effects.gravity) return {S(0), S(0), S(0)};
  const auto s = [](double x) { return S(static_cast<Real<S>>(-x)); };
  return {s(tree.gravity.x), s(tree.gravity.y), s(tree.gravity.z)};
}

/// Adds damping v + friction sign(v) to the joint forces.
template <class S>
constexpr void add_losses(const Tree& tree, const Effects& effects, In<S> v, Out<S> tau) noexcept {
  for (std::size_t k = 0; k < tree.dofs.size(); ++k) {
    const Dof& dof = tree.dofs[k];
    if (effects.damping && dof.damping != 0) tau[k] += S(static_cast<Real<S>>(dof.damping)) * v[k];
    if (effects.friction && dof.friction != 0) {
      const S f(static_cast<Real<S>>(dof.friction));
      tau[k] += select(v[k] > S(0), f, select(v[k] < S(0), -f, S(0)));
    }
  }
}
/// Adds armature a to the joint forces.
template <class S>
constexpr void add_armature(const Tree& tree, const Effects& effects, In<S> a,
                            Out<S> tau) noexcept {
  if (!effects.armature) return;
  for (std::size_t k = 0; k < tree.dofs.size(); ++k)
    if (tree.dofs[k].armature != 0) tau[k] += S(static_cast<Real<S>>(tree.dofs[k].armature)) * a[k];
}

}  // namespace axode
