#include "axode/view/scene/tree_reactions.hpp"

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/kinematics/poses.hpp"

namespace axode {

namespace {

ClipSeries named_series(const Tree& tree) {
  ClipSeries series{"reactions", {}, {}, {}};
  for (const Body& body : tree.bodies)
    for (const char* part : {"tx", "ty", "tz", "fx", "fy", "fz"}) {
      series.names.push_back(body.name + "." + part);
      series.units.emplace_back(*part == 't' ? "N m" : "N");
    }
  return series;
}

}  // namespace

ClipSeries tree_reactions(const Tree& tree, const Forces& forces, const Run& run) {
  ClipSeries series = named_series(tree);
  const std::size_t nq = tree.nq, nv = tree.nv;
  if (run.q.size() != nq * run.times.size() || run.v.size() != nv * run.times.size() ||
      run.a.size() != nv * run.times.size())
    throw Error("the run is not of this tree", run.metadata.model_name, "give the tree of the run");
  ForceWork force_work(tree, forces);
  Poses<double> placed(tree);
  Motion<Rep::body, double> motion(tree);
  InverseDynamics<Rep::hybrid> dynamics(tree);
  std::vector<double> tau(nv);
  std::vector<Wrench<Rep::body, double>> external(tree.links.size());
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const auto q = std::span(run.q).subspan(i * nq, nq), v = std::span(run.v).subspan(i * nv, nv),
               a = std::span(run.a).subspan(i * nv, nv);
    poses<double>(tree, q, placed);
    twists<Rep::body, double>(tree, placed, v, motion);
    std::fill(external.begin(), external.end(), Wrench<Rep::body, double>{});
    add_forces(tree, forces, run.times[i], q, v, {placed.T_WB, motion.twists}, force_work, tau,
               external);
    inverse_dynamics<Rep::hybrid, double>(tree, placed, v, a, dynamics, tau, external);
    for (const Wrench<Rep::hybrid>& w : dynamics.joint_wrenches) {
      const Vec3<double>&t = w.angular, &f = w.linear;
      series.values.insert(series.values.end(), {t.x, t.y, t.z, f.x, f.y, f.z});
    }
  }
  return series;
}

}  // namespace axode
