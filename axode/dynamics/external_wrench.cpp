#include "axode/dynamics/external_wrench.hpp"

#include <cassert>
#include <string>

#include "axode/dynamics/errors.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

template <class S>
Wrench<Rep::body, S> body_wrench(const Poses<S>& poses, const ExternalWrench<S>& wrench) noexcept {
  // W_B = Ad^T W = _B X^A _A W  [MuellerDyn (120); TraversaroSaccon (58)]
  const Frame own{wrench.body, {}};
  const Vec6<S> W =
      wrench_transform(poses, wrench.wrench, wrench.expressed_in, FrameChoice{own, own});
  return {W.angular, W.linear};
}

template <class S>
void add_external_wrenches(const Poses<S>& poses, In<ExternalWrench<S>> wrenches,
                           Out<Wrench<Rep::body, S>> sums) noexcept {
  assert(sums.size() == poses.T_WB.size());
  for (const ExternalWrench<S>& w : wrenches) sums[w.body] += body_wrench(poses, w);
}

ExternalWrench<double> external_wrench(const Tree& tree, const NamedWrench& wrench) {
  const std::string where = "wrench on '" + std::string(wrench.on) + "'";
  const Frame on = simple_frame(tree, wrench.on);
  if (on.body < 0)
    throw Error("it would act on the world, which does not move", where,
                "name a body, or a frame on one");
  if (!is_finite(wrench.wrench))
    throw Error("it is not finite", where, "give six finite numbers, torque [N m] and force [N]");
  return {on.body, wrench.wrench, frame(tree, wrench.expressed_in)};
}

std::vector<Wrench<Rep::body>> external_wrenches(const Tree& tree, const Poses<double>& poses,
                                                 In<NamedWrench> wrenches) {
  std::vector<Wrench<Rep::body>> sums(tree.links.size());
  for (const NamedWrench& w : wrenches) {
    const ExternalWrench<double> looked_up = external_wrench(tree, w);
    sums[looked_up.body] += body_wrench(poses, looked_up);
  }
  return sums;
}

std::vector<Wrench<Rep::body>> external_wrenches(const Tree& tree, const Poses<double>& poses,
                                                 In<NamedWrench> wrenches,
                                                 In<Wrench<Rep::body, double>> body_wrenches,
                                                 const char* where) {
  detail::check_external(tree, body_wrenches, where);
  std::vector<Wrench<Rep::body>> sums = external_wrenches(tree, poses, wrenches);
  for (std::size_t i = 0; i < body_wrenches.size(); ++i) sums[i] += body_wrenches[i];
  return sums;
}

template Wrench<Rep::body, double> body_wrench(const Poses<double>&,
                                               const ExternalWrench<double>&) noexcept;
template void add_external_wrenches(const Poses<double>&, In<ExternalWrench<double>>,
                                    Out<Wrench<Rep::body, double>>) noexcept;
template Wrench<Rep::body, Dual<double>> body_wrench(const Poses<Dual<double>>&,
                                                     const ExternalWrench<Dual<double>>&) noexcept;
template void add_external_wrenches(const Poses<Dual<double>>&, In<ExternalWrench<Dual<double>>>,
                                    Out<Wrench<Rep::body, Dual<double>>>) noexcept;

}  // namespace axode
