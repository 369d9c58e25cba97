#include "axode/model/geometry.hpp"

#include <array>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/tree.hpp"

namespace axode {

namespace {

ScrewSystem<double> moved(const SE3<double>& T, const ScrewSystem<double>& screws) {
  ScrewSystem<double> result;
  for (const Vec6<double>& X : screws) result.screws[result.size++] = Ad(T, X);
  return result;
}

SE3<double> along_and_about(int axis, double length, double angle) {
  Vec3<double> p{};
  p[axis] = length;
  return {rotation_about<double>(axis, angle), p};
}

void check_row(const DenavitHartenberg& row, const char* where) {
  if (!is_finite(row.theta + row.d + row.a + row.alpha))
    throw Error("a Denavit-Hartenberg parameter is not finite", where,
                "give theta, alpha in rad and d, a in m");
  if (row.type != JointType::revolute && row.type != JointType::prismatic)
    throw Error("a Denavit-Hartenberg row cannot be a " + std::string(name(row.type)) + " joint",
                where, "only revolute and prismatic joints have one");
}

Joint joint_along_z(JointType type) {
  return type == JointType::revolute ? revolute({}) : prismatic({});
}

}  // namespace

std::string_view name(GeometryForm form) noexcept {
  constexpr std::array<std::string_view, 4> names{"zero_reference", "body_screws", "parent_screws",
                                                  "joint_frames"};
  return names[std::size_t(form)];
}

Placement zero_reference(const SE3<double>& A) { return {GeometryForm::zero_reference, A, {}}; }
Placement body_screws(const SE3<double>& B) { return {GeometryForm::body_screws, B, {}}; }
Placement parent_screws(const SE3<double>& B) { return {GeometryForm::parent_screws, B, {}}; }
Placement joint_frames(const SE3<double>& S_parent, const SE3<double>& S_body) {
  return {GeometryForm::joint_frames, S_parent, S_body};
}

PlacedJoint classic_dh(const DenavitHartenberg& row) {
  check_row(row, "classic_dh");
  // The joint moves about the parent's z axis, before the constant part.
  return {joint_along_z(row.type), parent_screws(along_and_about(2, row.d, row.theta) *
                                                 along_and_about(0, row.a, row.alpha))};
}

PlacedJoint modified_dh(const DenavitHartenberg& row) {
  check_row(row, "modified_dh");
  return {joint_along_z(row.type),
          body_screws(along_and_about(0, row.a, row.alpha) * along_and_about(2, row.d, row.theta))};
}

ZeroReference zero_reference(const Tree& tree, int body) {
  SE3<double> A{};
  for (int i = body; i >= 0; i = tree.links[i].parent) A = tree.links[i].B * A;
  return {A, moved(A, body_screws(tree, body).X)};
}

std::vector<ZeroReference> zero_references(const Tree& tree) {
  std::vector<ZeroReference> all;
  all.reserve(tree.links.size());
  for (int i = 0; i < tree.size(); ++i) {
    const BodyScrews g = body_screws(tree, i);
    const int parent = tree.links[i].parent;
    const SE3<double> A = parent < 0 ? g.B : all[parent].A * g.B;
    all.push_back({A, moved(A, g.X)});
  }
  return all;
}

BodyScrews body_screws(const Tree& tree, int body) {
  const Link& link = tree.links[body];
  BodyScrews g{link.B, {}, {}};
  for (int k = 0; k < link.nv; ++k) g.X.screws[k] = tree.screws[link.v + k];
  g.X.size = link.nv;
  g.X_parent = moved(g.B, g.X);
  return g;
}

JointFrames joint_frames(const Tree& tree, int body) {
  const BodyScrews g = body_screws(tree, body);
  const SE3<double>& S_body = tree.bodies[body].T_BJ;
  return {g.B * S_body, S_body, moved(inverse(S_body), g.X)};
}

}  // namespace axode
