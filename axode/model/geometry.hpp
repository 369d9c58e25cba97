/// The geometry of a body and its joint: three equivalent descriptions, and Denavit-Hartenberg.
///
///   (a) zero reference   A pose of the body, Y joint screws, both in the world at q = 0
///   (b) body screws      B pose of the body in its parent at q = 0, X screws in the body frame
///                        or Xbar in the parent's: C_p,i = B exp(X q) = exp(Xbar q) B
///   (c) joint frames     S_parent, S_body poses of the joint frames on parent and body, Z screws
///                        in them: C_p,i = S_parent exp(Z q) S_body^-1
///
/// with B = S_parent S_body^-1, X = Ad_(S_body) Z, A = A_p B, Y = Ad_A X   [MuellerKin (3)-(12);
/// MuellerDyn (91), (94)].
/// A tree is built from any of them, mixed freely (builder.hpp), and read back in each.
/// Tests: tests/model/geometry_test.cpp
#pragma once
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/model/joint.hpp"

namespace axode {

enum class GeometryForm { zero_reference, body_screws, parent_screws, joint_frames };
/// "zero_reference", "body_screws", "parent_screws", "joint_frames".
std::string_view name(GeometryForm form) noexcept;

/// Where the body is at q = 0, and the frame in which its joint's screws are given.
struct Placement {
  GeometryForm form = GeometryForm::zero_reference;
  SE3<double> pose{};    ///< A, B, B or S_parent, by the form
  SE3<double> S_body{};  ///< joint_frames only
};
/// (a): A = T_WB at q = 0; screws in the world.
Placement zero_reference(const SE3<double>& A = {});
/// (b): B = T_PB at q = 0; screws in the body frame.
Placement body_screws(const SE3<double>& B);
/// (b): B = T_PB at q = 0; screws in the parent's frame.
Placement parent_screws(const SE3<double>& B);
/// (c): S_parent = T_PJ, S_body = T_BJ; screws in the joint frame.
Placement joint_frames(const SE3<double>& S_parent, const SE3<double>& S_body = {});

/// A joint with its place, as Denavit-Hartenberg rows give them.
struct PlacedJoint {
  Joint joint;
  Placement placement;
};
/// One row of a Denavit-Hartenberg table; the variable adds to theta (revolute) or d (prismatic).
struct DenavitHartenberg {
  double theta = 0;  ///< [rad]
  double d = 0;      ///< [m]
  double a = 0;      ///< [m]
  double alpha = 0;  ///< [rad]
  JointType type = JointType::revolute;
};
/// Classic (distal): T_PB = Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha).
PlacedJoint classic_dh(const DenavitHartenberg& row);
/// Modified (proximal, Craig): T_PB = Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d), with a and
/// alpha those of the link before.
PlacedJoint modified_dh(const DenavitHartenberg& row);

struct Tree;
struct ZeroReference {
  SE3<double> A;
  ScrewSystem<double> Y;
};
struct BodyScrews {
  SE3<double> B;
  ScrewSystem<double> X;         ///< in the body frame
  ScrewSystem<double> X_parent;  ///< in the parent's frame
};
struct JointFrames {
  SE3<double> S_parent, S_body;
  ScrewSystem<double> Z;
};
/// The geometry of a body of the tree, whatever form it was given in. The joint frames are those
/// given; where none were, the one whose third axis is the axis of the first screw, at the point
/// nearest to the body's origin. Joints in quaternion coordinates have the frame of those always.
ZeroReference zero_reference(const Tree& tree, int body);
BodyScrews body_screws(const Tree& tree, int body);
JointFrames joint_frames(const Tree& tree, int body);
/// Of all bodies, in O(n); of one body it takes O(depth).
std::vector<ZeroReference> zero_references(const Tree& tree);

}  // namespace axode
