/// Wrenches that act on bodies, given in any frame: at its origin, in its axes.
///
///   B_W = B_X^F F_W = (R t + p x R f, R f)    with the pose (R, p) of F on the body
///                                        [TraversaroSaccon (57)-(60); MuellerDyn (120)]
///
/// The frame may be on the body, on another one or in the world, and composite: origin_of("tool")
/// .axes_of("world") is a force in world axes at the tool. The functions for loops take one body wrench
/// for each body; those here add up what acts. Wrenches are (torque, force) in N m and N.
/// Tests: tests/dynamics/external_wrench_test.cpp
#pragma once
#include <string_view>
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/model/frames.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// A wrench on a body, frames looked up, for loops.
template <class S = double>
struct ExternalWrench {
  int body = 0;      ///< it acts on
  Vec6<S> wrench{};  ///< torque about the origin of the frame, and force
  FrameChoice expressed_in{};
};

/// The wrench in the frame of the body it acts on.
template <class S>
Wrench<Rep::body, S> body_wrench(const Poses<S>& poses, const ExternalWrench<S>& wrench) noexcept;
/// Adds the wrenches to those of the bodies they act on: `sums` holds one for each body, set to
/// zero or to other wrenches before. Does not allocate. O(number of wrenches).
template <class S>
void add_external_wrenches(const Poses<S>& poses, In<ExternalWrench<S>> wrenches,
                           Out<Wrench<Rep::body, S>> sums) noexcept;

/// A wrench by names: on a body, or on a named frame and so on the body that has it.
struct NamedWrench {
  std::string_view on;
  Vec6<double> wrench{};        ///< torque about the origin of the frame, and force [N m, N]
  FrameName expressed_in = {};  ///< the world if not said
};
/// Looks the names up. Throws Error on unknown names, on a wrench on the world and on numbers that
/// are not finite.
ExternalWrench<double> external_wrench(const Tree& tree, const NamedWrench& wrench);
/// One body wrench for each body, the sum of those that act on it. Throws like external_wrench.
std::vector<Wrench<Rep::body>> external_wrenches(const Tree& tree, const Poses<double>& poses,
                                                 In<NamedWrench> wrenches);
/// The same with `body_wrenches`, one for each body or none, added. `where` names the function that
/// asks, for the Error thrown if their number is another one or they are not finite.
std::vector<Wrench<Rep::body>> external_wrenches(const Tree& tree, const Poses<double>& poses,
                                                 In<NamedWrench> wrenches,
                                                 In<Wrench<Rep::body, double>> body_wrenches,
                                                 const char* where);

/// What acts besides joint forces, for functions of a tree and its state that are called by names. By
/// designated initialisers: {.effects = {.friction = false}}.
struct DynamicsOptions {
  std::vector<NamedWrench> external = {};  ///< wrenches that act on bodies; refer to their names
  In<Wrench<Rep::body, double>> body_wrenches = {};  ///< besides them: one for each body, or none
  Effects effects = {};
};

}  // namespace axode
