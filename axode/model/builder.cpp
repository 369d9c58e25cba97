#include "axode/model/builder.hpp"

#include <utility>

#include "axode/core/error.hpp"

namespace axode {

namespace {}  // namespace

TreeBuilder::TreeBuilder(std::string name) { description_.name = std::move(name); }

TreeBuilder& TreeBuilder::gravity(const Vec3<double>& g) {
  description_.gravity = g;
  return *this;
}
TreeBuilder& TreeBuilder::body(std::string name, const Inertia<double>& inertia) {
  JointDescription joint;
  joint.child = name;
  description_.bodies.push_back({std::move(name), inertia, true, {}, 0});
  description_.joints.push_back(std::move(joint));
  return *this;
}
TreeBuilder& TreeBuilder::on(std::string parent) {
  current_joint("on").parent = std::move(parent);
  return *this;
}
TreeBuilder& TreeBuilder::joint(std::string name, const Joint& joint, const Placement& placement) {
  JointDescription& j = current_joint("joint");
  if (!j.name.empty())
    throw Error("body '" + j.child + "' already has joint '" + j.name + "'", "TreeBuilder::joint",
                "begin the next body with body(...)");
  j.name = std::move(name);
  j.joint = joint;
  j.placement = placement;
  return *this;
}
TreeBuilder& TreeBuilder::joint(std::string name, const PlacedJoint& placed) {
  return joint(std::move(name), placed.joint, placed.placement);
}

JointDescription& TreeBuilder::current_joint(const char* what) {
  if (description_.joints.empty())
    throw Error(std::string(what) + "(...) comes before any body", "TreeBuilder",
                "begin with body(...)");
  return description_.joints.back();
}
Dof& TreeBuilder::dof(int k, const char* what) {
  JointDescription& j = current_joint(what);
  if (k < 0 || k >= j.joint.dof())
    throw Error("joint '" + j.name + "' has no degree of freedom number " + std::to_string(k),
                std::string("TreeBuilder::") + what,
                "give the joint first; degrees of freedom count from 0");
  j.dofs.resize(j.joint.dof());
  return j.dofs[k];
}
TreeBuilder& TreeBuilder::limits(double lower, double upper, int k) {
  Dof& d = dof(k, "limits");
  d.lower = lower;
  d.upper = upper;
  return *this;
}
TreeBuilder& TreeBuilder::max_velocity(double value, int k) {
  dof(k, "max_velocity").max_velocity = value;
  return *this;
}
TreeBuilder& TreeBuilder::max_effort(double value, int k) {
  dof(k, "max_effort").max_effort = value;
  return *this;
}
TreeBuilder& TreeBuilder::damping(double value, int k) {
  dof(k, "damping").damping = value;
  return *this;
}
TreeBuilder& TreeBuilder::friction(double value, int k) {
  dof(k, "friction").friction = value;
  return *this;
}
TreeBuilder& TreeBuilder::armature(double value, int k) {
  dof(k, "armature").armature = value;
  return *this;
}
TreeBuilder& TreeBuilder::mimic(std::string leader, double ratio, double offset) {
  current_joint("mimic").mimic = {std::move(leader), ratio, offset};
  return *this;
}
TreeBuilder& TreeBuilder::shape(Shape shape) {
  current_joint("shape");
  description_.bodies.back().shapes.push_back(std::move(shape));
  return *this;
}
TreeBuilder& TreeBuilder::frame(std::string name, const FrameOn& place) {
  description_.frames.push_back({std::move(name), place.on, place.at, 0});
  return *this;
}

Tree TreeBuilder::build(const BuildOptions& options) const {
  for (const JointDescription& j : description_.joints)
    if (j.name.empty())
      throw Error("it has no joint", "body '" + j.child + "'",
                  "add .joint(name, fixed()) if it does not move");
  return axode::build(description_, options);
}

}  // namespace axode
