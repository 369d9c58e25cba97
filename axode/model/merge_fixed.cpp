#include "axode/model/merge_fixed.hpp"

namespace axode {

Tree merge_fixed_joints(const Tree& tree) {
  const std::size_t n = tree.links.size();
  Tree merged;
  merged.name = tree.name;
  merged.source = tree.source;
  merged.source_crc32 = tree.source_crc32;
  merged.gravity = tree.gravity;
  merged.screws = tree.screws;
  merged.dofs = tree.dofs;
  merged.warnings = tree.warnings;
  merged.nq = tree.nq;
  merged.nv = tree.nv;

  struct Host {
    int body = -1;       // in the merged tree
    SE3<double> T_HB{};  // the old body there
  };
  std::vector<Host> host(n);
  const auto host_of = [&](int body) { return body < 0 ? Host{} : host[body]; };
  const auto add_frame = [&](const std::string& name, const Host& on, const SE3<double>& T_BF) {
    merged.frame_names.emplace(name, static_cast<int>(merged.frames.size()));
    merged.frames.push_back({name, on.body, on.T_HB * T_BF});
  };

  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = tree.links[i];
    const Body& body = tree.bodies[i];
    const Host parent = host_of(link.parent);
    if (link.map == JointMap::fixed && parent.body >= 0) {
      host[i] = {parent.body, parent.T_HB * link.B};
      Body& into = merged.bodies[parent.body];
      into.inertia = into.inertia + transform(host[i].T_HB, body.inertia);
      into.inertia_given = into.inertia_given || body.inertia_given;
      for (Shape shape : body.shapes) {
        shape.pose = host[i].T_HB * shape.pose;
        into.shapes.push_back(std::move(shape));
      }
      add_frame(body.name, host[i], {});
    } else {
      host[i] = {merged.size(), {}};
      merged.body_names.emplace(body.name, merged.size());
      merged.joint_names.emplace(body.joint_name, merged.size());
      merged.links.push_back(link);
      merged.links.back().parent = parent.body;
      merged.links.back().B = parent.T_HB * link.B;
      merged.bodies.push_back(body);
    }
  }
  for (const NamedFrame& f : tree.frames) add_frame(f.name, host_of(f.body), f.T_BF);
  for (Coupling c : tree.couplings) {
    c.follower = host_of(c.follower).body;
    c.leader = host_of(c.leader).body;
    merged.couplings.push_back(c);
  }
  return merged;
}

}  // namespace axode
